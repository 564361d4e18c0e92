// The part of a world that answers: its outbox. Only files of this room see it, and world.c.
#ifndef WEFT_WORLD_ANSWER_PART_H
#define WEFT_WORLD_ANSWER_PART_H

#include "world/world.h"

#include <stdatomic.h>

struct base_ring;

// Bytes of notices that members can still take.
struct world_readers {
    int64_t left; // bytes
    uint64_t filled_ns;
};

struct world_answers {
    struct base_ring *outbox;               // of struct world_event *, owned
    atomic_uint waiting[WORLD_DELETED + 1]; // events of each kind in the outbox
    uint32_t pushed;                        // events that were pushed, counted modulo 2^32
    atomic_uint told;                       // of these, those that the loop may take
    struct world_event *deletion;           // WORLD_DELETED, made with the world so that it cannot fail
    struct world_event *spare;              // WORLD_NOTICE, to say that a notice is lost
    bool notice_lost;                       // the spare one was used up: the next notice is told as lost
    struct world_readers readers;

    // Fields of the loop thread.
    uint32_t taken;               // events that were taken, counted like pushed
    uint32_t admitted;            // requests whose answer the loop has not taken yet
    size_t admitted_bytes;        // bytes of these requests
    struct world_event *farewell; // WORLD_DELETED, held until all other events were taken
    bool ended;                   // the farewell was taken, so nothing that comes now would be answered
};

#endif
