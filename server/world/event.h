// The outbox.
#ifndef WEFT_WORLD_EVENT_H
#define WEFT_WORLD_EVENT_H

#include "protocol/bytes.h"
#include "world/world.h"

// A copy of what was packed, charged to the budget if there is one; NULL if that failed or there is no memory.
struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget);

void world_push(struct world *world, struct world_event *event);
struct world_event *world_event_create(enum world_event_kind kind); // NULL without memory

#endif
