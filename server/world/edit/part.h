// The part of a world that obeys requests. Only files of this room see it, and world.c.
#ifndef WEFT_WORLD_EDIT_PART_H
#define WEFT_WORLD_EDIT_PART_H

#include "world/world.h"

struct world_edit_ids;

struct world_edits {
    struct world_edit_ids *ids;  // NULL until an edit has one
    uint64_t strays_until_ns;    // when strays end; 0: there were none yet
    msgpack_zone zone;           // for the world's own inputs; always has one chunk
    struct world_quota *quota;   // Under face_mutex; NULL: none. Never changes once it is set.
    struct world_amount charged; // under the quota's mutex
};

bool world_edits_init(struct world *world); // false if memory runs out
void world_edits_deinit(struct world *world);

#endif
