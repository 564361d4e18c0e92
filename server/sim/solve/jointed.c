// Joints between two ticks: which rows they hold together, and those that were pulled too hard break.
//
// The force of a tick is the sum of what held the anchors over its substeps, over h^2 and the number of substeps, as that of a join
// (solve/join.c).

#include "sim/state/jointed.h"
#include "base/array.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

static float *param_of(const struct sim *sim, uint32_t batch, uint32_t lane, uint32_t param)
{
    return sim_batch_params(&sim->stores[SIM_JOINT], batch, param) + lane;
}

static uint32_t row_of(const struct sim *sim, uint32_t batch, uint32_t lane, uint32_t corner)
{
    return sim_batch_places(&sim->stores[SIM_JOINT], batch, corner)[lane] / SIM_ROW_BYTES;
}

// Puts a pair in its place among those that are there. Joints are few.
static void pair_add(struct sim *sim, uint64_t pair)
{
    uint32_t at = sim->jointed_count++;
    for (; at > 0 && sim->jointed[at - 1] > pair; at--) {
        sim->jointed[at] = sim->jointed[at - 1];
    }
    sim->jointed[at] = pair;
}

void sim_jointed_begin_all(struct sim *sim)
{
    const struct sim_tile *tile = &sim->loose[SIM_JOINT];
    sim->jointed_count = 0;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t batch = tile->order[i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (sim_batch_ids(&sim->stores[SIM_JOINT], batch)[lane] == 0) {
                continue;
            }
            const uint32_t piece = row_of(sim, batch, lane, 0);
            for (uint32_t axis = 0; axis < 3; axis++) {
                *param_of(sim, batch, lane, SIM_JOINTED_TALLY + axis) = 0;
            }
            for (uint32_t k = 1;
                 k < SIM_JOINT_CORNERS && *param_of(sim, batch, lane, SIM_JOINTED_PARTED) == 0; k++) {
                const uint32_t other = row_of(sim, batch, lane, k);
                if (other != piece && (k == 1 || other != row_of(sim, batch, lane, 1)) &&
                    sim->jointed_count < sim->jointed_capacity) {
                    pair_add(sim, sim_joined_pair(piece, other));
                }
            }
        }
    }
}

static void look(struct sim *sim, uint32_t batch, uint32_t lane)
{
    const struct sim_settings *settings = &sim->settings;
    const double inv_h = (double)settings->tick_rate * settings->substeps;
    const double limit = (double)*param_of(sim, batch, lane, SIM_JOINTED_FORCE);
    float *parted = param_of(sim, batch, lane, SIM_JOINTED_PARTED);
    double sum = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double tally = (double)*param_of(sim, batch, lane, SIM_JOINTED_TALLY + axis);
        sum += tally * tally;
    }
    if (limit > 0 && *parted == 0 && __builtin_sqrt(sum) * inv_h * inv_h / settings->substeps > limit) {
        *parted = 1;
        for (uint32_t k = 0; k < SIM_JOINT_CORNERS; k++) {
            sim_edited(sim_body_of_row(sim, row_of(sim, batch, lane, k)));
        }
    }
}

void sim_jointed_end_all(struct sim *sim)
{
    const struct sim_tile *tile = &sim->loose[SIM_JOINT];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (sim_batch_ids(&sim->stores[SIM_JOINT], tile->order[i])[lane] != 0) {
                look(sim, tile->order[i], lane);
            }
        }
    }
}
