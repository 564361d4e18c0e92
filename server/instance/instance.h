// The parts of a server, put together: weftd (main.c) and a server in the process (local/) do so by the same functions. Each of the two
// opens its store, its listeners and its brokers in its own way between these calls:
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

// It stays where it is: parts point to it. Zeroed at first. The caller sets loop, runner and keeping; they are the instance's then.
struct instance {
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_keeping *keeping;
    struct host_lease *lease; // NULL: no other server shares its worlds
    struct host_registry *registry;
    struct host_sessions *sessions;
    struct dispatch *dispatch;
    struct relay *relay; // NULL: nothing is passed on to other servers
    void (*on_empty)(void *context);
    void *context;
};

struct instance_options {
    struct dispatch_limits limits;
    struct dispatch_quotas quotas;
    uint32_t threads;                // of the runner
    uint64_t bin_seconds;            // for which deleted worlds are kept
    bool loopback_too;               // limits.sessions_per_address holds for peers on loopback as well
    struct access *access;           // NULL: no tokens are asked for. The caller's, as audit is
    struct access_audit *audit;      // NULL: nothing is written down
    void (*on_empty)(void *context); // the server goes down, and no session is left
    void *context;
};

// False without memory. instance_destroy frees what was made by then.
bool instance_create(struct instance *instance, const struct instance_options *options);
// Shares worlds with other servers from now on, and passes on calls for those that they run: to servers that speak TLS by tls
// (net_tls_create_trust), or not at all if that is NULL. Takes the lease. False without memory.
bool instance_join(struct instance *instance, struct host_lease *lease, uint32_t sessions,
                   const struct net_tls *tls);
// Brings back the worlds of its store. False with *error, whose text is empty if the server cannot begin to share worlds.
bool instance_recover(struct instance *instance, struct store_error *error);
// Nothing is done from now on but what is under way. The caller ends the sessions (host_sessions_stop).
void instance_go_down(struct instance *instance);
// After the loop has ended. Parts that were not made are left out.
void instance_destroy(struct instance *instance);

#endif
