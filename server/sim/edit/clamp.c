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

enum fault_code sim_clamp_held_given(const int32_t held[4], const int32_t clamp[8], uint32_t collider,
                                     uint32_t particle, struct fault *fault)
{
    struct sim_turned turned = {.w = 0};
    memcpy(turned.q, held, sizeof turned.q);
    if (sim_turn_is(held) && (!sim_turn_is(clamp) || collider == 0)) {
        return fault_code_set(fault, FAULT_INVALID, "pin_clamp_places",
                              "that of particle %u must be all 0: the pin %s", particle,
                              collider == 0 ? "follows no collider" : "has no clamp");
    }
    return sim_turned_check("pin_clamp_places", &turned, 1, fault);
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

// ------------------------------------------------------------------------------------------- reading, setting

uint32_t sim_body_clamps(const struct sim *sim, uint32_t id, bool turn, uint32_t *particles)
{
    const struct sim_body *body = sim_body_find(sim, id);
    uint32_t count = 0;
    for (uint32_t p = 0; body && p < body->pin_count; p++) {
        if (turn ? sim_pin_turns(&body->pins[p]) : sim_pin_clamps(&body->pins[p])) {
            particles[count++] = body->pins[p].index;
        }
    }
    return count;
}

void sim_clamp_at(const struct sim *sim, const struct sim_body *body, uint32_t particle, int32_t q[4])
{
    struct sim_turned turned;
    sim_turned_of(sim, body->first_row + body->row_of[body->rod->ends[particle].holder], &turned);
    memcpy(q, turned.q, sizeof turned.q);
}

enum fault_code sim_clamps_check(const struct sim *sim, uint32_t id, const uint32_t *particles,
                                 uint32_t count, const double *rotations, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        double length2 = 1;
        status = sim_clamp_check(body, particles[i], fault);
        if (status == FAULT_NONE && rotations) {
            const double *q = rotations + 4 * (size_t)i;
            length2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        }
        if (status == FAULT_NONE && !(length2 > 1e-12 && length2 < 1e12)) {
            status = fault_code_set(fault, FAULT_INVALID, "rotations",
                                    "the length of element %u is %g; must be between 1e-06 and 1e+06", i,
                                    __builtin_sqrt(length2));
        }
    }
    return status;
}

enum fault_code sim_particles_clamp(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                    bool clamps, const double *rotations, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = clamps ? sim_clamps_check(sim, id, particles, count, rotations, fault)
                                    : sim_particles_check(sim, id, particles, count, &body, fault);
    body = status == FAULT_NONE ? sim_body_find(sim, id) : NULL;
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        if (!sim_pin_find(body, particles[i])) {
            status = fault_code_set(fault, FAULT_INVALID, "clamp", "particle %u has no pin", particles[i]);
        }
    }
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        struct sim_pin *pin = sim_pin_find(body, particles[i]);
        const bool held = sim_pin_clamps(pin);
        if (!clamps) {
            memset(&pin->clamp, 0, sizeof pin->clamp);
            continue;
        }
        if (!held) {
            sim_clamp_at(sim, body, particles[i], pin->clamp.to);
            memcpy(pin->clamp.from, pin->clamp.to, sizeof pin->clamp.from);
        }
        if (rotations) {
            sim_turn_from(rotations + 4 * (size_t)i, pin->clamp.to);
            memset(pin->clamp.held, 0, sizeof pin->clamp.held);
        }
    }
    if (status == FAULT_NONE) {
        sim_edited(body);
        sim->solved = false;
    }
    return status;
}
