// A sweep: all constraints once, in their order, and what comes with them; and the damping of velocities in the same order. Edges of
// calm bodies (calm.c) are solved a second time, in the opposite order, before other kinds are.
//
//     kind -> tile colour -> tile -> colour -> batch, then rods that are solved directly, clamps, pressure, shape matching, limits of length

#include "sim/bear/bear.h"
#include "sim/ground/ground.h"
#include "sim/solve/air.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

// One past the batches from the first one on, and before `end`, that have its flavour.
static uint32_t flavor_end(const struct sim_store *store, const struct sim_tile *tile, uint32_t first,
                           uint32_t end)
{
    uint8_t flavor = sim_batch_meta(store, tile->order[first])->flavor;
    for (first++; first < end && sim_batch_meta(store, tile->order[first])->flavor == flavor;) {
        first++;
    }
    return first;
}

// Whether multipliers of a tile are read and written. In one sweep in one direction nothing reads them.
static bool keeps(const struct sim *sim, const struct sim_tile *tile)
{
    return sim->stores[tile->kind].keeps &&
           (sim->multipliers_wanted || sim->settings.iterations > 1 || tile->calm);
}

// Solves batches first ... end - 1 of a tile's order in this order, those of one flavour that follow each other
// together.
static void solve_batches(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const struct sim_runs *runs = sim->kernels->runs[tile->kind];
    sim_run *const(*solve)[2] = tile->hard > 0 ? sim->kernels->watch : runs->solve;
    const bool kept = keeps(sim, tile);
    if (tile->flavored == 0) {
        solve[SIM_PLAIN][kept](sim, tile, first, end);
        return;
    }
    for (uint32_t next; first < end; first = next) {
        const uint8_t flavor = sim_batch_meta(store, tile->order[first])->flavor;
        next = flavor_end(store, tile, first, end);
        if (flavor != SIM_STIFF || !sim->returning) { // a stiffness is the share that one sweep takes back
            solve[flavor][kept](sim, tile, first, next);
        }
    }
}

// The first of the batches before `end` that are of one colour. In the serial colour each batch is alone.
static uint32_t color_first(const struct sim_store *store, const struct sim_tile *tile, uint32_t end)
{
    uint32_t first = end - 1;
    uint16_t color = sim_batch_meta(store, tile->order[first])->color;
    while (first > 0 && color != SIM_SERIAL &&
           sim_batch_meta(store, tile->order[first - 1])->color == color) {
        first--;
    }
    return first;
}

// Every second iteration of a substep takes bending from the last colour to the first one. Distances of bodies that are not calm
// converge best in one direction: the last colour would else be solved twice in a row, and a rope has but two.
static bool goes_back(const struct sim *sim, uint32_t kind)
{
    return sim->returning || (sim->iteration % 2 != 0 && sim_kind_rows[kind]->part == SIM_PART_BEND);
}

static void solve_tile(struct sim *sim, struct sim_tile *tile)
{
    if (tile->bent) {
        if (sim->stores[tile->kind].keeps) {
            sim->kernels->bend_hold(sim, tile);
        }
        return;
    }
    if (tile->direct || (sim->returning && !tile->calm)) {
        return;
    }
    if (sim->returning) {
        tile->past = 0; // edges are looked at once more
    }
    if (!goes_back(sim, tile->kind)) {
        sim_run_awake(sim, tile, 0, tile->order_count, solve_batches, false);
        return;
    }
    for (uint32_t first, end = tile->order_count; end > 0; end = first) {
        first = color_first(&sim->stores[tile->kind], tile, end);
        sim_run_awake(sim, tile, first, end, solve_batches, false);
    }
}

static void damp_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t first = 0, end; tile->damped > 0 && !tile->asleep && first < tile->order_count;
         first = end) {
        end = flavor_end(store, tile, first, tile->order_count);
        if (sim_batch_meta(store, tile->order[first])->flavor == SIM_DAMPED) {
            sim_run_awake(sim, tile, first, end, sim->kernels->runs[tile->kind]->damp, true);
        }
    }
}

// Tasks know the sim only; the stage under way tells which tiles they are.
static void tile_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    if (tile->asleep) {
        return;
    }
    if (tile->kind == SIM_GUSTS) {
        sim_air_blow_tile(sim, tile);
    } else {
        solve_tile(sim, tile);
    }
}

static void run_stage(struct sim *sim, struct base_parallel *parallel, struct sim_stage *stage)
{
    sim->stage = stage;
    sim_steady_stage(sim, stage, false);
    sim_run_tasks(sim, parallel, stage->tile_count, tile_task);
    sim_steady_stage(sim, stage, true);
}

// One past the stages of the kind of the first one.
static uint32_t kind_end(const struct sim *sim, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < sim->stage_count && sim->stages[end].kind == sim->stages[first].kind) {
        end++;
    }
    return end;
}

// Long edges of calm bodies, and then their edges, whose stages are first ... end - 1, on the way back.
static void sweep_back(struct sim *sim, struct base_parallel *parallel, uint32_t first, uint32_t end)
{
    if (sim->settings.long_edges) {
        sim_long_turn(sim, parallel);
    }
    sim->returning = true;
    while (end-- > first) {
        run_stage(sim, parallel, &sim->stages[end]);
    }
    sim->returning = false;
}

void sim_sweep(struct sim *sim, struct base_parallel *parallel, bool again)
{
    const bool bears = sim->settings.loads_solved && !again;
    sim_steady_sweep(sim);
    if (bears) {
        sim_bear_mark(sim, SIM_BEAR_BEGINS);
    }
    if (sim->settings.long_edges) {
        sim_long_solve(sim, parallel);
    }
    for (uint32_t first = 0, end; first < sim->gust_stage; first = end) {
        end = kind_end(sim, first);
        const bool back = goes_back(sim, sim->stages[first].kind);
        for (uint32_t s = first; s < end; s++) {
            run_stage(sim, parallel, &sim->stages[back ? end - 1 - (s - first) : s]);
        }
        if (sim->calm_count > 0 && sim->stages[first].kind == SIM_DISTANCE) {
            sweep_back(sim, parallel, first, end);
        }
        if (bears && sim->stages[first].kind == SIM_DISTANCE) {
            sim_bear_mark(sim, SIM_BEAR_EDGES);
        }
    }
    sim_rods_solve(sim, parallel);
    sim_clamps_solve(sim);
    sim_pressure_solve(sim, parallel);
    sim_match_solve(sim, parallel);
    if (bears) {
        sim_bear_mark(sim, SIM_BEAR_OTHERS);
    }
    if (sim->settings.long_edges) {
        sim_limits_solve(sim, parallel);
    }
    if (bears) {
        sim_bear_mark(sim, SIM_BEAR_LIMITS);
    }
    sim_steady_take(sim, parallel, again);
}

void sim_solve_once(struct sim *sim)
{
    sim_sweep(sim, NULL, true);
}

bool sim_damped_find(struct sim *sim)
{
    bool any = false;
    for (uint32_t s = 0; s < sim->gust_stage; s++) {
        struct sim_stage *stage = &sim->stages[s];
        stage->damped = false;
        for (uint32_t t = 0; t < stage->tile_count && !stage->damped; t++) {
            stage->damped = sim->tiles[stage->first_tile + t]->damped > 0;
        }
        any = any || stage->damped;
    }
    return any;
}

void sim_damp(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t s = 0; s < sim->gust_stage; s++) {
        sim->stage = &sim->stages[s];
        if (sim->stage->damped) {
            sim_run_tasks(sim, parallel, sim->stage->tile_count, damp_task);
        }
    }
}

void sim_gusts_blow(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t s = sim->gust_stage; s < sim->stage_count; s++) {
        run_stage(sim, parallel, &sim->stages[s]);
    }
}

void sim_rails_again(struct sim *sim)
{
    struct sim_tile *tile = &sim->loose[SIM_SLIDE_RAIL];
    if (sim->grab_count > 0 && tile->order_count > 0 && !tile->asleep) {
        sim_run_awake(sim, tile, 0, tile->order_count, solve_batches, false);
    }
}
