// Which pairs stay apart in a substep wherever on their ways their rows stop.
//
// Rows go straight, against the frame, and a row that is held back stops somewhere on its way. So along any direction g a
// row is between its heights at the start and at the end. If the least height of side 1 is above the greatest one of
// side 2 by more than is to be kept, nothing that is held back, and no part of any way, brings the two together: truncation
// has nothing to do for them. Along g of the closest points at the start that is so for most of what a sift picks.
//
// Rounding can come to what narrow.c says: 2^-19 of all that is added, and a quantum. A row that stops is rounded to whole
// quanta, which is less than 1 for each side.

#include "sim/contact/lanes.h"

// The least or the greatest heights of the rows of a side.
SIM_INLINE wf side_take(wf side, wf height, bool begins, bool first)
{
    return begins ? height : first ? w_min(side, height) : w_max(side, height);
}

SIM_INLINE wm stays_apart(const struct sim_staying *s, const uint32_t at[4][SIM_LANES], const float *reach,
                          uint32_t lane, const enum sim_pair_kind kind)
{
    struct w_rows x[4];
    for (int k = 0; k < 4; k++) {
        x[k] = w_rows_at(s->starts, at[k] + lane);
    }
    const struct w_foot foot = w_foot_of(x, kind);
    const wf d = w_sqrt(w_dot(foot.g, foot.g)), zero = w_set(0);
    wf added = zero, sides[2] = {zero, zero};
    for (uint32_t k = 0; k < 4; k++) {
        const bool first = sim_pair_first_side(kind, k),
                   begins = k == 0 || first != sim_pair_first_side(kind, k - 1);
        const struct w_rows end = w_rows_at(s->rows, at[k] + lane);
        const struct w_vec from = w_between(&x[k], &x[0]);
        struct w_vec way;
        wf extent = zero;
        for (int axis = 0; axis < 3; axis++) {
            const wi frame = w_bits(zero) + (uint32_t)s->frame[axis];
            way.x[axis] = w_float((end.x[axis] - x[k].x[axis]) - frame);
            extent = extent + (w_abs(from.x[axis]) + w_abs(way.x[axis]));
        }
        added = w_max(extent, added);
        const wf starts = w_dot(foot.g, from), ends = starts + w_dot(foot.g, way);
        sides[!first] =
            side_take(sides[!first], first ? w_min(starts, ends) : w_max(starts, ends), begins, first);
    }
    const wf limit = w_max(w_load(reach + lane) * w_set(s->share), w_set(s->floor));
    const wf wrong = added * w_set(0x1p-19f) + w_set(4);
    return w_below(limit, (sides[0] - sides[1]) / d - wrong); // neither what coincides nor what is no number
}

SIM_INLINE uint32_t stay(const struct sim_staying *s, const struct sim_pair_list *list, uint32_t *pairs,
                         uint32_t count, const enum sim_pair_kind kind)
{
    uint32_t kept = 0;
    for (uint32_t done = 0; done < count; done += SIM_LANES) {
        const uint32_t here = count - done < SIM_LANES ? count - done : SIM_LANES;
        uint32_t at[4][SIM_LANES], names[SIM_LANES], apart = 0;
        float reach[SIM_LANES];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const uint32_t pair = pairs[done + (lane < here ? lane : 0)];
            const struct sim_pair_lanes *from = &list->lanes[pair / SIM_LANES];
            names[lane] = pair;
            reach[lane] = from->reach[pair % SIM_LANES];
            for (int k = 0; k < 4; k++) {
                at[k][lane] = from->at[k][pair % SIM_LANES];
            }
        }
        for (uint32_t lane = 0; lane < here; lane += WIDE) {
            apart |= w_lanes_of(stays_apart(s, (const uint32_t(*)[SIM_LANES])at, reach, lane, kind)) << lane;
        }
        for (uint32_t lane = 0; lane < here; lane++) {
            pairs[kept] = names[lane];
            kept += ~apart >> lane & 1;
        }
    }
    return kept;
}

uint32_t SIM_CONTACT_BOTH(sim_stay, vt)(const struct sim_staying *staying, const struct sim_pair_list *list,
                                        uint32_t *pairs, uint32_t count)
{
    return stay(staying, list, pairs, count, SIM_PAIR_VT);
}

uint32_t SIM_CONTACT_BOTH(sim_stay, ee)(const struct sim_staying *staying, const struct sim_pair_list *list,
                                        uint32_t *pairs, uint32_t count)
{
    return stay(staying, list, pairs, count, SIM_PAIR_EE);
}
