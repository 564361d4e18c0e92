// The functions by which callers use a connection: it belongs to this thread (net_near_*), or to another (net_far_*).
#include "net/crew.h"
#include "net/far.h"

#include <stdio.h>

bool net_loop_spread(struct net_loop *loop, uint32_t loops)
{
    if (loops <= 1) {
        return true;
    }
    struct net_crew *crew = net_crew_create(loop, loops - 1);
    if (!crew) {
        return false;
    }
    crew->serve = net_far_serve;
    crew->is_light = net_far_is_light;
    crew->obey = net_far_obey;
    return true;
}

uint32_t net_loop_count(const struct net_loop *loop)
{
    return loop->loops;
}

uint32_t net_loop_connections(const struct net_loop *loop, uint32_t index)
{
    const struct net_loop *of = index == 0 ? loop : loop->crew->lanes[index - 1].loop;
    return atomic_load_explicit(&of->connections, memory_order_relaxed);
}

void net_conn_peer(const struct net_conn *conn, char *out, size_t size)
{
    const struct net_far *far = net_far_of(conn);
    if (far) {
        snprintf(out, size, "%s", far->peer);
    } else {
        net_near_peer(conn, out, size);
    }
}

uint64_t net_conn_origin(const struct net_conn *conn, bool *loopback)
{
    const struct net_far *far = net_far_of(conn);
    if (!far) {
        return net_near_origin(conn, loopback);
    }
    *loopback = far->loopback;
    return far->origin;
}

uint64_t net_conn_quiet_ms(const struct net_conn *conn)
{
    const struct net_far *far = net_far_of(conn);
    return far ? net_far_quiet_ms(far) : net_near_quiet_ms(conn);
}

bool net_conn_is_over(const struct net_conn *conn)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_is_over(far) : net_near_is_over(conn);
}

bool net_conn_has_begun(const struct net_conn *conn)
{
    const struct net_far *far = net_far_of(conn);
    return far ? net_far_has_begun(far) : net_near_has_begun(conn);
}

bool net_conn_overdue(const struct net_conn *conn)
{
    const struct net_far *far = net_far_of(conn);
    return far ? net_far_overdue(far) : net_near_overdue(conn);
}

void net_conn_trust(struct net_conn *conn)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_trust(far);
    } else {
        net_near_trust(conn);
    }
}

enum net_peer net_conn_look(const struct net_conn *conn)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_look(far) : net_near_look(conn);
}

void net_conn_tell(struct net_conn *conn, struct base_buffer *bytes)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_tell(far, bytes);
    } else {
        net_near_tell(conn, bytes);
    }
}

void net_conn_send(struct net_conn *conn, struct base_buffer *bytes)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_send(far, bytes);
    } else {
        net_near_send(conn, bytes);
    }
}

size_t net_conn_unsent(const struct net_conn *conn)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_unsent(far) : net_near_unsent(conn);
}

void net_conn_hold(struct net_conn *conn, bool hold)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_hold(far, hold);
    } else {
        net_near_hold(conn, hold);
    }
}

void net_conn_drain_mark(struct net_conn *conn, size_t bytes)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_drain_mark(far, bytes);
    } else {
        net_near_drain_mark(conn, bytes);
    }
}

bool net_conn_stream_open(struct net_conn *conn, uint32_t stream)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_stream_open(far, stream) : net_near_stream_open(conn, stream);
}

uint64_t net_conn_stream_close(struct net_conn *conn, uint32_t stream)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_stream_close(far, stream) : net_near_stream_close(conn, stream);
}

void net_conn_stream_push(struct net_conn *conn, struct base_batch *batch)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_stream_push(far, batch);
    } else {
        net_near_stream_push(conn, batch);
    }
}

bool net_conn_stream_limit(struct net_conn *conn, uint32_t stream, size_t bytes)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_stream_limit(far, stream, bytes) : net_near_stream_limit(conn, stream, bytes);
}

bool net_conn_stream_ack(struct net_conn *conn, uint32_t stream, uint32_t seq)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_stream_ack(far, stream, seq) : net_near_stream_ack(conn, stream, seq);
}

size_t net_conn_stream_waiting(const struct net_conn *conn, uint32_t stream)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_stream_waiting(far, stream) : net_near_stream_waiting(conn, stream);
}

uint64_t net_conn_stream_moment(const struct net_conn *conn, uint32_t stream)
{
    struct net_far *far = net_far_of(conn);
    return far ? net_far_stream_moment(far, stream) : net_near_stream_moment(conn, stream);
}

void net_conn_finish(struct net_conn *conn, enum net_end end, const char *reason)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_finish(far, end, reason);
    } else {
        net_near_finish(conn, end, reason);
    }
}

void net_conn_cut(struct net_conn *conn, enum net_end end, const char *reason)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_cut(far, end, reason);
    } else {
        net_near_cut(conn, end, reason);
    }
}

void net_conn_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms)
{
    struct net_far *far = net_far_of(conn);
    if (far) {
        net_far_dismiss(far, end, reason, words, grace_ms);
    } else {
        net_near_dismiss(conn, end, reason, words, grace_ms);
    }
}
