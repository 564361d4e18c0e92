// Implements the loop of net/net.h without a system's: what is due is done when it is given a turn.
#include "base/clock.h"
#include "base/thread.h"
#include "local/parts.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t never = UINT64_MAX;

struct net_wake {
    struct net_wake *next;
    bool sent;
    void (*on_wake)(void *context);
    void *context;
};

struct net_timer {
    struct net_timer *next;
    uint64_t due_ns, period_ns; // due_ns is `never` after the last call
    bool stopped;
    void (*on_time)(void *context);
    void *context;
};

struct net_work {
    struct net_work *next;
    struct base_thread thread;
    atomic_bool over; // for work on a thread: it has ended
    void (*work)(void *context), (*done)(void *context);
    void *context;
};

// ---------------------------------------------------------------------------------------------------------
// Life

struct net_loop *net_loop_create(void)
{
    return calloc(1, sizeof(struct net_loop));
}

// Frees timers and wakes that are left; their owners must not use them any more. Work that was not begun is
// not done.
void net_loop_destroy(struct net_loop *loop)
{
    if (!loop) {
        return;
    }
    local_conns_destroy(loop);
    for (struct net_wake *wake = loop->wakes, *next; wake; wake = next) {
        next = wake->next;
        free(wake);
    }
    for (struct net_timer *timer = loop->timers, *next; timer; timer = next) {
        next = timer->next;
        free(timer);
    }
    for (struct net_work *item = loop->work, *next; item; item = next) {
        next = item->next;
        free(item);
    }
    for (struct net_listener *listener = loop->listeners, *next; listener; listener = next) {
        next = listener->next;
        free(listener);
    }
    free(loop->parts);
    free(loop);
}

uint32_t net_loop_count(const struct net_loop *loop)
{
    (void)loop;
    return 1;
}

uint32_t net_loop_connections(const struct net_loop *loop, uint32_t index)
{
    uint32_t open = 0;
    (void)index;
    for (const struct net_listener *listener = loop->listeners; listener; listener = listener->next) {
        open += listener->stats.open;
    }
    return open;
}

void net_loop_gather(struct net_loop *loop)
{
    loop->gathering = true;
}

void net_loop_gathered(struct net_loop *loop)
{
    loop->gathering = false;
    local_conns_gathered(loop);
}

// ---------------------------------------------------------------------------------------------------------
// Wakes

struct net_wake *net_wake_create(struct net_loop *loop, void (*on_wake)(void *context), void *context)
{
    struct net_wake *wake = calloc(1, sizeof *wake);
    if (!wake) {
        return NULL;
    }
    *wake = (struct net_wake){.next = loop->wakes, .on_wake = on_wake, .context = context};
    loop->wakes = wake;
    return wake;
}

void net_wake_send(struct net_wake *wake)
{
    wake->sent = true;
}

// The wake is freed later: its own callback may call this, while the loop goes along the list.
void net_wake_destroy(struct net_wake *wake)
{
    if (wake) {
        wake->sent = false;
        wake->on_wake = NULL;
    }
}

static void wakes_call(struct net_loop *loop)
{
    for (struct net_wake *wake = loop->wakes; wake; wake = wake->next) {
        if (wake->sent && wake->on_wake) {
            wake->sent = false;
            wake->on_wake(wake->context);
        }
    }
    struct net_wake **at = &loop->wakes;
    while (*at) {
        struct net_wake *wake = *at;
        if (!wake->on_wake) {
            *at = wake->next;
            free(wake);
        } else {
            at = &wake->next;
        }
    }
}

static bool wakes_wait(const struct net_loop *loop)
{
    for (const struct net_wake *wake = loop->wakes; wake; wake = wake->next) {
        if (wake->sent) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Timers

struct net_timer *net_timer_start(struct net_loop *loop, uint64_t delay_ms, uint64_t period_ms,
                                  void (*on_time)(void *context), void *context)
{
    struct net_timer *timer = calloc(1, sizeof *timer);
    if (!timer) {
        return NULL;
    }
    *timer = (struct net_timer){.next = loop->timers,
                                .due_ns = base_now_ns() + delay_ms * 1000000,
                                .period_ns = period_ms * 1000000,
                                .on_time = on_time,
                                .context = context};
    loop->timers = timer;
    return timer;
}

void net_timer_stop(struct net_timer *timer)
{
    if (timer) {
        timer->stopped = true; // freed later: its own callback may call this
    }
}

static void timers_sweep(struct net_loop *loop)
{
    struct net_timer **at = &loop->timers;
    while (*at) {
        struct net_timer *timer = *at;
        if (timer->stopped) {
            *at = timer->next;
            free(timer);
        } else {
            at = &timer->next;
        }
    }
}

// Calls timers that are due. Timers that are started meanwhile are at the front, and get their turn next
// time. Returns when the first is due.
static uint64_t timers_call(struct net_loop *loop)
{
    const uint64_t now_ns = base_now_ns();
    for (struct net_timer *timer = loop->timers; timer; timer = timer->next) {
        if (timer->stopped || timer->due_ns > now_ns) {
            continue;
        }
        timer->due_ns = timer->period_ns > 0 ? now_ns + timer->period_ns : never;
        timer->on_time(timer->context);
    }
    timers_sweep(loop);
    uint64_t first_ns = never;
    for (const struct net_timer *timer = loop->timers; timer; timer = timer->next) {
        first_ns = timer->due_ns < first_ns ? timer->due_ns : first_ns;
    }
    return first_ns;
}

// ---------------------------------------------------------------------------------------------------------
// Work

static void do_work(void *context)
{
    struct net_work *item = context;
    item->work(item->context);
    atomic_store(&item->over, true);
}

static bool start_work(struct net_loop *loop, struct net_work *item)
{
    if (!base_threads() || !base_thread_start(&item->thread, "weft-work", do_work, item)) {
        return false;
    }
    item->next = loop->under_way;
    loop->under_way = item;
    return true;
}

// Does work on a thread. Without threads it is done in a turn of its own.
bool net_work(struct net_loop *loop, void (*work)(void *context), void (*done)(void *context), void *context)
{
    struct net_work *item = malloc(sizeof *item);
    if (!item) {
        return false;
    }
    *item = (struct net_work){.work = work, .done = done, .context = context};
    if (start_work(loop, item)) {
        return true;
    }
    if (loop->work_last) {
        loop->work_last->next = item;
    } else {
        loop->work = item;
    }
    loop->work_last = item;
    return true;
}

static void work_one(struct net_loop *loop)
{
    struct net_work *item = loop->work;
    if (!item) {
        return;
    }
    loop->work = item->next;
    loop->work_last = loop->work ? loop->work_last : NULL;
    item->work(item->context);
    item->done(item->context);
    free(item);
}

static void work_ends(struct net_loop *loop)
{
    for (struct net_work **at = &loop->under_way; *at;) {
        struct net_work *item = *at;
        if (atomic_load(&item->over)) {
            *at = item->next;
            base_thread_join(&item->thread);
            item->done(item->context);
            free(item);
            at = &loop->under_way; // the list may have changed
        } else {
            at = &item->next;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Listening

struct net_listener *local_listener_create(struct net_loop *loop, const struct net_limits *limits,
                                           const struct net_conn_handler *handler)
{
    struct net_listener *listener = calloc(1, sizeof *listener);
    if (listener) {
        *listener = (struct net_listener){
            .next = loop->listeners, .loop = loop, .limits = *limits, .handler = handler};
        loop->listeners = listener;
    }
    return listener;
}

struct net_listener *net_listen(struct net_loop *loop, const char *address, const struct net_limits *limits,
                                void *(*on_accept)(void *context, struct net_conn *conn),
                                const struct net_conn_handler *handler, void *context, const char **reason)
{
    (void)address;
    struct net_listener *listener = local_listener_create(loop, limits, handler);
    *reason = !listener ? "no memory" : NULL;
    if (listener) {
        listener->on_accept = on_accept;
        listener->context = context;
        loop->listener = listener;
    }
    return listener;
}

struct net_listener *net_listen_http(struct net_loop *loop, const char *address,
                                     const struct net_limits *limits, const struct net_http_options *http,
                                     void *(*on_accept)(void *context, struct net_conn *conn),
                                     const struct net_conn_handler *handler, void *context,
                                     const char **reason)
{
    (void)loop;
    (void)address;
    (void)limits;
    (void)http;
    (void)on_accept;
    (void)handler;
    (void)context;
    *reason = "there is no HTTP here";
    return NULL;
}

void net_listener_address(const struct net_listener *listener, char *out, size_t size)
{
    (void)listener;
    snprintf(out, size, "local");
}

uint32_t net_listener_connections(const struct net_listener *listener)
{
    return listener->limits.connections;
}

void net_listener_stats(const struct net_listener *listener, struct net_stats *stats)
{
    *stats = listener->stats;
}

// Stops listening. Connections and their handler stay, so the listener is freed with the loop.
void net_listener_close(struct net_listener *listener)
{
    if (listener) {
        listener->closed = true;
    }
}

uint64_t local_loop_turn(struct net_loop *loop)
{
    local_conns_end(loop);
    local_conns_take(loop);
    work_one(loop);
    work_ends(loop);
    const uint64_t timer_ns = timers_call(loop);
    wakes_call(loop);
    return loop->work || wakes_wait(loop) || local_conns_wait(loop) ? 0 : timer_ns;
}
