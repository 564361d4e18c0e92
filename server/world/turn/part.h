// The part of a world that takes in what is asked. Only files of this room see it, and world.c.
#ifndef WEFT_WORLD_TURN_PART_H
#define WEFT_WORLD_TURN_PART_H

#include "world/turn/lines.h"
#include "world/turn/visit.h"

struct base_ring;

struct world_turns {
    struct base_ring *inbox; // of struct world_message
    struct world_lines lines;
    bool shutdown_posted; // by the loop thread
    uint64_t drain_ns;    // time of a turn for requests
    uint64_t share_ns;    // the part of it for one session before others are served
    struct world_share shares[WORLD_SHARES];
    struct world_visit visit;
};

#endif
