// The part of a world that sends records to twins. Only files of this room and world.c see it. Simulation thread.
#ifndef WEFT_WORLD_TWINS_PART_H
#define WEFT_WORLD_TWINS_PART_H

#include "world/twins/twins.h"

struct world_twins {
    struct world_twin *items;
    uint32_t count, capacity;
    // Records that have not been sent to twins yet.
    struct protocol_bytes pending; // elements of the list of records, without its head
    uint32_t pending_count;
    struct protocol_bytes before; // the last record, of which the next one is a patch (patch.h); empty: none
    struct world_twins_moment told;   // moment of the last message
    uint64_t told_ns;                 // when it was sent, by the clock of turns
    uint64_t hash_ns;                 // least time between two hashes
    uint64_t hashed_ns, hash_cost_ns; // when the last hash was made, and how long it took
    bool unhashed;                    // the last message had no hash
    // Used from the moment that an image shows until it is sent.
    struct base_frame *image; // NULL: not finished yet
    struct base_frame **held; // messages since that moment, which follow the image
    uint32_t held_count, held_capacity;
    size_t held_bytes;
    uint64_t began_ns, rest_until_ns; // when the last image began; no other begins before rest_until_ns
};

#endif
