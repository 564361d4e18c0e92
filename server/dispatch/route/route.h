// Finds the world that a message is for, before its parameters are decoded, and passes calls on for worlds that other servers run.
// Loop thread only.
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

// Special properties of a method. Most methods have none, so their rows are zero.
struct dispatch_route_method {
    bool only_answers;  // it changes nothing, so a notification of it only has its parameters checked
    bool finds_closing; // it also finds worlds that are being deleted
    bool closes;        // once it is posted its world is being deleted
    bool closes_view;   // once it is posted its world, if that is a view, is being deleted
};
extern const struct dispatch_route_method dispatch_route_methods[PROTOCOL_METHOD_COUNT];

// Reads which world a message is for: from its field `world`, or from `stream` for methods that take one. False with *error if there is
// no such stream, or the field is malformed.
bool dispatch_route(const struct host_session *session, struct world_packet *packet,
                    enum protocol_method method, struct protocol_ref *ref, struct protocol_error *error);
// Finds the world of this server that ref names, for this method. NULL if there is none.
struct host_world *dispatch_route_find(const struct host_registry *registry, enum protocol_method method,
                                       const struct protocol_ref *ref);

bool dispatch_route_names_world(enum protocol_method method); // whether it has a field `world`
// Reads that field from a message. False with *error if it is missing or malformed.
bool dispatch_route_peek_world(struct world_packet *packet, enum protocol_method method,
                               struct protocol_ref *ref, struct protocol_error *error);
// Reads the field `stream` of a method that takes one in place of a world. 0 if it has none, or it is not an id.
uint32_t dispatch_route_peek_stream(struct world_packet *packet, enum protocol_method method);
void dispatch_route_no_world(struct protocol_error *error, const struct protocol_ref *ref); // sets NOT_FOUND

// ---------------------------------------------------------------------------------------------------------
// elsewhere.c: worlds of other servers

// The id of a world by the cluster's tables; 0 if they do not have it.
uint32_t dispatch_route_cluster_id(struct cluster *cluster, const struct protocol_ref *ref);
// Passes a message on if it names a world that is not here, or a stream of one. The caller has set bytes, size, method and msgid of
// *passed. Messages of a session that itself goes to other servers (session.hello {follow}) stay.
enum dispatch_went dispatch_route_pass(const struct dispatch_server *server, struct host_session *session,
                                       struct world_packet *packet, struct dispatch_passed *passed,
                                       struct protocol_error *error);
// Calls dispatch_elsewhere.introduced, if there is one.
void dispatch_route_introduced(const struct dispatch_server *server, struct host_session *session,
                               const struct protocol_session_hello_params *params);
// Whether a new world should be made on this server. False with the call's error MOVED if another server has clearly less load.
bool dispatch_route_is_here(struct dispatch_call *call);
// Lists the servers of the cluster by name, in the call's zone; none without a cluster. False if memory runs out.
bool dispatch_route_servers(struct dispatch_call *call, struct protocol_list *out);

#endif
