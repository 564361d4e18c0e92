// Pieces of rigid bodies, turned and given angular velocities between ticks.

#include "sim/edit/edit.h"
#include "sim/ground/ground.h"

enum fault_code sim_particles_turn_check(const struct sim *sim, uint32_t id, const uint32_t *particles,
                                         uint32_t count, const double *rotations, const float *spins,
                                         struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    if (status == FAULT_NONE && !body->rigid && (rotations || spins)) {
        return fault_code_set(fault, FAULT_INVALID, rotations ? "rotations" : "angular_velocities",
                              "must be absent; body %u is no rigid body", id);
    }
    for (uint32_t i = 0; status == FAULT_NONE && rotations && i < count; i++) {
        const double *q = rotations + 4 * (size_t)i;
        const double length2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        if (!(length2 > 1e-12 && length2 < 1e12)) {
            status = fault_code_set(fault, FAULT_INVALID, "rotations",
                                    "the length of element %u is %g; must be between 1e-06 and 1e+06", i,
                                    __builtin_sqrt(length2));
        }
    }
    for (size_t i = 0; status == FAULT_NONE && spins && i < 3 * (size_t)count; i++) {
        if (!(sim_abs(spins[i]) <= SIM_SPIN_MAX)) {
            status = fault_code_set(fault, FAULT_INVALID, "angular_velocities",
                                    "piece %u turns at %g rad/s; at most %g rad/s", particles[i / 3],
                                    (double)spins[i], (double)SIM_SPIN_MAX);
        }
    }
    return status;
}

enum fault_code sim_particles_turn(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                   const double *rotations, const float *spins, struct fault *fault)
{
    const enum fault_code status =
        sim_particles_turn_check(sim, id, particles, count, rotations, spins, fault);
    struct sim_body *body = status == FAULT_NONE ? sim_body_find(sim, id) : NULL;
    for (uint32_t i = 0; body && body->rigid && i < count; i++) {
        const uint32_t row = body->first_row + body->row_of[particles[i]];
        float spin[3];
        if (rotations) {
            sim_rigid_spin(sim, body, particles[i], spin);
            sim_turn_from(rotations + 4 * (size_t)i, sim->turns[row].q);
            memset(sim->joints[row].rest, 0, sizeof sim->joints[row].rest);
        }
        if (rotations || spins) {
            sim_rigid_spin_set(sim, body, particles[i], spins ? spins + 3 * (size_t)i : spin);
        }
    }
    if (body) {
        sim_edited(body);
    }
    return status;
}
