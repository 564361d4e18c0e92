// Seeds of a tick: where the nudges of a body's constraints, and the dither of its velocities (kernels/motion.c), start. The
// velocities say so. A seed is no state of its own, and it is the same wherever the body is and whatever else there is.
//
// The velocities are read here for the first time in a tick, so they are copied here as well: to a still, and for a tick that fails.

#include "sim/solve/solve.h"

#include "sim/tell/still.h"

static uint32_t seed_of(const struct sim *sim, uint32_t row)
{
    uint32_t bits[3];
    memcpy(bits, sim->velocities[row].v, sizeof bits);
    return bits[0] + bits[1] + bits[2];
}

static void seed_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (sim->still) {
        sim_still_velocities(sim, chunk->first_row, chunk->count);
    }
    if (chunk->asleep) {
        return;
    }
    memcpy(sim->began + chunk->first_row, sim->velocities + chunk->first_row,
           chunk->count * sizeof *sim->began);
    sim_turns_begin(sim, chunk);
    chunk->seed = 0;
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        chunk->seed += seed_of(sim, row);
    }
}

// Loose constraints, which any bodies may share, have their seed from their particles. A hole holds a particle that stands still.
static void seed_loose(struct sim *sim, enum sim_kind kind)
{
    const struct sim_store *store = &sim->stores[kind];
    struct sim_tile *tile = &sim->loose[kind];
    tile->seed = 0;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *places = sim_batch_places(store, tile->order[i], 0);
        for (uint32_t p = 0; p < store->stencil * SIM_LANES; p++) {
            tile->seed += seed_of(sim, places[p] / SIM_ROW_BYTES);
        }
    }
}

void sim_seed(struct sim *sim, struct base_parallel *parallel)
{
    uint32_t c = 0;
    sim_run_tasks(sim, parallel, sim->chunk_count, seed_task);
    if (sim->still) {
        sim_still_velocities_done(sim);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        uint32_t sum = 0, first = c;
        for (; c < sim->chunk_count && sim->chunks[c].body == body; c++) {
            sum += sim->chunks[c].seed;
        }
        for (; first < c; first++) {
            sim->chunks[first].seed = sum;
        }
        for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
            for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
                body->tiles[kind][t].seed = sum;
            }
        }
        if (body->longs) {
            body->longs->seed = sum;
        }
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        seed_loose(sim, (enum sim_kind)kind);
    }
}
