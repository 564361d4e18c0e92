// From the worlds' outboxes to the sessions. Loop thread only.
#ifndef WEFT_HOST_DELIVERY_H
#define WEFT_HOST_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

struct host_registry;
struct host_sessions;
struct host_world;

// Passes on what worlds that signalled have to say, a bounded amount; signals again if more is left.
void host_deliver(struct host_registry *registry, struct host_sessions *sessions);
// Records of the world up to this position are durable: what waited for them is passed on, from the loop.
void host_deliver_durable(struct host_world *world, uint64_t position);
// The store has no room, or has some again: what need not wait for that is passed on.
void host_deliver_full(struct host_world *world, bool full, bool stuck);
// Another server has the world's list: nothing more of it becomes durable here.
void host_deliver_lost(struct host_world *world);

#endif
