// The outbox part of a world. Only files of this room and world.c see it. It belongs to the simulation thread, except for the
// atomics and the last fields.
#ifndef WEFT_WORLD_ANSWER_PART_H
#define WEFT_WORLD_ANSWER_PART_H

#include "world/world.h"

#include <stdatomic.h>

struct base_ring;

// A token bucket for notices, so that one world does not send more than its members can read.
struct world_readers {
    int64_t left;       // bytes that may still be sent
    uint64_t filled_ns; // when it was refilled last
};

struct world_answers {
    struct base_ring *outbox;               // of struct world_event *, owned
    atomic_uint waiting[WORLD_DELETED + 1]; // events of each kind in the outbox
    uint32_t pushed;                        // events pushed, modulo 2^32
    atomic_uint told;                       // `pushed` up to which the loop may take events
    struct world_event *deletion;           // WORLD_DELETED, allocated with the world so that it cannot fail
    struct world_event *spare;              // WORLD_NOTICE, allocated to report a lost notice
    bool notice_lost;                       // the spare is used up: the next notice says that one was lost
    struct world_readers readers;

    // These belong to the loop thread.
    uint32_t taken;               // events taken, modulo 2^32
    uint32_t admitted;            // requests whose answer the loop has not taken yet
    size_t admitted_bytes;        // bytes of these requests
    struct world_event *farewell; // WORLD_DELETED, held until all other events were taken
    bool ended;                   // the farewell was taken: the world admits no request any more
};

#endif
