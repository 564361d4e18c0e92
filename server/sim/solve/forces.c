// Multipliers of the last substep, found again when a caller asks for them.
//
// Where one iteration a substep is enough the solve neither needs nor keeps them. What it began with is still there:
// the positions that were predicted, and those before. So it is done once more, on rows aside, with the kernels that
// keep multipliers; of the sim nothing changes. Grabs and contacts come after the constraints of an iteration and
// have no part in it.

#include "base/grow.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/store/store.h"

static void solve_again(struct sim *sim, struct sim_row *rows)
{
    struct sim_row *own = sim->rows;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        memcpy(rows + body->first_row, sim->predicted + body->first_row, body->count * sizeof *rows);
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_store_multipliers_clear(&sim->stores[kind]);
    }
    sim->rows = rows; // those that are not particles' are zero, as they are in the sim
    sim_solve_once(sim);
    sim->rows = own;
}

enum fault_code sim_multipliers_find(struct sim *sim, bool *hold, struct fault *fault)
{
    struct sim_row *rows = NULL;
    *hold = sim->solved;
    if (!sim->solved || sim->settings.iterations > 1) {
        return FAULT_NONE; // there are none, or they are kept anyway
    }
    enum fault_code status = sim_multipliers_keep(sim, true, fault);
    if (status == FAULT_NONE && !base_grow((void **)&rows, sim->row_capacity * sizeof *rows)) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        solve_again(sim, rows);
    } else {
        sim_multipliers_drop(sim);
    }
    base_grow_free(rows);
    return status;
}

void sim_multipliers_drop(struct sim *sim)
{
    sim->multipliers_wanted = false;
    sim_multipliers_reserve(sim, sim->settings.iterations,
                            false); // gives back where one iteration needs none
}
