// The parts of an iteration that hold edges to their limits (long/long.h), around the sweep over all constraints. Of a calm body
// (calm.c) they have another order.
//
//   before   long edges, from the coarsest level to the finest, then tethers
//   sweep    as ever; tiles of edges find by how much they were beyond their limits
//   after    the tiles that are worst are swept again, for their limits alone, up to ROUNDS times
//
// A tile goes again if it was beyond by more than LEAST of an edge and by more than SHARE of what the worst tile of its
// body is. LEAST grows with the fineness of the mesh, because a substep can repair so much less of it. Many rounds seldom do
// more than few rounds often, at half the price. Which tiles go follows from the state alone, so the bits do not depend on
// threads.
//
// Passes with few batches run on this thread, one after the other: a barrier between threads costs more than they do.
//
// Where a caller asks what long edges carry (long/carried.h), each part is looked at before it runs.

#include "sim/solve/solve.h"

#include "sim/long/carried.h"
#include "sim/store/store.h"

enum {
    ROUNDS = 8,
    SPLIT = 64,   // batches from which on a pass is shared out
    BATCHES = 32, // of a task
};

#define SHARE 0.35f
#define LEAST_A_PARTICLE 0.00045f // of an edge, times the root of the number of particles
#define LEAST_MIN 0.01f
#define LEAST_MAX 0.08f
#define LEAST_CALM \
    0.1f // of an edge: these sweeps go one way, so a calm body has them only where it is far off

static float least_of(const struct sim_body *body)
{
    float least = LEAST_A_PARTICLE * __builtin_sqrtf((float)body->count);
    least = least > LEAST_MIN ? least : LEAST_MIN;
    least = body->calm ? LEAST_CALM : least < LEAST_MAX ? least : LEAST_MAX;
    return least * body->longs->edge;
}

static uint32_t task_end(const struct sim *sim, uint32_t index)
{
    uint32_t end = sim->long_first + (index + 1) * BATCHES;
    return end < sim->long_end ? end : sim->long_end;
}

static void edges_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    sim->kernels->long_edges(sim, sim->longs, sim->long_color, sim->long_first + index * BATCHES,
                             task_end(sim, index));
}

static void tethers_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    sim->kernels->tethers(sim, sim->longs, sim->long_first + index * BATCHES, task_end(sim, index));
}

// The batches first ... first + count - 1 of what is under way.
static void share_out(struct sim *sim, struct base_parallel *parallel, uint32_t first, uint32_t count,
                      base_task task)
{
    sim->long_first = first;
    sim->long_end = first + count;
    uint32_t tasks = (count + BATCHES - 1) / BATCHES;
    sim_run_tasks(sim, count >= SPLIT ? parallel : NULL, tasks, task);
}

// These are for the body with this place in the sim's list, which sim->longs is of.
static void pass(struct sim *sim, struct base_parallel *parallel, uint32_t body, uint32_t which)
{
    const struct sim_long_pass *run = &sim->longs->passes[which];
    sim->long_color = run->color;
    if (sim->recorder) {
        sim_record_edges(sim, body, run);
    }
    share_out(sim, parallel, run->first, run->count, edges_task);
}

static void tethers(struct sim *sim, struct base_parallel *parallel, uint32_t body)
{
    if (sim->longs->tether_batches == 0) {
        return;
    }
    if (sim->recorder) {
        sim_record_tethers(sim, body);
    }
    share_out(sim, parallel, 0, sim->longs->tether_batches, tethers_task);
}

void sim_long_solve(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->asleep || !body->longs) {
            continue;
        }
        for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
            body->tiles[SIM_DISTANCE][t].past = 0;
        }
        sim->longs = body->longs;
        for (uint32_t p = 0; p < sim->longs->pass_count && !body->calm; p++) {
            pass(sim, parallel, b, p);
        }
        if (!body->calm) {
            tethers(sim, parallel, b);
        }
    }
}

void sim_long_turn(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (!body->calm || body->asleep || !body->longs) {
            continue;
        }
        sim->longs = body->longs;
        for (uint32_t p = 0; p < sim->longs->pass_count; p++) {
            pass(sim, parallel, b, p);
        }
        tethers(sim, parallel, b);
        for (uint32_t p = sim->longs->pass_count; p-- > 0;) {
            pass(sim, parallel, b, p);
        }
    }
}

static void again_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    sim->kernels->limit(sim, sim->again[index]);
}

// Chooses the tiles of all bodies that go again. Returns whether there are any.
static bool choose(struct sim *sim)
{
    bool any = false;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->longs || body->asleep) {
            for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
                body->tiles[SIM_DISTANCE][t].again = false; // it may be left from a tick before
            }
            continue;
        }
        float worst = 0, least = least_of(body);
        for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
            float past = body->tiles[SIM_DISTANCE][t].past;
            worst = past > worst ? past : worst;
        }
        least = SHARE * worst > least ? SHARE * worst : least;
        for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
            struct sim_tile *tile = &body->tiles[SIM_DISTANCE][t];
            tile->again = tile->past > least;
            any = any || tile->again;
        }
    }
    return any;
}

void sim_limits_solve(struct sim *sim, struct base_parallel *parallel)
{
    for (int round = 0; round < ROUNDS && choose(sim); round++) {
        for (uint32_t s = 0; s < sim->gust_stage && sim->stages[s].kind == SIM_DISTANCE; s++) {
            const struct sim_stage *stage = &sim->stages[s];
            uint32_t count = 0;
            for (uint32_t t = 0; t < stage->tile_count; t++) {
                struct sim_tile *tile = sim->tiles[stage->first_tile + t];
                if (tile->again) {
                    if (sim->recorder) {
                        sim_record_limits(sim, tile);
                    }
                    sim->again[count++] = tile;
                }
            }
            sim_run_tasks(sim, parallel, count, again_task);
        }
    }
}
