// Boxes of features, in lanes: made from those of rows, and tested against each other.

#include "sim/contact/features.h"
#include "sim/contact/lanes.h"

void SIM_ISA(sim_tree_refit)(struct sim_features *features, uint32_t first, uint32_t end,
                             const struct sim_reach *boxes, const uint8_t *dirty, bool all);
void SIM_ISA(sim_tree_gather)(struct sim_features *features);
uint32_t SIM_ISA(sim_leaves_meet_in)(const struct sim_features *one, uint32_t a,
                                     const struct sim_features *other, uint32_t b, bool only_moved,
                                     struct sim_hit hits[SIM_HITS_MAX]);
uint32_t SIM_ISA(sim_leaves_cross_in)(const struct sim_features *one, uint32_t a,
                                      const struct sim_features *other, uint32_t b,
                                      struct sim_hit hits[SIM_HITS_MAX]);

// ------------------------------------------------------------------------------------------------------- refit

// Boxes in lanes, and what they are all in.
struct bounds {
    wf least[3], most[3];
};

SIM_INLINE void bounds_take(struct bounds *bounds, const struct bounds *other)
{
    for (int axis = 0; axis < 3; axis++) {
        bounds->least[axis] = w_min(other->least[axis], bounds->least[axis]);
        bounds->most[axis] = w_max(other->most[axis], bounds->most[axis]);
    }
}

SIM_INLINE struct bounds bounds_empty(void)
{
    const wf least = w_set(SIM_PAIR_FAR), most = w_set(-SIM_PAIR_FAR);
    return (struct bounds){{least, least, least}, {most, most, most}};
}

SIM_INLINE struct bounds bounds_at(const struct sim_reach *boxes, const uint32_t *rows)
{
    uint32_t places[WIDE];
    struct bounds bounds;
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        places[lane] = rows[lane] == SIM_NO_FEATURE ? 0 : rows[lane] * (uint32_t)sizeof *boxes;
    }
    const struct w_rows least = w_rows_at(boxes->least, places), most = w_rows_at(boxes->most, places);
    for (int axis = 0; axis < 3; axis++) {
        bounds.least[axis] = w_of_bits(least.x[axis]);
        bounds.most[axis] = w_of_bits(most.x[axis]);
    }
    return bounds;
}

// Boxes of the features of a block, and all of them into `whole`.
SIM_INLINE void block_refit(struct sim_boxes *to, const uint32_t *rows, const uint32_t row_count,
                            const struct sim_reach *boxes, struct bounds *whole)
{
    const struct bounds empty = bounds_empty();
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct bounds of = bounds_at(boxes, rows + lane);
        for (uint32_t k = 1; k < row_count; k++) {
            const struct bounds more = bounds_at(boxes, rows + k * SIM_LANES + lane);
            bounds_take(&of, &more);
        }
        const wm none = w_equal_int(w_load_int(rows + lane), w_bits(w_set(0)) + (uint32_t)SIM_NO_FEATURE);
        for (int axis = 0; axis < 3; axis++) {
            of.least[axis] = w_select(none, empty.least[axis], of.least[axis]);
            of.most[axis] = w_select(none, empty.most[axis], of.most[axis]);
            w_store(to->least[axis] + lane, of.least[axis]);
            w_store(to->most[axis] + lane, of.most[axis]);
        }
        bounds_take(whole, &of);
    }
}

// Bit i: the feature in lane i has a dirty row.
static uint32_t dirty_lanes(const uint32_t *rows, uint32_t row_count, const uint8_t *dirty)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; dirty && lane < SIM_LANES && rows[lane] != SIM_NO_FEATURE; lane++) {
        uint8_t any = 0;
        for (uint32_t k = 0; k < row_count; k++) {
            any |= dirty[rows[k * SIM_LANES + lane]];
        }
        lanes |= (uint32_t)(any != 0) << lane;
    }
    return lanes;
}

static void box_take(struct sim_box *box, const struct sim_box *other)
{
    for (int axis = 0; axis < 3; axis++) {
        box->least[axis] = other->least[axis] < box->least[axis] ? other->least[axis] : box->least[axis];
        box->most[axis] = other->most[axis] > box->most[axis] ? other->most[axis] : box->most[axis];
    }
}

// The box that lanes are all in.
SIM_INLINE struct sim_box box_of(const struct bounds *bounds)
{
    struct sim_box box;
    for (int axis = 0; axis < 3; axis++) {
        float least[WIDE], most[WIDE];
        w_store(least, bounds->least[axis]);
        w_store(most, bounds->most[axis]);
        box.least[axis] = least[0];
        box.most[axis] = most[0];
        for (uint32_t lane = 1; lane < WIDE; lane++) {
            box.least[axis] = least[lane] < box.least[axis] ? least[lane] : box.least[axis];
            box.most[axis] = most[lane] > box.most[axis] ? most[lane] : box.most[axis];
        }
    }
    return box;
}

static void leaf_refit(struct sim_features *features, uint32_t leaf, const struct sim_reach *boxes,
                       const uint8_t *dirty)
{
    struct bounds whole = bounds_empty(), unused = whole;
    const uint32_t *rows = features->elements[leaf][0];
    block_refit(&features->element_boxes[leaf], rows, 3, boxes, &whole);
    features->nodes[features->leaf_count + leaf] = box_of(&whole);
    features->moved_elements[leaf] = (uint16_t)dirty_lanes(rows, 3, dirty);
    features->moved[features->leaf_count + leaf] = features->moved_elements[leaf] != 0;
    for (uint32_t b = features->vertex_first[leaf]; b < features->vertex_first[leaf + 1]; b++) {
        rows = features->vertices[b];
        block_refit(&features->vertex_boxes[b], rows, 1, boxes, &unused);
        features->moved_vertices[b] = (uint16_t)dirty_lanes(rows, 1, dirty);
    }
    for (uint32_t b = features->edge_first[leaf]; b < features->edge_first[leaf + 1]; b++) {
        rows = features->edges[b][0];
        block_refit(&features->edge_boxes[b], rows, 2, boxes, &unused);
        features->moved_edges[b] = (uint16_t)dirty_lanes(rows, 2, dirty);
    }
}

static bool leaf_is_dirty(const struct sim_features *features, uint32_t leaf, const uint8_t *dirty)
{
    uint32_t end = (leaf + 1) * SIM_LANES < features->count ? (leaf + 1) * SIM_LANES : features->count;
    uint8_t any = 0;
    for (uint32_t e = leaf * SIM_LANES; dirty && e < end; e++) {
        const uint32_t *rows = features->corners[e];
        any |= dirty[rows[0]] | dirty[rows[1]] | dirty[rows[2]];
    }
    return any != 0;
}

static void leaf_forget(struct sim_features *features, uint32_t leaf)
{
    features->moved_elements[leaf] = 0;
    features->moved[features->leaf_count + leaf] = 0;
    for (uint32_t b = features->vertex_first[leaf]; b < features->vertex_first[leaf + 1]; b++) {
        features->moved_vertices[b] = 0;
    }
    for (uint32_t b = features->edge_first[leaf]; b < features->edge_first[leaf + 1]; b++) {
        features->moved_edges[b] = 0;
    }
}

void SIM_ISA(sim_tree_refit)(struct sim_features *features, uint32_t first, uint32_t end,
                             const struct sim_reach *boxes, const uint8_t *dirty, bool all)
{
    for (uint32_t l = first; l < end; l++) {
        if (all || leaf_is_dirty(features, l, dirty)) {
            leaf_refit(features, l, boxes, dirty);
        } else if (features->moved[features->leaf_count + l] != 0) {
            leaf_forget(features, l);
        }
    }
}

void SIM_ISA(sim_tree_gather)(struct sim_features *features)
{
    for (uint32_t node = features->leaf_count - 1; node > 0; node--) {
        features->nodes[node] = features->nodes[2 * node];
        box_take(&features->nodes[node], &features->nodes[2 * node + 1]);
        features->moved[node] = features->moved[2 * node] | features->moved[2 * node + 1];
    }
}

// ------------------------------------------------------------------------------------------------------- tests

// Bit i: lane i overlaps the box.
SIM_INLINE uint32_t overlaps(const struct sim_boxes *boxes, const struct sim_box *box)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wm apart = w_or(w_below(w_set(box->most[0]), w_load(boxes->least[0] + lane)),
                        w_below(w_load(boxes->most[0] + lane), w_set(box->least[0])));
        for (int axis = 1; axis < 3; axis++) {
            apart = w_or(apart, w_or(w_below(w_set(box->most[axis]), w_load(boxes->least[axis] + lane)),
                                     w_below(w_load(boxes->most[axis] + lane), w_set(box->least[axis]))));
        }
        lanes |= w_lanes_of(w_not(apart)) << lane;
    }
    return lanes & 0xffff;
}

// A box in all lanes.
struct query {
    wf least[3], most[3];
};

SIM_INLINE struct query query_of(const struct sim_boxes *boxes, uint32_t lane)
{
    struct query query;
    for (int axis = 0; axis < 3; axis++) {
        query.least[axis] = w_set(boxes->least[axis][lane]);
        query.most[axis] = w_set(boxes->most[axis][lane]);
    }
    return query;
}

// Bit i: lane i overlaps the box.
SIM_INLINE uint32_t query_meets(const struct query *query, const struct sim_boxes *boxes)
{
    uint32_t apart = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wm far[3];
        for (int axis = 0; axis < 3; axis++) {
            far[axis] = w_or(w_below(query->most[axis], w_load(boxes->least[axis] + lane)),
                             w_below(w_load(boxes->most[axis] + lane), query->least[axis]));
        }
        apart |= w_lanes_of(w_or(w_or(far[0], far[1]), far[2])) << lane;
    }
    return ~apart & 0xffff;
}

SIM_INLINE struct sim_box box_at(const struct sim_boxes *boxes, uint32_t lane)
{
    struct sim_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.least[axis] = boxes->least[axis][lane];
        box.most[axis] = boxes->most[axis][lane];
    }
    return box;
}

// Features of some blocks: one row, two or three of each.
struct blocks {
    const struct sim_boxes *boxes;
    const uint32_t *rows; // by block, row, lane
    uint32_t row_count;
    const uint16_t *moved;
};

// Names the blocks of another leaf with which the features of a block are tested.
struct against {
    uint32_t kind, kind_back; // of hits told from this side, and from the other one
    struct blocks of;
    bool same; // of the same body, so that features of both may share rows
    uint32_t first, end;
    const struct sim_box *around; // what they are in
    bool only_moved, after;       // after: only those that come later in the same blocks
};

// Bit i: lane i of block b has a row of the feature in a lane of a block of its own.
SIM_INLINE uint32_t sharing(const struct blocks *blocks, uint32_t b, const struct blocks *own, uint32_t block,
                            uint32_t own_lane)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wm any = w_below(w_set(0), w_set(0));
        for (uint32_t i = 0; i < own->row_count; i++) {
            wi row = w_bits(w_set(0)) + own->rows[(block * own->row_count + i) * SIM_LANES + own_lane];
            for (uint32_t k = 0; k < blocks->row_count; k++) {
                const uint32_t *rows = blocks->rows + (b * blocks->row_count + k) * SIM_LANES + lane;
                any = w_or(any, w_equal_int(w_load_int(rows), row));
            }
        }
        lanes |= w_lanes_of(any) << lane;
    }
    return lanes;
}

// Bit i: lane i, of WIDE, has one of the rows of a feature. So many rows have the features of both sides.
SIM_INLINE wm shares(const wi own[], const uint32_t own_rows, const uint32_t *rows, const uint32_t row_count)
{
    wm any = w_below(w_set(0), w_set(0));
    for (uint32_t k = 0; k < row_count; k++) {
        const wi row = w_load_int(rows + k * SIM_LANES);
        for (uint32_t i = 0; i < own_rows; i++) {
            any = w_or(any, w_equal_int(row, own[i]));
        }
    }
    return any;
}

// Lanes of a block with all of the other side. What is constant of a call is so in all that is compiled of it.
SIM_INLINE uint32_t lanes_meet(const struct blocks *own, uint32_t block, uint32_t lanes,
                               const struct against *other, const bool same, const bool after,
                               const uint32_t own_rows, const uint32_t rows, struct sim_hit *hits)
{
    const uint32_t first = after ? block : other->first, end = other->end;
    const uint32_t *const own_at = own->rows + (size_t)block * own_rows * SIM_LANES;
    uint32_t count = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const struct query query = query_of(&own->boxes[block], lane);
        wi at[3];
        for (uint32_t i = 0; i < own_rows; i++) {
            at[i] = w_bits(w_set(0)) + own_at[i * SIM_LANES + lane];
        }
        for (uint32_t b = first; b < end; b++) {
            uint32_t found = query_meets(&query, &other->of.boxes[b]);
            if (after && b == block) {
                found &= 0xfffeU << lane;
            }
            if (found == 0) {
                continue;
            }
            for (uint32_t from = 0; same && from < SIM_LANES; from += WIDE) {
                const uint32_t *of = other->of.rows + (size_t)b * rows * SIM_LANES + from;
                found &= ~(w_lanes_of(shares(at, own_rows, of, rows)) << from);
            }
            hits[count] = (struct sim_hit){other->kind, block, lane, b, found};
            count += found != 0;
        }
    }
    return count;
}

// Those of a block with all of the other side; only_moved: those that moved.
SIM_INLINE uint32_t block_meets(const struct blocks *own, uint32_t block, const struct against *other,
                                const uint32_t own_rows, const uint32_t rows, struct sim_hit *hits)
{
    const uint32_t of = other->only_moved ? own->moved[block] : 0xffffU,
                   lanes = of != 0 ? overlaps(&own->boxes[block], other->around) & of : 0;
    if (lanes == 0) {
        return 0;
    }
    if (other->after) {
        return lanes_meet(own, block, lanes, other, true, true, own_rows, rows, hits);
    }
    return other->same ? lanes_meet(own, block, lanes, other, true, false, own_rows, rows, hits)
                       : lanes_meet(own, block, lanes, other, false, false, own_rows, rows, hits);
}

// Those of the other side that moved, with those of a block that did not.
SIM_INLINE uint32_t block_is_met(const struct blocks *own, uint32_t block, const struct sim_box *around,
                                 const struct against *other, struct sim_hit *hits)
{
    const uint32_t stands = ~(uint32_t)own->moved[block] & 0xffffU;
    uint32_t count = 0;
    for (uint32_t b = other->after ? block : other->first; b < other->end && stands != 0; b++) {
        const uint32_t of = other->of.moved[b];
        for (uint32_t lanes = of != 0 ? overlaps(&other->of.boxes[b], around) & of : 0; lanes != 0;
             lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            struct sim_box box = box_at(&other->of.boxes[b], lane);
            uint32_t found = overlaps(&own->boxes[block], &box) & stands;
            found &= other->after && b == block ? (1U << lane) - 1 : 0xffffU;
            if (found != 0 && other->same) {
                found &= ~sharing(own, block, &other->of, b, lane);
            }
            if (found != 0) {
                hits[count++] = (struct sim_hit){other->kind_back, b, lane, block, found};
            }
        }
    }
    return count;
}

SIM_LONG uint32_t blocks_meet(const struct blocks *own, uint32_t first, uint32_t end,
                              const struct sim_box *around, const struct against *other,
                              const uint32_t own_rows, const uint32_t rows, struct sim_hit *hits)
{
    uint32_t count = 0;
    for (uint32_t b = first; b < end; b++) {
        count += block_meets(own, b, other, own_rows, rows, hits + count);
        if (other->only_moved) {
            count += block_is_met(own, b, around, other, hits + count);
        }
    }
    return count;
}

SIM_INLINE struct blocks edges_of(const struct sim_features *features)
{
    return (struct blocks){features->edge_boxes, features->edges[0][0], 2, features->moved_edges};
}

SIM_INLINE struct against elements_of(const struct sim_features *features, uint32_t leaf, uint32_t kind,
                                      uint32_t kind_back, bool same, bool only_moved)
{
    return (struct against){
        .kind = kind,
        .kind_back = kind_back,
        .of = {features->element_boxes, features->elements[0][0], 3, features->moved_elements},
        .same = same,
        .first = leaf,
        .end = leaf + 1,
        .around = &features->nodes[features->leaf_count + leaf],
        .only_moved = only_moved};
}

SIM_INLINE uint32_t vertices_meet(const struct sim_features *one, uint32_t a, const struct against *other,
                                  struct sim_hit *hits)
{
    const struct blocks vertices = {one->vertex_boxes, one->vertices[0], 1, one->moved_vertices};
    return blocks_meet(&vertices, one->vertex_first[a], one->vertex_first[a + 1],
                       &one->nodes[one->leaf_count + a], other, 1, 3, hits);
}

SIM_INLINE uint32_t edges_meet(const struct sim_features *one, uint32_t a, const struct against *other,
                               const uint32_t rows, struct sim_hit *hits)
{
    const struct blocks edges = edges_of(one);
    return blocks_meet(&edges, one->edge_first[a], one->edge_first[a + 1], &one->nodes[one->leaf_count + a],
                       other, 2, rows, hits);
}

uint32_t SIM_ISA(sim_leaves_meet_in)(const struct sim_features *one, uint32_t a,
                                     const struct sim_features *other, uint32_t b, bool only_moved,
                                     struct sim_hit hits[SIM_HITS_MAX])
{
    const bool same = one == other;
    struct against there = elements_of(other, b, SIM_HIT_VERTEX, SIM_HIT_ELEMENT, same, only_moved),
                   here = elements_of(one, a, SIM_HIT_VERTEX_BACK, SIM_HIT_ELEMENT_BACK, same, only_moved);
    uint32_t count = vertices_meet(one, a, &there, hits);
    if (!same || a != b) {
        count += vertices_meet(other, b, &here, hits + count);
    }
    there = (struct against){.kind = SIM_HIT_EDGE,
                             .kind_back = SIM_HIT_EDGE_BACK,
                             .of = edges_of(other),
                             .same = same,
                             .first = other->edge_first[b],
                             .end = other->edge_first[b + 1],
                             .around = &other->nodes[other->leaf_count + b],
                             .only_moved = only_moved,
                             .after = same && a == b};
    return count + edges_meet(one, a, &there, 2, hits + count);
}

uint32_t SIM_ISA(sim_leaves_cross_in)(const struct sim_features *one, uint32_t a,
                                      const struct sim_features *other, uint32_t b,
                                      struct sim_hit hits[SIM_HITS_MAX])
{
    const bool same = one == other;
    struct against there = elements_of(other, b, SIM_HIT_CROSS, SIM_HIT_CROSS, same, false),
                   here = elements_of(one, a, SIM_HIT_CROSS_BACK, SIM_HIT_CROSS_BACK, same, false);
    uint32_t count = edges_meet(one, a, &there, 3, hits);
    return same && a == b ? count : count + edges_meet(other, b, &here, 3, hits + count);
}

const struct sim_tree_kernels SIM_ISA(sim_tree_kernels) = {.refit = SIM_ISA(sim_tree_refit),
                                                           .gather = SIM_ISA(sim_tree_gather),
                                                           .meet = SIM_ISA(sim_leaves_meet_in),
                                                           .cross = SIM_ISA(sim_leaves_cross_in)};
