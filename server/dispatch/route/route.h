// Which world a message names, what is particular about its method, and what becomes of calls for worlds that other servers run. A
// message is looked at here as it came, before its parameters are decoded. Loop thread only.
#ifndef WEFT_DISPATCH_ROUTE_ROUTE_H
#define WEFT_DISPATCH_ROUTE_ROUTE_H

#include "dispatch/dispatch.h"
#include "protocol/generated/api.h"
#include "protocol/types.h"

#include <stdbool.h>
#include <stdint.h>

struct cluster;
struct dispatch_call;
struct dispatch_server;
struct host_registry;
struct host_session;
struct host_world;
struct protocol_error;
struct world_packet;

// The particulars of a method on its way through dispatch. Most methods have none, and no row.
struct dispatch_route_method {
    bool only_answers;  // a notification of it brings nothing about but an error in its parameters
    bool finds_closing; // worlds that are being deleted are there for it
    bool closes;        // once it is posted its world is being deleted
    bool closes_view;   // the same, of a view
};
extern const struct dispatch_route_method dispatch_route_methods[PROTOCOL_METHOD_COUNT];

// Reads which world a message is for: from the field `world`, or from `stream` for methods that take one. False with *error: there is
// no such stream, or what the decoder has to say of the field.
bool dispatch_route(const struct host_session *session, struct world_packet *packet,
                    enum protocol_method method, struct protocol_ref *ref, struct protocol_error *error);
// The world of this server that a method finds. NULL if there is none.
struct host_world *dispatch_route_find(const struct host_registry *registry, enum protocol_method method,
                                       const struct protocol_ref *ref);

// Whether a method has a field `world`, and which it is in this message. False with *error: it cannot be told.
bool dispatch_route_names_world(enum protocol_method method);
bool dispatch_route_peek_world(struct world_packet *packet, enum protocol_method method,
                               struct protocol_ref *ref, struct protocol_error *error);
// The field `stream` of a method that takes one in place of a world. 0: it has none, or what it has is no id.
uint32_t dispatch_route_peek_stream(struct world_packet *packet, enum protocol_method method);
void dispatch_route_no_world(struct protocol_error *error, const struct protocol_ref *ref); // NOT_FOUND

// ---------------------------------------------------------------------------------------------------------
// elsewhere.c: worlds of other servers

// The id of a world, as the cluster knows it; 0: it does not.
uint32_t dispatch_route_cluster_id(struct cluster *cluster, const struct protocol_ref *ref);
// Passes on a message whose envelope is known: bytes, size, method, msgid of *passed are set. Only what names a world that is not here,
// or a stream of one, is passed on, and nothing of a session that goes there by itself (session.hello {follow}).
enum dispatch_went dispatch_route_pass(const struct dispatch_server *server, struct host_session *session,
                                       struct world_packet *packet, struct dispatch_passed *passed,
                                       struct protocol_error *error);
void dispatch_route_introduced(const struct dispatch_server *server, struct host_session *session,
                               const struct protocol_session_hello_params *params);
// False with the call's error MOVED: the caller is to make its world at another server, which has less to do.
bool dispatch_route_is_here(struct dispatch_call *call);
// Lists the servers of the cluster by name, in the call's zone; none without a cluster. False: no memory.
bool dispatch_route_servers(struct dispatch_call *call, struct protocol_list *out);

#endif
