// Wind on triangles, once a substep before the prediction.
//
//   u = wind - mean velocity of the corners;  n = unit normal, turned so that u.n >= 0
//   F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n],  a third to each corner;  dv = h w F/3, |dv| at most |u|
//
// It is smooth where the wind blows along the triangle, and a plate that faces the wind feels
// 1/2 rho A Cd |u|^2. Triangles are coloured and batched like constraints, so that no two of a colour push
// the same particle.

#include "sim/four.h"

static void blow(struct sim *sim, const uint32_t rows[3])
{
    const struct sim_times *times = &sim->times;
    const struct sim_row *x[3];
    float d[2][3], u[3], n[3];
    for (int k = 0; k < 3; k++) {
        x[k] = &sim->rows[rows[k]];
    }
    for (int axis = 0; axis < 3; axis++) {
        d[0][axis] = (float)sim_wrap_sub(x[1]->x[axis], x[0]->x[axis]) * times->q;
        d[1][axis] = (float)sim_wrap_sub(x[2]->x[axis], x[0]->x[axis]) * times->q;
        float sum = (sim->velocities[rows[0]].v[axis] + sim->velocities[rows[1]].v[axis]) +
                    sim->velocities[rows[2]].v[axis];
        u[axis] = times->wind[axis] - sum / 3;
    }
    sim_cross3(n, d[0], d[1]);
    float twice_area = __builtin_sqrtf(sim_dot3(n, n)), speed = __builtin_sqrtf(sim_dot3(u, u));
    if (twice_area == 0 || speed == 0) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] /= twice_area;
    }
    float facing = sim_dot3(u, n);
    float side = facing < 0 ? -1.0f : 1.0f;
    float pressure = times->half_density * (0.5f * twice_area) * (facing * side);
    float along = pressure * (times->drag - times->lift), across = (pressure * times->lift) * speed * side;
    for (int k = 0; k < 3; k++) {
        float scale = (times->h * x[k]->w) / 3, dv[3];
        for (int axis = 0; axis < 3; axis++) {
            dv[axis] = scale * (along * u[axis] + across * n[axis]);
        }
        float size = __builtin_sqrtf(sim_dot3(dv, dv));
        float cut = size > speed ? speed / size : 1;
        for (int axis = 0; x[k]->w > 0 && axis < 3; axis++) {
            sim->velocities[rows[k]].v[axis] += cut * dv[axis];
        }
    }
}

void sim_wind_blow(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[SIM_GUSTS];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t rows[3];
            if (store->ids[tile->order[i]][lane] == 0) {
                continue;
            }
            for (uint32_t k = 0; k < 3; k++) {
                rows[k] = sim_batch_rows(store, tile->order[i], k)[lane];
            }
            blow(sim, rows);
        }
    }
}
