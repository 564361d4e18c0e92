// Sorts pairs by the level at which they may be pushed apart.
//
//     level of a pair = 1 + the greatest level of an earlier pair (in touching->sequence) that moves a piece of it; the first is 0
//
// Pairs of one level have no piece in common that moves. Solved level by level, each pair finds its pieces as it would find them in
// the sequence itself.

#include "sim/rigid/touching.h"

#include <string.h>

// The level that a side asks for. What does not move asks for none.
static uint32_t level_of(const struct sim_toucher_now *toucher)
{
    return toucher->w > 0 ? toucher->level : 0;
}

void sim_touching_level(struct sim_touching *touching)
{
    const uint32_t count = touching->pair_count;
    uint32_t *ends = touching->level_ends;
    for (uint32_t i = 0; i < touching->all_count; i++) {
        touching->all[i].level = 0;
    }
    touching->level_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct sim_touch_pair *pair = &touching->pairs[touching->sequence[i]];
        struct sim_toucher_now *a = &touching->all[pair->a], *b = &touching->all[pair->b];
        const uint32_t one = level_of(a), other = level_of(b);
        pair->level = one > other ? one : other;
        a->level = b->level = pair->level + 1;
        if (pair->level == touching->level_count) {
            ends[touching->level_count++] = 0;
        }
        ends[pair->level]++;
    }
    uint32_t first = 0;
    for (uint32_t level = 0; level < touching->level_count; level++) {
        const uint32_t own = ends[level];
        ends[level] = first;
        first += own;
    }
    for (uint32_t i = 0; i < count; i++) {
        touching->by_level[ends[touching->pairs[touching->sequence[i]].level]++] = touching->sequence[i];
    }
}
