// The order in which connections are served: a loop's turn belongs to all of them.
//
//     turn:   begin -> sockets are read -> who waits is served, one after the other, for NET_TURN_LATER_NS
//
// A share is NET_SHARE_MESSAGES messages, or NET_SHARE_NS of time, of at most one read of NET_READ_BYTES. What is left
// of the bytes waits, and meanwhile the socket is not read. Who has been given little lately (light) is served as soon as
// its bytes are read; who has had much waits in line with its kind. So a ping passes a flood: it waits for the turn
// under way, NET_TURN_LATER_NS and one message, however many flood. Where light ones alone use up a turn they wait in
// the same line.
//
//     spent   time of the loop in this window of NET_SHARE_WINDOW_MS, and half of what was spent before
//     light   spent < NET_LIGHT_NS
//
// New connections are accepted so many a turn as well; libuv listens no further until the one it holds is taken.
#include "net/net_internal.h"

#include "base/assert.h"
#include "base/clock.h"

enum {
    NET_SHARE_MESSAGES = 32,
    NET_SHARE_NS = 300 * 1000,
    NET_SHARE_WINDOW_MS = 64,
    NET_LIGHT_NS = 1000 * 1000,
    NET_TURN_DIRECT_NS = 2000 * 1000,
    NET_TURN_LATER_NS = 1000 * 1000,
    NET_TURN_ACCEPTS = 64,
    NET_ACCEPT_RETRY_MS = 20,
};

static void on_later(uv_idle_t *later);
static void on_retry(uv_timer_t *retry);

// ---------------------------------------------------------------------------------------------------------
// A share

static uint64_t window_now(const struct net_conn *conn)
{
    return uv_now(&conn->loop->uv) / NET_SHARE_WINDOW_MS;
}

static uint64_t spent_ns(const struct net_conn *conn)
{
    uint64_t past = window_now(conn) - conn->share.window;
    return past < 32 ? conn->share.spent_ns >> past : 0;
}

bool net_share_direct(const struct net_conn *conn)
{
    return !conn->share.waiting && conn->loop->turns.used_ns < NET_TURN_DIRECT_NS &&
           spent_ns(conn) < NET_LIGHT_NS;
}

void net_share_begin(struct net_conn *conn)
{
    conn->share.began_ns = base_now_ns();
    conn->share.taken = 0;
}

bool net_share_goes_on(struct net_conn *conn)
{
    return conn->share.taken++ < NET_SHARE_MESSAGES && base_now_ns() - conn->share.began_ns < NET_SHARE_NS;
}

void net_share_end(struct net_conn *conn)
{
    uint64_t used_ns = base_now_ns() - conn->share.began_ns;
    conn->share.spent_ns = spent_ns(conn) + used_ns;
    conn->share.window = window_now(conn);
    conn->loop->turns.used_ns += used_ns;
}

// ---------------------------------------------------------------------------------------------------------
// The line

void net_share_wait(struct net_conn *conn)
{
    struct net_turns *turns = &conn->loop->turns;
    struct net_share *share = &conn->share;
    if (share->waiting) {
        return;
    }
    share->waiting = true;
    share->next = NULL;
    share->prev = turns->last;
    if (turns->last) {
        turns->last->share.next = conn;
    } else {
        turns->first = conn;
    }
    turns->last = conn;
    turns->waiting++;
    uv_idle_start(&turns->later, on_later);
}

void net_share_leave(struct net_conn *conn)
{
    struct net_turns *turns = &conn->loop->turns;
    struct net_share *share = &conn->share;
    if (!share->waiting) {
        return;
    }
    share->waiting = false;
    turns->waiting--;
    if (share->prev) {
        share->prev->share.next = share->next;
    } else {
        turns->first = share->next;
    }
    if (share->next) {
        share->next->share.prev = share->prev;
    } else {
        turns->last = share->prev;
    }
}

static void serve_line(struct net_turns *turns)
{
    uint64_t began_ns = base_now_ns();
    // Once each: who is not done goes to the end of the line.
    for (uint32_t left = turns->waiting; left > 0 && turns->first; left--) {
        struct net_conn *conn = turns->first;
        net_share_leave(conn);
        turns->serve(conn);
        if (base_now_ns() - began_ns > NET_TURN_LATER_NS) {
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// New connections

bool net_share_accept(struct net_loop *loop)
{
    return loop->turns.accepted++ < NET_TURN_ACCEPTS;
}

void net_share_accept_later(struct net_listener *listener, bool memory)
{
    struct net_turns *turns = &listener->owned.loop->turns;
    if (!listener->held_up) {
        listener->held_up = true;
        listener->next_held_up = turns->held_up;
        turns->held_up = listener;
    }
    if (memory) {
        uv_timer_start(&turns->retry, on_retry, NET_ACCEPT_RETRY_MS, 0);
    } else {
        uv_idle_start(&turns->later, on_later);
    }
}

void net_share_accept_leave(struct net_listener *listener)
{
    struct net_listener **at = &listener->owned.loop->turns.held_up;
    while (*at && *at != listener) {
        at = &(*at)->next_held_up;
    }
    if (*at) {
        *at = listener->next_held_up;
    }
    listener->held_up = false;
}

static void accept_held_up(struct net_turns *turns)
{
    struct net_listener *listener = turns->held_up;
    turns->held_up = NULL;
    while (listener) {
        struct net_listener *next = listener->next_held_up;
        listener->held_up = false;
        turns->accept(listener);
        listener = next;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Turns

static void on_begin(uv_prepare_t *begin)
{
    struct net_turns *turns = begin->data;
    turns->number++;
    turns->used_ns = 0;
    turns->accepted = 0;
}

static void on_retry(uv_timer_t *retry)
{
    accept_held_up(retry->data);
}

static void on_later(uv_idle_t *later)
{
    struct net_turns *turns = later->data;
    bool retrying = uv_is_active((const uv_handle_t *)&turns->retry);
    if (turns->held_up && !retrying) {
        accept_held_up(turns);
    }
    serve_line(turns);
    if (!turns->first && (!turns->held_up || uv_is_active((const uv_handle_t *)&turns->retry))) {
        uv_idle_stop(later);
    }
}

void net_turns_init(struct net_turns *turns, uv_loop_t *uv)
{
    turns->number = 1;
    // None of these asks for memory.
    int status = uv_prepare_init(uv, &turns->begin) | uv_idle_init(uv, &turns->later) |
                 uv_timer_init(uv, &turns->retry);
    turns->begin.data = turns->later.data = turns->retry.data = turns;
    status |= uv_prepare_start(&turns->begin, on_begin);
    BASE_ASSERT(status == 0);
}

void net_turns_close(struct net_turns *turns)
{
    uv_close((uv_handle_t *)&turns->begin, NULL);
    uv_close((uv_handle_t *)&turns->later, NULL);
    uv_close((uv_handle_t *)&turns->retry, NULL);
}
