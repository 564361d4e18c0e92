// From the worlds' outboxes to the sessions. Loop thread only.
#ifndef WEFT_HOST_DELIVERY_H
#define WEFT_HOST_DELIVERY_H

struct host_registry;
struct host_sessions;

// Passes on what worlds that signalled have to say, a bounded amount; signals again if more is left.
void host_deliver(struct host_registry *registry, struct host_sessions *sessions);

#endif
