// The part of a world that takes requests from the inbox. Only files of this room and world.c see it. Simulation thread, unless stated.
#ifndef WEFT_WORLD_TURN_PART_H
#define WEFT_WORLD_TURN_PART_H

#include "world/turn/lines.h"
#include "world/turn/visit.h"

struct base_ring;

struct world_turns {
    struct base_ring *inbox; // of struct world_message
    struct world_lines lines;
    bool shutdown_posted; // loop thread: world_post_shutdown was called
    uint64_t drain_ns;    // time that a turn may spend on requests
    uint64_t share_ns;    // time that it may spend on one session before others are served
    struct world_share shares[WORLD_SHARES];
    struct world_visit visit;
};

#endif
