// Wind on triangles, once a substep before the prediction. With gusts it is the mean of what air.c found at the corners.
//
//   u = wind - mean velocity of the corners;  n = unit normal, turned so that u.n >= 0
//   F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n],  a third to each corner
//   S = 1/2 rho A [(u.n) |Cd - Cl| + |Cl| |u|],    of which no part of F/u is more
//
// It is smooth where the wind blows along the triangle, and a plate that faces the wind feels
// 1/2 rho A Cd |u|^2. Of a closed surface only what looks to the wind is pushed: its corners turn outwards, and its
// inside is in the lee.
//
// All triangles see the velocities at the substep's start: one that saw what its neighbours were given already would
// get less, by place in the order, and a level cloth in still air would ripple. What they give a particle is added up
// (`predicted` holds it: sum h F/3, and sum h S/3 as the fourth), and the prediction takes it (motion.c):
//
//   dv = w sum(h F/3) min(1, 1/(w sum(h S/3)))
//
// The matrix from v to sum h F/3 is symmetric, positive and below the diagonal one of sums h S/3; so no step goes past
// where the force ends, however light the particle: it is stable for every h.
//
// Triangles are coloured and batched like constraints, so that no two of a colour push the same particle. In lanes
// without a triangle all corners are one static row: there is no area to push.

#include "sim/kernels/wide.h"

#define THIRD (1.0f / 3)

struct gust {
    struct w_vec push; // h F/3
    wf most;           // h S/3
};

// gusty: the wind is that at the corners, else the same everywhere.
SIM_INLINE struct gust gust_from(const struct sim *sim, const uint32_t *at, bool gusty)
{
    const struct sim_times *times = &sim->times;
    const wf zero = w_set(0), third_h = w_set(times->h * THIRD);
    struct w_rows x[3], v[3], air[3];
    struct w_vec d[2], u;
    struct gust gust;
    for (uint32_t k = 0; k < 3; k++) {
        x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
        v[k] = w_rows_at(sim->velocities, at + k * SIM_LANES);
        if (gusty) {
            air[k] = w_rows_at(sim->air, at + k * SIM_LANES);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t k = 0; k < 2; k++) {
            d[k].x[axis] = w_apart(x[k + 1].x[axis], x[0].x[axis]) * w_set(times->q);
        }
        wf sum = (w_of_bits(v[0].x[axis]) + w_of_bits(v[1].x[axis])) + w_of_bits(v[2].x[axis]);
        if (gusty) {
            wf blows = (w_of_bits(air[0].x[axis]) + w_of_bits(air[1].x[axis])) + w_of_bits(air[2].x[axis]);
            u.x[axis] = (blows - sum) * w_set(THIRD);
        } else {
            u.x[axis] = w_set(times->wind[axis]) - sum * w_set(THIRD);
        }
    }
    struct w_vec n = w_cross(d[0], d[1]);
    wf twice_area = w_sqrt(w_dot(n, n)), speed = w_sqrt(w_dot(u, u)), facing = w_dot(u, n);
    wm both_sides = w_equal(w_load_float(at + 3 * SIM_LANES), zero);
    wm felt = w_and(w_and(w_below(zero, twice_area), w_below(zero, speed)),
                    w_or(both_sides, w_below(facing, zero)));
    // 1/2 rho A (u.n) = 1/4 rho |u.(d0 x d1)|
    wf pressure = w_where(felt, (w_set(times->half_density * 0.5f) * w_abs(facing)) * third_h);
    wf mass = w_where(felt, ((w_set(times->half_density * 0.5f) * twice_area) * speed) * third_h);
    wf along = pressure * w_set(times->drag - times->lift);
    wf across = w_where(felt, (pressure * w_set(times->lift)) * (speed / twice_area));
    across = w_select(w_below(facing, zero), w_negative(across), across);
    for (int axis = 0; axis < 3; axis++) {
        gust.push.x[axis] = along * u.x[axis] + across * n.x[axis];
    }
    gust.most = w_abs(along) + mass * w_abs(w_set(times->lift));
    return gust;
}

SIM_INLINE void blow(struct sim *sim, struct sim_tile *tile, bool gusty)
{
    const struct sim_store *store = &sim->stores[SIM_GUSTS];
    memset(&sim->predicted[tile->idle_row], 0, sizeof sim->predicted[0]);
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct gust gust = gust_from(sim, batch + lane, gusty);
            for (uint32_t k = 0; k < 3; k++) {
                struct w_rows sum = w_rows_at(sim->predicted, batch + k * SIM_LANES + lane);
                for (int axis = 0; axis < 3; axis++) {
                    sum.x[axis] = w_bits(w_of_bits(sum.x[axis]) + gust.push.x[axis]);
                }
                sum.w = sum.w + gust.most;
                w_rows_put(sim->predicted, batch + k * SIM_LANES + lane, &sum);
            }
        }
    }
}

void SIM_ISA(sim_wind_blow)(struct sim *sim, struct sim_tile *tile)
{
    blow(sim, tile, false);
}

void SIM_ISA(sim_wind_blow_gusts)(struct sim *sim, struct sim_tile *tile)
{
    blow(sim, tile, true);
}
