// Which edges cannot reach which triangles, in lanes: most that come so near that they have to be looked at exactly do not
// come near that question.
//
// Any direction m that has all of the edge farther out than all of the triangle tells them apart: the triangle's normal n, and
// of each of its sides a, across it within the triangle's plane, a x n. Heights are of differences to a corner, m whatever
// was computed. A difference is wrong by 2^-24 of itself, a height of three products by less than 5 * 2^-24 of what their
// magnitudes add up to; the heights of both by less than 2^-20 of the greatest such sum.

#include "sim/contact/lanes.h"
#include "sim/contact/search.h"

sim_crossing_sieve SIM_ISA(sim_may_cross);

// From the triangle's first corner: its others, then the edge's ends.
struct points {
    struct w_vec at[4];
    wf extent[3]; // the greatest magnitude along each axis
};

SIM_INLINE wm told_apart(const struct points *points, struct w_vec m)
{
    const wf zero = w_set(0);
    wf b = w_dot(m, points->at[0]), c = w_dot(m, points->at[1]), p = w_dot(m, points->at[2]),
       q = w_dot(m, points->at[3]);
    wf error = zero;
    for (int axis = 0; axis < 3; axis++) {
        error = error + w_abs(m.x[axis]) * points->extent[axis];
    }
    error = error * w_set(0x1p-20f);
    wf most = w_max(w_max(b, c), zero) + error, least = w_min(w_min(b, c), zero) - error;
    return w_or(w_below(most, w_min(p, q)), w_below(w_max(p, q), least));
}

SIM_INLINE wm cannot_cross(const struct sim_row *rows, const struct sim_crossing_candidates *candidates,
                           uint32_t lane)
{
    const struct w_rows from = w_rows_at(rows, candidates->at[2] + lane);
    static const int order[4] = {3, 4, 0, 1};
    struct points points;
    for (int i = 0; i < 4; i++) {
        const struct w_rows row = w_rows_at(rows, candidates->at[order[i]] + lane);
        points.at[i] = w_between(&row, &from);
    }
    for (int axis = 0; axis < 3; axis++) {
        wf extent = w_abs(points.at[0].x[axis]);
        for (int i = 1; i < 4; i++) {
            extent = w_max(w_abs(points.at[i].x[axis]), extent);
        }
        points.extent[axis] = extent;
    }
    struct w_vec across = {{points.at[1].x[0] - points.at[0].x[0], points.at[1].x[1] - points.at[0].x[1],
                            points.at[1].x[2] - points.at[0].x[2]}};
    struct w_vec n = w_cross(points.at[0], points.at[1]);
    wm apart = told_apart(&points, n);
    apart = w_or(apart, told_apart(&points, w_cross(points.at[0], n)));
    apart = w_or(apart, told_apart(&points, w_cross(points.at[1], n)));
    return w_or(apart, told_apart(&points, w_cross(across, n)));
}

uint32_t SIM_ISA(sim_may_cross)(const struct sim_row *rows, const struct sim_crossing_candidates *candidates)
{
    uint32_t cannot = 0;
    for (uint32_t lane = 0; lane < candidates->count; lane += WIDE) {
        cannot |= w_lanes_of(cannot_cross(rows, candidates, lane)) << lane;
    }
    return ~cannot & (candidates->count == SIM_LANES ? 0xffff : (1U << candidates->count) - 1);
}
