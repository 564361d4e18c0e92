// Finds which winds and fans blow at each body, and the air that they make there.

#include "sim/solve/air.h"

#include "sim/ground/ground.h"
#include "sim/solve/push.h"
#include "sim/solve/solve.h"

static void draft_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->body->surface_count > 0 && chunk->count > 0) {
        sim->kernels->drafts(sim, chunk);
    }
}

void sim_drafts_begin(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t f = 0; f < sim->settings.forces.count; f++) {
        sim_force_set(sim, &sim->settings.forces.items[f], &sim->fields[f]);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->drafts = sim_forces_on(sim, sim->bodies[b], true);
    }
    sim_run_tasks(sim, parallel, sim->chunk_count, draft_task);
}
