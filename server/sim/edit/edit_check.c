// Checks of what edits of particles ask for.

#include "sim/ground/ground.h"

#include "sim/edit/edit.h"

#include <stdlib.h>

enum fault_code sim_particles_check(const struct sim *sim, uint32_t id, const uint32_t *particles,
                                    uint32_t count, struct sim_body **body, struct fault *fault)
{
    *body = sim_body_find(sim, id);
    if (!*body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "body %u does not exist", id);
    }
    uint8_t *seen = calloc(((size_t)(*body)->count + 7) / 8, 1);
    if (!seen) {
        return sim_fault_memory(fault);
    }
    enum fault_code status = FAULT_NONE;
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        uint32_t p = particles[i];
        if (p >= sim_nameable(*body)) {
            status = fault_code_set(fault, FAULT_INVALID, "particles",
                                    "element %u names particle %u; body %u has %u (0 to %u)", i, p, id,
                                    sim_nameable(*body), sim_nameable(*body) - 1);
        } else if (seen[p / 8] & 1u << p % 8) {
            status =
                fault_code_set(fault, FAULT_INVALID, "particles", "element %u names particle %u again", i, p);
        } else {
            seen[p / 8] |= (uint8_t)(1u << p % 8);
        }
    }
    free(seen);
    return status;
}

enum fault_code sim_positions_check(const struct sim *sim, const double *positions, const uint32_t *particles,
                                    uint32_t count, struct fault *fault)
{
    double extent = sim->settings.extent;
    for (size_t i = 0; positions && i < (size_t)count * 3; i++) {
        if (!(positions[i] >= -extent && positions[i] <= extent)) {
            return fault_code_set(fault, FAULT_INVALID, "positions",
                                  "%g m for particle %u; at most %g m (extent)", positions[i],
                                  particles[i / 3], extent);
        }
    }
    return FAULT_NONE;
}
