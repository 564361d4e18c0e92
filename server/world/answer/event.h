// Fills the outbox of a world. Simulation thread.
#ifndef WEFT_WORLD_EVENT_H
#define WEFT_WORLD_EVENT_H

#include "protocol/bytes.h"
#include "world/world.h"

struct world_answers;

// Copies packed bytes into a buffer that is charged to the budget, if there is one. NULL if the budget is
// full or memory runs out.
struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget);

// Pushes an event into the outbox, and takes it. There always is room (world.c).
void world_push(struct world *world, struct world_event *event);
// Returns how many events of a kind are in the outbox. Any thread.
uint32_t world_events_waiting(const struct world_answers *answers, enum world_event_kind kind);
// Counts a request of so many bytes as admitted, until its answer is taken. Loop thread.
void world_admit(struct world_answers *answers, size_t bytes);
// Returns how many requests are admitted, and their bytes. Loop thread.
uint32_t world_admitted(const struct world_answers *answers, size_t *bytes);
struct world_event *world_event_create(enum world_event_kind kind); // NULL if memory runs out

#endif
