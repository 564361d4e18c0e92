// Fills the outbox of a world. Simulation thread.
#ifndef WEFT_WORLD_EVENT_H
#define WEFT_WORLD_EVENT_H

#include "protocol/bytes.h"
#include "world/world.h"

// Copies packed bytes into a buffer that is charged to the budget, if there is one. NULL if the budget is
// full or memory runs out.
struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget);

// Pushes an event into the outbox, and takes it. There always is room (world.c).
void world_push(struct world *world, struct world_event *event);
struct world_event *world_event_create(enum world_event_kind kind); // NULL if memory runs out

#endif
