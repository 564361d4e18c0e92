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

// Posts a request of a session to a world. First it reserves what the request claims (a stream id, a name), and charges the session.
// The world then owns the request. False with *error (also BUSY, or MEMORY for the session): nothing is reserved, and the caller
// still owns it.
bool host_post(struct host_session *session, struct host_world *world, struct world_request *request,
               struct protocol_error *error);

// Delivers a bounded number of events of worlds that signalled. Signals again if more are left.
void host_deliver(struct host_registry *registry, struct host_sessions *sessions);
// Opens the world's gate up to this position, because the journal is durable up to it. The loop later delivers the events
// that waited for that.
void host_deliver_durable(struct host_world *world, uint64_t position);
// Tells the world's gate whether the store has no room (full), and whether it is unknown when it will have some (stuck).
// Events that need not wait for room are delivered.
void host_deliver_full(struct host_world *world, bool full, bool stuck);
// Tells the world's gate that another server writes the world's list now, so that nothing more becomes durable here.
void host_deliver_lost(struct host_world *world);

#endif
