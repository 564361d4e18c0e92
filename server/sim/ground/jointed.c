// Asks which rows joints hold together (solve/jointed.c finds them when a tick begins).
#include "sim/state/jointed.h"
#include "base/search.h"
#include "sim/state/state.h"

bool sim_rigid_joined(const struct sim *sim, uint32_t row, uint32_t other)
{
    const uint64_t pair = sim_joined_pair(row, other);
    uint32_t place;
    BASE_SEARCH(place, sim->jointed_count, sim->jointed[at] < pair);
    return place < sim->jointed_count && sim->jointed[place] == pair;
}
