// Boxes of features, in lanes: made from those of rows, and tested against each other.

#include "sim/contact/features.h"
#include "sim/contact/lanes.h"

void SIM_ISA(sim_tree_refit)(struct sim_features *features, uint32_t first, uint32_t end,
                             const struct sim_box *boxes, const uint8_t *dirty, bool all);
void SIM_ISA(sim_tree_gather)(struct sim_features *features);
uint32_t SIM_ISA(sim_leaves_meet_in)(const struct sim_features *one, uint32_t a,
                                     const struct sim_features *other, uint32_t b, bool only_moved,
                                     struct sim_hit hits[SIM_HITS_MAX]);
uint32_t SIM_ISA(sim_leaves_cross_in)(const struct sim_features *one, uint32_t a,
                                      const struct sim_features *other, uint32_t b,
                                      struct sim_hit hits[SIM_HITS_MAX]);

// ------------------------------------------------------------------------------------------------------- refit

static const struct sim_box nothing = {{SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR},
                                       {-SIM_PAIR_FAR, -SIM_PAIR_FAR, -SIM_PAIR_FAR}};

static void box_take(struct sim_box *box, const struct sim_box *other)
{
    for (int axis = 0; axis < 3; axis++) {
        box->least[axis] = other->least[axis] < box->least[axis] ? other->least[axis] : box->least[axis];
        box->most[axis] = other->most[axis] > box->most[axis] ? other->most[axis] : box->most[axis];
    }
}

static void boxes_put(struct sim_boxes *boxes, uint32_t lane, const struct sim_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        boxes->least[axis][lane] = box->least[axis];
        boxes->most[axis][lane] = box->most[axis];
    }
}

// Returns whether any row was dirty.
static bool box_of_rows(const uint32_t *rows, uint32_t count, uint32_t stride, const struct sim_box *boxes,
                        const uint8_t *dirty, struct sim_box *box)
{
    uint8_t any = 0;
    *box = nothing;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows[(size_t)i * stride];
        box_take(box, &boxes[row]);
        any |= dirty ? dirty[row] : 0;
    }
    return any != 0;
}

static void leaf_refit(struct sim_features *features, uint32_t leaf, const struct sim_box *boxes,
                       const uint8_t *dirty)
{
    struct sim_box *node = &features->nodes[features->leaf_count + leaf], box;
    uint32_t moved = 0;
    *node = nothing;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t e = leaf * SIM_LANES + lane, corners = e < features->count ? 3 : 0;
        bool any = box_of_rows(features->corners[corners == 3 ? e : 0], corners, 1, boxes, dirty, &box);
        moved |= (uint32_t)(any && corners == 3) << lane;
        boxes_put(&features->element_boxes[leaf], lane, &box);
        box_take(node, &box);
    }
    features->moved_elements[leaf] = (uint16_t)moved;
    features->moved[features->leaf_count + leaf] = moved != 0;
    for (uint32_t b = features->vertex_first[leaf]; b < features->vertex_first[leaf + 1]; b++) {
        moved = 0;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            bool is = features->vertices[b][lane] != SIM_NO_FEATURE;
            bool any = box_of_rows(&features->vertices[b][lane], is, 1, boxes, dirty, &box);
            moved |= (uint32_t)(any && is) << lane;
            boxes_put(&features->vertex_boxes[b], lane, &box);
        }
        features->moved_vertices[b] = (uint16_t)moved;
    }
    for (uint32_t b = features->edge_first[leaf]; b < features->edge_first[leaf + 1]; b++) {
        moved = 0;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            bool is = features->edges[b][0][lane] != SIM_NO_FEATURE;
            bool any = box_of_rows(&features->edges[b][0][lane], is ? 2 : 0, SIM_LANES, boxes, dirty, &box);
            moved |= (uint32_t)(any && is) << lane;
            boxes_put(&features->edge_boxes[b], lane, &box);
        }
        features->moved_edges[b] = (uint16_t)moved;
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
                             const struct sim_box *boxes, const uint8_t *dirty, bool all)
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

// What features of a block are tested with: blocks of another leaf.
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

// Those of a block with all of the other side; only_moved: those that moved.
SIM_INLINE uint32_t block_meets(const struct blocks *own, uint32_t block, const struct against *other,
                                struct sim_hit *hits)
{
    const struct sim_boxes *boxes = &own->boxes[block];
    const uint32_t of = other->only_moved ? own->moved[block] : 0xffffU;
    uint32_t count = 0;
    for (uint32_t lanes = of != 0 ? overlaps(boxes, other->around) & of : 0; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        struct sim_box box = box_at(boxes, lane);
        for (uint32_t b = other->after ? block : other->first; b < other->end; b++) {
            uint32_t found = overlaps(&other->of.boxes[b], &box);
            found &= other->after && b == block ? 0xfffeU << lane : 0xffffU;
            if (found != 0 && other->same) {
                found &= ~sharing(&other->of, b, own, block, lane);
            }
            if (found != 0) {
                hits[count++] = (struct sim_hit){other->kind, block, lane, b, found};
            }
        }
    }
    return count;
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

SIM_INLINE uint32_t blocks_meet(const struct blocks *own, uint32_t first, uint32_t end,
                                const struct sim_box *around, const struct against *other,
                                struct sim_hit *hits)
{
    uint32_t count = 0;
    for (uint32_t b = first; b < end; b++) {
        count += block_meets(own, b, other, hits + count);
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
                       &one->nodes[one->leaf_count + a], other, hits);
}

SIM_INLINE uint32_t edges_meet(const struct sim_features *one, uint32_t a, const struct against *other,
                               struct sim_hit *hits)
{
    const struct blocks edges = edges_of(one);
    return blocks_meet(&edges, one->edge_first[a], one->edge_first[a + 1], &one->nodes[one->leaf_count + a],
                       other, hits);
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
    return count + edges_meet(one, a, &there, hits + count);
}

uint32_t SIM_ISA(sim_leaves_cross_in)(const struct sim_features *one, uint32_t a,
                                      const struct sim_features *other, uint32_t b,
                                      struct sim_hit hits[SIM_HITS_MAX])
{
    const bool same = one == other;
    struct against there = elements_of(other, b, SIM_HIT_CROSS, SIM_HIT_CROSS, same, false),
                   here = elements_of(one, a, SIM_HIT_CROSS_BACK, SIM_HIT_CROSS_BACK, same, false);
    uint32_t count = edges_meet(one, a, &there, hits);
    return same && a == b ? count : count + edges_meet(other, b, &here, hits + count);
}

const struct sim_tree_kernels SIM_ISA(sim_tree_kernels) = {.refit = SIM_ISA(sim_tree_refit),
                                                           .gather = SIM_ISA(sim_tree_gather),
                                                           .meet = SIM_ISA(sim_leaves_meet_in),
                                                           .cross = SIM_ISA(sim_leaves_cross_in)};
