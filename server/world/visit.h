// What the loop and a world tell each other of visits, beside the inbox and the outbox: it may be told as often as one
// likes, takes no place there, and only the newest counts.
//
//     loop                                         simulation thread
//     streams that nobody reads any more   ───▶    end at the next boundary
//     streams whose peer takes nothing     ───▶    get no frames until it does
//     streams whose peer is too slow       ───▶    get less, where they adapt
//     streams that lack what to build on   ───▶    have a key, soon
//     who holds which grab                 ◀───    as of the last turn
#ifndef WEFT_WORLD_VISIT_H
#define WEFT_WORLD_VISIT_H

#include "world/world.h"

#include <stdatomic.h>

enum {
    WORLD_VISIT_STREAMS_MAX = 4096, // of each sort that wait; who is not among them is told of again
    WORLD_RESTS_MAX = 65536,        // streams of which it waits to be heard whether they rest
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
    struct world_rest *rests; // in the order in which it was said
    uint32_t rest_count, rest_capacity;
    struct world_hold *holds;
    uint32_t hold_count, hold_capacity;
    uint64_t version; // of holds; 0: nobody ever held anything

    atomic_bool any_streams, any_rests;
    uint64_t told;           // simulation thread: version of the holders (people.h) that holds are of
    struct world_hold *copy; // loop thread: what it was given last
    uint32_t copy_capacity;
};

void world_visit_take(struct world *world); // simulation thread: what was told of streams
void world_visit_tell(struct world *world); // simulation thread, under face_mutex
void world_visit_deinit(struct world_visit *visit);

#endif
