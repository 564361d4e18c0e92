// Connections that this server makes. From then on they are like those that it accepts: conn.c reads, the outbox writes. libuv keeps what
// is sent until the other side has answered, so nobody has to know whether it has.
#include "net/net_internal.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    // Bytes that the kernel holds for a peer that does not read cannot be taken back, nor replaced by a newer frame.
    DIAL_RECEIVE_BYTES = 256 * 1024,
    NET_NAME_MAX = 320, // of a host and a port
};

static const struct net_service dialed = {.protocol = "weft"};

struct net_listener *net_dialer_create(struct net_loop *loop, const struct net_limits *limits,
                                       const struct net_conn_handler *handler)
{
    if (loop->stopping) {
        return NULL;
    }
    struct net_listener *dialer = calloc(1, sizeof *dialer);
    if (!dialer || uv_tcp_init(&loop->uv, &dialer->owned.uv.tcp)) {
        free(dialer);
        return NULL;
    }
    net_owned_init(&dialer->owned, loop);
    dialer->service = &dialed;
    dialer->limits = *limits;
    dialer->handler = *handler;
    net_loop_reserve(loop, limits->connections);
    return dialer;
}

static void on_dialed(uv_connect_t *request, int status)
{
    struct net_conn *conn = request->data;
    if (status) {
        net_conn_close(conn, uv_strerror(status));
    } else if (conn->state == NET_CONN_SHAKING) {
        net_transport_begin(conn);
    }
}

// Its memory, a place in the system, and how it speaks. False with *reason.
static bool begin(struct net_conn *conn, const struct sockaddr_storage *address, const char *name,
                  const char **reason)
{
    conn->framing = &net_framing_messages;
    conn->dial.data = conn;
    if (name && !net_conn_dial_secure(conn, name)) {
        *reason = uv_strerror(UV_ENOMEM);
        return false;
    }
    int status = uv_tcp_connect(&conn->dial, &conn->tcp, (const struct sockaddr *)address, on_dialed);
    *reason = status ? uv_strerror(status) : NULL;
    return !status;
}

struct net_conn *net_dial(struct net_listener *dialer, const char *address, const char *name, void *context,
                          const char **reason)
{
    struct sockaddr_storage parsed;
    *reason = net_address_parse_numeric(address, &parsed);
    if (*reason) {
        return NULL;
    }
    BASE_ASSERT(!name || dialer->limits.tls);
    if (dialer->owned.loop->stopping) {
        *reason = "the loop has stopped";
        return NULL;
    }
    struct net_conn *conn = net_conn_create(dialer);
    if (!conn) {
        *reason = uv_strerror(UV_ENOMEM);
        return NULL;
    }
    if (!begin(conn, &parsed, name, reason)) {
        net_conn_close(conn, *reason);
        return NULL;
    }
    conn->begun = conn->accepted = true;
    conn->context = context;
    dialer->stats.accepted++;
    dialer->stats.open++;
    snprintf(conn->peer, sizeof conn->peer, "%s", address);
    int bytes = DIAL_RECEIVE_BYTES;
    (void)uv_recv_buffer_size((uv_handle_t *)&conn->tcp, &bytes);
    net_conn_options(conn);
    conn->alive_ms = uv_now(&conn->loop->uv);
    net_conn_read_update(conn);
    return conn;
}

// ---------------------------------------------------------------------------------------------------------
// Names

struct resolving {
    char address[NET_NAME_MAX];
    char numbers[NET_PEER_MAX];
    void (*done)(void *context, const char *numbers);
    void *context;
};

static void work_resolve(void *context)
{
    struct resolving *resolving = context;
    struct sockaddr_storage parsed;
    if (!net_address_parse(resolving->address, &parsed)) {
        net_address_format((const struct sockaddr *)&parsed, resolving->numbers, sizeof resolving->numbers);
    }
}

static void on_resolved(void *context)
{
    struct resolving *resolving = context;
    resolving->done(resolving->context, resolving->numbers);
    free(resolving);
}

bool net_resolve(struct net_loop *loop, const char *address, void (*done)(void *context, const char *numbers),
                 void *context)
{
    struct resolving *resolving = calloc(1, sizeof *resolving);
    if (!resolving) {
        return false;
    }
    snprintf(resolving->address, sizeof resolving->address, "%s", address);
    resolving->done = done;
    resolving->context = context;
    if (!net_work(loop, work_resolve, on_resolved, resolving)) {
        free(resolving);
        return false;
    }
    return true;
}
