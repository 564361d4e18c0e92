// The clock and the random numbers of every server that is simulated: base/clock.h and base/random.h, of which this program links its
// own. There is one monotonic time. The wall clock of a server is set apart from it, and jumps.
#ifndef WEFT_SIMULATOR_CLOCK_H
#define WEFT_SIMULATOR_CLOCK_H

#include "chance.h"

#include <stdint.h>

struct simulator_clock {
    uint64_t now_ns;
    uint64_t call_ns;      // by which time goes on with each call, as if the processor were so slow
    int64_t wall_us;       // the wall clock of the server that has its turn, less the monotonic time
    struct chance secrets; // what base_random gives
};

extern struct simulator_clock simulator_clock;

#endif
