// Says of clamps that they turn with the collider that their pin follows, or that they do not (motion/clamp.c).

#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"

enum fault_code sim_clamp_turns_check(const struct sim *sim, uint32_t id, const uint32_t *particles,
                                      uint32_t count, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        const struct sim_pin *pin = sim_pin_find(body, particles[i]);
        if (!pin || !sim_pin_clamps(pin)) {
            status = fault_code_set(fault, FAULT_INVALID, "clamp_turns",
                                    "particle %u has no clamp; only clamps can turn with a collider",
                                    particles[i]);
        }
    }
    return status;
}

enum fault_code sim_particles_clamp_turns(struct sim *sim, uint32_t id, const uint32_t *particles,
                                          uint32_t count, bool turns, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    if (status == FAULT_NONE && turns) {
        status = sim_clamp_turns_check(sim, id, particles, count, fault);
    }
    for (uint32_t i = 0; status == FAULT_NONE && turns && i < count; i++) {
        if (sim_pin_find(body, particles[i])->collider == 0) {
            status = fault_code_set(fault, FAULT_INVALID, "clamp_turns",
                                    "the pin of particle %u follows no collider that its clamp can turn with",
                                    particles[i]);
        }
    }
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        struct sim_pin *pin = sim_pin_find(body, particles[i]);
        if (turns) {
            sim_clamp_take(sim, pin);
        } else if (pin) {
            memset(pin->clamp.held, 0, sizeof pin->clamp.held);
        }
    }
    if (status == FAULT_NONE) {
        sim_edited(body);
        sim->solved = false;
    }
    return status;
}
