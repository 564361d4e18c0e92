// Puts a server in the process together as server/main.c does, without options.
#include "local/local.h"

#include "base/buffer.h"
#include "base/thread.h"
#include "host/keeping.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/session.h"
#include "instance/instance.h"
#include "local/parts.h"
#include "protocol/generated/api.h"

#include <stdio.h>
#include <stdlib.h>

enum { END_MS = 4, LAST_TURNS = 10000 };

struct local_server {
    struct local_options options;
    struct instance instance;
    bool listens;
};

// ---------------------------------------------------------------------------------------------------------
// Life

static bool create_store(struct local_server *server, char text[LOCAL_TEXT_SIZE])
{
    const struct local_options *options = &server->options;
    struct store_error error = {0};
    server->instance.keeping = host_keeping_create(server->instance.loop,
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
    if (!server->instance.keeping) {
        snprintf(text, LOCAL_TEXT_SIZE, "%s", error.fault.text);
    }
    return server->instance.keeping != NULL;
}

static bool create(struct local_server *server)
{
    const struct local_options *options = &server->options;
    return instance_create(&server->instance, &(struct instance_options){
                                                  .limits = options->limits,
                                                  .quotas = options->quotas,
                                                  .threads = 1,
                                                  .bin_seconds = options->bin_seconds,
                                                  .loopback_too = options->loopback_too,
                                                  .access = options->access,
                                                  .audit = options->audit,
                                              });
}

static bool join(struct local_server *server, char text[LOCAL_TEXT_SIZE])
{
    const struct local_options *options = &server->options;
    struct instance *instance = &server->instance;
    if (!options->join) {
        return true;
    }
    struct host_lease *lease =
        options->join(options->context, instance->loop, host_keeping_store(instance->keeping), text);
    return lease && instance_join(instance, lease, options->limits.sessions, NULL);
}

static bool come_back(struct local_server *server, char text[LOCAL_TEXT_SIZE])
{
    struct store_error error = {0};
    const bool back = instance_recover(&server->instance, &error);
    if (!back) {
        snprintf(text, LOCAL_TEXT_SIZE, "%s", error.fault.text);
    }
    return back;
}

static bool listen_for_peers(struct local_server *server)
{
    const struct local_options *options = &server->options;
    const struct net_limits limits = {
        .message = {.bytes = options->limits.message_bytes,
                    .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH,
                    .nodes = PROTOCOL_LIMIT_MESSAGE_NODES},
        .first_bytes = options->access ? PROTOCOL_LIMIT_HELLO_BYTES : 0,
        .receive_bytes = options->receive_bytes,
        .connections = options->limits.sessions,
        .message_ms = PROTOCOL_LIMIT_MESSAGE_MS,
    };
    char bound[16];
    const char *reason;
    server->listens =
        host_sessions_listen(server->instance.sessions, "local", &limits, bound, sizeof bound, &reason);
    return server->listens;
}

struct local_server *local_server_create(const struct local_options *options, char text[LOCAL_TEXT_SIZE])
{
    struct local_server *server = calloc(1, sizeof *server);
    snprintf(text, LOCAL_TEXT_SIZE, "no memory");
    if (!server) {
        return NULL;
    }
    server->options = *options;
    if (options->limits.message_bytes == 0) {
        server->options.limits.message_bytes = PROTOCOL_LIMIT_MESSAGE_BYTES;
    }
    if (options->receive_bytes == 0) {
        server->options.receive_bytes = PROTOCOL_LIMIT_RECEIVE_BYTES;
    }
    server->instance.loop = net_loop_create();
    server->instance.runner = host_runner_create(1);
    if (server->instance.loop && server->instance.runner) {
        server->instance.loop->dial = options->dial;
        server->instance.loop->dial_context = options->context;
        if (create_store(server, text) && create(server) && join(server, text) && listen_for_peers(server) &&
            come_back(server, text)) {
            return server;
        }
    }
    local_server_destroy(server);
    return NULL;
}

// Ends the server. Nobody is left to be answered, so work under way is given up. Work of workers ends in its
// own turns.
static void end(struct local_server *server)
{
    struct net_loop *loop = server->instance.loop;
    instance_go_down(&server->instance);
    local_conns_leave(loop);
    if (server->listens) {
        host_sessions_stop(server->instance.sessions, END_MS);
    }
    for (uint32_t i = 0; i < LAST_TURNS && loop->work; i++) {
        (void)local_server_turn(server);
    }
    while (loop->under_way) {
        base_thread_sleep(1000000);
        (void)local_server_turn(server);
    }
}

void local_server_destroy(struct local_server *server)
{
    if (!server) {
        return;
    }
    if (server->instance.dispatch) {
        end(server);
    }
    instance_destroy(&server->instance);
    free(server);
}

// ---------------------------------------------------------------------------------------------------------
// In use

uint64_t local_server_turn(struct local_server *server)
{
    uint64_t loop_ns = local_loop_turn(server->instance.loop);
    const uint64_t world_ns = local_runner_turn(server->instance.runner);
    if (loop_ns > 0) {
        loop_ns = local_loop_turn(server->instance.loop); // what the world made is sent at once
    }
    return world_ns < loop_ns ? world_ns : loop_ns;
}

struct local_peer *local_peer_connect(struct local_server *server, const struct local_peer_options *options)
{
    return local_conn_open(server->instance.loop, options);
}

void local_server_counts(struct local_server *server, struct local_counts *counts)
{
    struct host_sessions_stats stats;
    struct net_stats net[2];
    host_sessions_stats(server->instance.sessions, &stats, net);
    *counts = (struct local_counts){
        .sessions = host_sessions_count(server->instance.sessions),
        .worlds = host_registry_count(server->instance.registry),
        .views = host_registry_views(server->instance.registry),
        .unsent_bytes = stats.unsent_bytes,
        .unanswered = stats.unanswered,
        .kept_bytes = stats.kept_bytes,
        .frame_bytes = base_budget_used(host_registry_frames(server->instance.registry)),
        .message_bytes = base_budget_used(dispatch_budget(server->instance.dispatch)),
        .store_bytes = store_bytes(host_keeping_store(server->instance.keeping)),
    };
}
