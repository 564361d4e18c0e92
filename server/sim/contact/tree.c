// Boxes of features, in lanes: made from those of rows, and tested against each other.

#include "sim/contact/features.h"
#include "sim/contact/lanes.h"

void SIM_ISA(sim_tree_refit)(struct sim_features *features, const struct sim_box *boxes,
                             const uint8_t *dirty);
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
    uint8_t any = dirty == NULL;
    *box = nothing;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows[(size_t)i * stride];
        box_take(box, &boxes[row]);
        any |= dirty != NULL ? dirty[row] : 0;
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
    for (uint32_t e = leaf * SIM_LANES; e < end; e++) {
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

void SIM_ISA(sim_tree_refit)(struct sim_features *features, const struct sim_box *boxes, const uint8_t *dirty)
{
    for (uint32_t l = 0; l < features->leaf_count; l++) {
        if (dirty == NULL || leaf_is_dirty(features, l, dirty)) {
            leaf_refit(features, l, boxes, dirty);
        } else if (features->moved[features->leaf_count + l] != 0) {
            leaf_forget(features, l);
        }
    }
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

// What features of a block are tested with: blocks of another leaf.
struct against {
    uint32_t kind;
    const struct sim_boxes *boxes;
    const uint16_t *moved;
    uint32_t first, end;
    const struct sim_box *around;
    bool only_moved, after; // after: only those that come later in the same blocks
    uint16_t any_moved;
};

SIM_INLINE uint32_t block_meets(const struct sim_boxes *boxes, uint32_t moved, uint32_t block,
                                const struct against *other, struct sim_hit *hits)
{
    uint32_t count = 0, of = other->only_moved && other->any_moved == 0 ? moved : 0xffffU;
    if (of == 0) {
        return 0;
    }
    for (uint32_t lanes = overlaps(boxes, other->around) & of; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        struct sim_box box = box_at(boxes, lane);
        for (uint32_t b = other->after ? block : other->first; b < other->end; b++) {
            uint32_t found = overlaps(&other->boxes[b], &box);
            found &= other->only_moved && (moved >> lane & 1) == 0 ? other->moved[b] : 0xffffU;
            found &= other->after && b == block ? 0xfffeU << lane : 0xffffU;
            if (found != 0) {
                hits[count++] = (struct sim_hit){other->kind, block, lane, b, found};
            }
        }
    }
    return count;
}

SIM_INLINE uint32_t blocks_meet(const struct sim_boxes *boxes, const uint16_t *moved, uint32_t first,
                                uint32_t end, const struct against *other, struct sim_hit *hits)
{
    uint32_t count = 0;
    for (uint32_t b = first; b < end; b++) {
        count += block_meets(&boxes[b], moved[b], b, other, hits + count);
    }
    return count;
}

static struct against elements_of(const struct sim_features *features, uint32_t leaf, uint32_t kind,
                                  bool only_moved)
{
    return (struct against){.kind = kind,
                            .boxes = features->element_boxes,
                            .moved = features->moved_elements,
                            .first = leaf,
                            .end = leaf + 1,
                            .around = &features->nodes[features->leaf_count + leaf],
                            .only_moved = only_moved,
                            .any_moved = features->moved_elements[leaf]};
}

SIM_INLINE uint32_t vertices_meet(const struct sim_features *one, uint32_t a, const struct against *other,
                                  struct sim_hit *hits)
{
    return blocks_meet(one->vertex_boxes, one->moved_vertices, one->vertex_first[a], one->vertex_first[a + 1],
                       other, hits);
}

SIM_INLINE uint32_t edges_meet(const struct sim_features *one, uint32_t a, const struct against *other,
                               struct sim_hit *hits)
{
    return blocks_meet(one->edge_boxes, one->moved_edges, one->edge_first[a], one->edge_first[a + 1], other,
                       hits);
}

uint32_t SIM_ISA(sim_leaves_meet_in)(const struct sim_features *one, uint32_t a,
                                     const struct sim_features *other, uint32_t b, bool only_moved,
                                     struct sim_hit hits[SIM_HITS_MAX])
{
    const bool same = one == other && a == b;
    struct against there = elements_of(other, b, SIM_HIT_VERTEX, only_moved),
                   here = elements_of(one, a, SIM_HIT_VERTEX_BACK, only_moved);
    uint32_t count = vertices_meet(one, a, &there, hits);
    if (!same) {
        count += vertices_meet(other, b, &here, hits + count);
    }
    there = (struct against){.kind = SIM_HIT_EDGE,
                             .boxes = other->edge_boxes,
                             .moved = other->moved_edges,
                             .first = other->edge_first[b],
                             .end = other->edge_first[b + 1],
                             .around = &other->nodes[other->leaf_count + b],
                             .only_moved = only_moved,
                             .after = same,
                             .any_moved = other->moved[other->leaf_count + b]};
    return count + edges_meet(one, a, &there, hits + count);
}

uint32_t SIM_ISA(sim_leaves_cross_in)(const struct sim_features *one, uint32_t a,
                                      const struct sim_features *other, uint32_t b,
                                      struct sim_hit hits[SIM_HITS_MAX])
{
    struct against there = elements_of(other, b, SIM_HIT_CROSS, false),
                   here = elements_of(one, a, SIM_HIT_CROSS_BACK, false);
    uint32_t count = edges_meet(one, a, &there, hits);
    return one == other && a == b ? count : count + edges_meet(other, b, &here, hits + count);
}

const struct sim_tree_kernels SIM_ISA(sim_tree_kernels) = {.refit = SIM_ISA(sim_tree_refit),
                                                           .meet = SIM_ISA(sim_leaves_meet_in),
                                                           .cross = SIM_ISA(sim_leaves_cross_in)};
