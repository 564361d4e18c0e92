// How many edges pass through triangles, counted exactly: by trees of its own, since those of the sim belong to the tick
// that may be under way.

#include "sim/contact/exact.h"
#include "sim/contact/features.h"
#include "sim/contact/joined.h"
#include "sim/contact/rims.h"

#include <stdlib.h>

struct count {
    const struct sim *sim;
    const struct sim_tree_kernels *trees;
    const struct sim_body *bodies[2];
    const struct sim_features *features[2];
    struct sim_joined joined;
    uint64_t crossings;
};

static bool all_static(const struct sim *sim, const uint32_t *rows, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        any |= sim_inverse_mass_of(sim, rows[i]) > 0;
    }
    return !any;
}

// Are both ends of the edge where corners of the triangle are?
static bool coincides(const int32_t edge[2][3], const int32_t triangle[3][3])
{
    bool at[2][3];
    for (int end = 0; end < 2; end++) {
        for (int corner = 0; corner < 3; corner++) {
            at[end][corner] = memcmp(edge[end], triangle[corner], sizeof edge[end]) == 0;
        }
    }
    return (at[0][0] && (at[1][1] || at[1][2])) || (at[0][1] && (at[1][0] || at[1][2])) ||
           (at[0][2] && (at[1][0] || at[1][1]));
}

static void count_one(struct count *count, const uint32_t rows[5])
{
    const struct sim_row *x = count->sim->rows;
    int32_t edge[2][3], triangle[3][3];
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t k = 2; i < 2 && k < 5; k++) {
            if (rows[i] == rows[k]) {
                return;
            }
        }
        memcpy(i < 2 ? edge[i] : triangle[i - 2], x[rows[i]].x, sizeof edge[0]);
    }
    if (count->joined.any && sim_joined_features(&count->joined, rows, 2, rows + 2, 3)) {
        return;
    }
    if (count->bodies[0] == count->bodies[1] && sim_rims_any(count->bodies[0]) &&
        sim_rims_touch(count->sim, x, rows)) {
        return;
    }
    count->crossings += !all_static(count->sim, rows, 5) &&
                        (sim_edge_crosses((const int32_t(*)[3])edge, (const int32_t(*)[3])triangle) ||
                         coincides((const int32_t(*)[3])edge, (const int32_t(*)[3])triangle));
}

static void leaves_count(void *context, uint32_t a, uint32_t b)
{
    struct count *count = context;
    struct sim_hit hits[SIM_HITS_MAX];
    uint32_t found = count->trees->cross(count->features[0], a, count->features[1], b, hits);
    for (uint32_t i = 0; i < found; i++) {
        int side = hits[i].kind == SIM_HIT_CROSS_BACK;
        const struct sim_features *of = count->features[side], *with = count->features[1 - side];
        uint32_t rows[5];
        for (int k = 0; k < 2; k++) {
            rows[k] = count->bodies[side]->first_row + of->edges[hits[i].block][k][hits[i].lane];
        }
        for (uint32_t lanes = hits[i].lanes; lanes != 0; lanes &= lanes - 1) {
            uint32_t element = hits[i].other * SIM_LANES + (uint32_t)__builtin_ctz(lanes);
            for (int k = 0; k < 3; k++) {
                rows[2 + k] = count->bodies[1 - side]->first_row + with->corners[element][k];
            }
            if ((with->owns[element] & SIM_ELEMENT_TRIANGLE) != 0) {
                count_one(count, rows);
            }
        }
    }
}

// Makes a box of each row of a body, seen from the first particle of the first body that meets.
static void boxes_make(const struct sim *sim, const struct sim_body *body, const int64_t from[3],
                       struct sim_reach *boxes)
{
    for (uint32_t i = 0; i < body->count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint32_t row = body->first_row + i;
            float x = (float)(sim_whole(sim, row, axis, sim->rows[row].x[axis]) - from[axis]);
            float rounding = (x < 0 ? -x : x) * 0x1p-23f;
            boxes[i].least[axis] = x - rounding;
            boxes[i].most[axis] = x + rounding;
        }
    }
}

// Trees of the bodies that meet, NULL for the others. False without memory.
static bool trees_make(const struct sim *sim, struct sim_features **trees, struct sim_reach *boxes)
{
    int64_t from[3];
    bool first = true;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (!body->features) {
            continue;
        }
        memcpy(from, first ? sim->positions[body->first_row] : from, sizeof from);
        first = false;
        if (!(trees[b] = sim_features_make(body, false))) {
            return false;
        }
        boxes_make(sim, body, from, boxes);
        sim_tree_kernels_of(sim->isa)->refit(trees[b], 0, trees[b]->leaf_count, boxes, NULL, true);
        sim_tree_kernels_of(sim->isa)->gather(trees[b]);
    }
    return true;
}

uint64_t sim_crossings(const struct sim *sim)
{
    struct count count = {.sim = sim, .trees = sim_tree_kernels_of(sim->isa)};
    struct sim_features **trees = calloc((size_t)sim->body_count + 1, sizeof(struct sim_features *));
    struct sim_reach *boxes = malloc(((size_t)sim->row_end + 1) * sizeof *boxes);
    bool done = trees && boxes && sim_joined_reserve(&count.joined, sim->row_end + 1) &&
                trees_make(sim, trees, boxes);
    if (done) {
        sim_joined_find(sim, &count.joined);
    }
    for (uint32_t a = 0; done && a < sim->body_count; a++) {
        for (uint32_t b = a; b < sim->body_count; b++) {
            if (!trees[a] || !trees[b] || !sim_bodies_meet(sim->bodies[a], sim->bodies[b])) {
                continue;
            }
            count.bodies[0] = sim->bodies[a];
            count.bodies[1] = sim->bodies[b];
            count.features[0] = trees[a];
            count.features[1] = trees[b];
            sim_tree_walk(trees[a], 1, trees[b], 1, false, NULL, leaves_count, &count);
        }
    }
    for (uint32_t b = 0; trees && b < sim->body_count; b++) {
        sim_features_destroy(trees[b]);
    }
    free(trees);
    free(boxes);
    sim_joined_deinit(&count.joined);
    return done ? count.crossings : UINT64_MAX;
}
