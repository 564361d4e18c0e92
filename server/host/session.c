// Life of sessions, in an array by ascending id (ids only grow, so a new one goes to the end).
//
//     accept ─▶ messages … ─▶ closed: out of the array at once ─▶ freed when the outermost callback returns
//
// so that code that holds a pointer may go on; everything that sends looks at `conn` first.
//
// Stopping: no more is accepted; each session is closed when nothing it asked is unanswered. When three quarters of the
// grace are over, all are; and when it is over what they have not read is dropped.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "net/net.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_GRACE_MS = 5000, WATCH_MS = 500 };

// ---------------------------------------------------------------------------------------------------------
// What connections say

// Always NULL.
static void *refuse(struct host_sessions *sessions, struct net_conn *conn, enum host_refusal why)
{
    base_log(BASE_LOG_WARN, "a connection is refused: %s",
             why == HOST_REFUSED_FULL ? "all sessions are at work" : "its address has as many as it may");
    sessions->stats.refused[why]++;
    struct base_buffer *words = host_refusal_words(sessions, why);
    if (words != NULL)
        net_conn_tell(conn, words);
    base_buffer_unref(words);
    return NULL;
}

static void *on_accept(void *context, struct net_conn *conn)
{
    struct host_sessions *sessions = context;
    if (sessions->stopping || sessions->last_id == UINT32_MAX)
        return NULL;
    if (!host_sessions_room_for(sessions, conn))
        return refuse(sessions, conn, HOST_REFUSED_ADDRESS);
    if (!host_sessions_room(sessions))
        return refuse(sessions, conn, HOST_REFUSED_FULL);
    struct host_session *session = calloc(1, sizeof *session);
    struct world_account *account = world_account_create(sessions->answers);
    if (session == NULL || account == NULL || !host_session_put(sessions, session)) {
        base_log(BASE_LOG_WARN, "no memory for another session");
        world_account_unref(account);
        free(session);
        return NULL;
    }
    session->account = account;
    session->sessions = sessions;
    session->conn = conn;
    session->said_ns = base_now_ns();
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
    session->spoke = true;
    session->said_ns = base_now_ns();
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
    const struct protocol_scan_limits *limits = &sessions->limits.message;
    struct protocol_error error;
    switch (status) {
    case PROTOCOL_SCAN_TOO_LARGE:
        limit_error(&error, "a message is larger than this server takes", "message_bytes", limits->bytes);
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

static void on_overfull(void *context, struct net_conn *conn)
{
    (void)conn;
    struct host_session *session = context;
    struct host_sessions *sessions = session->sessions;
    host_sessions_enter(sessions);
    host_session_cut(session, HOST_CUT_RECEIVE_BYTES);
    host_sessions_leave(sessions);
}

// on_accept sees to it, which knows all sessions.
static bool on_full(void *context, struct net_conn *conn)
{
    (void)context;
    (void)conn;
    return true;
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
    world_account_leave(session->account);
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
    if (session->unanswered > 0)
        host_session_nudge_worlds(session);
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
    struct base_budget *answers = base_budget_create(SIZE_MAX);
    if (sessions == NULL || answers == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for sessions");
        base_budget_release(answers);
        free(sessions);
        return NULL;
    }
    sessions->answers = answers;
    sessions->options = *options;
    if (sessions->options.per_address == 0)
        sessions->options.per_address = PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS;
    if (sessions->options.first_message_ms == 0)
        sessions->options.first_message_ms = PROTOCOL_LIMIT_FIRST_MESSAGE_MS;
    uint64_t period_ms = sessions->options.first_message_ms / 4;
    period_ms = period_ms < WATCH_MS ? period_ms + 1 : WATCH_MS;
    sessions->watch = net_timer_start(options->loop, period_ms, period_ms, host_sessions_watch, sessions);
    if (sessions->watch == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for sessions");
        base_budget_release(answers);
        free(sessions);
        return NULL;
    }
    return sessions;
}

void host_sessions_destroy(struct host_sessions *sessions)
{
    if (sessions == NULL)
        return;
    BASE_ASSERT(sessions->count == 0 && sessions->gone == NULL);
    net_timer_stop(sessions->grace);
    net_timer_stop(sessions->lag);
    base_budget_release(sessions->answers);
    net_timer_stop(sessions->watch);
    free(sessions->items);
    free(sessions);
}

static const struct net_conn_handler handler = {
    .on_message = on_message,
    .on_bad_stream = on_bad_stream,
    .on_overfull = on_overfull,
    .on_full = on_full,
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
    sessions->limits = *limits;
    sessions->listeners[0] =
        net_listen(sessions->options.loop, address, limits, on_accept, &handler, sessions, reason);
    if (sessions->listeners[0] != NULL)
        sessions->most = net_listener_connections(sessions->listeners[0]);
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
        session->finishing = true;
        net_conn_cut(session->conn, NET_END_AWAY, "the server goes down");
    }
    host_sessions_leave(sessions);
}

static void on_last_quarter(void *context)
{
    struct host_sessions *sessions = context;
    net_timer_stop(sessions->grace);
    sessions->grace =
        net_timer_start(sessions->options.loop, sessions->last_quarter_ms, 0, on_grace_over, sessions);
    if (sessions->grace == NULL) {
        on_grace_over(sessions);
        return;
    }
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
    net_timer_stop(sessions->watch);
    sessions->lag = sessions->watch = NULL;
    sessions->last_quarter_ms = grace_ms / 4;
    if (sessions->count == 0) {
        sessions->options.on_empty(sessions->options.context);
        return;
    }
    sessions->grace = net_timer_start(sessions->options.loop, grace_ms - sessions->last_quarter_ms, 0,
                                      on_last_quarter, sessions);
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
