// Grabs: who holds which particle, and where to. pull.c pulls.
//
// No two grabs hold the same particle.

#include "base/array.h"
#include "base/assert.h"
#include "sim/ground/ground.h"

static struct sim_held *grab_find(struct sim *sim, uint32_t id)
{
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        if (sim->grabs[g].id == id) {
            return &sim->grabs[g];
        }
    }
    return NULL;
}

static enum fault_code check_target(const struct sim *sim, const double *target, struct fault *fault)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(target[axis] >= -sim->settings.extent && target[axis] <= sim->settings.extent)) {
            return fault_code_set(fault, FAULT_INVALID, "target", "%g m; at most %g m (extent)", target[axis],
                                  sim->settings.extent);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_grab_begin(struct sim *sim, uint32_t id, uint32_t particle, const double *target,
                               double compliance, uint32_t *grab, struct fault *fault)
{
    const struct sim_body *body = sim_body_find(sim, id);
    if (!body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "body %u does not exist", id);
    }
    if (particle >= sim_nameable(body)) {
        return fault_code_set(fault, FAULT_INVALID, "particle", "%u; body %u has %u (0 to %u)", particle, id,
                              sim_nameable(body), sim_nameable(body) - 1);
    }
    if (!(compliance >= 0 && compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "compliance", "%g m/N; must be in [0, %g]", compliance,
                              SIM_COMPLIANCE_MAX);
    }
    uint32_t row = body->first_row + body->row_of[particle], holder;
    if (sim_grab_of(sim, id, particle, &holder)) {
        return fault_code_set(fault, FAULT_CONFLICT, "particle", "particle %u of body %u is held by grab %u",
                              particle, id, holder);
    }
    if (sim->rows[row].w == 0) {
        return fault_code_set(fault, FAULT_CONFLICT, "particle", "particle %u of body %u is pinned or static",
                              particle, id);
    }
    enum fault_code status = !target ? FAULT_NONE : check_target(sim, target, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (sim->grab_count >= sim->limits.grabs || sim->next_grab == UINT32_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "the world has %u grabs, as many as it may",
                              sim->grab_count);
    }
    status = sim_work_check(sim, NULL, &sim->settings, &(struct sim_more){.grabs = 1}, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (!array_reserve(&sim->grabs, &sim->grab_capacity, sim->grab_count + 1)) {
        return sim_fault_memory(fault);
    }
    struct sim_held *held = &sim->grabs[sim->grab_count++];
    *held = (struct sim_held){
        .id = sim->next_grab++, .body = id, .index = particle, .row = row, .compliance = (float)compliance};
    for (int axis = 0; axis < 3; axis++) {
        held->target[axis] = !target ? sim->positions[row][axis] : sim_quantize(target[axis], sim->inv_q);
    }
    *grab = held->id;
    return FAULT_NONE;
}

enum fault_code sim_grab_move(struct sim *sim, uint32_t id, const double *target, struct fault *fault)
{
    struct sim_held *held = grab_find(sim, id);
    if (!held) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "grab", "grab %u does not exist", id);
    }
    enum fault_code status = check_target(sim, target, fault);
    for (int axis = 0; status == FAULT_NONE && axis < 3; axis++) {
        held->target[axis] = sim_quantize(target[axis], sim->inv_q);
    }
    return status;
}

enum fault_code sim_grab_end(struct sim *sim, uint32_t id, struct fault *fault)
{
    struct sim_held *held = grab_find(sim, id);
    if (!held) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "grab", "grab %u does not exist", id);
    }
    size_t place = (size_t)(held - sim->grabs);
    memmove(held, held + 1, (sim->grab_count - place - 1) * sizeof *held);
    sim->grab_count--;
    return FAULT_NONE;
}

uint32_t sim_grab_count(const struct sim *sim)
{
    return sim->grab_count;
}

void sim_grab_at(const struct sim *sim, uint32_t position, struct sim_grab *grab)
{
    BASE_ASSERT(position < sim->grab_count);
    const struct sim_held *held = &sim->grabs[position];
    double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    *grab = (struct sim_grab){
        .id = held->id, .body = held->body, .particle = held->index, .compliance = (double)held->compliance};
    for (int axis = 0; axis < 3; axis++) {
        grab->target[axis] = (double)held->target[axis] * sim->q;
        grab->force[axis] = (double)held->multiplier[axis] * sim->q * inv_h * inv_h;
    }
}

bool sim_grab_of(const struct sim *sim, uint32_t body, uint32_t particle, uint32_t *id)
{
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        if (sim->grabs[g].body == body && sim->grabs[g].index == particle) {
            *id = sim->grabs[g].id;
            return true;
        }
    }
    return false;
}
