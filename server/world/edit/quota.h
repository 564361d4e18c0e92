// Charges a world to the quota of the person who made it (world.h: struct world_quota). Simulation thread.
#ifndef WEFT_WORLD_QUOTA_H
#define WEFT_WORLD_QUOTA_H

#include <stdbool.h>

struct document;
struct protocol_error;
struct world;

// Counts what the document has now, if the person may have it. False with *error otherwise. This is
// document_edit.allows, and the context is the world.
bool world_quota_allows(void *context, const struct document *document, struct protocol_error *error);
// Counts what the document has now, whether or not it is within the quota.
void world_quota_match(struct world *world);
// Stops counting the world, and releases its reference to the quota.
void world_quota_leave(struct world *world);

#endif
