// Levels of a mesh, each about twice as coarse as the one before, and the long edges of all but two of them.
//
// A level is an independent set of the one before: no two of its particles are nearer than its distance on the rest
// surface, and every particle left out is nearer than that to one of them. Particles are asked in ascending order. The
// distance of level k is 0.87 2^k mean edges: a grid with diagonals, whose mean edge is 1.14 cells, becomes every
// second, fourth ... particle in each direction, and a mesh of equilateral triangles one of twice the size. Neighbours of a
// level, up to 1.9 distances apart, are joined: along a grid and across its diagonals, 8 for each particle.
//
// Levels 1 and 3 get no long edges. They would be four fifths of all: the sweep over the edges itself reaches as far as
// level 1, and hung cloths and ropes came out no longer without level 3 (weft-bench stiff).

#include "sim/long/long.h"

#include "base/array.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

enum { LEVELS_MAX = 24 };

#define BARE (1u << 1 | 1u << 3) // levels without long edges

#define SPACING 0.87 // of 2^level mean edges
#define REACH 1.9    // of the level's distance
#define BEYOND 1.0   // mean edges

struct levels {
    struct sim_wave wave;
    uint32_t *members; // of the level; it is made in place from those of the level before
    uint32_t member_count;
    uint8_t *state; // by particle, of the level under way
    struct sim_long_edge *edges;
    uint32_t count, capacity;
};

enum { OPEN, COVERED, CHOSEN };

// Joins a particle that was chosen to those that were chosen before it.
static bool join(struct levels *levels, uint32_t particle, uint32_t level, double distance)
{
    const struct sim_wave *wave = &levels->wave;
    for (uint32_t r = 0; r < wave->reached_count; r++) {
        uint32_t other = wave->reached[r];
        double way = wave->ways[other];
        if (other == particle || levels->state[other] != CHOSEN || way > REACH * distance ||
            way > SIM_REST_MAX) {
            continue;
        }
        if (!array_reserve(&levels->edges, &levels->capacity, (uint64_t)levels->count + 1)) {
            return false;
        }
        levels->edges[levels->count++] =
            (struct sim_long_edge){.a = other, .b = particle, .level = level, .length = (float)way};
    }
    return true;
}

static bool make_level(struct levels *levels, uint32_t level, double distance)
{
    const bool bare = BARE >> level & 1;
    // The wave goes on a little, because the last ways of one that ends lack neighbours to come through.
    const double farthest = (bare ? 1 : REACH) * distance + BEYOND * levels->wave.metric->edge;
    uint32_t kept = 0;
    for (uint32_t m = 0; m < levels->member_count; m++) {
        levels->state[levels->members[m]] = OPEN;
    }
    for (uint32_t m = 0; m < levels->member_count; m++) {
        uint32_t particle = levels->members[m];
        if (levels->state[particle] != OPEN) {
            continue;
        }
        if (!sim_wave_run(&levels->wave, particle, farthest)) {
            return false;
        }
        for (uint32_t r = 0; r < levels->wave.reached_count; r++) {
            uint32_t other = levels->wave.reached[r];
            if (levels->state[other] == OPEN && levels->wave.ways[other] < distance) {
                levels->state[other] = COVERED;
            }
        }
        levels->state[particle] = CHOSEN;
        if (!bare && !join(levels, particle, level, distance)) {
            return false;
        }
        levels->members[kept++] = particle;
    }
    // Only members of this level may be joined in the next.
    for (uint32_t i = 0; i < levels->wave.metric->count; i++) {
        levels->state[i] = COVERED;
    }
    levels->member_count = kept;
    return true;
}

static int by_level(const void *one, const void *other)
{
    const struct sim_long_edge *a = one, *b = other;
    if (a->level != b->level) {
        return a->level > b->level ? -1 : 1;
    }
    if (a->b != b->b) {
        return a->b < b->b ? -1 : 1;
    }
    return a->a < b->a ? -1 : a->a > b->a;
}

bool sim_long_levels(const struct sim_metric *metric, struct sim_long_edge **edges, uint32_t *count)
{
    struct levels levels = {
        .members = malloc(((size_t)metric->count + 1) * sizeof *levels.members),
        .state = calloc((size_t)metric->count + 1, 1),
    };
    bool good = sim_wave_init(&levels.wave, metric) && levels.members && levels.state;
    for (uint32_t i = 0; good && i < metric->count; i++) {
        levels.state[i] = COVERED;
        if (metric->way_starts[i + 1] > metric->way_starts[i]) {
            levels.members[levels.member_count++] = i;
        }
    }
    double distance = 2 * SPACING * metric->edge;
    for (uint32_t level = 1; good && level <= LEVELS_MAX && levels.member_count > 1; level++) {
        good = make_level(&levels, level, distance);
        distance *= 2;
    }
    if (good && levels.count > 0) {
        qsort(levels.edges, levels.count, sizeof *levels.edges, by_level);
    }
    *edges = good ? levels.edges : NULL;
    *count = good ? levels.count : 0;
    if (!good) {
        free(levels.edges);
    }
    sim_wave_deinit(&levels.wave);
    free(levels.members);
    free(levels.state);
    return good;
}
