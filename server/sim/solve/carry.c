// Passes over all constraints without arithmetic, which benchmarks compare a tick with.

#include "base/parallel.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/kernels.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

static void carry_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    sim->kernels->carry(sim, sim->tiles[sim->stage->first_tile + index]);
}

void sim_carry(struct sim *sim, struct base_parallel *parallel, uint32_t sweeps)
{
    parallel = sim->particle_count >= SIM_PARALLEL_MIN ? parallel : NULL;
    if (parallel) {
        parallel->begin(parallel);
    }
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        for (uint32_t s = 0; s < sim->gust_stage; s++) {
            sim->stage = &sim->stages[s];
            sim_run_tasks(sim, parallel, sim->stage->tile_count, carry_task);
        }
    }
    if (parallel) {
        parallel->end(parallel);
    }
}
