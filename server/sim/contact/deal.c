// Active pairs, dealt out to batches of one kind and colour.

#include "base/assert.h"
#include "sim/contact/contact.h"

#include <string.h>

enum { STACKS = SIM_PUSH_STACKS };

static uint32_t stack_of(const struct sim_near_list *near, uint32_t index, uint32_t kind)
{
    uint32_t tag = near->lanes[index / SIM_LANES].tag[index % SIM_LANES];
    return sim_pair_color(tag) * SIM_PAIR_KINDS + kind;
}

static void put(struct sim_push_lanes *batch, const struct sim_pair_list *list,
                const struct sim_near_list *near, uint32_t index)
{
    const struct sim_near_lanes *from = &near->lanes[index / SIM_LANES];
    uint32_t lane = index % SIM_LANES, to = batch->count++, pair = from->pair[lane];
    const struct sim_pair_rest *rest = &list->rest[pair / SIM_LANES];
    for (int k = 0; k < 4; k++) {
        batch->at[k][to] = from->pairs.at[k][lane];
    }
    batch->reach[to] = from->pairs.reach[lane];
    batch->friction[to] = rest->friction[pair % SIM_LANES];
    batch->limit[to] = rest->limit[pair % SIM_LANES];
    for (int axis = 0; axis < 3; axis++) {
        batch->slip[axis][to] = rest->slip[axis][pair % SIM_LANES];
    }
    batch->hold[to] = 0;
    batch->pair[to] = pair;
}

// Lanes past the last pair are of row 0, which never goes.
static void pad(struct sim_push_lanes *batch)
{
    for (uint32_t lane = batch->count; lane < SIM_LANES; lane++) {
        for (int k = 0; k < 4; k++) {
            batch->at[k][lane] = 0;
        }
        for (int axis = 0; axis < 3; axis++) {
            batch->slip[axis][lane] = 0;
        }
        batch->reach[lane] = batch->friction[lane] = batch->limit[lane] = batch->hold[lane] = 0;
    }
}

uint32_t sim_push_deal(const struct sim_pair_list lists[SIM_PAIR_KINDS],
                       const struct sim_near_list near[SIM_PAIR_KINDS],
                       const uint32_t *const active[SIM_PAIR_KINDS],
                       const uint32_t active_count[SIM_PAIR_KINDS], struct sim_push_lanes *batches,
                       uint32_t capacity)
{
    uint32_t heights[STACKS] = {0}, next[STACKS], total = 0;
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t i = 0; i < active_count[kind]; i++) {
            heights[stack_of(&near[kind], active[kind][i], kind)]++;
        }
    }
    for (uint32_t stack = 0; stack < STACKS; stack++) {
        next[stack] = total;
        total += (heights[stack] + SIM_LANES - 1) / SIM_LANES;
    }
    BASE_ASSERT(total <= capacity);
    for (uint32_t b = 0; b < total; b++) {
        batches[b].count = 0;
    }
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t i = 0; i < active_count[kind]; i++) {
            uint32_t stack = stack_of(&near[kind], active[kind][i], kind);
            struct sim_push_lanes *batch = &batches[next[stack]];
            batch->kind = kind;
            batch->color = stack / SIM_PAIR_KINDS;
            put(batch, &lists[kind], &near[kind], active[kind][i]);
            next[stack] += batch->count == SIM_LANES;
        }
    }
    for (uint32_t b = 0; b < total; b++) {
        pad(&batches[b]);
    }
    return total;
}
