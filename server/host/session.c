// Life of sessions, in an array by ascending id (ids only grow, so a new one goes to the end).
//
//     accept ─▶ messages … ─▶ closed: out of the array at once ─▶ freed when the outermost callback returns
//
// so that code that holds a pointer may go on; everything that sends looks at `conn` first.
//
// Stopping: no more is accepted; each session is closed when nothing it asked is unanswered, or when the
// grace is over.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/log.h"
#include "net/net.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_GRACE_MS = 5000 };

// ---------------------------------------------------------------------------------------------------------
// What connections say

static void *on_accept(void *context, struct net_conn *conn)
{
    struct host_sessions *sessions = context;
    if (sessions->stopping || sessions->count >= sessions->most || sessions->last_id == UINT32_MAX)
        return NULL;
    struct host_session *session = calloc(1, sizeof *session);
    if (session == NULL || !host_session_put(sessions, session)) {
        base_log(BASE_LOG_WARN, "no memory for another session");
        free(session);
        return NULL;
    }
    session->sessions = sessions;
    session->conn = conn;
    session->asker.session = ++sessions->last_id;
    session->asker.arrays = PROTOCOL_ARRAYS_EXT;
    session->asker.errors = PROTOCOL_ERRORS_ARRAY;
    snprintf(session->asker.user, sizeof session->asker.user, "session-%" PRIu32, session->asker.session);
    net_conn_drain_mark(conn, PROTOCOL_LIMIT_REPLY_BYTES / 2);
    if (base_log_on(BASE_LOG_DEBUG)) {
        char peer[80];
        net_conn_peer(conn, peer, sizeof peer);
        base_log(BASE_LOG_DEBUG, "session %" PRIu32 " from %s", session->asker.session, peer);
    }
    return session;
}

static void on_message(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    (void)conn;
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    if (session->finishing) {
        free(bytes);
        return;
    }
    host_sessions_enter(sessions);
    sessions->options.on_message(sessions->options.context, session, bytes, size);
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
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    const struct protocol_scan_limits *limits = &sessions->message_limits;
    struct protocol_error error;
    switch (status) {
    case PROTOCOL_SCAN_TOO_LARGE:
        limit_error(&error, "a message, or all unfinished ones together, are larger than this server takes",
                    "message_bytes", limits->bytes);
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
    host_session_refuse(session, &error);
    host_sessions_leave(sessions);
}

static void on_end_grace_over(void *context)
{
    struct host_session *session = context;
    if (!session->finishing) {
        session->finishing = true;
        net_conn_finish(session->conn, NET_END_NORMAL, "the peer left before its answers");
    }
}

// It gets what it asked for, but a peer that is gone altogether looks the same: so not for ever.
static void on_end(void *context, struct net_conn *conn)
{
    (void)conn;
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    host_sessions_enter(sessions);
    session->ended = true;
    session->end_grace = net_timer_start(sessions->options.loop, END_GRACE_MS, 0, on_end_grace_over, session);
    if (session->end_grace == NULL)
        on_end_grace_over(session);
    host_session_settle(session);
    host_sessions_leave(sessions);
}

static void on_closed(void *context, struct net_conn *conn, const char *reason)
{
    (void)conn;
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    host_sessions_enter(sessions);
    net_timer_stop(session->end_grace);
    session->end_grace = NULL;
    base_log(BASE_LOG_DEBUG, "session %" PRIu32 " closed: %s", session->asker.session, reason);
    session->conn = NULL;
    session->finishing = true;
    host_session_take_out(session);
    host_session_leave_worlds(session);
    bool empty = sessions->stopping && sessions->count == 0;
    host_sessions_leave(sessions);
    if (empty)
        sessions->options.on_empty(sessions->options.context);
}

static void on_drained(void *context, struct net_conn *conn)
{
    (void)conn;
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    host_sessions_enter(sessions);
    host_session_settle(session);
    host_sessions_leave(sessions);
}

static void on_lagged(void *context, struct net_conn *conn, uint32_t stream, uint64_t dropped_total)
{
    (void)conn;
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    host_sessions_enter(sessions);
    host_session_lagged(session, stream, dropped_total);
    host_sessions_leave(sessions);
}

// ---------------------------------------------------------------------------------------------------------
// All of them

struct host_sessions *host_sessions_create(const struct host_sessions_options *options)
{
    struct host_sessions *sessions = calloc(1, sizeof *sessions);
    if (sessions == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for sessions");
        return NULL;
    }
    sessions->options = *options;
    return sessions;
}

void host_sessions_destroy(struct host_sessions *sessions)
{
    if (sessions == NULL)
        return;
    BASE_ASSERT(sessions->count == 0 && sessions->gone == NULL);
    net_timer_stop(sessions->grace);
    net_timer_stop(sessions->lag);
    free(sessions->items);
    free(sessions);
}

static const struct net_conn_handler handler = {
    .on_message = on_message,
    .on_bad_stream = on_bad_stream,
    .on_end = on_end,
    .on_closed = on_closed,
    .on_drained = on_drained,
    .on_lagged = on_lagged,
};

static bool listening(struct net_listener *listener, char *bound, size_t bound_size)
{
    if (listener == NULL)
        return false;
    net_listener_address(listener, bound, bound_size);
    return true;
}

bool host_sessions_listen(struct host_sessions *sessions, const char *address,
                          const struct net_limits *limits, char *bound, size_t bound_size,
                          const char **reason)
{
    sessions->message_limits = limits->message;
    sessions->most = limits->connections;
    sessions->listeners[0] =
        net_listen(sessions->options.loop, address, limits, on_accept, &handler, sessions, reason);
    return listening(sessions->listeners[0], bound, bound_size);
}

bool host_sessions_listen_http(struct host_sessions *sessions, const char *address,
                               const struct net_limits *limits, const struct net_http_options *http,
                               char *bound, size_t bound_size, const char **reason)
{
    sessions->listeners[1] =
        net_listen_http(sessions->options.loop, address, limits, http, on_accept, &handler, sessions, reason);
    return listening(sessions->listeners[1], bound, bound_size);
}

static void on_grace_over(void *context)
{
    struct host_sessions *sessions = context;
    net_timer_stop(sessions->grace);
    sessions->grace = NULL;
    host_sessions_enter(sessions);
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        if (session->finishing)
            continue;
        session->finishing = true;
        net_conn_finish(session->conn, NET_END_AWAY, "the server goes down");
    }
    host_sessions_leave(sessions);
}

void host_sessions_stop(struct host_sessions *sessions, uint64_t grace_ms)
{
    sessions->stopping = true;
    for (int i = 0; i < 2; i++) {
        if (sessions->listeners[i] == NULL)
            continue;
        net_listener_stats(sessions->listeners[i], &sessions->net_stats[i]);
        net_listener_close(sessions->listeners[i]);
        sessions->listeners[i] = NULL;
    }
    net_timer_stop(sessions->lag);
    sessions->lag = NULL;
    if (sessions->count == 0) {
        sessions->options.on_empty(sessions->options.context);
        return;
    }
    sessions->grace = net_timer_start(sessions->options.loop, grace_ms, 0, on_grace_over, sessions);
    if (sessions->grace == NULL) {
        on_grace_over(sessions);
        return;
    }
    host_sessions_enter(sessions);
    for (uint32_t left = sessions->count; left > 0; left--)
        host_session_settle(sessions->items[left - 1]);
    host_sessions_leave(sessions);
}

void host_sessions_stats(const struct host_sessions *sessions, struct host_sessions_stats *stats,
                         struct net_stats *net)
{
    *stats = sessions->stats;
    for (uint32_t i = 0; i < sessions->count; i++) {
        const struct host_session *session = sessions->items[i];
        stats->streams += session->stream_count;
        stats->unanswered += session->unanswered;
        stats->unsent_bytes += session->conn != NULL ? net_conn_unsent(session->conn) : 0;
    }
    for (int i = 0; i < 2; i++) {
        net[i] = sessions->net_stats[i];
        if (sessions->listeners[i] != NULL)
            net_listener_stats(sessions->listeners[i], &net[i]);
    }
}
