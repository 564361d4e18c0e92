// Which world a message is for. Loop thread only.
#ifndef WEFT_DISPATCH_ROUTE_ROUTE_H
#define WEFT_DISPATCH_ROUTE_ROUTE_H

#include "protocol/generated/api.h"
#include "protocol/types.h"

#include <stdbool.h>

struct dispatch_server;
struct host_registry;
struct host_session;
struct host_world;
struct protocol_error;
struct world_packet;

// From the field `world`, or from `stream` for methods that take one. NULL with *error: NOT_FOUND, MOVED, or what
// the decoder has to say of the parameters.
struct host_world *dispatch_route(const struct dispatch_server *server, const struct host_session *session,
                                  struct world_packet *packet, enum protocol_method method,
                                  struct protocol_error *error);

// The world that a method may use. NULL if there is none.
struct host_world *dispatch_find(const struct host_registry *registry, enum protocol_method method,
                                 const struct protocol_ref *ref);
// A view is its session's alone. False with *error: DENIED.
bool dispatch_may_use(const struct host_world *world, const struct host_session *session,
                      struct protocol_error *error);
// Whether a method has a field `world`, and which it is in this message. False with *error: it cannot be told.
bool dispatch_names_world(enum protocol_method method);
bool dispatch_peek_world(struct world_packet *packet, enum protocol_method method, struct protocol_ref *ref,
                         struct protocol_error *error);
// The field `stream` of a method that takes one in place of a world. 0: it has none, or what it has is no id.
uint32_t dispatch_peek_stream(struct world_packet *packet, enum protocol_method method);

#endif
