// Finds edges that cannot reach triangles, in lanes. Most pairs whose boxes overlap are left out here, so few need the exact
// test.
//
// A direction m tells the two apart if all of the edge lies farther out along m than all of the triangle. The directions are the
// triangle's normal n and, for each side a, a x n, which lies in its plane. Heights are those of differences to a corner. Any m
// will do, so its rounding does not matter. A difference is wrong by 2^-24 of itself, and a height of three products by less than
// 5 * 2^-24 of the sum of their magnitudes. So both heights are wrong by less than 2^-20 of the greatest such sum.

#include "sim/contact/lanes.h"
#include "sim/contact/search.h"

sim_crossing_sieve SIM_ISA(sim_may_cross);

// Places from the triangle's first corner: its other two corners, then the edge's ends.
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
