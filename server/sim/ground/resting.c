// Constraints that rest while bodies sleep. A tile of a body that sleeps is left out as a whole. Loose constraints of a kind are
// one tile, whose batches may hold constraints of sleepers beside those of others: these batches are solved, and then the lanes
// of sleepers get back what they had. Bodies that loose constraints join sleep together, so a lane sleeps as a whole.

#include "base/grow.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"

enum { ALL = (1 << SIM_LANES) - 1 };
_Static_assert(SIM_LANES == 16, "a set of lanes fits 16 bits");

bool sim_sleepers_reserve(struct sim *sim)
{
    bool good = true;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const size_t count = sim->loose[kind].order_capacity;
        good =
            good && (count == 0 || base_grow((void **)&sim->loose_sleepers[kind], count * sizeof(uint16_t)));
    }
    return good;
}

// The body of the first particle of a lane; NULL if the lane is a hole.
static struct sim_body *body_of(const struct sim *sim, const struct sim_tile *tile, uint32_t i, uint32_t lane)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    if (sim_batch_ids(store, tile->order[i])[lane] == 0) {
        return NULL;
    }
    return sim_body_of_row(sim, sim_batch_places(store, tile->order[i], 0)[lane] / SIM_ROW_BYTES);
}

// A hole counts as asleep.
static void loose_mark(struct sim *sim, struct sim_tile *tile)
{
    uint16_t *sleepers = sim->loose_sleepers[tile->kind];
    bool any = false, all = true;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        uint32_t set = 0;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const struct sim_body *body = body_of(sim, tile, i, lane);
            set |= !body || body->asleep ? 1u << lane : 0;
            any = any || (body && body->asleep);
        }
        sleepers[i] = (uint16_t)set;
        all = all && set == ALL;
    }
    tile->asleep = all;
    tile->partly = any && !all;
}

void sim_loose_mark(struct sim *sim)
{
    bool any = false, all = true;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        any = any || (body->tie != 0 && body->asleep);
        all = all && (body->tie == 0 || body->asleep);
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_tile *tile = &sim->loose[kind];
        tile->asleep = all;
        tile->partly = false;
        if (any && !all) {
            loose_mark(sim, tile);
        }
    }
}

void sim_rest_mark(struct sim *sim)
{
    sim->awake_count = 0;
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        sim->chunks[c].asleep = sim->chunks[c].body->asleep;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        sim->awake_count += !body->asleep;
        for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
            for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
                body->tiles[kind][t].asleep = body->asleep;
            }
        }
    }
    sim_loose_mark(sim);
}

// ------------------------------------------------------------------------------------------------- lanes

// Lanes of sleepers in a batch of a loose tile that sleeps partly, by the batch's place in its order.
struct lanes {
    uint32_t set;
    float multipliers[SIM_MULTIPLIERS_MAX][SIM_LANES];
    float written[SIM_WRITTEN_MAX][SIM_LANES]; // params that a solve writes
};

// Keeps what a run may change of them. False if all lanes sleep: nothing is to be run.
static bool lanes_take(const struct sim *sim, const struct sim_tile *tile, uint32_t i, struct lanes *lanes)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    lanes->set = sim->loose_sleepers[tile->kind][i];
    if (store->keeps && lanes->set != 0) {
        memcpy(lanes->multipliers, sim_multipliers_of(store, tile->order[i], 0),
               store->multiplier_count * sizeof *lanes->multipliers);
    }
    const struct sim_kind_row *row = sim_kind_rows[tile->kind];
    if (row->written_count > 0 && lanes->set != 0) {
        memcpy(lanes->written, sim_batch_params(store, tile->order[i], row->written_first),
               row->written_count * sizeof *lanes->written);
    }
    return lanes->set != ALL;
}

static void row_rest(struct sim *sim, uint32_t row, bool velocity)
{
    if (velocity) {
        memset(sim->velocities[row].v, 0, sizeof sim->velocities[row].v);
    } else if (sim->anchors) {
        memcpy(sim->rows[row].x, sim->anchors[row], sizeof sim->rows[row].x);
    }
}

// Puts them where they sleep, or gives them no velocity.
static void lanes_give_back(struct sim *sim, const struct sim_tile *tile, uint32_t i,
                            const struct lanes *lanes, bool velocities)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const struct sim_kind_row *row = sim_kind_rows[tile->kind];
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (!(lanes->set & 1u << lane) || sim_batch_ids(store, tile->order[i])[lane] == 0) {
            continue;
        }
        for (uint32_t corner = 0; corner < store->stencil; corner++) {
            row_rest(sim, sim_batch_places(store, tile->order[i], corner)[lane] / SIM_ROW_BYTES, velocities);
        }
        for (uint32_t m = 0; store->keeps && m < store->multiplier_count; m++) {
            sim_multipliers_of(store, tile->order[i], m)[lane] = lanes->multipliers[m][lane];
        }
        for (uint32_t p = 0; p < row->written_count; p++) {
            sim_batch_params(store, tile->order[i], row->written_first + p)[lane] = lanes->written[p][lane];
        }
    }
}

void sim_run_awake(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end, sim_run *run,
                   bool velocities)
{
    if (!tile->partly) {
        run(sim, tile, first, end);
        return;
    }
    for (; first < end; first++) {
        struct lanes lanes;
        if (lanes_take(sim, tile, first, &lanes)) {
            run(sim, tile, first, first + 1);
            lanes_give_back(sim, tile, first, &lanes, velocities);
        }
    }
}

// ------------------------------------------------------------------------------------------- multipliers

static void lane_clear(const struct sim_store *store, uint32_t batch, uint32_t lane)
{
    for (uint32_t m = 0; m < store->multiplier_count; m++) {
        sim_multipliers_of(store, batch, m)[lane] = 0;
    }
}

void sim_tile_multipliers_clear(struct sim *sim, const struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = 0; store->keeps && i < tile->order_count; i++) {
        memset(sim_multipliers_of(store, tile->order[i], 0), 0,
               store->multiplier_count * SIM_LANES * sizeof(float));
    }
}

// Those of a tile that is partly asleep.
static void awake_lanes_clear(struct sim *sim, const struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = 0; store->keeps && i < tile->order_count; i++) {
        const uint32_t set = sim->loose_sleepers[tile->kind][i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (!(set & 1u << lane)) {
                lane_clear(store, tile->order[i], lane);
            }
        }
    }
}

void sim_awake_multipliers_clear(struct sim *sim)
{
    for (uint32_t t = 0; t < sim->tile_count; t++) {
        const struct sim_tile *tile = sim->tiles[t];
        if (tile->asleep || tile->kind >= SIM_KIND_COUNT) {
            continue;
        }
        if (tile->partly) {
            awake_lanes_clear(sim, tile);
        } else {
            sim_tile_multipliers_clear(sim, tile);
        }
    }
}

void sim_loose_wake(struct sim *sim, uint32_t tie)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_tile *tile = &sim->loose[kind];
        const struct sim_store *store = &sim->stores[kind];
        for (uint32_t i = 0; store->keeps && i < tile->order_count; i++) {
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                const struct sim_body *body = body_of(sim, tile, i, lane);
                if (body && body->tie == tie) {
                    lane_clear(store, tile->order[i], lane);
                }
            }
        }
        tile->seed = tile->asleep ? 0 : tile->seed; // of velocities, which are 0
    }
    sim_loose_mark(sim);
}
