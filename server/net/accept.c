// How a connection begins: it is accepted from a listener or was accepted elsewhere, greets over TLS where that has to
// begin first, and is the listener's from then on. conn.c has its life.
#include "net/net_internal.h"

#include "base/log.h"

#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONN_KEEPALIVE_S = 20, // and as often again as the system likes: a peer's machine that is gone is noticed
};

void net_conn_options(struct net_conn *conn)
{
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_tcp_keepalive(&conn->tcp, 1, CONN_KEEPALIVE_S);
#ifdef TCP_NOTSENT_LOWAT
    // A reply cannot overtake bytes that the kernel holds unsent, and a newer frame cannot replace them.
    int fd = -1;
    int bytes = NET_KERNEL_BYTES;
    if (uv_fileno((const uv_handle_t *)&conn->tcp, &fd) == 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
    }
#endif
}

// Without memory for a connection the peer is still taken out of the kernel's queue, and closed.
static void accept_nobody_on_close(uv_handle_t *handle)
{
    free(handle);
}

static bool accept_and_close(struct net_listener *listener)
{
    uv_tcp_t *tcp = malloc(sizeof *tcp);
    if (!tcp || uv_tcp_init(&listener->owned.loop->uv, tcp)) {
        free(tcp);
        return false;
    }
    uv_accept((uv_stream_t *)&listener->owned.uv.tcp, (uv_stream_t *)tcp);
    uv_close((uv_handle_t *)tcp, accept_nobody_on_close);
    return true;
}

static void conn_begin(struct net_conn *conn)
{
    conn->begun = true;
    if (!conn->listener->service->begin(conn)) {
        net_conn_refuse(conn);
    }
}

// Only now it counts among the others of its listener.
static void conn_on_shaken(struct net_conn *conn)
{
    uv_timer_stop(&conn->timer);
    conn->state = NET_CONN_OPEN;
    conn->listener->stats.handshakes++;
    if (!conn->listener->service->room(conn->listener)) {
        net_conn_close(conn, "as many are open as are allowed");
        return;
    }
    conn_begin(conn);
}

// The peer has to read what it was told before the end.
static void conn_on_refused(struct net_conn *conn)
{
    uv_timer_stop(&conn->timer);
    conn->framing = &net_framing_messages;
    net_near_finish(conn, NET_END_PROTOCOL, "TLS did not begin");
}

static void conn_on_insecure(struct net_conn *conn)
{
    uv_timer_stop(&conn->timer);
    conn->state = NET_CONN_OPEN;
    conn->framing = &net_framing_messages;
    if (conn->listener->service->room(conn->listener)) {
        conn->begun = true;
        conn->listener->service->insecure(conn);
    } else {
        net_conn_close(conn, "as many are open as are allowed");
    }
}

static const struct net_transport_owner transport_owner = {
    .fail = net_conn_close,
    .received = net_conn_received,
    .ended = net_conn_ended,
    .shaken = conn_on_shaken,
    .refused = conn_on_refused,
    .insecure = conn_on_insecure,
    .settle = net_conn_read_update,
    .release = net_conn_release,
};

static void conn_shake(struct net_conn *conn)
{
    const struct net_limits *limits = &conn->listener->limits;
    conn->state = NET_CONN_SHAKING;
    if (!net_transport_secure(conn, &transport_owner, conn->listener->service->protocol, NULL)) {
        net_conn_close(conn, "the server has run out of memory");
        return;
    }
    net_conn_timer_start(conn, limits->handshake_ms > 0 ? limits->handshake_ms : NET_HANDSHAKE_MS);
}

// Sends what was given for sending meanwhile.
static void conn_on_dial_shaken(struct net_conn *conn)
{
    uv_timer_stop(&conn->timer);
    conn->state = NET_CONN_OPEN;
    conn->listener->stats.handshakes++;
    net_outbox_kick(conn);
}

static void conn_on_dial_refused(struct net_conn *conn)
{
    net_conn_close(conn, net_tls_reason(conn->secure->side));
}

static const struct net_transport_owner dial_owner = {
    .fail = net_conn_close,
    .received = net_conn_received,
    .ended = net_conn_ended,
    .shaken = conn_on_dial_shaken,
    .refused = conn_on_dial_refused,
    .settle = net_conn_read_update,
    .release = net_conn_release,
};

bool net_conn_dial_secure(struct net_conn *conn, const char *name)
{
    const uint32_t most_ms = conn->listener->limits.handshake_ms;
    conn->state = NET_CONN_SHAKING;
    if (!net_transport_secure(conn, &dial_owner, conn->listener->service->protocol, name)) {
        return false;
    }
    net_conn_timer_start(conn, most_ms > 0 ? most_ms : NET_HANDSHAKE_MS);
    return true;
}

bool net_conn_is_distrusted(const struct net_conn *conn)
{
    return conn->distrusted;
}

// Its handle has a socket.
static void conn_greet(struct net_conn *conn)
{
    struct sockaddr_storage peer = {0};
    int length = sizeof peer;
    uv_tcp_getpeername(&conn->tcp, (struct sockaddr *)&peer, &length);
    net_address_format((const struct sockaddr *)&peer, conn->peer, sizeof conn->peer);
    conn->origin = net_address_origin((const struct sockaddr *)&peer, &conn->loopback);
    net_conn_options(conn);
    conn->alive_ms = uv_now(&conn->loop->uv);
    if (conn->listener->limits.tls) {
        conn_shake(conn);
    } else {
        conn_begin(conn);
    }
    net_conn_read_update(conn);
}

bool net_conn_accept(struct net_listener *listener, bool refuse)
{
    struct net_conn *conn = refuse ? NULL : net_conn_create(listener);
    if (!conn) {
        return accept_and_close(listener);
    }
    int status = uv_accept((uv_stream_t *)&listener->owned.uv.tcp, (uv_stream_t *)&conn->tcp);
    if (status) {
        net_conn_close(conn, uv_strerror(status));
    } else {
        conn_greet(conn);
    }
    return true;
}

void net_conn_take(struct net_listener *listener, int file)
{
    const bool room = listener->limits.tls || listener->service->room(listener);
    struct net_conn *conn = room ? net_conn_create(listener) : NULL;
    if (!conn) {
        listener->stats.refused++;
        base_log(BASE_LOG_WARN, "a connection is refused: %s",
                 room ? uv_strerror(UV_ENOMEM) : "as many are open as are allowed");
        close(file);
        return;
    }
    int status = uv_tcp_open(&conn->tcp, file);
    if (status) {
        close(file);
        net_conn_close(conn, uv_strerror(status));
    } else {
        conn_greet(conn);
    }
}

bool net_conn_adopt(struct net_conn *conn)
{
    struct net_listener *listener = conn->listener;
    void *context = listener->on_accept(listener->context, conn);
    if (!context) {
        return false;
    }
    conn->handler = &listener->handler;
    conn->context = context;
    conn->accepted = true;
    listener->stats.accepted++;
    listener->stats.open++;
    return true;
}

void net_conn_disown(struct net_conn *conn)
{
    struct net_listener *listener = conn->listener;
    conn->accepted = false;
    conn->context = NULL;
    listener->stats.accepted--;
    listener->stats.open--;
}

void net_conn_refuse(struct net_conn *conn)
{
    if (conn->secure) {
        net_transport_say_last(conn, NULL, 0);
    }
    net_conn_close(conn, "refused");
}
