// The server of a page, put together as server/main.c does it, without options.
#include "local/local.h"

#include "base/clock.h"
#include "dispatch.h"
#include "dispatch_access.h"
#include "host/delivery.h"
#include "host/keeping.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/session.h"
#include "local/parts.h"
#include "net/net.h"
#include "protocol/generated/api.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PAST_BYTES = 64 * 1024 * 1024,     // memory of a module never shrinks
    RECEIVE_BYTES = 128 * 1024 * 1024, // of messages that are not looked at yet
    BIN_SECONDS = 24 * 60 * 60,
    SECOND_MS = 1000,
};

static struct server {
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_keeping *keeping;
    struct host_registry *registry;
    struct host_sessions *sessions;
    struct dispatch *dispatch;
} server;

static void on_worlds_signal(void *context)
{
    (void)context;
    host_deliver(server.registry, server.sessions);
}

static void on_message(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    (void)context;
    dispatch_message(server.dispatch, session, bytes, size);
}

static void on_session_end(void *context, uint32_t session)
{
    (void)context;
    dispatch_session_ended(server.dispatch, session);
}

static void on_sessions_empty(void *context)
{
    (void)context; // sessions stop with the module
}

static bool create_store(void)
{
    struct store_error error = {0};
    server.keeping = host_keeping_create(server.loop,
                                         &(struct host_keeping_options){
                                             .keep_seconds = UINT64_MAX,
                                             .keep_bytes = PAST_BYTES,
                                             .bin_seconds = BIN_SECONDS,
                                             .worlds = PROTOCOL_LIMIT_WORLDS,
                                         },
                                         &error);
    if (server.keeping == NULL)
        fprintf(stderr, "%s\n", error.text);
    return server.keeping != NULL;
}

static bool create(void)
{
    server.loop = net_loop_create();
    server.runner = host_runner_create(1);
    if (server.loop == NULL || server.runner == NULL || !create_store())
        return false;
    server.registry = host_registry_create(server.loop, server.runner,
                                           &(struct host_registry_limits){
                                               .worlds = PROTOCOL_LIMIT_WORLDS,
                                               .store = host_keeping_store(server.keeping),
                                               .bin_seconds = BIN_SECONDS,
                                           },
                                           on_worlds_signal, NULL);
    server.sessions = host_sessions_create(&(struct host_sessions_options){
        .loop = server.loop,
        .registry = server.registry,
        .on_message = on_message,
        .on_end = on_session_end,
        .on_empty = on_sessions_empty,
    });
    if (server.registry == NULL || server.sessions == NULL)
        return false;
    server.dispatch = dispatch_create(server.loop, server.registry, 1,
                                      &(struct dispatch_limits){
                                          .message_bytes = PROTOCOL_LIMIT_MESSAGE_BYTES,
                                          .sessions = 1,
                                          .sessions_per_address = 1,
                                          .worlds = PROTOCOL_LIMIT_WORLDS,
                                      });
    return server.dispatch != NULL &&
           dispatch_access_start(dispatch_server_of(server.dispatch), server.sessions, NULL,
                                 &(struct dispatch_quotas){0});
}

bool local_start(void)
{
    const struct net_limits limits = {
        .message = {.bytes = PROTOCOL_LIMIT_MESSAGE_BYTES,
                    .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH,
                    .nodes = PROTOCOL_LIMIT_MESSAGE_NODES},
        .receive_bytes = RECEIVE_BYTES,
        .connections = 1,
    };
    struct store_error error = {0};
    char bound[16];
    const char *reason;
    return create() && host_sessions_listen(server.sessions, "page", &limits, bound, sizeof bound, &reason) &&
           host_keeping_recover(server.keeping, server.registry, &error);
}

bool local_connect(void)
{
    local_net_disconnect(server.loop);
    return local_net_connect(server.loop);
}

void local_disconnect(void)
{
    local_net_disconnect(server.loop);
}

void *local_alloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void local_receive(uint8_t *bytes, size_t size)
{
    local_net_receive(server.loop, bytes, size);
}

void local_taken(uint32_t count)
{
    local_net_taken(server.loop, count);
}

double local_turn(void)
{
    uint64_t loop_ns = local_net_turn(server.loop);
    const uint64_t world_ns = local_runner_turn(server.runner);
    if (loop_ns > 0)
        loop_ns = local_net_turn(server.loop); // what the world gave leaves at once
    const uint64_t next_ns = world_ns < loop_ns ? world_ns : loop_ns, now_ns = base_now_ns();
    if (next_ns <= now_ns)
        return 0;
    return next_ns == UINT64_MAX ? SECOND_MS : (double)(next_ns - now_ns) / 1e6;
}
