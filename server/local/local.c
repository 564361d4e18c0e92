// A server in the process, put together as server/main.c does it, without options.
#include "local/local.h"

#include "base/buffer.h"
#include "base/thread.h"
#include "dispatch_server.h"
#include "host/delivery.h"
#include "host/keeping.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/session.h"
#include "local/parts.h"
#include "protocol/generated/api.h"

#include <stdio.h>
#include <stdlib.h>

enum { END_MS = 4, LAST_TURNS = 10000 };

struct local_server {
    struct local_options options;
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_keeping *keeping;
    struct host_lease *lease; // NULL: no other server shares its worlds
    struct host_registry *registry;
    struct host_sessions *sessions;
    struct dispatch *dispatch;
    bool listens;
    bool empty; // it ends, and no session is left
};

// ---------------------------------------------------------------------------------------------------------
// What the parts tell each other

static void on_worlds_signal(void *context)
{
    struct local_server *server = context;
    host_deliver(server->registry, server->sessions);
}

static void on_message(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    struct local_server *server = context;
    dispatch_message(server->dispatch, session, bytes, size);
}

static void on_again(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    struct local_server *server = context;
    dispatch_again(server->dispatch, session, bytes, size);
}

static void on_session_end(void *context, uint32_t session)
{
    struct local_server *server = context;
    if (server->dispatch != NULL)
        dispatch_session_ended(server->dispatch, session);
}

static void on_sessions_empty(void *context)
{
    struct local_server *server = context;
    server->empty = true;
}

// ---------------------------------------------------------------------------------------------------------
// Life

static bool create_store(struct local_server *server, char text[LOCAL_TEXT_SIZE])
{
    const struct local_options *options = &server->options;
    struct store_error error = {0};
    server->keeping = host_keeping_create(server->loop,
                                          &(struct host_keeping_options){
                                              .folder = options->folder,
                                              .keep_seconds = options->keep_seconds,
                                              .keep_bytes = options->keep_bytes,
                                              .bin_seconds = options->bin_seconds,
                                              .worlds = options->limits.worlds,
                                              .open = options->open_store,
                                              .on_failure = options->on_store_failure,
                                              .context = options->context,
                                          },
                                          &error);
    if (server->keeping == NULL)
        snprintf(text, LOCAL_TEXT_SIZE, "%s", error.text);
    return server->keeping != NULL;
}

static bool create_sessions(struct local_server *server)
{
    const struct local_options *options = &server->options;
    const struct dispatch_limits *limits = &options->limits;
    server->registry = host_registry_create(server->loop, server->runner,
                                            &(struct host_registry_limits){
                                                .worlds = limits->worlds,
                                                .sessions = limits->sessions + PROTOCOL_LIMIT_SESSIONS_AWAY,
                                                .store = host_keeping_store(server->keeping),
                                                .bin_seconds = options->bin_seconds,
                                                .tick_ns = (uint64_t)limits->tick_ms * 1000000,
                                                .frame_bytes = limits->server_frame_bytes,
                                                .lossless_bytes = limits->lossless_bytes,
                                                .names_apart = options->access != NULL,
                                                .hold_ns = (uint64_t)limits->hold_ms * 1000000,
                                            },
                                            on_worlds_signal, server);
    if (server->registry == NULL)
        return false;
    server->sessions = host_sessions_create(&(struct host_sessions_options){
        .loop = server->loop,
        .registry = server->registry,
        .per_address = limits->sessions_per_address,
        .loopback_too = options->loopback_too,
        .access = options->access,
        .audit = options->audit,
        .grace_ms = 1000 * limits->session_grace,
        .on_message = on_message,
        .on_again = on_again,
        .on_end = on_session_end,
        .on_empty = on_sessions_empty,
        .context = server,
    });
    if (server->sessions == NULL)
        return false;
    server->dispatch = dispatch_create(server->loop, server->registry, 1, limits);
    return server->dispatch != NULL &&
           dispatch_access_start(dispatch_server_of(server->dispatch), server->sessions, options->access,
                                 &options->quotas);
}

static bool join(struct local_server *server, char text[LOCAL_TEXT_SIZE])
{
    const struct local_options *options = &server->options;
    if (options->join == NULL)
        return true;
    server->lease = options->join(options->context, server->loop, host_keeping_store(server->keeping), text);
    if (server->lease == NULL)
        return false;
    dispatch_join(server->dispatch, server->lease);
    host_registry_join(server->registry, host_lease_cluster(server->lease));
    return true;
}

static bool come_back(struct local_server *server, char text[LOCAL_TEXT_SIZE])
{
    struct store_error error = {0};
    if (!host_keeping_recover(server->keeping, server->registry, &error)) {
        snprintf(text, LOCAL_TEXT_SIZE, "%s", error.text);
        return false;
    }
    return server->lease == NULL ||
           host_lease_start(server->lease, server->keeping, server->registry, server->sessions);
}

static bool listen_for_peers(struct local_server *server)
{
    const struct local_options *options = &server->options;
    const struct net_limits limits = {
        .message = {.bytes = options->limits.message_bytes,
                    .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH,
                    .nodes = PROTOCOL_LIMIT_MESSAGE_NODES},
        .first_bytes = options->access != NULL ? PROTOCOL_LIMIT_HELLO_BYTES : 0,
        .receive_bytes = options->receive_bytes,
        .connections = options->limits.sessions,
        .message_ms = PROTOCOL_LIMIT_MESSAGE_MS,
    };
    char bound[16];
    const char *reason;
    server->listens = host_sessions_listen(server->sessions, "local", &limits, bound, sizeof bound, &reason);
    return server->listens;
}

struct local_server *local_server_create(const struct local_options *options, char text[LOCAL_TEXT_SIZE])
{
    struct local_server *server = calloc(1, sizeof *server);
    snprintf(text, LOCAL_TEXT_SIZE, "no memory");
    if (server == NULL)
        return NULL;
    server->options = *options;
    if (options->limits.message_bytes == 0)
        server->options.limits.message_bytes = PROTOCOL_LIMIT_MESSAGE_BYTES;
    if (options->receive_bytes == 0)
        server->options.receive_bytes = PROTOCOL_LIMIT_RECEIVE_BYTES;
    server->loop = net_loop_create();
    server->runner = host_runner_create(1);
    if (server->loop != NULL) {
        server->loop->dial = options->dial;
        server->loop->dial_context = options->context;
    }
    if (server->loop != NULL && server->runner != NULL && create_store(server, text) &&
        create_sessions(server) && join(server, text) && listen_for_peers(server) && come_back(server, text))
        return server;
    local_server_destroy(server);
    return NULL;
}

// Nobody is left to be answered, so what is under way is given up. What a worker has is ended by its turns.
static void end(struct local_server *server)
{
    if (server->lease != NULL)
        host_lease_end_moves(server->lease);
    dispatch_stop(server->dispatch);
    host_registry_shutdown(server->registry);
    local_conns_leave(server->loop);
    if (server->listens)
        host_sessions_stop(server->sessions, END_MS);
    for (uint32_t i = 0; i < LAST_TURNS && server->loop->work != NULL; i++)
        (void)local_server_turn(server);
    while (server->loop->under_way != NULL) {
        base_thread_sleep(1000000);
        (void)local_server_turn(server);
    }
}

// The loop goes last, since the others hold pieces of it.
void local_server_destroy(struct local_server *server)
{
    if (server == NULL)
        return;
    if (server->dispatch != NULL)
        end(server);
    if (server->lease != NULL)
        host_lease_stop(server->lease);
    if (server->runner != NULL)
        host_runner_destroy(server->runner);
    host_registry_destroy(server->registry);
    dispatch_destroy(server->dispatch);
    host_sessions_destroy(server->sessions);
    host_keeping_destroy(server->keeping);
    if (server->lease != NULL)
        host_lease_destroy(server->lease);
    net_loop_destroy(server->loop);
    free(server);
}

// ---------------------------------------------------------------------------------------------------------
// In use

uint64_t local_server_turn(struct local_server *server)
{
    uint64_t loop_ns = local_loop_turn(server->loop);
    const uint64_t world_ns = local_runner_turn(server->runner);
    if (loop_ns > 0)
        loop_ns = local_loop_turn(server->loop); // what the world gave leaves at once
    return world_ns < loop_ns ? world_ns : loop_ns;
}

struct local_peer *local_peer_connect(struct local_server *server, const struct local_peer_options *options)
{
    return local_conn_open(server->loop, options);
}

void local_server_counts(struct local_server *server, struct local_counts *counts)
{
    struct host_sessions_stats stats;
    struct net_stats net[2];
    host_sessions_stats(server->sessions, &stats, net);
    *counts = (struct local_counts){
        .sessions = host_sessions_count(server->sessions),
        .worlds = host_registry_count(server->registry),
        .views = host_registry_views(server->registry),
        .unsent_bytes = stats.unsent_bytes,
        .unanswered = stats.unanswered,
        .kept_bytes = stats.kept_bytes,
        .frame_bytes = base_budget_used(host_registry_frames(server->registry)),
        .message_bytes = base_budget_used(dispatch_server_of(server->dispatch)->budget),
        .store_bytes = store_bytes(host_keeping_store(server->keeping)),
    };
}
