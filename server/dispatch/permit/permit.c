#include "dispatch/permit/permit.h"

#include "base/clock.h"
#include "dispatch/call.h"
#include "dispatch/permit/parts.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "protocol/error.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const role_names[] = {"anyone", "viewer", "editor", "owner", "admin"};

static bool refuse(struct protocol_error *error, enum protocol_code code, const char *field, const char *text)
{
    protocol_error_set(error, code, field, "%s", text);
    return false;
}

static bool limit(struct protocol_error *error, const char *what, const char *name, uint64_t value)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL, "%s (limit %s = %" PRIu64 ")", what, name, value);
    error->limit = (double)value;
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Admit

static bool makes_world(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_WORLD_CREATE || method == PROTOCOL_METHOD_WORLD_OPEN ||
           method == PROTOCOL_METHOD_WORLD_BRANCH;
}

static bool names_world(enum protocol_method method)
{
    return dispatch_route_names_world(method) || protocol_methods[method].class_ != PROTOCOL_CLASS_SERVER;
}

static bool take(struct dispatch_server *server, const struct host_session *session,
                 enum protocol_method method, size_t size, struct protocol_error *error)
{
    struct access_usage *usage = host_session_usage(session);
    const uint64_t *rates = server->permits->quotas.rates.a_second;
    const uint64_t now_ns = base_now_ns();
    if (!usage) {
        return true;
    }
    if (!access_usage_take(usage, ACCESS_MESSAGES, rates[ACCESS_MESSAGES], 1, now_ns)) {
        return limit(error, "this person sends more messages a second than it may", "person_messages",
                     rates[ACCESS_MESSAGES]);
    }
    if (!access_usage_take(usage, ACCESS_BYTES, rates[ACCESS_BYTES], size, now_ns)) {
        return limit(error, "this person sends more bytes a second than it may", "person_bytes",
                     rates[ACCESS_BYTES]);
    }
    if (method == PROTOCOL_METHOD_COUNT) {
        return true;
    }
    const bool edits = protocol_methods[method].class_ == PROTOCOL_CLASS_EDIT ||
                       protocol_methods[method].class_ == PROTOCOL_CLASS_CONTROL ||
                       method == PROTOCOL_METHOD_WORLD_RESTORE || makes_world(method);
    return !edits || access_usage_take(usage, ACCESS_EDITS, rates[ACCESS_EDITS], 1, now_ns) ||
           limit(error, "this person makes more edits a second than it may", "person_edits",
                 rates[ACCESS_EDITS]);
}

bool dispatch_permit_admit(struct dispatch_server *server, struct host_session *session,
                           enum protocol_method method, size_t size, struct protocol_error *error)
{
    if (!server->book) {
        return true;
    }
    const enum protocol_role needed =
        method == PROTOCOL_METHOD_COUNT ? PROTOCOL_ROLE_VIEWER : protocol_methods[method].role;
    if (!host_session_known(session)) {
        return needed == PROTOCOL_ROLE_ANYONE ||
               refuse(error, PROTOCOL_CODE_DENIED, "token",
                      "this server asks for a token: session.hello {token}, or access.accept {invite}");
    }
    if (!take(server, session, method, size, error)) {
        return false;
    }
    if (method == PROTOCOL_METHOD_COUNT) {
        return true;
    }
    const enum protocol_role has = host_session_role(session);
    const bool here = !names_world(method) || makes_world(method);
    if (here && has < (makes_world(method) ? PROTOCOL_ROLE_EDITOR : needed)) {
        protocol_error_set(error, PROTOCOL_CODE_DENIED, NULL,
                           "%s is for %ss of this server; this token is a %s's",
                           protocol_methods[method].name, role_names[needed], role_names[has]);
        return false;
    }
    return !makes_world(method) || dispatch_permit_room_for_world(server, host_person_key(session), error);
}

// ---------------------------------------------------------------------------------------------------------
// Permit

static bool is_control(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_WORLD_PLAY || method == PROTOCOL_METHOD_WORLD_PAUSE ||
           method == PROTOCOL_METHOD_WORLD_HOLD || method == PROTOCOL_METHOD_WORLD_STEP ||
           method == PROTOCOL_METHOD_WORLD_RESET;
}

// shown is how the world was named.
static bool may(const struct dispatch_server *server, const struct host_session *session,
                enum protocol_method method, uint32_t world, const struct protocol_ref *shown,
                struct protocol_error *error)
{
    const enum protocol_role has = dispatch_permit_role(server, session, world);
    enum protocol_role needed = protocol_methods[method].role;
    if (has == PROTOCOL_ROLE_ADMIN) {
        return true;
    }
    if (has == PROTOCOL_ROLE_ANYONE) {
        dispatch_route_no_world(error, shown);
        return false;
    }
    if (is_control(method)) {
        const enum protocol_role control = access_control(server->book, world);
        needed = control > needed ? control : needed;
    }
    if (has >= needed) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_DENIED, "world",
                       "%s is for %ss of world %" PRIu32 "; you are its %s", protocol_methods[method].name,
                       role_names[needed], world, role_names[has]);
    snprintf(error->value, sizeof error->value, "%" PRIu32, world);
    return false;
}

bool dispatch_permit(const struct dispatch_server *server, const struct host_session *session,
                     enum protocol_method method, const struct host_world *world, struct world_packet *packet,
                     struct protocol_error *error)
{
    const uint32_t id = host_world_shown(world);
    struct protocol_ref shown = {.id = host_world_id(world)};
    // A world that is not to be seen is not told by its id either, where it was asked for by its name.
    if (packet && dispatch_route_names_world(method) &&
        !dispatch_route_peek_world(packet, method, &shown, error)) {
        return false;
    }
    return may(server, session, method, id, &shown, error) &&
           (!is_control(method) || dispatch_permit_control(session, world, error));
}

// A world in the trash cannot be found, but it has its owners. A view is never there.
static bool permit_restore(const struct dispatch_server *server, const struct host_session *session,
                           const struct protocol_ref *ref, struct protocol_error *error)
{
    if (may(server, session, PROTOCOL_METHOD_WORLD_RESTORE, ref->id, ref, error)) {
        return true;
    }
    if (error->code == PROTOCOL_CODE_NOT_FOUND) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world",
                           "no deleted world %" PRIu32 "; world.bin lists those that can be had back",
                           ref->id);
        snprintf(error->value, sizeof error->value, "%" PRIu32, ref->id);
    }
    return false;
}

// Whoever may see a world that is not here is told by the method where it is. Others are told at once that there is none: were the
// other parameters looked at first, what is absent would answer otherwise than what is hidden.
static bool permit_absent(const struct dispatch_server *server, const struct host_session *session,
                          const struct protocol_ref *ref, struct protocol_error *error)
{
    struct cluster *cluster = host_registry_cluster(server->registry);
    const uint32_t id = cluster ? dispatch_route_cluster_id(cluster, ref) : ref->id;
    if (dispatch_permit_role(server, session, id) != PROTOCOL_ROLE_ANYONE) {
        return true;
    }
    dispatch_route_no_world(error, ref);
    return false;
}

bool dispatch_permit_named(const struct dispatch_server *server, const struct host_session *session,
                           struct world_packet *packet, enum protocol_method method, uint32_t *id,
                           struct protocol_error *error)
{
    struct protocol_ref ref;
    *id = 0;
    if (!dispatch_route_names_world(method)) {
        return true;
    }
    if (!dispatch_route_peek_world(packet, method, &ref, error)) {
        return false;
    }
    *id = ref.id;
    if (method == PROTOCOL_METHOD_WORLD_RESTORE) {
        return permit_restore(server, session, &ref, error);
    }
    const struct host_world *world = dispatch_route_find(server->registry, method, &ref);
    if (!world) {
        return permit_absent(server, session, &ref, error);
    }
    *id = host_world_shown(world);
    const bool is_asked = host_sessions_ask(host_session_owner(session));
    return (!is_asked || dispatch_permit_use(world, session, error)) &&
           may(server, session, method, *id, &ref, error);
}

// ---------------------------------------------------------------------------------------------------------
// Batches

// The batch itself has been permitted, and counted as one.
bool dispatch_permit_edits(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, const struct world_request *request,
                           struct protocol_error *error)
{
    const struct protocol_edit_batch_params *batch =
        request->method == PROTOCOL_METHOD_EDIT_BATCH ? request->params : NULL;
    if (!batch) {
        return true;
    }
    for (uint32_t i = 0; i < batch->edits.count; i++) {
        const struct protocol_call *call = (const struct protocol_call *)batch->edits.items + i;
        if (!dispatch_permit(server, session, (enum protocol_method)call->method, world, NULL, error)) {
            return false;
        }
    }
    struct access_usage *usage = host_session_usage(session);
    if (!server->permits || !usage || batch->edits.count < 2) {
        return true;
    }
    const uint64_t rate = server->permits->quotas.rates.a_second[ACCESS_EDITS];
    return access_usage_take(usage, ACCESS_EDITS, rate, batch->edits.count - 1, base_now_ns()) ||
           limit(error, "this person makes more edits a second than it may", "person_edits", rate);
}

// ---------------------------------------------------------------------------------------------------------
// What is left to the world

void dispatch_permit_bound(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, struct world_request *request)
{
    struct protocol_error error = {0};
    struct world_bounds *bounds = &request->bounds;
    bounds->within_quota = dispatch_permit_is_bounded(server, session);
    if (request->method == PROTOCOL_METHOD_EDIT_UNDO || request->method == PROTOCOL_METHOD_EDIT_REDO) {
        bounds->no_reset =
            !dispatch_permit(server, session, PROTOCOL_METHOD_WORLD_RESET, world, NULL, &error);
    }
}
