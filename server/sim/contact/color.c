// Colours of pairs: no free row is in two pairs of one colour. A pair takes the lowest colour that none of its free rows
// has, and keeps it for as long as it lives. A pair that leaves gives its bits back, so that a detection of a few rows costs
// only what these rows cost.

#include "sim/contact/contact.h"

#include <string.h>

static uint64_t *used_by(const struct sim_pair_colors *colors, const struct sim_row *rows, uint32_t row)
{
    return rows[row].w > 0 ? colors->used[row] : NULL;
}

static uint32_t lowest_free(const uint64_t used[2])
{
    uint64_t low = ~used[0], high = ~used[1] & ~((uint64_t)1 << 63); // 127 is not a colour
    if (low != 0) {
        return (uint32_t)__builtin_ctzll(low);
    }
    return high != 0 ? 64 + (uint32_t)__builtin_ctzll(high) : (uint32_t)SIM_PAIR_SERIAL;
}

static void color(struct sim_pair_colors *colors, struct sim_pair_list *list, const struct sim_row *rows,
                  uint32_t pair)
{
    uint64_t *of[4], used[2] = {0, 0};
    for (uint32_t k = 0; k < 4; k++) {
        of[k] = used_by(colors, rows, sim_pair_row(list, pair, k));
        if (of[k]) {
            used[0] |= of[k][0];
            used[1] |= of[k][1];
        }
    }
    uint32_t lowest = lowest_free(used);
    uint32_t *tag = &list->rest[pair / SIM_LANES].tag[pair % SIM_LANES];
    *tag = (*tag & SIM_PAIR_OWNS) | lowest << SIM_PAIR_COLOR_SHIFT;
    colors->serial += lowest == SIM_PAIR_SERIAL;
    for (uint32_t k = 0; k < 4 && lowest != SIM_PAIR_SERIAL; k++) {
        if (of[k]) {
            of[k][lowest / 64] |= (uint64_t)1 << lowest % 64;
        }
    }
}

static void uncolor(struct sim_pair_colors *colors, const struct sim_pair_list *list,
                    const struct sim_row *rows, uint32_t pair)
{
    uint32_t taken = sim_pair_color(list->rest[pair / SIM_LANES].tag[pair % SIM_LANES]);
    colors->serial -= taken == SIM_PAIR_SERIAL;
    for (uint32_t k = 0; k < 4 && taken != SIM_PAIR_SERIAL; k++) {
        uint64_t *of = used_by(colors, rows, sim_pair_row(list, pair, k));
        if (of) {
            of[taken / 64] &= ~((uint64_t)1 << taken % 64);
        }
    }
}

void sim_pairs_color(struct sim_pair_colors *colors, struct sim_pair_list lists[SIM_PAIR_KINDS],
                     const struct sim_row *rows)
{
    colors->serial = 0;
    memset(colors->used, 0, colors->row_count * sizeof *colors->used);
    for (int far = 0; far < 2; far++) {
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            struct sim_pair_list *list = &lists[kind];
            for (uint32_t pair = 0; pair < list->count; pair++) {
                const struct sim_pair_lanes *lanes = &list->lanes[pair / SIM_LANES];
                uint32_t lane = pair % SIM_LANES;
                bool is_far = lanes->low[lane] >= 1.2f * lanes->reach[lane];
                if (is_far == (far == 1) && !sim_pair_is_hole(list, pair)) {
                    color(colors, list, rows, pair);
                }
            }
        }
    }
}

static void make_hole(struct sim_pair_list *list, uint32_t pair)
{
    struct sim_pair_lanes *lanes = &list->lanes[pair / SIM_LANES];
    struct sim_pair_rest *rest = &list->rest[pair / SIM_LANES];
    uint32_t lane = pair % SIM_LANES;
    for (int k = 0; k < 4; k++) {
        lanes->at[k][lane] = 0;
    }
    lanes->reach[lane] = lanes->slope[lane] = 0;
    lanes->low[lane] = SIM_PAIR_FAR;
    rest->tag[lane] = 0;
    rest->friction[lane] = rest->limit[lane] = 0;
    for (int axis = 0; axis < 3; axis++) {
        rest->slip[axis][lane] = 0;
    }
}

// Lanes of a batch that have a dirty row. Holes have row 0, which never is.
static uint32_t dirty_lanes(const struct sim_pair_lanes *lanes, const uint8_t *dirty)
{
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t any = dirty[lanes->at[0][lane] / SIM_ROW_BYTES] | dirty[lanes->at[1][lane] / SIM_ROW_BYTES] |
                       dirty[lanes->at[2][lane] / SIM_ROW_BYTES] | dirty[lanes->at[3][lane] / SIM_ROW_BYTES];
        found |= (uint32_t)(any != 0) << lane;
    }
    return found;
}

void sim_pairs_drop(struct sim_pair_colors *colors, struct sim_pair_list *list, const struct sim_row *rows,
                    const uint8_t *dirty)
{
    for (uint32_t first = 0; first < list->count; first += SIM_LANES) {
        uint32_t lanes = dirty_lanes(&list->lanes[first / SIM_LANES], dirty);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t pair = first + (uint32_t)__builtin_ctz(lanes);
            uncolor(colors, list, rows, pair);
            make_hole(list, pair);
            list->first_hole = list->holes == 0 || pair < list->first_hole ? pair : list->first_hole;
            list->holes++;
        }
    }
}

uint32_t sim_pairs_add(struct sim_pair_colors *colors, struct sim_pair_list *list, const struct sim_row *rows,
                       const struct sim_pair *pair)
{
    uint32_t to = list->count;
    if (list->holes > 0) {
        for (to = list->first_hole; !sim_pair_is_hole(list, to); to++) {
        }
        list->holes--;
        list->first_hole = to + 1;
    } else if (to >= list->capacity) {
        return UINT32_MAX;
    } else {
        uint32_t past = to % SIM_LANES == 0 ? to + SIM_LANES : to + 1; // a new batch is holes first
        for (uint32_t i = to; i < past; i++) {
            make_hole(list, i);
        }
        list->count++;
    }
    struct sim_pair_lanes *lanes = &list->lanes[to / SIM_LANES];
    struct sim_pair_rest *rest = &list->rest[to / SIM_LANES];
    uint32_t lane = to % SIM_LANES;
    for (int k = 0; k < 4; k++) {
        lanes->at[k][lane] = pair->at[k];
    }
    lanes->reach[lane] = pair->reach;
    lanes->low[lane] = pair->low;
    lanes->slope[lane] = pair->slope;
    rest->friction[lane] = pair->friction;
    rest->tag[lane] = pair->owns & SIM_PAIR_OWNS;
    color(colors, list, rows, to);
    return to;
}
