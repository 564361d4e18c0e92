// Creases: the rest angles of plastic bodies, which substeps change (kinds/dihedral.c has the equation).
//
// They flow when a substep begins, from where the one before it ended. They do not flow in each iteration, so
// that the yield does not depend on how many there are. So the last substep of a tick is solved with the rest
// angles that the tick ends with, and forces that are found again need no copy of others.
//
//     params[0] of the hinges   as they are now; at a boundary the state
//     rests                     as they were when the tick began, for one that fails
#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

bool sim_creases_settle(struct sim *sim)
{
    uint64_t lanes = 0;
    sim->plastic_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        const bool plastic = sim_is_plastic(body);
        body->flows = false;
        sim->plastic_count += plastic || sim_flows(body);
        for (uint32_t t = 0; t < body->tile_count[SIM_DIHEDRAL]; t++) {
            struct sim_tile *tile = &body->tiles[SIM_DIHEDRAL][t];
            tile->crease = plastic ? &body->crease : NULL;
            lanes += plastic ? (uint64_t)tile->order_count * SIM_LANES : 0;
        }
    }
    return array_reserve(&sim->rests, &sim->rest_capacity, lanes);
}

static void copy_rests(struct sim *sim, bool back)
{
    const struct sim_store *store = &sim->stores[SIM_DIHEDRAL];
    float *kept = sim->rests;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t t = 0; t < body->tile_count[SIM_DIHEDRAL]; t++) {
            const struct sim_tile *tile = &body->tiles[SIM_DIHEDRAL][t];
            for (uint32_t i = 0; tile->crease && i < tile->order_count; i++, kept += SIM_LANES) {
                float *own = sim_batch_params(store, tile->order[i], 0);
                memcpy(back ? own : kept, back ? kept : own, SIM_LANES * sizeof *own);
            }
        }
    }
}

void sim_creases_begin(struct sim *sim)
{
    if (sim->plastic_count == 0) {
        return;
    }
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        const struct sim_plastic *plastic = &body->materials[SIM_PART_BEND].plastic;
        body->flows = false;
        body->crease = (struct sim_crease){.yield = (float)plastic->yield,
                                           .greatest = (float)plastic->greatest,
                                           .share = (float)(plastic->rate / (inv_h + plastic->rate))};
        for (uint32_t t = 0; t < body->tile_count[SIM_DIHEDRAL]; t++) {
            body->tiles[SIM_DIHEDRAL][t].creased = false;
        }
    }
    copy_rests(sim, false);
}

static void flow_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    if (tile->crease && !tile->asleep && sim->kernels->crease(sim, tile)) {
        tile->creased = true;
    }
}

void sim_creases_flow(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t s = 0; sim->plastic_count > 0 && s < sim->gust_stage; s++) {
        if (sim->stages[s].kind == SIM_DIHEDRAL) {
            sim->stage = &sim->stages[s];
            sim_run_tasks(sim, parallel, sim->stage->tile_count, flow_task);
        }
    }
    if (sim->plastic_count > 0) {
        sim_rods_flow(sim, parallel);
    }
}

// A body whose rest angles flow counts as changed, also for sleep.
void sim_creases_end(struct sim *sim)
{
    for (uint32_t b = 0; sim->plastic_count > 0 && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (uint32_t t = 0; t < body->tile_count[SIM_DIHEDRAL]; t++) {
            body->flows = body->flows || body->tiles[SIM_DIHEDRAL][t].creased;
        }
        if (body->flows) {
            sim_edited(body);
        }
    }
}

void sim_creases_give_back(struct sim *sim)
{
    if (sim->plastic_count > 0) {
        copy_rests(sim, true);
    }
}
