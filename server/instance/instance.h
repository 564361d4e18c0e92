// Puts the parts of a server together. weftd (main.c) and a server within another program (local/) both use these functions. Each opens
// its store, its listeners and its brokers in its own way between these calls:
//
//     loop, runner, keeping ─▶ instance_create ─▶ listeners ─▶ lease ─▶ instance_join ─▶ instance_recover ─▶ the loop runs
//     instance_go_down ─▶ sessions end, then the loop ─▶ instance_destroy
//
// Loop thread only.
#ifndef WEFT_INSTANCE_INSTANCE_H
#define WEFT_INSTANCE_INSTANCE_H

#include "dispatch/dispatch.h"

#include <stdbool.h>
#include <stdint.h>

struct access;
struct access_audit;
struct host_keeping;
struct host_lease;
struct host_registry;
struct host_runner;
struct host_sessions;
struct net_loop;
struct net_tls;
struct relay;
struct store_error;

// The caller zeroes it, sets loop, runner and keeping, and must not move it, because the parts point to it. The instance then owns all
// its parts.
struct instance {
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_keeping *keeping;
    struct host_lease *lease; // NULL: no other server shares its worlds
    struct host_registry *registry;
    struct host_sessions *sessions;
    struct dispatch *dispatch;
    struct relay *relay;             // NULL: nothing is passed on to other servers
    void (*on_empty)(void *context); // of the options
    void *context;
};

struct instance_options {
    struct dispatch_limits limits;
    struct dispatch_quotas quotas;
    uint32_t threads;      // simulation threads of the runner
    uint64_t bin_seconds;  // how long deleted worlds can be restored
    bool loopback_too;     // limits.sessions_per_address also holds for peers on loopback
    struct access *access; // NULL: no tokens are asked for. The caller owns it; it must outlive the instance
    struct access_audit *audit;      // NULL: no audit log. The caller owns it; it must outlive the instance
    void (*on_empty)(void *context); // called when the server goes down and no session is left; may be NULL
    void *context;
};

// Creates the other parts. False if memory runs out; the caller then calls instance_destroy.
bool instance_create(struct instance *instance, const struct instance_options *options);
// Makes the server share worlds with others, and pass on calls for worlds that they run. tls (net_tls_create_trust) is for servers that
// use TLS; NULL: calls are not passed on to those. sessions is the limit of sessions. The instance takes the lease. False if memory
// runs out.
bool instance_join(struct instance *instance, struct host_lease *lease, uint32_t sessions,
                   const struct net_tls *tls);
// Brings back the worlds of the store. False with *error; its text is empty if the server cannot begin to share worlds.
bool instance_recover(struct instance *instance, struct store_error *error);
// The server goes down: it only completes what is under way. The caller then ends the sessions (host_sessions_stop).
void instance_go_down(struct instance *instance);
// Destroys all parts that were made, once the loop has ended.
void instance_destroy(struct instance *instance);

#endif
