// Finds which limit a world has broken, and where. It goes through the findings of tiles and chunks in order, so that the answer
// does not depend on the thread that found it.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdio.h>

bool sim_gone_too_far(const struct sim *sim, const char *what, double limit, struct sim_failure *failure)
{
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        const struct sim_chunk *chunk = &sim->chunks[c];
        if (chunk->bad_row == UINT32_MAX) {
            continue;
        }
        failure->failed = true;
        failure->body = chunk->body->id;
        failure->particle = chunk->body->index_of[chunk->bad_row - chunk->body->first_row];
        snprintf(failure->text, sizeof failure->text, "particle %u of body %u %s %g m", failure->particle,
                 failure->body, what, limit);
        return true;
    }
    return false;
}

// Returns the present length of a lane's constraint, quanta, and fills its rows. Below 0 if the lane is a hole or the constraint
// has parted.
static double length_of(const struct sim *sim, const struct sim_store *store, uint32_t batch, uint32_t lane,
                        uint32_t rows[SIM_STENCIL_MAX])
{
    const uint32_t parted = sim_kind_rows[store->kind]->parted_param;
    sim_store_rows(store, batch * SIM_LANES + lane, rows);
    if (sim_batch_ids(store, batch)[lane] == 0 ||
        (parted > 0 && sim_batch_params(store, batch, parted)[lane] > 0)) {
        return -1;
    }
    return sim_present_length(sim, store->stencil, rows);
}

// The longest constraint of a tile as it is now: which particle to name.
static uint32_t longest_row(const struct sim *sim, const struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    uint32_t found = 0;
    double longest = -1;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t rows[SIM_STENCIL_MAX];
            double length = length_of(sim, store, tile->order[i], lane, rows);
            if (length > longest) {
                longest = length;
                found = rows[0];
            }
        }
    }
    return found;
}

bool sim_stretched_too_far(const struct sim *sim, struct sim_failure *failure)
{
    for (uint32_t t = 0; t < sim->tile_count; t++) {
        if (!(sim->tiles[t]->longest > SIM_STRETCH_MAX)) {
            continue;
        }
        uint32_t row = longest_row(sim, sim->tiles[t]);
        const struct sim_body *body = sim_body_of_row(sim, row);
        failure->failed = true;
        failure->body = body->id;
        failure->particle = body->index_of[row - body->first_row];
        snprintf(failure->text, sizeof failure->text,
                 "a constraint at particle %u of body %u is longer than %g m: too soft, or its ends put too "
                 "far apart",
                 failure->particle, failure->body, (double)SIM_STRETCH_MAX * sim->q);
        return true;
    }
    return false;
}

// Particles were put somewhere since the last tick: in low words a constraint that spans 32 m would look as
// if it had no length, so lengths are looked at whole, once.
bool sim_placed_too_far(struct sim *sim, struct sim_failure *failure)
{
    for (uint32_t t = 0; sim->placed && t < sim->tile_count; t++) {
        struct sim_tile *tile = sim->tiles[t];
        const struct sim_store *store = &sim->stores[tile->kind];
        uint32_t rows[SIM_STENCIL_MAX];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                double length = length_of(sim, store, tile->order[i], lane, rows);
                tile->longest = length > (double)tile->longest ? (float)length : tile->longest;
            }
        }
    }
    bool found = sim->placed && sim_stretched_too_far(sim, failure);
    sim->placed = found; // it stays wrong until it is mended
    return found;
}
