// One tick: the small-steps loop (Macklin et al. 2019).
//
//   for each substep:
//     wind        v += h F/m, triangle by triangle
//     predict     v += h a;  x += v h;            pins and colliders move to where they are in this substep
//     project     iteration -> kind -> tile colour -> tile -> colour -> batch, then grabs, then contacts
//     finish      v += (x - predicted) / h
//   commit        whole coordinates take over the low words
//
// Where nothing comes between, a finish and the next prediction are one pass over the particles.
//
// The prediction v h is rounded to quanta once and the same rounded move is compared with in the end, so a
// free particle's velocity never passes through a rounded position.
//
// Tasks of a pass touch rows of their own, and write what they find (broken limits, contacts) to their own
// chunk or tile; those are looked through in order afterwards. Nothing depends on which thread did what.

#include "base/assert.h"
#include "base/thread.h"
#include "sim/internal.h"

enum { PARALLEL_MIN = 4096 }; // particles below which handing out tasks costs more than it gives

static void times_set(struct sim *sim)
{
    const struct sim_settings *settings = &sim->settings;
    double inv_h = (double)settings->tick_rate * settings->substeps;
    double h = 1 / inv_h;
    sim->times = (struct sim_times){
        .h = (float)h,
        .inv_h = (float)inv_h,
        .inv_h2 = (float)(inv_h * inv_h),
        .h_over_q = (float)(h * sim->inv_q),
        .q_over_h = (float)(sim->q * inv_h),
        .q = (float)sim->q,
        .inv_q = (float)sim->inv_q,
        .drag = (float)settings->wind.drag,
        .lift = (float)settings->wind.lift,
        .half_density = (float)(0.5 * settings->wind.density),
        .keep = (float)(1 / (1 + settings->damping * h)),
        .reach = (float)(0.5 * SIM_MOVE_MAX / ((double)settings->substeps * settings->iterations)),
        .v_out = (float)(h * sim->inv_q),
    };
    for (int axis = 0; axis < 3; axis++) {
        sim->times.kick[axis] = (float)(h * settings->gravity[axis]);
        sim->times.wind[axis] = (float)settings->wind.velocity[axis];
    }
}

float sim_nudge(uint32_t substep, uint32_t substeps)
{
    // The step through the parts is next to the golden section of their number, and has no factor with it.
    uint64_t step = (uint64_t)(0.6180339887498949 * substeps + 0.5);
    for (uint64_t rest = 0; rest != 1; step += rest != 1) {
        uint64_t a = substeps, b = step;
        while (b != 0) {
            uint64_t left = a % b;
            a = b;
            b = left;
        }
        rest = a;
    }
    uint64_t part = (substep - 1) * step % substeps;
    return (float)((double)(2 * part + 1) / (2.0 * substeps) - 0.5);
}

static void run(struct sim *sim, struct base_parallel *parallel, uint32_t count, base_task task)
{
    if (parallel != NULL && count > 1) {
        parallel->run(parallel, count, task, sim);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        task(sim, i);
    }
}

// What a row set out to go in this substep, quanta.
static float way_of(const struct sim *sim, uint32_t row, uint32_t axis)
{
    return sim->rows[row].w > 0 ? sim->velocities[row].v[axis] * sim->times.h_over_q : 0;
}

// Constraints may pull it back in this very substep: what it set out to do counts.
static void has_set_out(const struct sim *sim, struct sim_chunk *chunk)
{
    if (sim->contacts != NULL) {
        memset(sim->contacts[chunk->first_row], 0, chunk->count * sizeof *sim->contacts);
    }
    chunk->contacts = 0;
    chunk->far_row = UINT32_MAX;
    for (uint32_t row = chunk->first_row;
         chunk->step > (float)SIM_MOVE_MAX && row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            if (!(sim_abs(way_of(sim, row, axis)) <= (float)SIM_MOVE_MAX) && row < chunk->far_row) {
                chunk->far_row = row;
            }
        }
    }
}

static void predict_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    sim->kernels->predict(sim, chunk);
    has_set_out(sim, chunk);
}

// Pinned particles go where their targets say: from ... to in equal steps over the tick.
static void pins_move(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; p < body->pin_count; p++) {
            const struct sim_pin *pin = &body->pins[p];
            uint32_t row = body->first_row + body->row_of[pin->index];
            for (int axis = 0; axis < 3; axis++) {
                int64_t x = sim_between(pin->from[axis], pin->to[axis], sim->substep, sim->settings.substeps);
                int32_t low = (int32_t)(uint32_t)(uint64_t)x;
                sim->velocities[row].v[axis] =
                    (float)sim_wrap_sub(low, sim->rows[row].x[axis]) * sim->times.q_over_h;
                sim->rows[row].x[axis] = low;
            }
            sim->predicted[row] = sim->rows[row];
        }
    }
}

static bool pins_go_far(const struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t p = 0; p < sim->bodies[b]->pin_count; p++) {
            const struct sim_pin *pin = &sim->bodies[b]->pins[p];
            for (int axis = 0; axis < 3; axis++) {
                int64_t way = pin->to[axis] - pin->from[axis];
                if (way > SIM_MOVE_MAX || way < -SIM_MOVE_MAX) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void contacts_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    sim->kernels->contact(sim, &sim->chunks[index]);
}

// Solves a tile's batches in their order, those of one flavour that follow each other together.
static void solve_tile(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const struct sim_runs *runs = sim->kernels->runs[tile->kind];
    bool kept = store->keeps;
    if (tile->flavored == 0) {
        runs->by[SIM_PLAIN][kept](sim, tile, 0, tile->order_count);
        return;
    }
    for (uint32_t first = 0, end; first < tile->order_count; first = end) {
        uint8_t flavor = sim_batch_meta(store, tile->order[first])->flavor;
        for (end = first + 1;
             end < tile->order_count && sim_batch_meta(store, tile->order[end])->flavor == flavor;) {
            end++;
        }
        runs->by[flavor][kept](sim, tile, first, end);
    }
}

// Tasks know the sim only; the stage under way tells which tiles they are.
static void tile_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    if (tile->kind == SIM_GUSTS) {
        sim->kernels->blow(sim, tile);
    } else {
        solve_tile(sim, tile);
    }
}

static void run_stages(struct sim *sim, struct base_parallel *parallel, uint32_t first, uint32_t end)
{
    for (uint32_t s = first; s < end; s++) {
        sim->stage = &sim->stages[s];
        run(sim, parallel, sim->stage->tile_count, tile_task);
    }
}

static void carry_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    sim->kernels->carry(sim, sim->tiles[sim->stage->first_tile + index]);
}

void sim_carry(struct sim *sim, struct base_parallel *parallel, uint32_t sweeps)
{
    parallel = sim->particle_count >= PARALLEL_MIN ? parallel : NULL;
    if (parallel != NULL) {
        parallel->begin(parallel);
    }
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        for (uint32_t s = 0; s < sim->gust_stage; s++) {
            sim->stage = &sim->stages[s];
            run(sim, parallel, sim->stage->tile_count, carry_task);
        }
    }
    if (parallel != NULL) {
        parallel->end(parallel);
    }
}

static void phase_ends(const struct sim_hooks *hooks, enum sim_phase phase)
{
    if (hooks != NULL && hooks->on_phase != NULL) {
        hooks->on_phase(hooks->context, phase);
    }
}

// `ahead`: rows have set out again since.
static void has_arrived(const struct sim *sim, struct sim_chunk *chunk, bool ahead)
{
    if (!(chunk->reach > 0.999f * SIM_MOVE_MAX) && !sim->far_pins) {
        return; // none can have gone too far in this tick
    }
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            int32_t start = (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis];
            int32_t since = ahead ? sim_round(way_of(sim, row, axis)) : 0;
            int32_t moved = sim_wrap_sub(sim_wrap_sub(sim->rows[row].x[axis], since), start);
            if ((moved > SIM_MOVE_MAX || moved < -SIM_MOVE_MAX) && row < chunk->bad_row) {
                chunk->bad_row = row;
            }
        }
    }
}

static void finish_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    chunk->bad_row = chunk->far_row;
    sim->kernels->finish(sim, chunk);
    has_arrived(sim, chunk, false);
}

static void go_on_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    chunk->bad_row = chunk->far_row;
    sim->kernels->go_on(sim, chunk);
    has_arrived(sim, chunk, true);
    has_set_out(sim, chunk);
}

static void commit_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    int64_t extent = (int64_t)(sim->settings.extent * sim->inv_q);
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            int64_t x = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
            sim->positions[row][axis] = x;
            if ((x > extent || x < -extent) && row < chunk->bad_row) {
                chunk->bad_row = row;
            }
        }
    }
}

// `ahead`: particles have set out already.
static void substep(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks,
                    bool ahead)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_store_multipliers_clear(&sim->stores[kind]);
    }
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        memset(sim->grabs[g].multiplier, 0, sizeof sim->grabs[g].multiplier);
    }
    sim->times.nudge = sim_nudge(sim->substep, sim->settings.substeps);
    sim_shapes_move(sim, sim->substep, sim->settings.substeps);
    if (sim->settings.wind.density > 0) {
        run_stages(sim, parallel, sim->gust_stage, sim->stage_count);
    }
    phase_ends(hooks, SIM_WIND);
    if (!ahead) {
        run(sim, parallel, sim->chunk_count, predict_task);
    }
    pins_move(sim);
    phase_ends(hooks, SIM_PREDICT);
    for (uint32_t iteration = 0; iteration < sim->settings.iterations; iteration++) {
        run_stages(sim, parallel, 0, sim->gust_stage);
        sim->kernels->grab(sim);
        phase_ends(hooks, SIM_SOLVE);
        if (sim->shape_count > 0) {
            run(sim, parallel, sim->chunk_count, contacts_task);
        }
        phase_ends(hooks, SIM_CONTACTS);
    }
}

static void substeps(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks,
                     struct sim_failure *failure)
{
    const struct sim_settings *settings = &sim->settings;
    bool watched = hooks != NULL && hooks->on_substep != NULL, ahead = false;
    for (sim->substep = 1; sim->substep <= settings->substeps; sim->substep++) {
        substep(sim, parallel, hooks, ahead);
        // A world past its limits is stopped at once: going on would wrap positions.
        bool failed = sim_stretched_too_far(sim, failure);
        ahead = !failed && sim->substep < settings->substeps && !(settings->wind.density > 0);
        run(sim, parallel, sim->chunk_count, ahead && !watched ? go_on_task : finish_task);
        phase_ends(hooks, SIM_FINISH);
        failed =
            failed || sim_gone_too_far(sim, "moved, in one tick, more than", SIM_MOVE_MAX * sim->q, failure);
        if (watched && !failed) {
            hooks->on_substep(hooks->context, sim->substep);
        }
        // Who watches sees each end by itself; what comes of it is the same, also where the world fails.
        if (watched && ahead) {
            run(sim, parallel, sim->chunk_count, predict_task);
        }
        if (failed) {
            return;
        }
    }
}

void sim_step(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks,
              struct sim_failure *failure)
{
    *failure = (struct sim_failure){0};
    parallel = sim->particle_count >= PARALLEL_MIN ? parallel : NULL;
    times_set(sim);
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        sim->chunks[c].far_row = sim->chunks[c].bad_row = UINT32_MAX;
        sim->chunks[c].reach = 0;
    }
    for (uint32_t t = 0; t < sim->tile_count; t++) {
        sim->tiles[t]->longest = 0;
    }
    sim_drives_run(sim);
    sim->far_pins = pins_go_far(sim);
    if (sim_placed_too_far(sim, failure)) {
        return;
    }
    if (parallel != NULL) {
        parallel->begin(parallel);
    }
    sim->moving = true;
    substeps(sim, parallel, hooks, failure);
    run(sim, parallel, sim->chunk_count, commit_task);
    sim->moving = false;
    if (parallel != NULL) {
        parallel->end(parallel);
    }
    if (!failure->failed) {
        sim_gone_too_far(sim, "is farther out than the extent of", sim->settings.extent, failure);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t p = 0; p < sim->bodies[b]->pin_count; p++) {
            struct sim_pin *pin = &sim->bodies[b]->pins[p];
            memcpy(pin->from, pin->to, sizeof pin->from);
        }
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        sim->shapes[s].from = sim->shapes[s].to;
    }
}
