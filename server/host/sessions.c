// Knows all sessions: listens for them, stops them, and counts.
//
// When it stops, it accepts no more, and each session ends when nothing that it asked is unanswered. After
// three quarters of the grace all end. When the grace is over, what their peers have not read is dropped.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/log.h"
#include "net/net.h"

#include <stdlib.h>

enum { WATCH_MS = 500 };

struct host_sessions *host_sessions_create(const struct host_sessions_options *options)
{
    struct host_sessions *sessions = calloc(1, sizeof *sessions);
    struct base_budget *answers = base_budget_create(SIZE_MAX);
    if (!sessions || !answers) {
        base_log(BASE_LOG_ERROR, "no memory for sessions");
        base_budget_release(answers);
        free(sessions);
        return NULL;
    }
    sessions->answers = answers;
    sessions->options = *options;
    sessions->on_presence = host_sessions_tell_presence;
    if (sessions->options.per_address == 0) {
        sessions->options.per_address = PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS;
    }
    if (sessions->options.away == 0) {
        sessions->options.away = PROTOCOL_LIMIT_SESSIONS_AWAY;
    }
    if (sessions->options.away_per_address == 0) {
        sessions->options.away_per_address = PROTOCOL_LIMIT_SESSIONS_AWAY_PER_ADDRESS;
    }
    if (sessions->options.first_message_ms == 0) {
        sessions->options.first_message_ms = PROTOCOL_LIMIT_FIRST_MESSAGE_MS;
    }
    uint64_t period_ms = sessions->options.first_message_ms / 4;
    period_ms = period_ms < WATCH_MS ? period_ms + 1 : WATCH_MS;
    sessions->watch = net_timer_start(options->loop, period_ms, period_ms, host_connections_watch, sessions);
    if (!sessions->watch) {
        base_log(BASE_LOG_ERROR, "no memory for sessions");
        base_budget_release(answers);
        free(sessions);
        return NULL;
    }
    return sessions;
}

void host_sessions_destroy(struct host_sessions *sessions)
{
    if (!sessions) {
        return;
    }
    BASE_ASSERT(!sessions->connections && sessions->count == 0 && !sessions->gone);
    net_timer_stop(sessions->grace);
    net_timer_stop(sessions->lag);
    net_timer_stop(sessions->presence);
    base_budget_release(sessions->answers);
    net_timer_stop(sessions->watch);
    free(sessions->items);
    free(sessions);
}

static bool listening(struct net_listener *listener, char *bound, size_t bound_size)
{
    if (!listener) {
        return false;
    }
    net_listener_address(listener, bound, bound_size);
    return true;
}

bool host_sessions_listen(struct host_sessions *sessions, const char *address,
                          const struct net_limits *limits, char *bound, size_t bound_size,
                          const char **reason)
{
    sessions->limits = *limits;
    sessions->listeners[0] = net_listen(sessions->options.loop, address, limits, host_connection_accept,
                                        &host_connection_handler, sessions, reason);
    if (sessions->listeners[0]) {
        sessions->most = net_listener_connections(sessions->listeners[0]);
    }
    return listening(sessions->listeners[0], bound, bound_size);
}

uint32_t host_sessions_most(const struct host_sessions *sessions)
{
    return sessions->most;
}

bool host_sessions_listen_http(struct host_sessions *sessions, const char *address,
                               const struct net_limits *limits, const struct net_http_options *http,
                               char *bound, size_t bound_size, const char **reason)
{
    sessions->listeners[1] =
        net_listen_http(sessions->options.loop, address, limits, http, host_connection_accept,
                        &host_connection_handler, sessions, reason);
    return listening(sessions->listeners[1], bound, bound_size);
}

static void on_grace_over(void *context)
{
    struct host_sessions *sessions = context;
    net_timer_stop(sessions->grace);
    sessions->grace = NULL;
    host_sessions_enter(sessions);
    for (struct host_connection *at = sessions->connections; at; at = at->next) {
        host_connection_drop(at, NET_END_AWAY, "the server goes down");
    }
    host_sessions_leave(sessions);
}

static void on_last_quarter(void *context)
{
    struct host_sessions *sessions = context;
    net_timer_stop(sessions->grace);
    sessions->grace =
        net_timer_start(sessions->options.loop, sessions->last_quarter_ms, 0, on_grace_over, sessions);
    if (!sessions->grace) {
        on_grace_over(sessions);
        return;
    }
    host_sessions_enter(sessions);
    for (struct host_connection *at = sessions->connections; at; at = at->next) {
        if (at->session) {
            host_connection_finish(at, NET_END_AWAY, "the server goes down");
        }
    }
    host_sessions_leave(sessions);
}

void host_sessions_stop(struct host_sessions *sessions, uint64_t grace_ms)
{
    sessions->stopping = true;
    for (int i = 0; i < 2; i++) {
        if (!sessions->listeners[i]) {
            continue;
        }
        net_listener_stats(sessions->listeners[i], &sessions->net_stats[i]);
        net_listener_close(sessions->listeners[i]);
        sessions->listeners[i] = NULL;
    }
    net_timer_stop(sessions->lag);
    net_timer_stop(sessions->watch);
    net_timer_stop(sessions->presence);
    sessions->lag = sessions->watch = sessions->presence = NULL;
    sessions->last_quarter_ms = grace_ms / 4;
    host_sessions_enter(sessions);
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        if (session->connection) {
            host_session_settle(session);
        } else {
            host_session_end(session);
        }
    }
    host_sessions_leave(sessions);
    if (!sessions->connections) {
        sessions->options.on_empty(sessions->options.context);
        return;
    }
    sessions->grace = net_timer_start(sessions->options.loop, grace_ms - sessions->last_quarter_ms, 0,
                                      on_last_quarter, sessions);
    if (!sessions->grace) {
        on_grace_over(sessions);
    }
}

void host_sessions_stats(const struct host_sessions *sessions, struct host_sessions_stats *stats,
                         struct net_stats *net)
{
    *stats = sessions->stats;
    stats->kept_bytes = sessions->notice_bytes;
    for (uint32_t i = 0; i < sessions->count; i++) {
        const struct host_session *session = sessions->items[i];
        stats->streams += session->stream_count;
        stats->unanswered += session->unanswered;
        stats->away += session->away_ns != 0;
        stats->kept_bytes += session->kept.bytes;
    }
    for (const struct host_connection *at = sessions->connections; at; at = at->next) {
        stats->unsent_bytes += net_conn_unsent(at->conn);
    }
    for (int i = 0; i < 2; i++) {
        net[i] = sessions->net_stats[i];
        if (sessions->listeners[i]) {
            net_listener_stats(sessions->listeners[i], &net[i]);
        }
    }
}
