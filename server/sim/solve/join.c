// Joins between two ticks: their rest lengths move on, and those that were pulled too hard part.
//
// The force of a tick is the sum of all multipliers over its substeps, over h^2 and the number of substeps. It is a mean
// over time, because a snatch gives m v/h in one substep, which grows as substeps shrink and says nothing of the load.
//
// All of it is done by the thread that runs the tick, in the order of batches, in double: no result depends on threads.

#include "sim/state/join.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/state/state.h"

typedef void lane_task(struct sim *sim, uint32_t batch, uint32_t lane);

static void each_join(struct sim *sim, lane_task *task)
{
    const struct sim_tile *tile = &sim->loose[SIM_JOIN];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *ids = sim_batch_ids(&sim->stores[SIM_JOIN], tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (ids[lane] != 0) {
                task(sim, tile->order[i], lane);
            }
        }
    }
}

static float *param_of(const struct sim *sim, uint32_t batch, uint32_t lane, uint32_t param)
{
    return sim_batch_params(&sim->stores[SIM_JOIN], batch, param) + lane;
}

static struct sim_body *body_of(const struct sim *sim, uint32_t batch, uint32_t lane, uint32_t corner)
{
    const uint32_t *places = sim_batch_places(&sim->stores[SIM_JOIN], batch, corner);
    return sim_body_of_row(sim, places[lane] / SIM_ROW_BYTES);
}

// Bodies that the join holds are compared again with what they were when they began to be still.
static void edited(struct sim *sim, uint32_t batch, uint32_t lane)
{
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
        sim_edited(body_of(sim, batch, lane, k));
    }
}

static void begin(struct sim *sim, uint32_t batch, uint32_t lane)
{
    for (uint32_t axis = 0; axis < SIM_JOIN_SCRATCH; axis++) {
        *param_of(sim, batch, lane, SIM_JOIN_TALLY + axis) = 0;
    }
    for (uint32_t k = 0; *param_of(sim, batch, lane, SIM_JOIN_LEFT) > 0 && k < SIM_STENCIL_MAX; k++) {
        body_of(sim, batch, lane, k)->sewn = true;
    }
}

void sim_joins_begin(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->sewn = false;
    }
    each_join(sim, begin);
}

static void sew(struct sim *sim, uint32_t batch, uint32_t lane)
{
    float *rest = param_of(sim, batch, lane, SIM_JOIN_REST),
          *left = param_of(sim, batch, lane, SIM_JOIN_LEFT);
    const float end = *param_of(sim, batch, lane, SIM_JOIN_END);
    if (*left > 0) {
        *rest = sim_join_rest_next(*rest, end, *left);
        *left -= 1;
        edited(sim, batch, lane);
    }
}

static void part(struct sim *sim, uint32_t batch, uint32_t lane)
{
    const struct sim_settings *settings = &sim->settings;
    const double inv_h = (double)settings->tick_rate * settings->substeps;
    const double limit = (double)*param_of(sim, batch, lane, SIM_JOIN_LIMIT);
    float *parted = param_of(sim, batch, lane, SIM_JOIN_PARTED);
    double sum = 0;
    for (uint32_t axis = 0; axis < SIM_JOIN_SCRATCH; axis++) {
        const double tally = (double)*param_of(sim, batch, lane, SIM_JOIN_TALLY + axis);
        sum += tally * tally;
    }
    const double force = __builtin_sqrt(sum) * sim->q * inv_h * inv_h / settings->substeps;
    if (limit > 0 && *parted == 0 && force > limit) {
        *parted = 1;
        edited(sim, batch, lane);
    }
}

static void end(struct sim *sim, uint32_t batch, uint32_t lane)
{
    sew(sim, batch, lane);
    part(sim, batch, lane);
}

void sim_joins_end(struct sim *sim)
{
    sim->times.gone = 0; // rest lengths are those of now
    if (!sim->loose[SIM_JOIN].asleep) {
        each_join(sim, end);
    }
}
