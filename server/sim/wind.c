// Wind on triangles, once a substep before the prediction.
//
//   u = wind - mean velocity of the corners;  n = unit normal, turned so that u.n >= 0
//   F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n],  a third to each corner;  dv = h w F/3, |dv| at most |u|
//
// It is smooth where the wind blows along the triangle, and a plate that faces the wind feels
// 1/2 rho A Cd |u|^2. Triangles are coloured and batched like constraints, so that no two of a colour push
// the same particle. In lanes without a triangle all corners are one static row: there is no area to push.

#include "sim/wide.h"

#define THIRD (1.0f / 3)

struct gust {
    struct w_rows x[3], v[3];
    struct w_vec u, n;
    wf speed, along, across; // F/h w is along u + across n
    wm felt;
};

SIM_INLINE void gust_from(const struct sim *sim, const uint32_t *at, struct gust *gust)
{
    const struct sim_times *times = &sim->times;
    const wf zero = w_set(0);
    struct w_vec d[2];
    for (uint32_t k = 0; k < 3; k++) {
        gust->x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
        gust->v[k] = w_rows_at(sim->velocities, at + k * SIM_LANES);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t k = 0; k < 2; k++) {
            d[k].x[axis] = w_apart(gust->x[k + 1].x[axis], gust->x[0].x[axis]) * w_set(times->q);
        }
        wf sum =
            (w_of_bits(gust->v[0].x[axis]) + w_of_bits(gust->v[1].x[axis])) + w_of_bits(gust->v[2].x[axis]);
        gust->u.x[axis] = w_set(times->wind[axis]) - sum * w_set(THIRD);
    }
    gust->n = w_cross(d[0], d[1]);
    wf twice_area = w_sqrt(w_dot(gust->n, gust->n));
    gust->speed = w_sqrt(w_dot(gust->u, gust->u));
    gust->felt = w_and(w_below(zero, twice_area), w_below(zero, gust->speed));
    wf inverse = w_where(gust->felt, w_set(1) / twice_area);
    for (int axis = 0; axis < 3; axis++) {
        gust->n.x[axis] = gust->n.x[axis] * inverse;
    }
    wf facing = w_dot(gust->u, gust->n);
    wf pressure = (w_set(times->half_density * 0.5f) * twice_area) * w_abs(facing);
    wf lift = pressure * w_set(times->lift);
    gust->along = pressure * w_set(times->drag - times->lift);
    gust->across = lift * w_select(w_below(facing, zero), w_negative(gust->speed), gust->speed);
}

void SIM_ISA(sim_wind_blow)(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[SIM_GUSTS];
    const wf zero = w_set(0), one = w_set(1), third_h = w_set(sim->times.h * THIRD);
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct gust gust;
            gust_from(sim, batch + lane, &gust);
            for (uint32_t k = 0; k < 3; k++) {
                wf scale = third_h * gust.x[k].w;
                struct w_vec dv;
                for (int axis = 0; axis < 3; axis++) {
                    dv.x[axis] = scale * (gust.along * gust.u.x[axis] + gust.across * gust.n.x[axis]);
                }
                wf size = w_sqrt(w_dot(dv, dv));
                wf cut = w_select(w_below(gust.speed, size), gust.speed / size, one);
                wm pushed = w_and(gust.felt, w_below(zero, gust.x[k].w));
                for (int axis = 0; axis < 3; axis++) {
                    wf v = w_of_bits(gust.v[k].x[axis]) + w_where(pushed, cut * dv.x[axis]);
                    gust.v[k].x[axis] = w_bits(v);
                }
                w_rows_put(sim->velocities, batch + k * SIM_LANES + lane, &gust.v[k]);
            }
        }
    }
}
