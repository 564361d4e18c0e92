// The part of a world that sends records. Only files of this room see it, and world.c.
#ifndef WEFT_WORLD_TWINS_PART_H
#define WEFT_WORLD_TWINS_PART_H

#include "world/twins/twins.h"

struct world_twins {
    struct world_twin *items;
    uint32_t count, capacity;
    // Records that twins which run or await have not been told yet.
    struct protocol_bytes pending; // elements of the list of records, without its head
    uint32_t pending_count;
    struct protocol_bytes before; // the record that the next one is told by its differences from; empty: none
    struct world_twins_moment told; // moment of the last message
    uint64_t told_ns;               // when it was sent, by the clock of turns
    uint64_t hash_ns;               // least time between two hashes
    uint64_t hashed_ns, hash_cost_ns;
    bool unhashed; // the last message told no hash
    // From an image's moment until it was sent.
    struct base_frame *image; // NULL: not made yet
    struct base_frame **held; // messages since the image's moment
    uint32_t held_count, held_capacity;
    size_t held_bytes;
    uint64_t began_ns, rest_until_ns; // when the last image began, and until when no other is made
};

#endif
