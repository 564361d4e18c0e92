// Connections of net/net.h that the server makes. They are like those that it accepts, to a peer of whom local_options.dial says how it is
// reached: that may be another server in the process.
#include "local/parts.h"

#include <stdio.h>
#include <stdlib.h>

enum { ADDRESS_SIZE = 320 };

struct net_listener *net_dialer_create(struct net_loop *loop, const struct net_limits *limits,
                                       const struct net_conn_handler *handler)
{
    return local_listener_create(loop, limits, handler);
}

struct net_conn *net_dial(struct net_listener *dialer, const char *address, const char *name, void *context,
                          const char **reason)
{
    struct net_loop *loop = dialer->loop;
    struct local_peer_options other = {0};
    *reason = name ? "there is no TLS here" : !loop->dial ? "it connects to nobody" : NULL;
    if (*reason || dialer->closed) {
        return NULL;
    }
    struct net_conn *conn = local_conn_create(dialer);
    *reason = !conn ? "no memory" : NULL;
    if (conn && !loop->dial(loop->dial_context, address, (struct local_peer *)(void *)conn, &other)) {
        local_conn_drop(conn);
        conn = NULL;
        *reason = "nobody has that address";
    }
    if (conn) {
        local_conn_begin(conn, &other, context);
    }
    return conn;
}

bool net_conn_is_distrusted(const struct net_conn *conn)
{
    (void)conn;
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Names: whoever is asked to dial knows them.

struct resolving {
    char address[ADDRESS_SIZE];
    void (*done)(void *context, const char *numbers);
    void *context;
};

static void work_resolve(void *context)
{
    (void)context;
}

static void on_resolved(void *context)
{
    struct resolving *resolving = context;
    resolving->done(resolving->context, resolving->address);
    free(resolving);
}

bool net_resolve(struct net_loop *loop, const char *address, void (*done)(void *context, const char *numbers),
                 void *context)
{
    struct resolving *resolving = malloc(sizeof *resolving);
    if (!resolving) {
        return false;
    }
    *resolving = (struct resolving){.done = done, .context = context};
    snprintf(resolving->address, sizeof resolving->address, "%s", address);
    const bool taken = net_work(loop, work_resolve, on_resolved, resolving);
    if (!taken) {
        free(resolving);
    }
    return taken;
}
