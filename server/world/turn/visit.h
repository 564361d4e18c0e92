// A side channel between the loop and a world for states of streams and grabs. Each side may write as often as it likes:
// this takes no place in the inbox and the outbox, and only the newest value counts.
//
//     loop                                         simulation thread
//     streams that nobody reads any more   ───▶    end at the next boundary
//     streams whose peer takes nothing     ───▶    get no frames until it does
//     streams whose peer is too slow       ───▶    get fewer frames, if they adapt
//     streams that missed a frame of delta ───▶    get a key soon
//     which session holds which grab       ◀───    as of the last turn
#ifndef WEFT_WORLD_VISIT_H
#define WEFT_WORLD_VISIT_H

#include "world/world.h"

#include <stdatomic.h>

enum {
    // Streams of each sort that may wait. The loop tells again of those for which there is no room.
    WORLD_VISIT_STREAMS_MAX = 4096,
    // Streams that may wait to be told whether they rest.
    WORLD_RESTS_MAX = 65536,
};

struct world_visit_streams {
    uint32_t *ids;
    uint32_t count, capacity;
};

struct world_rest {
    uint32_t stream;
    bool rests;
};

struct world_visit {
    // Under the world's face_mutex.
    struct world_visit_streams unwanted, behind, slow;
    struct world_rest *rests; // in the order in which they were posted
    uint32_t rest_count, rest_capacity;
    struct world_hold *holds;
    uint32_t hold_count, hold_capacity;
    uint64_t version; // version of holds; 0: no grab was ever held

    atomic_bool any_streams, any_rests;
    uint64_t told;           // simulation thread: version of the holders (people.h) in `holds`
    struct world_hold *copy; // loop thread: copy of `holds` for the caller
    uint32_t copy_capacity;
};

// Takes what the loop has told of streams. Simulation thread.
void world_visit_take(struct world *world);
// Tells the loop which session holds which grab. Simulation thread, under face_mutex.
void world_visit_tell(struct world *world);
void world_visit_deinit(struct world *world);

#endif
