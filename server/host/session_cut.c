// Knows why sessions are cut, and how they are told: the connection's last message is an `error` that names
// the limit.
//
// What was queued before is dropped, so that it costs nothing any more. But a session whose messages are at
// fault gets the answers to what came before. The session ends at once: it holds no grabs and has no streams
// while its peer reads the last message. If the fault is its connection's, it counts as a session whose
// connection is lost, and may be gone on with (session_away.c).
#include "host/session_internal.h"

#include "base/buffer.h"
#include "base/log.h"
#include "host/outgoing.h"
#include "net/net.h"
#include "protocol/error.h"

#include <inttypes.h>

static const struct {
    const char *name;
    const char *text, *limit; // NULL: the caller gives the text
    enum net_end end;
    uint32_t grace_ms; // time for its last message
    bool lost;         // the connection counts as broken: the session may be gone on with
} causes[HOST_CUT_COUNT] = {
    [HOST_CUT_PROTOCOL] = {"protocol", NULL, NULL, NET_END_DATA, 2000, false},
    [HOST_CUT_MESSAGE] = {"message", NULL, NULL, NET_END_TOO_LARGE, 2000, false},
    [HOST_CUT_RECEIVE_BYTES] =
        {"receive_bytes", "the unfinished messages of all connections are too much, and this one holds most",
         "receive_bytes", NET_END_TOO_LARGE, 2000, false},
    [HOST_CUT_OVERDUE] = {"overdue", "a message that began did not come in whole in time", "message_ms",
                          NET_END_POLICY, 2000, true},
    [HOST_CUT_SILENT] = {"silent", "no message came since the connection was made", "first_message_ms",
                         NET_END_POLICY, 2000, false},
    [HOST_CUT_PLACE] = {"place", "the place of this session, which did nothing for longest, is needed",
                        "sessions", NET_END_POLICY, 0, true},
    [HOST_CUT_NOTIFICATIONS] = {"notifications", "this session does not read its notifications",
                                "notification_bytes", NET_END_POLICY, 2000, true},
    [HOST_CUT_FRAMES] =
        {"frames",
         "this session does not read its frames, and holds the oldest of a world whose room for them "
         "is used up",
         "frame_bytes", NET_END_POLICY, 100, true},
    [HOST_CUT_MEMORY] = {"memory", NULL, NULL, NET_END_FAILURE, 2000, false},
    [HOST_CUT_HELLO] = {"hello", "this server asks for a token, and none that is good was shown in time",
                        "hello_ms", NET_END_POLICY, 1000, false},
    [HOST_CUT_ACCESS] = {"access", NULL, NULL, NET_END_POLICY, 1000, false},
};

const char *host_cut_name(enum host_cut cause)
{
    return causes[cause].name;
}

const char *host_refusal_name(enum host_refusal why)
{
    static const char *const names[] = {[HOST_REFUSED_FULL] = "full", [HOST_REFUSED_ADDRESS] = "address"};
    return names[why];
}

static uint64_t limit_of(const struct host_sessions *sessions, enum host_cut cause)
{
    switch (cause) {
    case HOST_CUT_RECEIVE_BYTES:
        return sessions->limits.receive_bytes;
    case HOST_CUT_OVERDUE:
        return sessions->limits.message_ms > 0 ? sessions->limits.message_ms : PROTOCOL_LIMIT_MESSAGE_MS;
    case HOST_CUT_SILENT:
        return sessions->options.first_message_ms;
    case HOST_CUT_PLACE:
        return sessions->most;
    case HOST_CUT_HELLO:
        return PROTOCOL_LIMIT_HELLO_MS;
    case HOST_CUT_NOTIFICATIONS:
        return PROTOCOL_LIMIT_NOTIFICATION_BYTES;
    default:
        return PROTOCOL_LIMIT_FRAME_BYTES;
    }
}

static void limit_error(struct protocol_error *error, const char *text, const char *limit, uint64_t value)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL, "%s (limit %s = %" PRIu64 ")", text, limit, value);
    error->limit = (double)value;
}

void host_session_cut_for(struct host_session *session, enum host_cut cause,
                          const struct protocol_error *error)
{
    if (!session->connection) { // nobody hears it, so it is not kept either
        if (session->away_ns != 0 && !causes[cause].lost) {
            host_session_end(session);
        }
        return;
    }
    base_log(BASE_LOG_INFO, "session %" PRIu32 " is cut (%s): %s", session->id, causes[cause].name,
             error->text);
    session->sessions->stats.cut[cause]++;
    struct net_conn *conn = session->connection->conn;
    const struct world_asker asker = host_session_asker(session);
    struct base_buffer *words = host_outgoing_error(&asker, error, "", 0);
    if (cause == HOST_CUT_PROTOCOL || cause == HOST_CUT_MESSAGE) {
        if (words) {
            net_conn_send(conn, words);
        }
        net_conn_finish(conn, causes[cause].end, error->text);
    } else {
        net_conn_dismiss(conn, causes[cause].end, error->text, words, causes[cause].grace_ms);
    }
    base_buffer_unref(words);
    if (causes[cause].lost) {
        host_session_lose(session);
    } else {
        host_session_end(session);
    }
}

void host_session_cut(struct host_session *session, enum host_cut cause)
{
    struct protocol_error error;
    limit_error(&error, causes[cause].text, causes[cause].limit, limit_of(session->sessions, cause));
    host_session_cut_for(session, cause, &error);
}

void host_session_fail(struct host_session *session, const char *what)
{
    struct protocol_error error;
    protocol_error_set(&error, PROTOCOL_CODE_MEMORY, NULL, "there is no memory for %s; the connection ends",
                       what);
    host_session_cut_for(session, HOST_CUT_MEMORY, &error);
}

void host_session_refuse(struct host_session *session, const struct protocol_error *error)
{
    host_session_cut_for(session, error->code == PROTOCOL_CODE_LIMIT ? HOST_CUT_MESSAGE : HOST_CUT_PROTOCOL,
                         error);
}

struct base_buffer *host_refusal_words(const struct host_sessions *sessions, enum host_refusal why)
{
    const struct world_asker nobody = {.errors = PROTOCOL_ERRORS_ARRAY};
    struct protocol_error error;
    if (why == HOST_REFUSED_FULL) {
        limit_error(&error, "as many sessions are open as this server takes", "sessions", sessions->most);
    } else {
        limit_error(&error, "as many sessions are open from this address as this server takes",
                    "sessions_per_address", sessions->options.per_address);
    }
    return host_outgoing_error(&nobody, &error, "", 0);
}

// ---------------------------------------------------------------------------------------------------------
// Ends without a cause

void host_connection_leave(struct host_connection *connection, const char *reason)
{
    if (!connection->session) {
        return;
    }
    base_log(BASE_LOG_DEBUG, "session %" PRIu32 " ends: %s", connection->session->id, reason);
    host_session_lose(connection->session);
}

void host_session_leave(struct host_session *session)
{
    host_session_keep_no_more(session);
    if (session->connection) {
        host_connection_finish(session->connection, NET_END_NORMAL, "it left");
    }
}

void host_connection_finish(struct host_connection *connection, enum net_end end, const char *reason)
{
    net_conn_finish(connection->conn, end, reason);
    host_connection_leave(connection, reason);
}

void host_connection_drop(struct host_connection *connection, enum net_end end, const char *reason)
{
    net_conn_cut(connection->conn, end, reason);
    host_connection_leave(connection, reason);
}

void host_session_break(struct host_session *session, const char *reason)
{
    if (session->connection) {
        host_connection_finish(session->connection, NET_END_AWAY, reason);
    }
}
