// The part of a connection that a lane's thread has, while its owner is elsewhere: the lane is its handler.
#include "net/far.h"

#include "base/assert.h"
#include "net/crew.h"

#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------
// Life

void *net_far_accept(void *context, struct net_conn *conn)
{
    struct net_listener *shadow = context;
    struct net_far *far = calloc(1, sizeof *far);
    struct base_ring *messages = base_ring_create(sizeof(struct net_far_message), NET_FAR_MESSAGES);
    if (!far || !messages) {
        free(far);
        base_ring_destroy(messages);
        return NULL;
    }
    far->face.is_far = true;
    far->messages = messages;
    far->lane = conn->loop->lane;
    far->listener = shadow->home;
    far->handler = shadow->home->handler;
    far->origin = net_near_origin(conn, &far->loopback);
    far->file = -1;
    uv_fileno((const uv_handle_t *)&conn->tcp, &far->file);
    net_near_peer(conn, far->peer, sizeof far->peer);
    far->conn = conn;
    atomic_init(&far->refs, 2);
    base_mutex_init(&far->mutex);
    conn->far = far;
    conn->mirror = &far->mirror;
    conn->outbox.mutex = &far->mutex;
    net_conn_mirror(conn);
    net_near_hold(conn, true);
    net_lane_post(far);
    return far;
}

// Home may still have it, but the connection is for itself from now on.
static void forget(struct net_far *far, struct net_conn *conn)
{
    base_mutex_lock(&far->mutex);
    far->conn = NULL;
    base_mutex_unlock(&far->mutex);
    conn->far = NULL;
    conn->mirror = NULL;
    conn->outbox.mutex = NULL;
}

// ---------------------------------------------------------------------------------------------------------
// News

static void on_message(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    struct net_far *far = context;
    const struct net_far_message message = {bytes, size};
    // A peer that is not trusted sends one at a time: the next may be larger if this one says who the peer is.
    const bool one = !conn->trusted && conn->listener->limits.first_bytes > 0;
    const uint32_t most = one ? 1 : NET_FAR_MESSAGES;
    atomic_fetch_add_explicit(&conn->loop->handed, size, memory_order_relaxed);
    size_t held = atomic_fetch_add_explicit(&far->message_bytes, size, memory_order_relaxed) + size;
    bool pushed = base_ring_push(far->messages, &message);
    BASE_ASSERT(pushed); // where the next might not fit, it is held
    far->given++;
    if (far->given - atomic_load_explicit(&far->taken, memory_order_relaxed) >= most ||
        held >= NET_FAR_BYTES) {
        net_near_hold(conn, true);
        base_mutex_lock(&far->mutex);
        far->news.waits = true;
        base_mutex_unlock(&far->mutex);
    }
    net_lane_post(far);
}

static void on_bad_stream(void *context, struct net_conn *conn, enum protocol_scan_status status)
{
    struct net_far *far = context;
    (void)conn;
    base_mutex_lock(&far->mutex);
    far->news.bad = true;
    far->news.bad_status = status;
    base_mutex_unlock(&far->mutex);
    net_lane_post(far);
}

static void tell(struct net_far *far, bool *what)
{
    base_mutex_lock(&far->mutex);
    *what = true;
    base_mutex_unlock(&far->mutex);
    net_lane_post(far);
}

static void on_overfull(void *context, struct net_conn *conn)
{
    struct net_far *far = context;
    (void)conn;
    tell(far, &far->news.overfull);
}

static void on_end(void *context, struct net_conn *conn)
{
    struct net_far *far = context;
    (void)conn;
    tell(far, &far->news.ended);
}

static void on_drained(void *context, struct net_conn *conn)
{
    struct net_far *far = context;
    (void)conn;
    tell(far, &far->news.drained);
}

static void on_moving(void *context, struct net_conn *conn, uint32_t stream)
{
    struct net_far *far = context;
    (void)conn;
    (void)stream; // home sees which
    tell(far, &far->news.moving);
}

static void on_closed(void *context, struct net_conn *conn, const char *reason)
{
    struct net_far *far = context;
    forget(far, conn);
    base_mutex_lock(&far->mutex);
    far->news.closed = true;
    snprintf(far->news.reason, sizeof far->news.reason, "%s", reason);
    base_mutex_unlock(&far->mutex);
    net_lane_post(far);
    net_far_unref(far);
}

// on_accept of its owner decides whether there is room.
static bool on_full(void *context, struct net_conn *conn)
{
    (void)context;
    (void)conn;
    return true;
}

const struct net_conn_handler net_far_handler = {
    .on_message = on_message,
    .on_bad_stream = on_bad_stream,
    .on_overfull = on_overfull,
    .on_end = on_end,
    .on_closed = on_closed,
    .on_drained = on_drained,
    .on_moving = on_moving,
    .on_full = on_full,
};

// ---------------------------------------------------------------------------------------------------------
// Orders

static void refuse(struct net_far *far, struct net_conn *conn, struct base_buffer *words)
{
    forget(far, conn);
    net_conn_disown(conn);
    net_far_unref(far);
    if (conn->state == NET_CONN_CLOSING) {
        return;
    }
    if (words) {
        net_near_tell(conn, words);
    }
    conn->listener->service->admitted(conn, false);
}

void net_far_obey(struct net_far *far)
{
    base_mutex_lock(&far->mutex);
    struct net_conn *conn = far->conn;
    const struct net_far_orders orders = far->orders;
    far->orders = (struct net_far_orders){0};
    if (conn) {
        conn->listener->stats.frames_dropped += conn->outbox.dropped;
        conn->outbox.dropped = 0;
    }
    base_mutex_unlock(&far->mutex);
    if (!conn) {
        base_buffer_unref(orders.words);
        return;
    }
    if (orders.refuse) {
        refuse(far, conn, orders.words);
        base_buffer_unref(orders.words);
        return;
    }
    if (orders.trust) {
        net_near_trust(conn);
    }
    if (orders.admit && conn->state != NET_CONN_CLOSING) {
        conn->listener->service->admitted(conn, true);
    }
    if (orders.go_on) {
        net_near_hold(conn, false);
    }
    if (orders.finish) {
        net_near_finish(conn, orders.end, orders.reason);
    }
    if (orders.dismiss) {
        net_near_dismiss(conn, orders.end, orders.reason, orders.words, orders.grace_ms);
    }
    if (orders.cut) {
        net_near_cut(conn, orders.cut_end, orders.cut_reason);
    }
    base_buffer_unref(orders.words);
    net_outbox_kick(conn);
}
