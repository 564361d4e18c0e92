// The part of a world that obeys requests. Only files of this room see it, and world.c.
#ifndef WEFT_WORLD_EDIT_PART_H
#define WEFT_WORLD_EDIT_PART_H

#include "world/world.h"

struct document;
struct protocol_error;
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

// Charge the world to the quota of the person who made it (world.h: struct world_quota). Simulation thread.
//
// Counts what the document has now, if the person may have it. False with *error otherwise. This is
// document_edit.allows, and the context is the world.
bool world_quota_allows(void *context, const struct document *document, struct protocol_error *error);
// Counts what the document has now, whether or not it is within the quota.
void world_quota_match(struct world *world);
// Stops counting the world, and releases its reference to the quota.
void world_quota_leave(struct world *world);

#endif
