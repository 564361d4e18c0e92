// What a world takes of what the person who made it may have (world.h: struct world_quota). Simulation thread.
#ifndef WEFT_WORLD_QUOTA_H
#define WEFT_WORLD_QUOTA_H

#include <stdbool.h>

struct document;
struct protocol_error;
struct world;

// As document_edit.allows wants it; the context is the world. Counts what the document has now, if the person may have it.
bool world_quota_allows(void *context, const struct document *document, struct protocol_error *error);
// Counts what the document has now, whoever brought it.
void world_quota_match(struct world *world);
// The world counts no more, and lets go of its quota.
void world_quota_leave(struct world *world);

#endif
