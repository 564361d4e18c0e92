// What the loop and a world tell each other of visits, beside the inbox and the outbox: it may be told as often as one
// likes, takes no place there, and only the newest counts.
//
//     loop                                         simulation thread
//     streams that nobody reads any more   ───▶    end at the next boundary
//     who holds which grab                 ◀───    as of the last turn
#ifndef WEFT_WORLD_VISIT_H
#define WEFT_WORLD_VISIT_H

#include "world/world.h"

#include <stdatomic.h>

enum { WORLD_UNWANTED_MAX = 4096 }; // streams that wait to be ended; who is not among them is told of again

struct world_visit {
    // Under the world's face_mutex.
    uint32_t *unwanted;
    uint32_t unwanted_count, unwanted_capacity;
    struct world_hold *holds;
    uint32_t hold_count, hold_capacity;
    uint64_t version; // of holds; 0: nobody ever held anything

    atomic_bool any_unwanted;
    uint64_t told;           // simulation thread: version of the holders (people.h) that holds are of
    struct world_hold *copy; // loop thread: what it was given last
    uint32_t copy_capacity;
};

void world_visit_take(struct world *world); // simulation thread: ends streams that nobody reads
void world_visit_tell(struct world *world); // simulation thread, under face_mutex
void world_visit_deinit(struct world_visit *visit);

#endif
