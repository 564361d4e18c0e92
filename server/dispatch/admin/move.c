// world.move: another server goes on with a world.
#include "base/clock.h"
#include "base/thread.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/world.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RETRY_MS = 8000 };

struct moving {
    struct dispatch_later *later;
    struct cluster_server to;
};

static void on_done(void *context, const struct protocol_error *error)
{
    struct moving *moving = context;
    struct protocol_home home;
    host_home_of(&moving->to, &home);
    if (error) {
        dispatch_later_refuse(moving->later, error);
    } else {
        dispatch_later_answer(moving->later,
                              &(struct protocol_world_move_result){.has = PROTOCOL_HAS_ALL,
                                                                   .server = protocol_text(home.server),
                                                                   .address = protocol_text(home.address),
                                                                   .web = protocol_text(home.web)});
    }
    free(moving);
}

static bool no_server(struct dispatch_call *call, const struct protocol_string *name)
{
    protocol_error_set(call->error, PROTOCOL_CODE_NOT_FOUND, "server",
                       "no server \"%.*s\" is there; server.list names those that are",
                       (int)(name->size < 80 ? name->size : 80), name->data);
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// A world that nobody could run

struct retrying {
    struct moving moving;
    struct cluster *cluster;
    uint32_t world;
    struct protocol_error error;
};

static void retry_work(void *context)
{
    struct retrying *retrying = context;
    char text[CLUSTER_TEXT_SIZE];
    const uint64_t end_ns = base_now_ns() + UINT64_C(1000000) * RETRY_MS;
    bool failed = !cluster_send(retrying->cluster, retrying->world, retrying->moving.to.run, text);
    bool open = !failed;
    while (open && base_now_ns() < end_ns) { // a large one takes longer, and is then told by world.list
        base_thread_sleep(20000000);
        open = cluster_why(retrying->cluster, retrying->world, text);
        failed = open && cluster_where(retrying->cluster, retrying->world, NULL) == CLUSTER_FAILED;
        open = open && !failed;
    }
    if (failed) {
        protocol_error_set(&retrying->error, PROTOCOL_CODE_CONFLICT, "server",
                           "world %" PRIu32 " cannot be run by server \"%s\" either: %.200s", retrying->world,
                           retrying->moving.to.name, text);
    }
}

static void retry_done(void *context, bool worked)
{
    struct retrying *retrying = context;
    if (!worked) {
        protocol_error_set(&retrying->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    }
    on_done(&retrying->moving, retrying->error.code != PROTOCOL_CODE_OK ? &retrying->error : NULL);
}

// *error is NOT_FOUND, DENIED.
static bool may_retry(struct dispatch_call *call, uint32_t world)
{
    const struct protocol_world_move_params *params = call->params;
    const enum protocol_role role = dispatch_permit_role(call->server, call->session, world);
    if (role == PROTOCOL_ROLE_ANYONE) {
        dispatch_route_no_world(call->error, &params->world);
    } else if (role < PROTOCOL_ROLE_OWNER) {
        protocol_error_set(call->error, PROTOCOL_CODE_DENIED, "world",
                           "world.move is for owners of world %" PRIu32, world);
    }
    return role >= PROTOCOL_ROLE_OWNER;
}

static bool retry(struct dispatch_call *call, uint32_t world, const struct cluster_server *to)
{
    if (!may_retry(call, world)) {
        return false;
    }
    struct retrying *retrying = calloc(1, sizeof *retrying);
    if (!retrying || !(retrying->moving.later = dispatch_later_begin(call, false))) {
        free(retrying);
        return false;
    }
    retrying->moving.to = *to;
    retrying->cluster = host_lease_cluster(call->server->lease);
    retrying->world = world;
    dispatch_later_work(retrying->moving.later, HOST_LIGHT, retry_work, retry_done, retrying);
    return true;
}

// ---------------------------------------------------------------------------------------------------------

// 0: it is none.
static uint32_t failed_world(const struct dispatch_server *server, const struct protocol_ref *ref)
{
    struct cluster *cluster = host_registry_cluster(server->registry);
    const uint32_t id = cluster ? dispatch_route_cluster_id(cluster, ref) : 0;
    return id != 0 && cluster_where(cluster, id, NULL) == CLUSTER_FAILED ? id : 0;
}

bool dispatch_world_move(struct dispatch_call *call)
{
    const struct protocol_world_move_params *params = call->params;
    struct host_lease *lease = call->server->lease;
    const struct host_world *world = host_registry_find(call->server->registry, &params->world);
    char name[CLUSTER_NAME_SIZE];
    struct cluster_server to;
    if (call->server->stopping) {
        protocol_error_set(call->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        return false;
    }
    const uint32_t failed = !world ? failed_world(call->server, &params->world) : 0;
    if (failed == 0 && (!world || host_world_is_view(world))) {
        dispatch_permit_missing(call->server, call->session, &params->world, call->error);
        return false;
    }
    if (!lease || params->server.size >= sizeof name) {
        return no_server(call, &params->server);
    }
    snprintf(name, sizeof name, "%.*s", (int)params->server.size, params->server.data);
    if (!cluster_server_named(host_lease_cluster(lease), name, &to)) {
        return no_server(call, &params->server);
    }
    if (failed != 0) {
        return retry(call, failed, &to);
    }
    if (!host_lease_may_move(lease, host_world_id(world), &to, call->error)) {
        return false;
    }
    const uint32_t id = host_world_id(world);
    struct moving *moving = calloc(1, sizeof *moving);
    if (!moving || !(moving->later = dispatch_later_begin(call, false))) {
        free(moving);
        return false;
    }
    moving->to = to;
    host_lease_move(lease, id, &to, on_done, moving);
    return true;
}
