#include "instance/instance.h"

#include "host/delivery.h"
#include "host/keeping.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/session.h"
#include "net/net.h"
#include "protocol/generated/api.h"
#include "relay/relay.h"

// ---------------------------------------------------------------------------------------------------------
// What the parts tell each other

static void on_worlds_signal(void *context)
{
    struct instance *instance = context;
    host_deliver(instance->registry, instance->sessions);
}

static void on_end(void *context, uint32_t session)
{
    struct instance *instance = context;
    if (instance->dispatch) {
        dispatch_session_ended(instance->dispatch, session);
    }
    if (instance->relay) {
        relay_session_ended(instance->relay, session);
    }
}

static void on_away(void *context, uint32_t session, bool away)
{
    const struct instance *instance = context;
    if (instance->relay) {
        relay_session_away(instance->relay, session, away);
    }
}

static void on_drained(void *context, struct host_session *session)
{
    const struct instance *instance = context;
    if (instance->relay) {
        relay_session_drained(instance->relay, session);
    }
}

static void on_empty(void *context)
{
    struct instance *instance = context;
    if (instance->on_empty) {
        instance->on_empty(instance->context);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Life

bool instance_create(struct instance *instance, const struct instance_options *options)
{
    const struct dispatch_limits *limits = &options->limits;
    instance->on_empty = options->on_empty;
    instance->context = options->context;
    instance->registry = host_registry_create(instance->loop, instance->runner,
                                              &(struct host_registry_limits){
                                                  .names_apart = options->access != NULL,
                                                  .worlds = limits->worlds,
                                                  .sessions = limits->sessions + PROTOCOL_LIMIT_SESSIONS_AWAY,
                                                  .store = host_keeping_store(instance->keeping),
                                                  .bin_seconds = options->bin_seconds,
                                                  .tick_ns = (uint64_t)limits->tick_ms * 1000000,
                                                  .frame_bytes = limits->server_frame_bytes,
                                                  .lossless_bytes = limits->lossless_bytes,
                                                  .hold_ns = (uint64_t)limits->hold_ms * 1000000,
                                              },
                                              on_worlds_signal, instance);
    if (!instance->registry) {
        return false;
    }
    instance->dispatch = dispatch_create(instance->loop, instance->registry, options->threads, limits);
    if (!instance->dispatch) {
        return false;
    }
    instance->sessions = host_sessions_create(&(struct host_sessions_options){
        .loop = instance->loop,
        .registry = instance->registry,
        .per_address = limits->sessions_per_address,
        .loopback_too = options->loopback_too,
        .access = options->access,
        .audit = options->audit,
        .grace_ms = 1000 * limits->session_grace,
        .on_message = dispatch_message,
        .on_again = dispatch_again,
        .message_context = instance->dispatch,
        .on_end = on_end,
        .on_away = on_away,
        .on_drained = on_drained,
        .on_empty = on_empty,
        .context = instance,
    });
    return instance->sessions &&
           dispatch_start(instance->dispatch, instance->sessions, options->access, &options->quotas);
}

bool instance_join(struct instance *instance, struct host_lease *lease, uint32_t sessions,
                   const struct net_tls *tls)
{
    instance->lease = lease;
    dispatch_join(instance->dispatch, lease);
    host_registry_join(instance->registry, host_lease_cluster(lease));
    instance->relay = relay_create(&(struct relay_options){
        .loop = instance->loop,
        .sessions = instance->sessions,
        .tls = tls,
        .budget = dispatch_budget(instance->dispatch),
        .frames = host_registry_frames(instance->registry),
        .connections = 2 * sessions,
        .where = dispatch_where,
        .context = instance->registry,
        .again = dispatch_again,
        .again_context = instance->dispatch,
    });
    if (instance->relay) {
        dispatch_pass_through(instance->dispatch, relay_elsewhere(instance->relay));
    }
    return instance->relay != NULL;
}

bool instance_recover(struct instance *instance, struct store_error *error)
{
    return host_keeping_recover(instance->keeping, instance->registry, error) &&
           (!instance->lease ||
            host_lease_start(instance->lease, instance->keeping, instance->registry, instance->sessions));
}

void instance_go_down(struct instance *instance)
{
    if (instance->lease) {
        host_lease_end_moves(instance->lease);
    }
    dispatch_stop(instance->dispatch);
    if (instance->relay) {
        relay_stop(instance->relay);
    }
    host_registry_shutdown(instance->registry);
}

// The loop goes last, since the others hold pieces of it, and the threads go before what they work on.
void instance_destroy(struct instance *instance)
{
    if (instance->lease) {
        host_lease_stop(instance->lease);
    }
    if (instance->runner) {
        host_runner_destroy(instance->runner);
    }
    host_registry_destroy(instance->registry);
    dispatch_destroy(instance->dispatch);
    host_sessions_destroy(instance->sessions);
    relay_destroy(instance->relay);
    host_keeping_destroy(instance->keeping); // after all that hands it something
    if (instance->lease) {
        host_lease_destroy(instance->lease); // others take what was here: all of it is durable
    }
    net_loop_destroy(instance->loop);
}
