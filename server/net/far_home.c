// The part of a connection that home's thread has, while its socket is elsewhere.
//
//     up:    accepted?  messages, a share at a time    then, when all are taken: bad, ended    closed
//            at once: drained, moving, behind, overfull
//
// Shares, and which connections are light, are as in share.c: messages of one that floods wait behind those of others.
#include "net/far.h"

#include "base/clock.h"
#include "base/log.h"
#include "net/crew.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    FAR_SHARE_MESSAGES = 32,
    FAR_SHARE_NS = 300 * 1000,
    FAR_WINDOW_MS = 64,
    FAR_LIGHT_NS = 1000 * 1000,
};

static struct net_conn *face_of(struct net_far *far)
{
    return (struct net_conn *)(void *)far;
}

static uint64_t now_ms(const struct net_far *far)
{
    return uv_now(&far->lane->crew->home->uv);
}

// ---------------------------------------------------------------------------------------------------------
// Up

static uint64_t spent_ns(const struct net_far *far, uint64_t now)
{
    uint64_t past = now / FAR_WINDOW_MS - far->window;
    return past < 32 ? far->spent_ns >> past : 0;
}

bool net_far_is_light(const struct net_far *far, uint64_t now)
{
    return spent_ns(far, now) < FAR_LIGHT_NS;
}

static void leave(struct net_far *far)
{
    far->left = true;
    net_far_unref(far);
}

// As sessions_begin has it for those of this thread.
static bool room(struct net_far *far)
{
    struct net_listener *listener = far->listener;
    return listener->http || listener->stats.open + listener->far_open < listener->limits.connections ||
           (far->handler.on_full && far->handler.on_full(listener->context, face_of(far)));
}

static void meet(struct net_far *far)
{
    struct net_listener *listener = far->listener;
    far->met = true;
    if (room(far)) {
        far->context = listener->on_accept(listener->context, face_of(far));
    } else {
        listener->stats.refused++;
        base_log(BASE_LOG_WARN, "a connection is refused: as many are open as are allowed");
    }
    base_mutex_lock(&far->mutex);
    far->orders.admit = far->context != NULL;
    far->orders.refuse = !far->context;
    base_mutex_unlock(&far->mutex);
    net_crew_order(far);
    if (far->context) {
        listener->far_open++;
    } else {
        leave(far);
    }
}

static bool take(struct net_far *far, struct net_far_message *message)
{
    if (!base_ring_pop(far->messages, message)) {
        return false;
    }
    atomic_fetch_sub_explicit(&far->lane->loop->handed, message->size, memory_order_relaxed);
    atomic_fetch_sub_explicit(&far->message_bytes, message->size, memory_order_relaxed);
    atomic_fetch_add_explicit(&far->taken, 1, memory_order_relaxed);
    return true;
}

static void drop(struct net_far *far)
{
    struct net_far_message message;
    while (take(far, &message)) {
        free(message.bytes);
    }
}

static void hand_up(struct net_far *far)
{
    const uint64_t began_ns = base_now_ns();
    struct net_far_message message;
    for (uint32_t n = 0; n < FAR_SHARE_MESSAGES && !far->held && !far->over && take(far, &message); n++) {
        far->handler.on_message(far->context, face_of(far), message.bytes, message.size);
        if (base_now_ns() - began_ns >= FAR_SHARE_NS) {
            break;
        }
    }
    const uint64_t now = now_ms(far);
    far->spent_ns = spent_ns(far, now) + (base_now_ns() - began_ns);
    far->window = now / FAR_WINDOW_MS;
    if (far->over) {
        drop(far);
    }
}

// Takes the news that are told now; the rest stays. *rest: messages are left, which may be handed up.
static struct net_far_news take_news(struct net_far *far, bool *rest)
{
    base_mutex_lock(&far->mutex);
    const bool empty = base_ring_empty(far->messages);
    *rest = !empty && !far->held;
    const bool taken = empty && !far->held;
    struct net_far_news news = far->news;
    far->news.drained = far->news.moving = far->news.overfull = false;
    if (taken) {
        far->news.waits = far->news.bad = far->news.ended = false;
        far->orders.go_on = far->orders.go_on || news.waits;
    } else {
        news.waits = news.bad = news.ended = false;
    }
    // Whoever holds it would not take its messages now, and nobody waits for what they would be answered.
    news.closed = news.closed && !*rest;
    base_mutex_unlock(&far->mutex);
    return news;
}

static void tell_streams(struct net_far *far)
{
    uint32_t behind, moving;
    do {
        base_mutex_lock(&far->mutex);
        behind = far->conn ? net_streams_behind(&far->conn->outbox.streams) : 0;
        moving = far->conn ? net_outbox_moving(&far->conn->outbox) : 0;
        base_mutex_unlock(&far->mutex);
        if (behind > 0 && far->handler.on_behind) {
            far->handler.on_behind(far->context, face_of(far), behind);
        }
        if (moving > 0 && far->handler.on_moving) {
            far->handler.on_moving(far->context, face_of(far), moving);
        }
    } while (behind > 0 || moving > 0);
}

static void tell(struct net_far *far, const struct net_far_news *news)
{
    const struct net_conn_handler *handler = &far->handler;
    if (news->moving) {
        tell_streams(far);
    }
    if (news->drained && !far->over && handler->on_drained) {
        handler->on_drained(far->context, face_of(far));
    }
    if (news->overfull && !far->over) {
        if (handler->on_overfull) {
            handler->on_overfull(far->context, face_of(far));
        }
        net_far_finish(far, NET_END_TOO_LARGE, NET_OVERFULL_TEXT);
    }
    if (news->bad && !far->over) {
        handler->on_bad_stream(far->context, face_of(far), news->bad_status);
        net_far_finish(far, net_bad_end(news->bad_status), NET_BAD_TEXT);
    }
    if (news->ended && !far->over && handler->on_end) {
        handler->on_end(far->context, face_of(far));
    }
}

bool net_far_serve(struct net_far *far)
{
    if (!far->met) {
        meet(far);
    }
    if (far->left) {
        return false;
    }
    hand_up(far);
    bool rest;
    const struct net_far_news news = take_news(far, &rest);
    if (news.waits) {
        net_crew_order(far);
    }
    tell(far, &news);
    if (news.closed) {
        drop(far);
        far->listener->far_open--;
        far->handler.on_closed(far->context, face_of(far), news.reason);
        leave(far);
        return false;
    }
    return rest;
}

// ---------------------------------------------------------------------------------------------------------
// Down

// Its mutex is taken; false: the connection is gone.
static bool reach(struct net_far *far)
{
    base_mutex_lock(&far->mutex);
    return far->conn != NULL;
}

static void ordered(struct net_far *far)
{
    base_mutex_unlock(&far->mutex);
    net_crew_order(far);
}

void net_far_tell(struct net_far *far, struct base_buffer *bytes)
{
    base_mutex_lock(&far->mutex);
    base_buffer_unref(far->orders.words);
    far->orders.words = base_buffer_ref(bytes);
    base_mutex_unlock(&far->mutex);
}

void net_far_send(struct net_far *far, struct base_buffer *bytes)
{
    bool good = reach(far) ? net_outbox_send(&far->conn->outbox, bytes) : true;
    ordered(far);
    if (!good) {
        net_far_cut(far, NET_END_FAILURE, "the server has run out of memory");
    }
}

size_t net_far_unsent(struct net_far *far)
{
    size_t unsent = reach(far) ? far->conn->outbox.unsent : 0;
    base_mutex_unlock(&far->mutex);
    return unsent;
}

void net_far_hold(struct net_far *far, bool hold)
{
    const bool was = far->held;
    far->held = hold;
    if (was && !hold && !far->left) {
        net_crew_line_up(far);
    }
}

void net_far_drain_mark(struct net_far *far, size_t bytes)
{
    if (reach(far)) {
        net_outbox_mark(&far->conn->outbox, bytes);
    }
    base_mutex_unlock(&far->mutex);
}

void net_far_trust(struct net_far *far)
{
    reach(far);
    far->orders.trust = true;
    ordered(far);
}

bool net_far_stream_open(struct net_far *far, uint32_t stream)
{
    bool opened = reach(far) && net_outbox_open(&far->conn->outbox, stream);
    base_mutex_unlock(&far->mutex);
    return opened;
}

uint64_t net_far_stream_close(struct net_far *far, uint32_t stream)
{
    uint64_t begun = reach(far) ? net_streams_close(&far->conn->outbox.streams, stream) : 0;
    base_mutex_unlock(&far->mutex);
    return begun;
}

void net_far_stream_push(struct net_far *far, struct base_batch *batch)
{
    struct net_stream *stream = reach(far) ? net_outbox_taking(&far->conn->outbox, batch) : NULL;
    const uint32_t id = batch->stream;
    uint32_t dropped = 0;
    uint64_t dropped_total = 0;
    bool blocked = false, behind = false;
    if (stream) {
        dropped = net_outbox_put(&far->conn->outbox, stream, batch, &blocked);
        dropped_total = stream->dropped_total;
        behind = far->conn->outbox.streams.any_asks;
    }
    base_mutex_unlock(&far->mutex);
    if (!stream) {
        base_batch_destroy(batch);
        return;
    }
    if (behind) {
        tell_streams(far);
    }
    net_crew_order(far); // to write it, or to count what was dropped
    if (dropped > 0 && far->handler.on_lagged) {
        far->handler.on_lagged(far->context, face_of(far), id, dropped_total, blocked);
    }
}

bool net_far_stream_limit(struct net_far *far, uint32_t stream, size_t bytes)
{
    bool limited = reach(far) && net_outbox_limit(&far->conn->outbox, stream, bytes);
    base_mutex_unlock(&far->mutex);
    return limited;
}

bool net_far_stream_ack(struct net_far *far, uint32_t stream, uint32_t seq)
{
    bool more = false;
    const bool known = !reach(far) || net_outbox_ack(&far->conn->outbox, stream, seq, &more);
    base_mutex_unlock(&far->mutex);
    if (known && more) {
        net_crew_order(far); // to write what may follow
    }
    return known;
}

size_t net_far_stream_waiting(struct net_far *far, uint32_t id)
{
    const struct net_stream *stream = reach(far) ? net_streams_find(&far->conn->outbox.streams, id) : NULL;
    size_t bytes = stream ? stream->waiting_bytes : 0;
    base_mutex_unlock(&far->mutex);
    return bytes;
}

uint64_t net_far_stream_moment(struct net_far *far, uint32_t id)
{
    const struct net_stream *stream = reach(far) ? net_streams_find(&far->conn->outbox.streams, id) : NULL;
    uint64_t moment = stream ? net_stream_moment(stream) : UINT64_MAX;
    base_mutex_unlock(&far->mutex);
    return moment;
}

uint64_t net_far_quiet_ms(const struct net_far *far)
{
    const uint64_t now = now_ms(far);
    const uint64_t moved_ms = atomic_load_explicit(&far->mirror.moved_ms, memory_order_relaxed);
    return now > moved_ms ? now - moved_ms : 0;
}

bool net_far_is_over(struct net_far *far)
{
    bool over = !reach(far) || far->conn->outbox.streams_over;
    base_mutex_unlock(&far->mutex);
    return over || far->over;
}

bool net_far_has_begun(const struct net_far *far)
{
    return atomic_load_explicit(&far->mirror.due_ms, memory_order_relaxed) != 0;
}

bool net_far_overdue(const struct net_far *far)
{
    const uint64_t due_ms = atomic_load_explicit(&far->mirror.due_ms, memory_order_relaxed);
    return due_ms != 0 && atomic_load_explicit(&far->mirror.reading, memory_order_relaxed) &&
           now_ms(far) > due_ms;
}

enum net_peer net_far_look(struct net_far *far)
{
    // Its file stays open while the outbox takes something: whoever closes it says so first.
    bool open = reach(far) && !far->conn->outbox.streams_over;
    enum net_peer peer = open ? net_address_look(far->file) : NET_PEER_THERE;
    base_mutex_unlock(&far->mutex);
    return peer;
}

// ---------------------------------------------------------------------------------------------------------
// Ends

static void set_reason(char out[NET_REASON_MAX], const char *reason)
{
    snprintf(out, NET_REASON_MAX, "%s", reason ? reason : "");
}

void net_far_finish(struct net_far *far, enum net_end end, const char *reason)
{
    if (!far->over) {
        far->over = true;
        reach(far);
        far->orders.finish = true;
        far->orders.end = end;
        set_reason(far->orders.reason, reason);
        ordered(far);
    }
}

void net_far_dismiss(struct net_far *far, enum net_end end, const char *reason, struct base_buffer *words,
                     uint32_t grace_ms)
{
    if (!far->over) {
        far->over = true;
        reach(far);
        far->orders.dismiss = true;
        far->orders.end = end;
        far->orders.grace_ms = grace_ms;
        base_buffer_unref(far->orders.words);
        far->orders.words = words ? base_buffer_ref(words) : NULL;
        set_reason(far->orders.reason, reason);
        ordered(far);
    }
}

void net_far_cut(struct net_far *far, enum net_end end, const char *reason)
{
    far->over = true;
    reach(far);
    if (!far->orders.cut) {
        far->orders.cut = true;
        far->orders.cut_end = end;
        set_reason(far->orders.cut_reason, reason);
    }
    ordered(far);
}
