// Handles what vouches for a session: the token that it has shown. If no tokens are asked for, nothing
// vouches, and each session may do everything.
#include "host/badge.h"

#include "base/clock.h"
#include "host/session_internal.h"
#include "host/world_internal.h"
#include "protocol/error.h"

#include <string.h>

bool host_sessions_ask(const struct host_sessions *sessions)
{
    return sessions->options.access != NULL;
}

bool host_session_known(const struct host_session *session)
{
    return !session->sessions->options.access || session->badge.person.token != 0;
}

const struct access_person *host_session_person(const struct host_session *session)
{
    return session->badge.person.token != 0 ? &session->badge.person : NULL;
}

enum protocol_role host_session_role(const struct host_session *session)
{
    return !session->sessions->options.access ? PROTOCOL_ROLE_ADMIN : session->badge.person.role;
}

const char *host_person_key(const struct host_session *session)
{
    return host_session_known(session) ? session->person.name : "";
}

struct access_usage *host_session_usage(const struct host_session *session)
{
    return session->badge.usage;
}

bool host_session_vouch(struct host_session *session, const struct access_person *person)
{
    struct access *access = session->sessions->options.access;
    struct access_usage *usage = access_usage_get(access, person->name, base_now_ns());
    if (!usage) {
        return false;
    }
    access_usage_unref(session->badge.usage);
    session->badge = (struct host_badge){.person = *person, .usage = usage};
    _Static_assert(sizeof session->person.name == sizeof person->name, "a person has one name");
    memcpy(session->person.name, person->name, sizeof person->name);
    if (session->connection) {
        net_conn_trust(session->connection->conn);
    }
    return true;
}

uint64_t host_session_origin(const struct host_session *session)
{
    bool loopback;
    return !session->connection ? 0 : net_conn_origin(session->connection->conn, &loopback);
}

struct host_sharer host_session_sharer(const struct host_session *session)
{
    struct host_sharer sharer = {.is_bounded = true};
    if (host_sessions_ask(session->sessions)) {
        memcpy(sharer.name, session->badge.person.name, sizeof sharer.name);
    } else {
        sharer.is_bounded = !session->loopback || session->sessions->options.loopback_too;
        sharer.origin = session->origin;
    }
    return sharer;
}

bool host_sharer_same(const struct host_sharer *a, const struct host_sharer *b)
{
    return a->origin == b->origin && strcmp(a->name, b->name) == 0;
}

bool host_session_visits(const struct host_session *session, uint32_t world)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        const uint32_t id = session->memberships[i].world;
        const struct host_world *of = host_registry_find_any(session->sessions->options.registry, id);
        if (id == world || (of && of->view.of == world)) {
            return true;
        }
    }
    return false;
}

void host_session_expel(struct host_session *session, const char *text)
{
    struct protocol_error error;
    protocol_error_set(&error, PROTOCOL_CODE_DENIED, "token", "%s", text);
    host_audit(session, "cut", &(struct host_deed){.outcome = "DENIED", .detail = text});
    host_session_cut_for(session, HOST_CUT_ACCESS, &error);
}

void host_session_dismiss(struct host_session *session, const char *reason)
{
    if (session->connection) {
        host_connection_finish(session->connection, NET_END_POLICY, reason);
    }
}

void host_sessions_each(struct host_sessions *sessions,
                        void (*visit)(void *context, struct host_session *session), void *context)
{
    host_sessions_enter(sessions);
    for (uint32_t left = sessions->count; left > 0; left--) {
        if (left <= sessions->count) {
            visit(context, sessions->items[left - 1]);
        }
    }
    host_sessions_leave(sessions);
}
