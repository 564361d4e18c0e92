// Lets a session go on with another connection.
//
//     connection ── session.hello {resume} ──▶ the session that has this key ◀──▶ its old connection, if it still hangs
//     a session of its own, which ends                                            closed
//
// Then these are sent in this order: the answer to that hello, the answers that were missed, the notices that
// were missed, all else.
#include "host/session_internal.h"

#include "base/buffer.h"
#include "base/log.h"
#include "host/outgoing.h"
#include "host/world_internal.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Compares in a time that does not depend on where the bytes differ.
static bool same_bytes(const char *one, const char *other, size_t size)
{
    uint8_t differ = 0;
    for (size_t i = 0; i < size; i++) {
        differ |= (uint8_t)(one[i] ^ other[i]);
    }
    return differ == 0;
}

struct host_session *host_session_of_key(const struct host_sessions *sessions,
                                         const struct protocol_string *key)
{
    uint32_t id = 0;
    for (uint32_t i = 0; i < key->size && i < 10 && key->data[i] >= '0' && key->data[i] <= '9'; i++) {
        id = 10 * id + (uint32_t)(key->data[i] - '0');
    }
    struct host_session *session = host_session_find(sessions, id);
    if (!session || !session->keeps || key->size != strlen(session->key) ||
        !same_bytes(session->key, key->data, key->size)) {
        return NULL;
    }
    return session;
}

bool host_session_may_resume(const struct host_session *session, const struct host_session *fresh)
{
    const struct access_person *one = host_session_person(session), *other = host_session_person(fresh);
    if (!one || !other) { // no token vouches for a person, so having the key is enough
        return one == other;
    }
    return one->token == other->token;
}

// Whether nothing but this hello was asked of it.
bool host_session_is_fresh(const struct host_session *session)
{
    return session->unanswered == 0 && session->membership_count == 0 && session->stream_count == 0 &&
           !session->upload;
}

void host_session_resume(struct host_session *session, struct host_session *fresh)
{
    struct host_connection *connection = fresh->connection;
    struct host_connection *old = session->connection;
    if (old) {
        old->session = NULL;
        session->connection = NULL;
        net_conn_cut(old->conn, NET_END_NORMAL, "its session goes on with another connection");
    }
    host_session_end_streams(session);
    fresh->connection = NULL;
    connection->session = session;
    session->connection = connection;
    session->visit++;
    session->origin = fresh->origin;
    session->loopback = fresh->loopback;
    session->away_ns = 0;
    session->sessions->stats.resumed++;
    host_session_end(fresh);
    host_session_seen_away(session, false);
    if (session->sessions->options.on_away) {
        session->sessions->options.on_away(session->sessions->options.context, session->id, false);
    }
    base_log(BASE_LOG_DEBUG, "session %" PRIu32 " goes on", session->id);
}

// ---------------------------------------------------------------------------------------------------------
// What was missed

uint32_t host_session_lost(const struct host_session *session, const uint32_t *msgids, uint32_t count,
                           uint32_t *lost)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct host_kept_request *request;
        const enum host_kept_state state = host_kept_look(&session->kept, msgids[i], &request);
        if (state == HOST_KEPT_LOST || state == HOST_KEPT_AGAIN) {
            lost[found++] = msgids[i];
        }
    }
    return found;
}

static void answer_again(struct host_session *session, uint32_t msgid)
{
    const struct host_kept_request *request;
    struct base_buffer *bytes = NULL;
    switch (host_kept_look(&session->kept, msgid, &request)) {
    case HOST_KEPT_ANSWERED:
        bytes = base_buffer_create(request->size, NULL);
        if (bytes) {
            memcpy(bytes->data, request->bytes, request->size);
        }
        break;
    case HOST_KEPT_FORGOTTEN: {
        const struct world_asker asker = host_session_asker(session);
        struct protocol_error error = {0};
        protocol_error_set(&error, PROTOCOL_CODE_LIMIT, NULL,
                           "request %" PRIu32
                           " came and was answered before the connection was lost; the answer is "
                           "not kept any more (limit kept_answer_bytes = %" PRIu64 ")",
                           msgid, (uint64_t)PROTOCOL_LIMIT_KEPT_ANSWER_BYTES);
        error.limit = (double)PROTOCOL_LIMIT_KEPT_ANSWER_BYTES;
        bytes = host_outgoing_failure(&asker, msgid, &error);
        break;
    }
    default:
        return;
    }
    host_session_reply(session, bytes);
    base_buffer_unref(bytes);
}

static void tell_again(void *context, struct base_buffer *bytes)
{
    host_session_notify(context, bytes);
}

static bool misses(const struct host_session *session, uint32_t world, uint64_t revision)
{
    const struct host_world *at = host_registry_find_any(session->sessions->options.registry, world);
    return !at || !host_session_member(session, world) ||
           (host_notices_begun(&at->notices) && revision < at->notices.least);
}

void host_session_catch_up(struct host_session *session, const struct host_missed *missed)
{
    for (uint32_t i = 0; i < missed->unanswered_count; i++) {
        answer_again(session, missed->unanswered[i]);
    }
    for (uint32_t i = 0; i < session->membership_count; i++) {
        struct host_membership *membership = &session->memberships[i];
        const struct host_world *world =
            host_registry_find_any(session->sessions->options.registry, membership->world);
        const struct host_seen *seen = NULL;
        for (uint32_t n = 0; n < missed->seen_count; n++) {
            if (missed->seen[n].world == membership->world) {
                seen = &missed->seen[n];
            }
        }
        membership->presence = 0;
        if (!membership->joined || !world) {
            continue;
        }
        // It is a member again when world.join is answered. Until then it is told to join each time, because
        // the connection may be lost again before it hears that.
        if (!seen || !host_notices_since(&world->notices, seen->revision, membership->told,
                                         membership->arrays, tell_again, session)) {
            membership->joined = false;
            membership->rejoins = true;
        }
    }
    host_session_settle(session);
}

uint32_t host_session_rejoins(const struct host_session *session, const struct host_missed *missed,
                              uint32_t *worlds)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < missed->seen_count; i++) {
        if (misses(session, missed->seen[i].world, missed->seen[i].revision)) {
            worlds[count++] = missed->seen[i].world;
        }
    }
    for (uint32_t i = 0; i < session->membership_count; i++) {
        bool seen = !session->memberships[i].joined && !session->memberships[i].rejoins;
        for (uint32_t n = 0; n < missed->seen_count && !seen; n++) {
            seen = missed->seen[n].world == session->memberships[i].world;
        }
        if (!seen) {
            worlds[count++] = session->memberships[i].world;
        }
    }
    return count;
}
