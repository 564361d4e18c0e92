// The sides of slides: how much of the rest length of a rope with friction is on one side of its ring. Substeps change them.
//
//     words of the batches    as they are now; at a boundary the state
//     began                   as they were when the tick began, for one that fails
//     before                  as they were when the last substep began, for a solve that is done once more
//     aside                   as they are, while that solve runs
//
// The arrays stand one behind the other, with a float for each lane of all batches that have been in use. Edits change
// neither ids nor places within a tick, so lanes without a constraint may be copied along.
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

enum { BEGAN, BEFORE, ASIDE };
_Static_assert(ASIDE + 1 == SIM_SIDE_COPIES, "sim_slides_reserve makes room for each");

static uint32_t lanes_of(const struct sim_store *store)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        count += store->shelves[s].used * SIM_LANES;
    }
    return count;
}

static void copy_sides(struct sim *sim, int copy, bool back)
{
    const struct sim_store *store = &sim->stores[SIM_SLIDE];
    float *kept = sim->sides + (size_t)copy * lanes_of(store);
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        for (uint32_t b = 0; b < store->shelves[s].used; b++, kept += SIM_LANES) {
            float *own = sim_batch_params(store, s * SIM_SHELF + b, SIM_SLIDE_SIDE);
            memcpy(back ? own : kept, back ? kept : own, SIM_LANES * sizeof *own);
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
