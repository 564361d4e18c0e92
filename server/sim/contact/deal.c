// Contacts of one kind, dealt out to batches of one colour.

#include "base/assert.h"
#include "sim/contact/contact.h"

#include <string.h>

enum { STACKS = SIM_PAIR_COLORS + 1 };

static uint32_t stack_of(const struct sim_push_hand *hand, uint32_t index)
{
    return sim_pair_color(hand->near[index / SIM_LANES].tag[index % SIM_LANES]);
}

static void put(struct sim_push_lanes *batch, const struct sim_pair_list *list, const struct sim_slip *slips,
                const struct sim_push_hand *hand, uint32_t index)
{
    const struct sim_near_lanes *from = &hand->near[index / SIM_LANES];
    uint32_t lane = index % SIM_LANES, to = batch->count++, pair = from->pair[lane];
    const uint32_t slip = list->rest[pair / SIM_LANES].slip[pair % SIM_LANES];
    const struct sim_slip *rest = &slips[slip];
    for (int k = 0; k < 4; k++) {
        batch->at[k][to] = from->pairs.at[k][lane];
    }
    batch->reach[to] = from->pairs.reach[lane];
    batch->friction[to] = rest->friction;
    batch->slides[to] = rest->slides;
    batch->limit[to] = rest->limit;
    for (int axis = 0; axis < 3; axis++) {
        batch->slip[axis][to] = rest->slip[axis];
    }
    batch->hold[to] = 0;
    batch->from[to] = slip;
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
        batch->slides[lane] = 0;
    }
}

uint32_t sim_push_deal(const struct sim_pair_list *list, const struct sim_slip *slips,
                       enum sim_pair_kind kind, const struct sim_push_hand *hands, uint32_t hand_count,
                       struct sim_push_lanes *batches, uint32_t capacity)
{
    uint32_t heights[STACKS] = {0}, next[STACKS], total = 0;
    for (uint32_t h = 0; h < hand_count; h++) {
        for (uint32_t i = 0; i < hands[h].count; i++) {
            heights[stack_of(&hands[h], hands[h].active[i])]++;
        }
    }
    for (uint32_t stack = 0; stack < STACKS; stack++) {
        next[stack] = total;
        total += (heights[stack] + SIM_LANES - 1) / SIM_LANES;
        BASE_ASSERT(total <= capacity);
        for (uint32_t b = next[stack]; b < total; b++) {
            batches[b].count = 0;
            batches[b].kind = kind;
            batches[b].color = stack;
        }
    }
    for (uint32_t h = 0; h < hand_count; h++) {
        for (uint32_t i = 0; i < hands[h].count; i++) {
            uint32_t stack = stack_of(&hands[h], hands[h].active[i]);
            struct sim_push_lanes *batch = &batches[next[stack]];
            put(batch, list, slips, &hands[h], hands[h].active[i]);
            next[stack] += batch->count == SIM_LANES;
        }
    }
    for (uint32_t b = 0; b < total; b++) {
        pad(&batches[b]);
    }
    return total;
}
