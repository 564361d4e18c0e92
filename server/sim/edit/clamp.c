// Clamps, which are set and let go between ticks (solve/clamps.c).

#include "sim/body/plan.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/state/rod.h"

enum fault_code sim_clamp_check(const struct sim_body *body, uint32_t particle, struct fault *fault)
{
    if (!body->rod || body->rod->ends[particle].holder == UINT32_MAX) {
        return fault_code_set(
            fault, FAULT_INVALID, "clamp",
            "particle %u of body %u has no segment of a rod; only these have an orientation to "
            "hold",
            particle, body->id);
    }
    return FAULT_NONE;
}

enum fault_code sim_clamp_given(const struct sim_body *body, uint32_t particle, const int32_t clamp[8],
                                struct fault *fault)
{
    struct sim_turned turned[2] = {{.w = 0}, {.w = 0}};
    memcpy(turned[0].q, clamp, sizeof turned[0].q);
    memcpy(turned[1].q, clamp + 4, sizeof turned[1].q);
    const bool from = sim_turn_is(turned[0].q), to = sim_turn_is(turned[1].q);
    if (from != to) {
        return fault_code_set(fault, FAULT_INVALID, "pin_clamps", "one orientation of particle %u is all 0",
                              particle);
    }
    enum fault_code status = from ? sim_clamp_check(body, particle, fault) : FAULT_NONE;
    return status != FAULT_NONE ? status : sim_turned_check("pin_clamps", turned, 2, fault);
}

void sim_clamp_at(const struct sim *sim, const struct sim_body *body, uint32_t particle, int32_t q[4])
{
    struct sim_turned turned;
    sim_turned_of(sim, body->first_row + body->row_of[body->rod->ends[particle].holder], &turned);
    memcpy(q, turned.q, sizeof turned.q);
}

enum fault_code sim_particles_clamp(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                    bool clamps, const double *rotations, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        status = clamps ? sim_clamp_check(body, particles[i], fault) : FAULT_NONE;
        const struct sim_pin *pin = sim_pin_find(body, particles[i]);
        if (status == FAULT_NONE && !pin) {
            status = fault_code_set(fault, FAULT_INVALID, "clamp", "particle %u has no pin", particles[i]);
        }
        double length2 = 0;
        for (size_t k = 0; status == FAULT_NONE && rotations && k < 4; k++) {
            length2 += rotations[4 * (size_t)i + k] * rotations[4 * (size_t)i + k];
        }
        if (status == FAULT_NONE && rotations && !(length2 > 1e-12 && length2 < 1e12)) {
            status = fault_code_set(fault, FAULT_INVALID, "rotations",
                                    "the length of element %u is %g; must be between 1e-06 and 1e+06", i,
                                    __builtin_sqrt(length2));
        }
    }
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        struct sim_clamp *clamp = &sim_pin_find(body, particles[i])->clamp;
        const bool held = sim_turn_is(clamp->to);
        if (!clamps) {
            *clamp = (struct sim_clamp){.multiplier = {0}};
            continue;
        }
        if (!held) {
            sim_clamp_at(sim, body, particles[i], clamp->to);
            memcpy(clamp->from, clamp->to, sizeof clamp->from);
        }
        if (rotations) {
            sim_turn_from(rotations + 4 * (size_t)i, clamp->to);
        }
    }
    if (status == FAULT_NONE) {
        sim_edited(body);
        sim->solved = false;
    }
    return status;
}
