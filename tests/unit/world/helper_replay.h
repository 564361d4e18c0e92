// A world's ticks by world.step with the hash before each, and the same past from its records alone.
#ifndef WEFT_TESTS_HELPER_REPLAY_H
#define WEFT_TESTS_HELPER_REPLAY_H

#include "helper_world.h"

#include "base/thread.h"

enum { REPLAY_TICKS_MAX = 512 };

struct replay {
    uint64_t
        hashes[REPLAY_TICKS_MAX]; // at the boundary of each tick, after everything that applied; 0: not known
    uint64_t last;                // at the end of the program, after the last input
};

// One tick, unless the world failed or there is no room for more hashes.
void replay_step(struct helper *helper, struct replay *replay);
// Applies the records after that sequence number to a document that stands there, and steps it to where the world
// is. Fails the test at the first hash that differs. parallel may be NULL.
void replay_check(const struct replay *replay, const struct helper *helper, struct document *document,
                  uint64_t after, struct base_parallel *parallel);

#endif
