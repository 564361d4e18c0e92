// The force of the air on the triangles of a tile, which wind.c tells about.
#ifndef WEFT_SIM_KERNELS_WIND_H
#define WEFT_SIM_KERNELS_WIND_H

#include "sim/kernels/wide.h"

#define THIRD (1.0f / 3)

struct gust {
    struct w_vec push; // h F/3
    wf most;           // h S/3
};

// The air: the same everywhere, or with the velocity that `air` has for each corner, or with that and its half density.
enum air_kind { AIR_SAME, AIR_GUSTS, AIR_DRAFTS };

SIM_INLINE struct gust gust_from(const struct sim *sim, const struct sim_tile *tile, const uint32_t *at,
                                 enum air_kind kind)
{
    const struct sim_times *times = &sim->times;
    const wf zero = w_set(0), third_h = w_set(times->h * THIRD);
    struct w_rows x[3], v[3], air[3];
    struct w_vec d[2], u;
    struct gust gust;
    for (uint32_t k = 0; k < 3; k++) {
        x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
        v[k] = w_rows_at(sim->velocities, at + k * SIM_LANES);
        if (kind != AIR_SAME) {
            air[k] = w_rows_at(sim->air, at + k * SIM_LANES);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t k = 0; k < 2; k++) {
            d[k].x[axis] = w_apart(x[k + 1].x[axis], x[0].x[axis]) * w_set(times->q);
        }
        wf sum = (w_of_bits(v[0].x[axis]) + w_of_bits(v[1].x[axis])) + w_of_bits(v[2].x[axis]);
        if (kind != AIR_SAME) {
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
    wf quarter_density = w_set(times->half_density * 0.5f);
    if (kind == AIR_DRAFTS) {
        quarter_density = ((air[0].w + air[1].w) + air[2].w) * w_set(THIRD * 0.5f);
    }
    // 1/2 rho A (u.n) = 1/4 rho |u.(d0 x d1)|
    wf pressure = w_where(felt, (quarter_density * w_abs(facing)) * third_h);
    wf mass = w_where(felt, ((quarter_density * twice_area) * speed) * third_h);
    wf along = pressure * w_set(tile->drag - tile->lift);
    wf across = w_where(felt, (pressure * w_set(tile->lift)) * (speed / twice_area));
    across = w_select(w_below(facing, zero), w_negative(across), across);
    for (int axis = 0; axis < 3; axis++) {
        gust.push.x[axis] = along * u.x[axis] + across * n.x[axis];
    }
    gust.most = w_abs(along) + mass * w_abs(w_set(tile->lift));
    return gust;
}

SIM_INLINE void blow(struct sim *sim, struct sim_tile *tile, enum air_kind kind)
{
    const struct sim_store *store = &sim->stores[SIM_GUSTS];
    memset(&sim->predicted[tile->idle_row], 0, sizeof sim->predicted[0]);
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct gust gust = gust_from(sim, tile, batch + lane, kind);
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

#endif
