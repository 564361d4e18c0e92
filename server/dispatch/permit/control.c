// world.control: one session holds the right to play, pause, step and reset a world.
#include "dispatch/permit/permit.h"

#include "dispatch/permit/parts.h"

#include "base/buffer.h"
#include "dispatch/call.h"
#include "host/badge.h"
#include "host/outgoing.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/message.h"

#include <inttypes.h>
#include <stdio.h>

// Name of a session; empty: none.
static void name_of(const struct host_sessions *sessions, uint32_t id, char out[65])
{
    const struct host_session *session = id != 0 ? host_session_find(sessions, id) : NULL;
    const struct world_asker asker = session ? host_session_asker(session) : (struct world_asker){0};
    snprintf(out, 65, "%s", asker.user);
}

bool dispatch_permit_control(const struct host_session *session, const struct host_world *world,
                             struct protocol_error *error)
{
    char name[65];
    if (host_world_control(world) == 0 || host_world_control(world) == host_session_asker(session).session) {
        return true;
    }
    name_of(host_session_owner(session), host_world_control(world), name);
    protocol_error_set(error, PROTOCOL_CODE_DENIED, "world",
                       "%s (session %" PRIu32 ") holds control of world %" PRIu32
                       "; world.control {action: ask}",
                       name, host_world_control(world), host_world_id(world));
    snprintf(error->value, sizeof error->value, "%" PRIu32, host_world_id(world));
    error->names_user = true;
    snprintf(error->user, sizeof error->user, "%s", name);
    return false;
}

static void notify(struct host_sessions *sessions, struct host_world *world, uint32_t asking)
{
    char user[65], asking_user[65];
    name_of(sessions, host_world_control(world), user);
    name_of(sessions, asking, asking_user);
    struct protocol_world_controlled_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = host_world_id(world),
        .session = host_world_control(world),
        .user = protocol_text(user),
        .asking = asking,
        .asking_user = protocol_text(asking_user),
    };
    if (asking == 0) {
        notice.has &=
            ~(PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_ASKING | PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_ASKING_USER);
    }
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "world.controlled");
    protocol_encode(&protocol_world_controlled_notice_type, &notice, PROTOCOL_ARRAYS_PLAIN, &out.packer);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    struct base_buffer *const modes[3] = {bytes, NULL, NULL};
    host_world_tell_control(world);
    if (asking == 0) { // who asks is of the moment, and would push out what is kept
        host_sessions_keep_notice(sessions, world, 0, modes, !bytes);
    }
    host_sessions_notice(sessions, host_world_id(world), modes, !bytes);
    base_buffer_unref(bytes);
}

void dispatch_permit_control_tell(struct dispatch_server *server, struct host_sessions *sessions)
{
    for (uint32_t i = 0; i < host_registry_count(server->registry); i++) {
        struct host_world *world = host_registry_at(server->registry, i);
        if (!host_world_control_is_told(world)) {
            notify(sessions, world, 0);
        }
    }
}

void dispatch_permit_control_release(const struct dispatch_server *server, uint32_t session)
{
    for (uint32_t i = 0; i < host_registry_count(server->registry); i++) {
        struct host_world *world = host_registry_at(server->registry, i);
        if (host_world_control(world) == session) {
            host_world_set_control(world, 0);
        }
    }
}

// Whether the action may be taken, and who holds control after it.
static bool act(const struct dispatch_call *call, const struct host_world *world, uint32_t me,
                uint32_t *holder)
{
    const struct protocol_world_control_params *params = call->params;
    const bool given = (params->has & PROTOCOL_HAS_WORLD_CONTROL_PARAMS_TO) != 0;
    const struct access *book = call->server->book;
    // Without tokens everybody may do everything, so nobody takes control from another.
    const enum protocol_role role =
        book ? dispatch_permit_role(call->server, call->session, host_world_id(world)) : PROTOCOL_ROLE_EDITOR;
    const enum protocol_role needed =
        book ? access_control(book, host_world_id(world)) : PROTOCOL_ROLE_EDITOR;
    const struct host_session *to;
    *holder = host_world_control(world);
    switch (params->action) {
    case PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_TAKE:
        if (role < needed) {
            break;
        }
        if (host_world_control(world) != 0 && host_world_control(world) != me && role < PROTOCOL_ROLE_OWNER) {
            return dispatch_permit_control(call->session, world, call->error);
        }
        *holder = me;
        return true;
    case PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_RELEASE:
        if (host_world_control(world) == me || role >= PROTOCOL_ROLE_OWNER) {
            *holder = 0;
        }
        return host_world_control(world) == 0 || *holder == 0 ||
               dispatch_permit_control(call->session, world, call->error);
    case PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_GIVE:
        to = given ? host_session_find(host_session_owner(call->session), params->to) : NULL;
        if (!to || !host_session_visits(to, host_world_id(world)) ||
            dispatch_permit_role(call->server, to, host_world_id(world)) < needed) {
            protocol_error_set(call->error, PROTOCOL_CODE_NOT_FOUND, "to",
                               "to: no session in this world that may have control");
            return false;
        }
        if (host_world_control(world) != me && role < PROTOCOL_ROLE_OWNER) {
            protocol_error_set(call->error, PROTOCOL_CODE_DENIED, "action",
                               "action: give is for the session that holds control");
            return false;
        }
        *holder = params->to;
        return true;
    default:
        return true;
    }
    protocol_error_set(call->error, PROTOCOL_CODE_DENIED, "action",
                       "action: take is for those that may play this world");
    return false;
}

bool dispatch_world_control(struct dispatch_call *call)
{
    const struct protocol_world_control_params *params = call->params;
    struct host_sessions *sessions = host_session_owner(call->session);
    struct host_world *world = host_registry_find(call->server->registry, &params->world);
    const uint32_t me = host_session_asker(call->session).session;
    uint32_t holder;
    char name[65];
    if (!world || host_world_is_view(world)) {
        dispatch_permit_missing(call->server, call->session, &params->world, call->error);
        return false;
    }
    if (!act(call, world, me, &holder)) {
        return false;
    }
    const bool asks = params->action == PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_ASK;
    const bool changed = host_world_control(world) != holder;
    host_world_set_control(world, holder);
    if (changed || asks) {
        notify(sessions, world, asks ? me : 0);
    }
    name_of(sessions, holder, name);
    protocol_encode(&protocol_world_control_result_type,
                    &(struct protocol_world_control_result){
                        .has = PROTOCOL_HAS_ALL, .session = holder, .user = protocol_text(name)},
                    PROTOCOL_ARRAYS_PLAIN, call->packer);
    return true;
}
