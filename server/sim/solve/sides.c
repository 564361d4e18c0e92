// State of constraints that substeps change: the sides of slides, which say how much of a rope with friction is on one side of its
// ring, and how far rings are along their rails.
//
//     words of the batches    as they are now; at a boundary the state
//     began                   as they were when the tick began, for one that fails
//     before                  as they were when the last substep began, for a solve that is done once more
//     aside                   as they are, while that solve runs
//
// The arrays stand one behind the other. Each has the kinds one after the other (sim_travels in state/kind.h), and of a kind its
// params for each lane of all batches that have been in use. Edits change neither ids nor places within a tick, so lanes without a
// constraint may be copied along.
#include "sim/constraint/constraint.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

enum { BEGAN, BEFORE, ASIDE };
_Static_assert(ASIDE + 1 == SIM_SIDE_COPIES, "sim_slides_reserve makes room for each");

static size_t copy_store(const struct sim_store *store, float *kept, bool back)
{
    const size_t size = (size_t)sim_travels(store->kind) * SIM_LANES;
    size_t floats = 0;
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        for (uint32_t b = 0; b < store->shelves[s].used; b++, floats += size) {
            float *own =
                sim_batch_params(store, s * SIM_SHELF + b, sim_kind_rows[store->kind]->written_first);
            memcpy(back ? own : kept + floats, back ? kept + floats : own, size * sizeof *own);
        }
    }
    return floats;
}

static void copy_sides(struct sim *sim, int copy, bool back)
{
    float *kept = sim->sides + (size_t)copy * sim_slides_floats(sim);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim_travels((uint32_t)kind) > 0) {
            kept += copy_store(&sim->stores[kind], kept, back);
        }
    }
}

void sim_sides_begin(struct sim *sim)
{
    copy_sides(sim, BEGAN, false);
}

void sim_sides_substep(struct sim *sim)
{
    copy_sides(sim, BEFORE, false);
}

void sim_sides_give_back(struct sim *sim)
{
    copy_sides(sim, BEGAN, true);
}

void sim_sides_again(struct sim *sim)
{
    copy_sides(sim, ASIDE, false);
    copy_sides(sim, BEFORE, true);
}

void sim_sides_again_over(struct sim *sim)
{
    copy_sides(sim, ASIDE, true);
}
