#include "dispatch/route/route.h"

#include "cluster/cluster.h"
#include "dispatch/call.h"
#include "host/names.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "protocol/error.h"
#include "world/world.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Where worlds are

uint32_t dispatch_route_cluster_id(struct cluster *cluster, const struct protocol_ref *ref)
{
    char name[HOST_NAME_SIZE];
    if (ref->id != 0 || ref->name.size >= sizeof name) {
        return ref->id;
    }
    host_name_copy(name, &ref->name);
    return cluster_find(cluster, name);
}

bool dispatch_where(void *registry, const struct protocol_ref *ref, struct dispatch_place *place)
{
    struct cluster *cluster = host_registry_cluster(registry);
    const bool is_named = ref->id != 0 || ref->name.size > 0;
    struct cluster_server server;
    const uint32_t id = cluster && is_named ? dispatch_route_cluster_id(cluster, ref) : 0;
    if (id == 0) {
        return false;
    }
    *place = (struct dispatch_place){.world = id};
    switch (cluster_where(cluster, id, &server)) {
    case CLUSTER_ELSEWHERE:
        if (strlen(server.tcp) >= sizeof place->address) {
            return false;
        }
        place->tls = server.tls;
        snprintf(place->address, sizeof place->address, "%s", server.tcp);
        return true;
    case CLUSTER_BETWEEN:
        return true;   // the cluster is asked again
    case CLUSTER_HERE: // on its way here, or from here
        return !host_registry_find(registry, &(struct protocol_ref){.id = id});
    default:
        return false;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Which servers there are

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct cluster_server *)one)->name, ((const struct cluster_server *)other)->name);
}

// Makes summaries of the servers of the cluster, in the zone of the call. NULL if memory runs out.
static struct protocol_server_summary *summaries(struct dispatch_call *call,
                                                 const struct cluster_server *servers, uint32_t count)
{
    struct protocol_server_summary *items =
        msgpack_zone_malloc(call->zone, ((size_t)count + 1) * sizeof *items);
    struct protocol_home *homes = msgpack_zone_malloc(call->zone, ((size_t)count + 1) * sizeof *homes);
    for (uint32_t i = 0; items && homes && i < count; i++) {
        const struct cluster_server *server = &servers[i];
        host_home_of(server, &homes[i]);
        items[i] = (struct protocol_server_summary){
            .has = PROTOCOL_HAS_ALL,
            .server = protocol_text(homes[i].server),
            .address = protocol_text(homes[i].address),
            .web = protocol_text(homes[i].web),
            .here = server->here,
            .draining = server->draining,
            .load = server->load.ms,
            .worlds = server->load.worlds,
            .sessions = server->load.sessions,
            .beat_age_ms = server->beat_age_ms,
            .solver = server->version.solver,
            .api_level = server->version.api,
        };
    }
    return homes ? items : NULL;
}

bool dispatch_route_servers(struct dispatch_call *call, struct protocol_list *out)
{
    struct cluster *cluster = host_registry_cluster(call->server->registry);
    uint32_t count = 0;
    struct cluster_server *servers = cluster ? cluster_servers(cluster, &count) : NULL;
    if (count > 0) {
        qsort(servers, count, sizeof *servers, by_name);
    }
    struct protocol_server_summary *items = summaries(call, servers, count);
    free(servers);
    *out = (struct protocol_list){.items = items, .count = items ? count : 0};
    return items != NULL;
}

// Whether a session makes its new world here. One that follows makes it at a server with clearly less to do, unless it is in
// a world already, which it would have to leave.
bool dispatch_route_is_here(struct dispatch_call *call)
{
    struct cluster *cluster = host_registry_cluster(call->server->registry);
    struct cluster_server lightest;
    if (!cluster || !host_session_follows(call->session) || !host_session_is_free(call->session) ||
        !cluster_lightest(cluster, false, &lightest) || lightest.here) {
        return true;
    }
    protocol_error_set(call->error, PROTOCOL_CODE_MOVED, NULL,
                       "server \"%s\" has less to do and makes new worlds; ask at %s", lightest.name,
                       lightest.tcp);
    host_home_of(&lightest, &call->error->home);
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Calls that are passed on

// False: it is for this server, or its method has to say what is wrong.
static bool names_another(const struct dispatch_server *server, struct host_session *session,
                          struct world_packet *packet, struct dispatch_passed *passed)
{
    struct protocol_error error = {0};
    struct protocol_ref *ref = &passed->world;
    if (dispatch_route_names_world(passed->method)) {
        if (!dispatch_route_peek_world(packet, passed->method, ref, &error) ||
            (ref->id == 0 && ref->name.size == 0)) {
            return false;
        }
    } else {
        passed->stream = dispatch_route_peek_stream(packet, passed->method);
        ref->id = passed->stream != 0 ? host_session_stream_world(session, passed->stream) : 0;
        if (ref->id == 0) {
            return false;
        }
    }
    const struct host_world *here = dispatch_route_find(server->registry, passed->method, ref);
    if (!here) {
        return true;
    }
    const bool all = server->elsewhere->came(server->elsewhere->context, session, host_world_id(here));
    if (!all) {
        *ref = (struct protocol_ref){.id = host_world_id(here)};
    }
    return !all;
}

// It is about to go on at another server, and is not gone yet: what is asked of it now comes behind what was asked before.
static struct host_world *leaving_of(const struct dispatch_server *server,
                                     const struct dispatch_passed *passed)
{
    struct host_world *world = dispatch_route_names_world(passed->method)
                                   ? host_registry_find_closing(server->registry, &passed->world)
                                   : NULL;
    return world && host_world_is_leaving(world) ? world : NULL;
}

enum dispatch_went dispatch_route_pass(const struct dispatch_server *server, struct host_session *session,
                                       struct world_packet *packet, struct dispatch_passed *passed,
                                       struct protocol_error *error)
{
    const struct dispatch_elsewhere *elsewhere = server->elsewhere;
    if (!elsewhere || host_session_follows(session) || !names_another(server, session, packet, passed)) {
        return DISPATCH_STAYS;
    }
    struct host_world *leaving = leaving_of(server, passed);
    if (leaving && host_world_keep_asked(leaving, session, passed->bytes, passed->size)) {
        return DISPATCH_PASSED;
    }
    if (leaving) {
        protocol_error_set(error, PROTOCOL_CODE_BUSY, "world",
                           "world %" PRIu32 " goes to another server; send it again later",
                           host_world_id(leaving));
        return DISPATCH_REFUSED;
    }
    return elsewhere->pass(elsewhere->context, session, passed, error);
}

void dispatch_route_introduced(const struct dispatch_server *server, struct host_session *session,
                               const struct protocol_session_hello_params *params)
{
    const struct dispatch_elsewhere *elsewhere = server->elsewhere;
    if (elsewhere) {
        elsewhere->introduced(elsewhere->context, session, params);
    }
}
