// Memory for pairs that a peak has touched goes back to the system once ticks need much less of it. Nothing of it outlives a tick
// (meet.h), so what bodies do does not depend on this.

#include "sim/contact/meet.h"

#include "base/grow.h"

enum {
    TICKS = 60,          // after so many it is looked at
    LEAST = 256 * 1024,  // bytes: giving back less is not worth it
    OF_CONTACT = 4 + 32, // its index and slip; its part of a batch comes on top
};

// About how much of it the tick that is over has used.
static uint64_t bytes_used(const struct sim_meet *meet)
{
    const uint64_t of_pair = (sizeof(struct sim_pair_lanes) + sizeof(struct sim_pair_rest)) / SIM_LANES,
                   of_near = sizeof(struct sim_near_lanes) / SIM_LANES,
                   of_contact = OF_CONTACT + sizeof(struct sim_push_lanes) / SIM_LANES;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        const struct sim_island *island = &meet->islands[i];
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            bytes += of_pair * island->lists[kind].count + of_near * island->near[kind].count +
                     of_contact * island->active_count[kind];
        }
    }
    return bytes;
}

static void give_back(struct sim_meet *meet)
{
    void *arrays[] = {meet->colors.slips.items,
                      meet->batches,
                      meet->tile_blocks,
                      meet->planes,
                      meet->finds,
                      meet->places,
                      meet->exempt};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        base_grow_empty(arrays[i]);
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        base_grow_empty(meet->lists[kind].lanes);
        base_grow_empty(meet->lists[kind].rest);
        base_grow_empty(meet->near[kind].lanes);
        base_grow_empty(meet->active[kind]);
        base_grow_empty(meet->pair_bounds[kind]);
        base_grow_empty(meet->candidates[kind]);
    }
}

void sim_meet_spare(struct sim_meet *meet)
{
    struct sim_spare *spare = &meet->spare;
    const uint64_t used = bytes_used(meet);
    spare->lately = used > spare->lately ? used : spare->lately;
    spare->touched = used > spare->touched ? used : spare->touched;
    if (++spare->ticks < TICKS) {
        return;
    }
    if (spare->touched > spare->lately + spare->lately / 2 + LEAST) {
        give_back(meet);
        spare->touched = spare->lately;
    }
    spare->ticks = 0;
    spare->lately = 0;
}
