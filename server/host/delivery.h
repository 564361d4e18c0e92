// Posts requests of sessions to worlds, and delivers events from the worlds' outboxes to sessions. Loop thread only.
#ifndef WEFT_HOST_DELIVERY_H
#define WEFT_HOST_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

struct host_registry;
struct host_session;
struct host_sessions;
struct host_world;
struct protocol_error;
struct world_request;

// Asks a world: takes what the request claims, and posts it, charged to the session. The request is the world's then. False with *error,
// which may also be BUSY, or MEMORY for the session: nothing is held, and the request is still the caller's.
bool host_post(struct host_session *session, struct host_world *world, struct world_request *request,
               struct protocol_error *error);

// Delivers a bounded number of events of worlds that signalled. Signals again if more are left.
void host_deliver(struct host_registry *registry, struct host_sessions *sessions);
// Opens the world's gate up to this position, because records up to it are durable. What waited for them is
// delivered later, from the loop.
void host_deliver_durable(struct host_world *world, uint64_t position);
// Tells the world's gate that the store has no room, or has some again. What need not wait for room is
// delivered.
void host_deliver_full(struct host_world *world, bool full, bool stuck);
// Tells the world's gate that another server has the list: nothing more of it becomes durable here.
void host_deliver_lost(struct host_world *world);

#endif
