// Grabs of an image: what is held, and where to. Who holds it is not the sim's to know.

#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"

bool sim_image_take_grabs(const struct sim *sim, struct sim_image *image)
{
    struct sim_image_grab *grabs = sim_image_block(image, sim->grab_count, sizeof *grabs);
    for (uint32_t g = 0; grabs && g < sim->grab_count; g++) {
        const struct sim_held *held = &sim->grabs[g];
        grabs[g] = (struct sim_image_grab){.id = held->id,
                                           .body = held->body,
                                           .particle = held->index,
                                           .compliance = (double)held->compliance};
        memcpy(grabs[g].target, held->target, sizeof grabs[g].target);
    }
    if (grabs) {
        image->grabs = grabs;
        image->grab_count = sim->grab_count;
    }
    return grabs != NULL;
}

static enum fault_code check(const struct sim *sim, const struct sim_image_grab *given, struct fault *fault)
{
    const int64_t most = (int64_t)(SIM_EXTENT_MAX * sim->inv_q);
    const struct sim_body *body = sim_body_find(sim, given->body);
    uint32_t holder;
    if (!body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "%u does not exist", given->body);
    }
    if (given->particle >= sim_nameable(body)) {
        return fault_code_set(fault, FAULT_INVALID, "particle", "%u; body %u has %u", given->particle,
                              given->body, body->count);
    }
    if (sim_grab_of(sim, given->body, given->particle, &holder)) {
        return fault_code_set(fault, FAULT_CONFLICT, "particle", "%u of body %u is held by grab %u",
                              given->particle, given->body, holder);
    }
    if (!(given->compliance >= 0 && given->compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "compliance", "%g m/N; must be in [0, %g]",
                              given->compliance, SIM_COMPLIANCE_MAX);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (given->target[axis] > most || given->target[axis] < -most) {
            return fault_code_set(fault, FAULT_INVALID, "target", "lies at %g m; at most %g m",
                                  (double)given->target[axis] * sim->q, (double)most * sim->q);
        }
    }
    if (sim->grab_count >= sim->limits.grabs || sim->next_grab == UINT32_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "%u grabs are as many as a world may have",
                              sim->grab_count);
    }
    return FAULT_NONE;
}

// A particle that was pinned, or made static, while it was held stays held, so that is let pass here.
enum fault_code sim_image_grab_make(struct sim *sim, const struct sim_image_grab *given, struct fault *fault)
{
    enum fault_code status = check(sim, given, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (!array_reserve(&sim->grabs, &sim->grab_capacity, sim->grab_count + 1)) {
        return sim_fault_memory(fault);
    }
    const struct sim_body *body = sim_body_find(sim, given->body);
    struct sim_held *held = &sim->grabs[sim->grab_count++];
    *held = (struct sim_held){.id = sim->next_grab++,
                              .body = given->body,
                              .index = given->particle,
                              .row = body->first_row + body->row_of[given->particle],
                              .compliance = (float)given->compliance};
    memcpy(held->target, given->target, sizeof held->target);
    return FAULT_NONE;
}
