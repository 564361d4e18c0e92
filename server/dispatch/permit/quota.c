// Bounds what a person may have in all worlds that they made, whoever adds to them.
//
//     maker ─▶ world_quota ◀── charged by each of their worlds, as its document is (world/edit/quota.c)
//
// A person's quota is made when it is asked for, with all of their worlds, and goes with the last of them.
#include "dispatch/permit/permit.h"

#include "dispatch/permit/parts.h"

#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "document/document.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dispatch_permit_maker {
    struct dispatch_permit_maker *next;
    struct world_quota *quota;
    char name[ACCESS_NAME_SIZE];
};

static const char *maker_name(const struct dispatch_server *server, const struct host_world *world)
{
    return !host_world_is_view(world) && server->book ? access_maker(server->book, host_world_id(world))
                                                      : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Who made what

// NULL, with a log line, without memory.
static struct dispatch_permit_maker *maker_create(struct dispatch_permits *permits, const char *name)
{
    struct dispatch_permit_maker *maker = calloc(1, sizeof *maker);
    if (maker) {
        maker->quota = world_quota_create(&permits->quotas.amounts);
    }
    if (!maker || !maker->quota) {
        base_log(BASE_LOG_WARN, "no memory to count what %s has", name);
        free(maker);
        return NULL;
    }
    snprintf(maker->name, sizeof maker->name, "%s", name);
    maker->next = permits->makers;
    permits->makers = maker;
    return maker;
}

static struct dispatch_permit_maker *maker_of(const struct dispatch_server *server, const char *name)
{
    struct dispatch_permit_maker *maker = server->permits->makers;
    while (maker && strcmp(maker->name, name) != 0) {
        maker = maker->next;
    }
    if (maker) {
        return maker;
    }
    maker = maker_create(server->permits, name);
    for (uint32_t i = 0; maker && i < host_registry_count(server->registry); i++) {
        struct host_world *world = host_registry_at(server->registry, i);
        const char *made_by = maker_name(server, world);
        if (!made_by || strcmp(made_by, name) != 0) {
            continue;
        }
        host_world_charge(world, maker->quota);
    }
    return maker;
}

void dispatch_permit_charge(const struct dispatch_server *server, struct host_world *world)
{
    const char *name = host_world_is_charged(world) ? NULL : maker_name(server, world);
    const struct dispatch_permit_maker *maker = name ? maker_of(server, name) : NULL;
    if (!maker) {
        return;
    }
    host_world_charge(world, maker->quota);
}

void dispatch_permit_charge_all(const struct dispatch_server *server)
{
    for (uint32_t i = 0; i < host_registry_count(server->registry); i++) {
        dispatch_permit_charge(server, host_registry_at(server->registry, i));
    }
    for (struct dispatch_permit_maker **at = &server->permits->makers; *at;) {
        struct dispatch_permit_maker *maker = *at;
        if (world_quota_is_used(maker->quota)) {
            at = &maker->next;
            continue;
        }
        *at = maker->next;
        world_quota_unref(maker->quota);
        free(maker);
    }
}

void dispatch_permit_makers_destroy(struct dispatch_permits *permits)
{
    while (permits->makers) {
        struct dispatch_permit_maker *maker = permits->makers;
        permits->makers = maker->next;
        world_quota_unref(maker->quota);
        free(maker);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Room

bool dispatch_permit_is_bounded(const struct dispatch_server *server, const struct host_session *session)
{
    return server->book && (!session || host_session_role(session) != PROTOCOL_ROLE_ADMIN);
}

bool dispatch_permit_room_for_world(const struct dispatch_server *server, const char *maker,
                                    struct protocol_error *error)
{
    const uint64_t most = server->permits->quotas.worlds;
    uint64_t count = 0;
    for (uint32_t i = 0; i < host_registry_count(server->registry); i++) {
        const char *name = maker_name(server, host_registry_at(server->registry, i));
        count += name && strcmp(name, maker) == 0;
    }
    if (most == 0 || count < most) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                       "this person has made as many worlds as it may have; world.delete ends one (limit "
                       "person_worlds = %" PRIu64 ")",
                       most);
    error->limit = (double)most;
    return false;
}

static bool has_room(const struct dispatch_server *server, const char *maker,
                     const struct world_amount *adding, struct protocol_error *error)
{
    const struct dispatch_permit_maker *of = maker_of(server, maker);
    if (of) {
        return world_quota_room(of->quota, adding, error);
    }
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory to count what this person has");
    return false;
}

static void adding_count_restored(struct world_amount *adding,
                                  const struct protocol_edit_restore_params *params)
{
    const struct protocol_document_body *bodies = params->bodies.items;
    const struct protocol_document_motion *motions = params->motions.items;
    adding->constraints += params->constraints.count;
    adding->bodies += params->bodies.count;
    for (uint32_t i = 0; i < params->bodies.count; i++) {
        adding->particles += bodies[i].positions.count / 3;
    }
    for (uint32_t i = 0; i < params->motions.count; i++) {
        adding->poses += motions[i].poses.count;
    }
}

// At least so much: what constraints a body has its world counts.
static void adding_count(struct world_amount *adding, enum protocol_method method, const void *params)
{
    const struct protocol_body_add_params *body = params;
    const struct protocol_motion_add_params *motion = params;
    if (method == PROTOCOL_METHOD_EDIT_RESTORE) {
        adding_count_restored(adding, params);
    }
    adding->constraints += method == PROTOCOL_METHOD_CONSTRAINT_ADD;
    adding->bodies += method == PROTOCOL_METHOD_BODY_ADD;
    adding->particles += method == PROTOCOL_METHOD_BODY_ADD ? body->positions.count / 3 : 0;
    adding->poses += method == PROTOCOL_METHOD_MOTION_ADD ? motion->poses.count : 0;
}

bool dispatch_permit_room(const struct dispatch_server *server, const struct host_session *session,
                          struct host_world *world, const struct world_request *request,
                          struct protocol_error *error)
{
    if (!dispatch_permit_is_bounded(server, session)) {
        return true;
    }
    dispatch_permit_charge(server, world);
    const struct protocol_edit_batch_params *batch =
        request->method == PROTOCOL_METHOD_EDIT_BATCH ? request->params : NULL;
    const char *maker = maker_name(server, world);
    struct world_amount adding = {0};
    adding_count(&adding, request->method, request->params);
    for (uint32_t i = 0; batch && i < batch->edits.count; i++) {
        const struct protocol_call *call = (const struct protocol_call *)batch->edits.items + i;
        adding_count(&adding, (enum protocol_method)call->method, call->value);
    }
    const bool adds = adding.bodies != 0 || adding.constraints != 0 || adding.poses != 0;
    return !adds || !maker || has_room(server, maker, &adding, error);
}

// A world that was asked for before others were there is counted when it is.
bool dispatch_permit_room_whole(const struct dispatch_later *later, const char *maker,
                                const struct document *document, struct protocol_error *error)
{
    const struct world_amount adding = world_amount_of(document);
    return !dispatch_permit_is_bounded(later->server, dispatch_later_session(later)) || !maker ||
           (dispatch_permit_room_for_world(later->server, maker, error) &&
            has_room(later->server, maker, &adding, error));
}
