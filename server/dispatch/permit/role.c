// Says what a session may see of a world, and do in it.
#include "dispatch/permit/permit.h"

#include "access/access.h"
#include "cluster/cluster.h"
#include "dispatch/call.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>

enum protocol_role dispatch_permit_role(const struct dispatch_server *server,
                                        const struct host_session *session, uint32_t world)
{
    if (!server->book || host_session_role(session) == PROTOCOL_ROLE_ADMIN) {
        return PROTOCOL_ROLE_ADMIN;
    }
    return host_session_known(session) ? access_role(server->book, world, host_person_key(session))
                                       : PROTOCOL_ROLE_ANYONE;
}

bool dispatch_permit_use(const struct host_world *world, const struct host_session *session,
                         struct protocol_error *error)
{
    if (host_world_is_for(world, host_session_asker(session).session)) {
        return true;
    }
    if (host_sessions_ask(host_session_owner(session))) {
        dispatch_route_no_world(error, &(struct protocol_ref){.id = host_world_id(world)});
        return false;
    }
    protocol_error_set(error, PROTOCOL_CODE_DENIED, "world",
                       "world %" PRIu32 " is another session's view of world %" PRIu32
                       "; world.seek gives this session its own",
                       host_world_id(world), host_world_shown(world));
    snprintf(error->value, sizeof error->value, "%" PRIu32, host_world_id(world));
    return false;
}

void dispatch_permit_missing(const struct dispatch_server *server, const struct host_session *session,
                             const struct protocol_ref *ref, struct protocol_error *error)
{
    struct cluster *cluster = host_registry_cluster(server->registry);
    const uint32_t id = cluster ? dispatch_route_cluster_id(cluster, ref) : 0;
    const enum cluster_place place =
        id != 0 && dispatch_permit_role(server, session, id) != PROTOCOL_ROLE_ANYONE
            ? cluster_where(cluster, id, NULL)
            : CLUSTER_NOWHERE;
    struct protocol_home home;
    char what[16], why[CLUSTER_TEXT_SIZE];
    snprintf(what, sizeof what, "%" PRIu32, id);
    if (place == CLUSTER_NOWHERE) {
        dispatch_route_no_world(error, ref);
    } else if (place == CLUSTER_ELSEWHERE && host_home_find(cluster, id, &home)) {
        protocol_error_moved(error, what, &home);
    } else if (place == CLUSTER_FAILED && cluster_why(cluster, id, why)) {
        protocol_error_set(
            error, PROTOCOL_CODE_INTERNAL, "world",
            "world %s cannot be run by any server: %.200s; world.move says which is to try again", what, why);
    } else {
        protocol_error_set(error, PROTOCOL_CODE_BUSY, "world",
                           "world %s is on its way from one server to another; try again", what);
    }
}

struct host_world *dispatch_permit_find(const struct dispatch_server *server,
                                        const struct host_session *session, enum protocol_method method,
                                        const struct protocol_ref *ref, struct protocol_error *error)
{
    struct host_world *world = dispatch_route_find(server->registry, method, ref);
    if (!world) {
        dispatch_permit_missing(server, session, ref, error);
    }
    return world;
}
