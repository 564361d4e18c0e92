// Rigid pieces in a tick (state/rigid.h). Rows of the pieces move with those of all bodies; here they turn.

#include "sim/solve/solve.h"

// kg m^2/s: what is less becomes 0, so that no subnormal ever slows a substep.
#define LEAST 7.888609e-31f // 2^-100

void sim_rigid_predict_all(struct sim *sim)
{
    const double h = (double)sim->times.h;
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        struct sim_rigid *rigid = &sim->rigids.items[p];
        memset(rigid->corrected, 0, sizeof rigid->corrected);
        memcpy(rigid->began, sim->turns[rigid->row].q, sizeof rigid->began);
        if (rigid->w > 0) {
            sim_rigid_go(sim, rigid, h);
        } else {
            memset(rigid->momentum, 0, sizeof rigid->momentum);
        }
        sim->turned[rigid->row] = sim->turns[rigid->row];
    }
}

void sim_rigid_finish_all(struct sim *sim)
{
    const float keep = sim->times.keep, inv_h = sim->times.inv_h;
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        struct sim_rigid *rigid = &sim->rigids.items[p];
        for (int axis = 0; axis < 3; axis++) {
            rigid->momentum[axis] = (rigid->momentum[axis] + rigid->corrected[axis] * inv_h) * keep;
        }
    }
    sim_rigid_bounce(sim);
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        struct sim_rigid *rigid = &sim->rigids.items[p];
        for (int axis = 0; axis < 3; axis++) {
            float *momentum = &rigid->momentum[axis];
            const float size = sim_abs(*momentum);
            *momentum = !(size > LEAST)            ? 0
                        : size <= SIM_MOMENTUM_MAX ? *momentum
                        : *momentum < 0            ? -SIM_MOMENTUM_MAX
                                                   : SIM_MOMENTUM_MAX;
        }
        memcpy(sim->spins[rigid->row].v, rigid->momentum, sizeof sim->spins[rigid->row].v);
    }
}

void sim_rigids_again(struct sim *sim, bool begins)
{
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        struct sim_rigid *rigid = &sim->rigids.items[p];
        float *rest = sim->joints[rigid->row].rest;
        if (begins) {
            memcpy(rigid->lacked, rest, sizeof rigid->lacked);
            memset(rest, 0, sizeof rigid->lacked);
        } else {
            memcpy(rest, rigid->lacked, sizeof rigid->lacked);
        }
    }
}
