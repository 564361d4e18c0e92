// Fills the outbox of a world with events for the loop, such as answers, and notices to all sessions that joined the world.
// Simulation thread, unless stated.
#ifndef WEFT_WORLD_EVENT_H
#define WEFT_WORLD_EVENT_H

#include "protocol/bytes.h"
#include "world/world.h"

struct document_edit;
struct world_answers;
struct world_call;

// Copies packed bytes into a buffer that is charged to the budget, if there is one. NULL if the budget is
// full or memory runs out.
struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget);

// Pushes an event into the outbox, which owns it from now on. There always is room (world.h).
void world_push(struct world *world, struct world_event *event);
// Lets the loop take the events that were pushed. Called once the world has published the state after them, so that a client that
// has an answer never reads an older state. Returns whether there are new events.
bool world_events_tell(struct world_answers *answers);
// Returns how many events of a kind are in the outbox. Any thread.
uint32_t world_events_waiting(const struct world_answers *answers, enum world_event_kind kind);
// Counts a request of so many bytes as admitted, until its answer is taken. Loop thread.
void world_admit(struct world_answers *answers, size_t bytes);
// Returns how many requests are admitted, and their bytes. Loop thread.
uint32_t world_admitted(const struct world_answers *answers, size_t *bytes);
struct world_event *world_event_create(enum world_event_kind kind); // NULL if memory runs out

// Sends world.edited with an edit that was made, and its result.
void world_notice_edited(struct world_call *call, const struct document_edit *edit);
// Sends world.changed with this state. A NULL asker means that the world itself is the cause.
void world_notice_changed(struct world *world, int state, const struct world_asker *asker);
// Sends world.warned with the warnings that hold now (struct protocol_warning).
void world_notice_warned(struct world *world, struct protocol_list warnings);
// Sends body.tear for each body that the last tick tore.
void world_notice_tears(struct world *world);
// Sends world.person: somebody joined, or goes by another name.
void world_notice_person(struct world *world, const struct world_asker *asker);
// Adds the bytes of notices that readers could take since the last call.
void world_readers_refill(struct world_answers *answers, uint64_t now_ns);
// Whether readers have been told as much as they can take now.
bool world_readers_full(const struct world *world);
// Returns why the world takes no edits; NULL: it does.
const char *world_read_only(const struct world *world);

#endif
