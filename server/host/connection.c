// Handles what connections say, and how they end.
#include "host/connection.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "host/session_internal.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdlib.h>

enum { END_GRACE_MS = 5000 };

// ---------------------------------------------------------------------------------------------------------
// Life

// Refuses a connection. Always returns NULL.
static void *refuse(struct host_sessions *sessions, struct net_conn *conn, enum host_refusal why)
{
    base_log(BASE_LOG_WARN, "a connection is refused: %s",
             why == HOST_REFUSED_FULL ? "all sessions are at work" : "its address has as many as it may");
    sessions->stats.refused[why]++;
    char peer[80];
    net_conn_peer(conn, peer, sizeof peer);
    access_audit(sessions->options.audit,
                 &(struct access_event){.what = "connect", .outcome = "LIMIT", .address = peer});
    struct base_buffer *words = host_refusal_words(sessions, why);
    if (words) {
        net_conn_tell(conn, words);
    }
    base_buffer_unref(words);
    return NULL;
}

static void link_first(struct host_connection *connection)
{
    struct host_sessions *sessions = connection->sessions;
    connection->next = sessions->connections;
    if (connection->next) {
        connection->next->previous = connection;
    }
    sessions->connections = connection;
    sessions->connection_count++;
}

static void unlink_from_all(struct host_connection *connection)
{
    struct host_sessions *sessions = connection->sessions;
    if (connection->previous) {
        connection->previous->next = connection->next;
    } else {
        sessions->connections = connection->next;
    }
    if (connection->next) {
        connection->next->previous = connection->previous;
    }
    sessions->connection_count--;
    sessions->cleared -= connection->cleared;
}

void *host_connection_accept(void *context, struct net_conn *conn)
{
    struct host_sessions *sessions = context;
    if (sessions->stopping || sessions->last_id == UINT32_MAX) {
        return NULL;
    }
    if (!host_connections_room_for(sessions, conn)) {
        return refuse(sessions, conn, HOST_REFUSED_ADDRESS);
    }
    host_sessions_enter(sessions);
    const bool room = host_connections_room(sessions);
    host_sessions_leave(sessions);
    if (!room) {
        return refuse(sessions, conn, HOST_REFUSED_FULL);
    }
    struct host_connection *connection = calloc(1, sizeof *connection);
    struct host_session *session = !connection ? NULL : host_session_create(sessions);
    if (!session) {
        base_log(BASE_LOG_WARN, "no memory for another session");
        free(connection);
        return NULL;
    }
    connection->sessions = sessions;
    connection->conn = conn;
    connection->said_ns = connection->since_ns = base_now_ns();
    connection->session = session;
    session->connection = connection;
    session->origin = net_conn_origin(conn, &session->loopback);
    link_first(connection);
    net_conn_drain_mark(conn, PROTOCOL_LIMIT_REPLY_BYTES / 2);
    host_audit(session, "connect", &(struct host_deed){.outcome = "ok"});
    if (base_log_on(BASE_LOG_DEBUG)) {
        char peer[80];
        net_conn_peer(conn, peer, sizeof peer);
        base_log(BASE_LOG_DEBUG, "session %" PRIu32 " from %s", session->id, peer);
    }
    return connection;
}

static void on_closed(void *context, struct net_conn *conn, const char *reason)
{
    (void)conn;
    struct host_connection *connection = context;
    struct host_sessions *sessions = connection->sessions;
    host_sessions_enter(sessions);
    net_timer_stop(connection->end_grace);
    host_connection_leave(connection, reason);
    unlink_from_all(connection);
    free(connection);
    bool empty = sessions->stopping && sessions->connection_count == 0;
    host_sessions_leave(sessions);
    if (empty) {
        sessions->options.on_empty(sessions->options.context);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static void on_message(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    (void)conn;
    struct host_connection *connection = context;
    struct host_sessions *sessions = connection->sessions;
    if (!connection->session) {
        free(bytes);
        return;
    }
    connection->spoke = true;
    connection->said_ns = base_now_ns();
    host_sessions_enter(sessions);
    sessions->options.on_message(sessions->options.message_context, connection->session, bytes, size);
    host_sessions_leave(sessions);
}

static void limit_error(struct protocol_error *error, const char *what, const char *limit, uint64_t value)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL, "%s (limit %s = %" PRIu64 ")", what, limit, value);
    error->limit = (double)value;
}

static void on_bad_stream(void *context, struct net_conn *conn, enum protocol_scan_status status)
{
    (void)conn;
    const struct host_connection *connection = context;
    struct host_sessions *sessions = connection->sessions;
    const struct protocol_scan_limits *limits = &sessions->limits.message;
    struct protocol_error error;
    switch (status) {
    case PROTOCOL_SCAN_TOO_LARGE:
        if (connection->session && !host_session_known(connection->session)) {
            limit_error(&error, "a message is larger than this server takes before it was shown a token",
                        "hello_bytes", PROTOCOL_LIMIT_HELLO_BYTES);
        } else {
            limit_error(&error, "a message is larger than this server takes", "message_bytes", limits->bytes);
        }
        break;
    case PROTOCOL_SCAN_TOO_DEEP:
        limit_error(&error, "a message is nested deeper than this server takes", "message_depth",
                    limits->depth);
        break;
    case PROTOCOL_SCAN_TOO_WIDE:
        limit_error(&error, "a message has more values than this server takes", "message_nodes",
                    limits->nodes);
        break;
    case PROTOCOL_SCAN_BAD:
        protocol_error_set(&error, PROTOCOL_CODE_PROTOCOL, NULL,
                           "the bytes are not MessagePack: 0xc1 begins no value");
        break;
    case PROTOCOL_SCAN_MORE:
        protocol_error_set(&error, PROTOCOL_CODE_PROTOCOL, NULL,
                           "a WebSocket message holds one whole message, this one ends before that does");
        break;
    case PROTOCOL_SCAN_DONE:
        protocol_error_set(&error, PROTOCOL_CODE_PROTOCOL, NULL,
                           "a WebSocket message holds one message, this one has bytes behind it");
        break;
    }
    host_sessions_enter(sessions);
    if (connection->session) {
        host_session_refuse(connection->session, &error);
    }
    host_sessions_leave(sessions);
}

static void on_overfull(void *context, struct net_conn *conn)
{
    (void)conn;
    const struct host_connection *connection = context;
    host_sessions_enter(connection->sessions);
    if (connection->session) {
        host_session_cut(connection->session, HOST_CUT_RECEIVE_BYTES);
    }
    host_sessions_leave(connection->sessions);
}

// Always says that there is room: host_connection_accept decides it, because it knows all connections.
static bool on_full(void *context, struct net_conn *conn)
{
    (void)context;
    (void)conn;
    return true;
}

static void on_end_grace_over(void *context)
{
    struct host_connection *connection = context;
    struct host_sessions *sessions = connection->sessions;
    host_sessions_enter(sessions);
    if (connection->session) {
        host_connection_finish(connection, NET_END_NORMAL, "the peer left before its answers");
    }
    host_sessions_leave(sessions);
}

// The peer gets what it asked for. But a peer that is gone altogether looks the same, so it gets only so much
// time.
static void on_end(void *context, struct net_conn *conn)
{
    (void)conn;
    struct host_connection *connection = context;
    struct host_sessions *sessions = connection->sessions;
    host_sessions_enter(sessions);
    connection->ended = true;
    connection->end_grace =
        net_timer_start(sessions->options.loop, END_GRACE_MS, 0, on_end_grace_over, connection);
    if (!connection->end_grace) {
        on_end_grace_over(connection);
    }
    if (connection->session) {
        host_session_settle(connection->session);
    }
    host_sessions_leave(sessions);
}

static void on_drained(void *context, struct net_conn *conn)
{
    (void)conn;
    const struct host_connection *connection = context;
    struct host_session *session = connection->session;
    if (!session) {
        return;
    }
    host_sessions_enter(connection->sessions);
    host_session_settle(session);
    if (session->unanswered > 0) {
        host_session_nudge_worlds(session);
    }
    const struct host_sessions_options *options = &connection->sessions->options;
    if (options->on_drained) {
        options->on_drained(options->context, session);
    }
    host_sessions_leave(connection->sessions);
}

static void on_lagged(void *context, struct net_conn *conn, uint32_t stream, uint64_t dropped_total,
                      bool blocked)
{
    (void)conn;
    const struct host_connection *connection = context;
    host_sessions_enter(connection->sessions);
    if (connection->session) {
        host_session_lagged(connection->session, stream, dropped_total, blocked);
    }
    host_sessions_leave(connection->sessions);
}

static void on_moving(void *context, struct net_conn *conn, uint32_t stream)
{
    (void)conn;
    const struct host_connection *connection = context;
    host_sessions_enter(connection->sessions);
    if (connection->session) {
        host_session_moving(connection->session, stream);
    }
    host_sessions_leave(connection->sessions);
}

static void on_behind(void *context, struct net_conn *conn, uint32_t stream)
{
    (void)conn;
    const struct host_connection *connection = context;
    if (connection->session) {
        host_session_behind(connection->session, stream);
    }
}

const struct net_conn_handler host_connection_handler = {
    .on_message = on_message,
    .on_bad_stream = on_bad_stream,
    .on_overfull = on_overfull,
    .on_full = on_full,
    .on_end = on_end,
    .on_closed = on_closed,
    .on_drained = on_drained,
    .on_lagged = on_lagged,
    .on_moving = on_moving,
    .on_behind = on_behind,
};
