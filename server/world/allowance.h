// The time that a world may take of a thread for one tick with its frames. Beyond it the world is slowed: it rests for as long as
// each tick took, so that it has half a thread at most, and says so.
#ifndef WEFT_WORLD_ALLOWANCE_H
#define WEFT_WORLD_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

struct world;

struct world_allowance {
    uint64_t tick_ns;       // 0: as much as it takes
    uint64_t rest_until_ns; // no tick begins before
    bool slowed;            // as was told
};

void world_allowance_tick(struct world *world); // one has ended; its times are known

#endif
