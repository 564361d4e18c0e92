// Fills the outbox of a world: events for the loop, and among them notices to all sessions that joined the world.
// Simulation thread.
#ifndef WEFT_WORLD_EVENT_H
#define WEFT_WORLD_EVENT_H

#include "protocol/bytes.h"
#include "world/world.h"

struct document_edit;
struct world_call;

// Copies packed bytes into a buffer that is charged to the budget, if there is one. NULL if the budget is
// full or memory runs out.
struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget);

// Pushes an event into the outbox, and takes it. There always is room (world.c).
void world_push(struct world *world, struct world_event *event);
struct world_event *world_event_create(enum world_event_kind kind); // NULL if memory runs out

// Sends world.edited with an edit that was made, and its result.
void world_notice_edited(struct world_call *call, const struct document_edit *edit);
// Sends world.changed with this state. A NULL asker means that the world itself is the cause.
void world_notice_changed(struct world *world, int state, const struct world_asker *asker);
// Sends world.person: somebody joined, or goes by another name.
void world_notice_person(struct world *world, const struct world_asker *asker);
// Returns why the world takes no edits; NULL: it does.
const char *world_read_only(const struct world *world);

#endif
