// Plastic bodies, whose rest flows: the rest angles of hinges (kinds/dihedral.c), and the shapes at rest of the tetrahedra of solids
// (kinds/solid_flow.c). These files have the equations.
//
// Both flow when a substep begins, from where the one before it ended. They do not flow in each iteration, so that the yield does not
// depend on how many there are, and not once a tick, because a blow may come and go within one. So the last substep of a tick is
// solved with the rest that the tick ends with, and forces that are found again need no copy of others.
//
//     params that flow   as they are now; at a boundary the state
//     rests              as they were when the tick began, for one that fails
#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

static uint32_t flow_count(int kind)
{
    return sim_kind_rows[kind]->flow_count;
}

bool sim_creases_settle(struct sim *sim)
{
    uint64_t floats = 0;
    sim->plastic_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        const bool plastic = sim_is_plastic(body);
        body->flows = false;
        sim->plastic_count += plastic || sim_flows(body);
        for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
            for (uint32_t t = 0; flow_count(kind) > 0 && t < body->tile_count[kind]; t++) {
                struct sim_tile *tile = &body->tiles[kind][t];
                tile->crease = plastic ? &body->crease : NULL;
                floats += plastic ? (uint64_t)tile->order_count * SIM_LANES * flow_count(kind) : 0;
            }
        }
    }
    return array_reserve(&sim->rests, &sim->rest_capacity, floats);
}

static float *copy_tile(const struct sim *sim, const struct sim_tile *tile, float *kept, bool back)
{
    const struct sim_kind_row *row = sim_kind_rows[tile->kind];
    for (uint32_t i = 0; tile->crease && i < tile->order_count; i++) {
        for (uint32_t p = 0; p < row->flow_count; p++, kept += SIM_LANES) {
            float *own = sim_batch_params(&sim->stores[tile->kind], tile->order[i], row->flow_first + p);
            memcpy(back ? own : kept, back ? kept : own, SIM_LANES * sizeof *own);
        }
    }
    return kept;
}

static void copy_rests(struct sim *sim, bool back)
{
    float *kept = sim->rests;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
            for (uint32_t t = 0; flow_count(kind) > 0 && t < body->tile_count[kind]; t++) {
                kept = copy_tile(sim, &body->tiles[kind][t], kept, back);
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
        const struct sim_plastic *plastic = &body->materials[sim_plastic_part(body)].plastic;
        body->flows = false;
        body->crease = (struct sim_crease){.body = body,
                                           .yield = (float)plastic->yield,
                                           .greatest = (float)plastic->greatest,
                                           .share = (float)(plastic->rate / (inv_h + plastic->rate))};
        for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
            for (uint32_t t = 0; flow_count(kind) > 0 && t < body->tile_count[kind]; t++) {
                body->tiles[kind][t].creased = false;
            }
        }
    }
    copy_rests(sim, false);
}

static void flow_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    if (tile->crease && !tile->asleep && sim->kernels->flow[tile->kind](sim, tile)) {
        tile->creased = true;
    }
}

void sim_creases_flow(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t s = 0; sim->plastic_count > 0 && s < sim->gust_stage; s++) {
        if (flow_count((int)sim->stages[s].kind) > 0) {
            sim->stage = &sim->stages[s];
            sim_run_tasks(sim, parallel, sim->stage->tile_count, flow_task);
        }
    }
    if (sim->plastic_count > 0) {
        sim_rods_flow(sim, parallel);
    }
}

// A body that flows counts as changed, also for sleep.
void sim_creases_end(struct sim *sim)
{
    for (uint32_t b = 0; sim->plastic_count > 0 && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
            for (uint32_t t = 0; flow_count(kind) > 0 && t < body->tile_count[kind]; t++) {
                body->flows = body->flows || body->tiles[kind][t].creased;
            }
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
