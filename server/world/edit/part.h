// The part of a world that applies requests. Only files of this room and world.c see it. Simulation thread, unless stated.
#ifndef WEFT_WORLD_EDIT_PART_H
#define WEFT_WORLD_EDIT_PART_H

#include "world/edit/costly.h"
#include "world/world.h"

struct document;
struct protocol_error;
struct world_edit_ids;

struct world_edits {
    struct world_edit_ids *ids;  // NULL until an edit has an id
    uint64_t strays_until_ns;    // when strays are dropped; 0: there were none yet
    struct world_costly costly;  // work of costly queries
    msgpack_zone zone;           // memory for inputs that the world makes itself
    struct world_quota *quota;   // Under face_mutex; NULL: none. Never changes once it is set.
    struct world_amount charged; // amount counted in the quota; under the quota's mutex
};

bool world_edits_init(struct world *world); // false if memory runs out
void world_edits_deinit(struct world *world);

// The quota of the person who made the world (struct world_quota in world.h).
//
// Counts the document's present amount in the quota, if that has room. Otherwise false with *error. This is
// document_edit.allows, and the context is the world.
bool world_quota_allows(void *context, const struct document *document, struct protocol_error *error);
// Counts the document's present amount in the quota, whether or not there is room.
void world_quota_match(struct world *world);
// Stops counting the world, and releases its reference to the quota.
void world_quota_leave(struct world *world);

#endif
