// Which pairs can come as close as R while their rows stay in their safe boxes.
//
// Any direction g bounds the distance from below. Along that of the closest points of where the rows were detected, a row of
// side 1 comes down by no more than its box does, one of side 2 up:
//
//     low along g = min side 1 (g.x + least of g.box) - max side 2 (g.x + greatest of g.box)
//
// Where that is more than R |g|, the two stay apart. Sums are of differences that are exact before they are rounded; an
// error of 2^-20 of all that is added is more than rounding can come to, and is allowed for.

#include "sim/contact/detect.h"
#include "sim/contact/lanes.h"

struct reach {
    struct w_vec least, most;
};

SIM_INLINE struct reach reach_of(const struct sim_meet *meet, const uint32_t *places)
{
    uint32_t least[WIDE], most[WIDE];
    for (int lane = 0; lane < WIDE; lane++) {
        least[lane] = 2 * places[lane];
        most[lane] = 2 * places[lane] + SIM_ROW_BYTES;
    }
    struct w_rows low = w_rows_at(meet->reaches, least), high = w_rows_at(meet->reaches, most);
    struct reach reach;
    for (int axis = 0; axis < 3; axis++) {
        reach.least.x[axis] = w_of_bits(low.x[axis]);
        reach.most.x[axis] = w_of_bits(high.x[axis]);
    }
    return reach;
}

SIM_INLINE wm narrow_lanes(const struct sim_meet *meet, struct sim_candidates *c, uint32_t lane,
                           float *reaches, float *lows, const enum sim_pair_kind kind)
{
    const wf zero = w_set(0);
    struct w_rows x[4];
    for (int k = 0; k < 4; k++) {
        x[k] = w_rows_at(meet->detected, c->at[k] + lane);
    }
    struct w_foot foot = w_foot_of(x, kind);
    wf d = w_sqrt(w_dot(foot.g, foot.g)), low = zero, high = zero, added = zero;
    for (int k = 0; k < 4; k++) {
        struct w_vec from = w_between(&x[k], &x[0]);
        struct reach box = reach_of(meet, c->at[k] + lane);
        bool first = sim_pair_first_side(kind, (uint32_t)k);
        wf height = w_dot(foot.g, from), extent = zero;
        for (int axis = 0; axis < 3; axis++) {
            wf a = foot.g.x[axis] * box.least.x[axis], b = foot.g.x[axis] * box.most.x[axis];
            height = height + (first ? w_min(a, b) : w_max(a, b));
            extent =
                extent + (w_abs(from.x[axis]) + w_max(w_abs(box.least.x[axis]), w_abs(box.most.x[axis])));
        }
        added = w_max(extent, added);
        if (first) {
            low = k == 0 ? height : w_min(height, low);
        } else {
            high = k == (kind == SIM_PAIR_VT ? 1 : 2) ? height : w_max(height, high);
        }
    }
    wf reach = w_set(c->reach);
    if (c->same) {
        struct w_rows rest[4];
        for (int k = 0; k < 4; k++) {
            rest[k] = w_rows_at(meet->rest, c->at[k] + lane);
        }
        struct w_foot then = w_foot_of(rest, kind);
        reach = w_min(w_sqrt(w_dot(then.g, then.g)) * w_set(0.999f), reach);
    }
    wf least = foot.between / d;
    wm apart = w_below(zero, d);
    w_store(lows + lane, w_where(apart, least - w_abs(least) * w_set(0x1p-19f)));
    w_store(reaches + lane, reach);
    // Both that are not apart, and what is no number, are kept.
    return w_below(reach * d + (d * added) * w_set(0x1p-20f), low - high);
}

SIM_INLINE uint32_t narrow(const struct sim_meet *meet, struct sim_candidates *c, float *reaches, float *lows,
                           const enum sim_pair_kind kind)
{
    uint32_t dropped = 0;
    for (uint32_t lane = 0; lane < c->count; lane += WIDE) {
        dropped |= w_lanes_of(narrow_lanes(meet, c, lane, reaches, lows, kind)) << lane;
    }
    return ~dropped & (c->count == SIM_LANES ? 0xffff : (1U << c->count) - 1);
}

sim_narrow SIM_CONTACT_BOTH(sim_narrow, vt), SIM_CONTACT_BOTH(sim_narrow, ee);

uint32_t SIM_CONTACT_BOTH(sim_narrow, vt)(const struct sim_meet *meet, struct sim_candidates *candidates,
                                          float reach[SIM_LANES], float low[SIM_LANES])
{
    return narrow(meet, candidates, reach, low, SIM_PAIR_VT);
}

uint32_t SIM_CONTACT_BOTH(sim_narrow, ee)(const struct sim_meet *meet, struct sim_candidates *candidates,
                                          float reach[SIM_LANES], float low[SIM_LANES])
{
    return narrow(meet, candidates, reach, low, SIM_PAIR_EE);
}
