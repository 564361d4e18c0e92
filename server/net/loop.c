// The loop and what callers hang on it: wakes, timers, signals, work on other threads.
//
// Life of a handle that a caller holds (struct net_owned):
//
//     create -> open --release (net_..._destroy, _stop, _close)--> uv_close -> closed -> freed
//                   \--net_loop_stop--> uv_close -> closed --release, or net_loop_destroy--> freed
//
// So pointers stay good from creation to release or net_loop_destroy, whichever comes first, and a wake may
// be sent by any thread all that time: after net_loop_stop it does nothing.
#include "net/net_internal.h"

#include "base/assert.h"
#include "base/log.h"
#include "base/thread.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------------------
// Owned handles

static void owned_free_if_done(struct net_owned *owned)
{
    if (!owned->closed || !owned->released || owned->users > 0) {
        return;
    }
    if (owned->prev) {
        owned->prev->next = owned->next;
    } else {
        owned->loop->owned = owned->next;
    }
    if (owned->next) {
        owned->next->prev = owned->prev;
    }
    if (owned->deinit) {
        owned->deinit(owned);
    }
    free(owned);
}

static void owned_on_close(uv_handle_t *handle)
{
    struct net_owned *owned = handle->data;
    owned->closed = true;
    owned_free_if_done(owned);
}

void net_owned_init(struct net_owned *owned, struct net_loop *loop)
{
    owned->uv.handle.data = owned;
    owned->loop = loop;
    owned->next = loop->owned;
    if (owned->next) {
        owned->next->prev = owned;
    }
    loop->owned = owned;
}

void net_owned_shut(struct net_owned *owned)
{
    if (!owned->closed && !uv_is_closing(&owned->uv.handle)) {
        if (owned->on_shut) {
            owned->on_shut(owned);
        }
        uv_close(&owned->uv.handle, owned_on_close);
    }
}

void net_owned_release(struct net_owned *owned)
{
    BASE_ASSERT(!owned->released);
    owned->released = true;
    net_owned_shut(owned);
    owned_free_if_done(owned);
}

void net_owned_unuse(struct net_owned *owned)
{
    BASE_ASSERT(owned->users > 0);
    owned->users--;
    owned_free_if_done(owned);
}

// ---------------------------------------------------------------------------------------------------------
// Loop

static void keep_on_wake(uv_async_t *async)
{
    (void)async;
}

static void start_workers(uv_work_t *work)
{
    (void)work;
}

struct net_loop *net_loop_create(void)
{
    // A peer that is gone is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN);
    int status = UV_ENOMEM;
    struct net_loop *loop = calloc(1, sizeof *loop);
    if (!loop) {
        goto cleanup;
    }
    loop->loops = 1;
    loop->iov_capacity = NET_WRITE_BUFFERS;
    loop->iov = malloc(loop->iov_capacity * sizeof *loop->iov);
    if (!loop->iov) {
        goto cleanup;
    }
    status = uv_loop_init(&loop->uv);
    if (status) {
        goto cleanup;
    }
    status = uv_async_init(&loop->uv, &loop->keep, keep_on_wake);
    if (status) {
        uv_loop_close(&loop->uv);
        goto cleanup;
    }
    // libuv makes its workers with the first work, and ends the process where it cannot: now, not when memory is short.
    (void)uv_queue_work(&loop->uv, &loop->first_work, start_workers, NULL);
    net_turns_init(&loop->turns, &loop->uv);
    loop->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return loop;

cleanup:
    base_log(BASE_LOG_ERROR, "the event loop cannot start: %s", uv_strerror(status));
    if (loop) {
        free(loop->iov);
    }
    free(loop);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Wakes

struct net_wake {
    struct net_owned owned;
    struct base_mutex mutex; // of open: a wake must not be sent once uv_close has begun
    bool open;
    void (*on_wake)(void *context);
    void *context;
};

static void wake_on_async(uv_async_t *async)
{
    struct net_wake *wake = async->data;
    if (!wake->owned.released) {
        wake->on_wake(wake->context);
    }
}

static void wake_on_shut(struct net_owned *owned)
{
    struct net_wake *wake = (struct net_wake *)owned;
    base_mutex_lock(&wake->mutex);
    wake->open = false;
    base_mutex_unlock(&wake->mutex);
}

static void wake_deinit(struct net_owned *owned)
{
    struct net_wake *wake = (struct net_wake *)owned;
    base_mutex_deinit(&wake->mutex);
}

struct net_wake *net_wake_create(struct net_loop *loop, void (*on_wake)(void *context), void *context)
{
    if (loop->stopping) {
        return NULL;
    }
    struct net_wake *wake = calloc(1, sizeof *wake);
    if (!wake) {
        return NULL;
    }
    if (uv_async_init(&loop->uv, &wake->owned.uv.async, wake_on_async)) {
        free(wake);
        return NULL;
    }
    base_mutex_init(&wake->mutex);
    wake->open = true;
    wake->on_wake = on_wake;
    wake->context = context;
    wake->owned.on_shut = wake_on_shut;
    wake->owned.deinit = wake_deinit;
    net_owned_init(&wake->owned, loop);
    return wake;
}

void net_wake_send(struct net_wake *wake)
{
    base_mutex_lock(&wake->mutex);
    if (wake->open) {
        uv_async_send(&wake->owned.uv.async);
    }
    base_mutex_unlock(&wake->mutex);
}

void net_wake_destroy(struct net_wake *wake)
{
    if (wake) {
        net_owned_release(&wake->owned);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Timers

struct net_timer {
    struct net_owned owned;
    void (*on_time)(void *context);
    void *context;
};

static void timer_on_time(uv_timer_t *uv)
{
    struct net_timer *timer = uv->data;
    timer->on_time(timer->context);
}

struct net_timer *net_timer_start(struct net_loop *loop, uint64_t delay_ms, uint64_t period_ms,
                                  void (*on_time)(void *context), void *context)
{
    if (loop->stopping) {
        return NULL;
    }
    struct net_timer *timer = calloc(1, sizeof *timer);
    if (!timer) {
        return NULL;
    }
    int status = uv_timer_init(&loop->uv, &timer->owned.uv.timer);
    BASE_ASSERT(status == 0); // it only fills in the structure
    timer->on_time = on_time;
    timer->context = context;
    net_owned_init(&timer->owned, loop);
    // Delays count from now, not from when the loop last looked at the clock.
    uv_update_time(&loop->uv);
    status = uv_timer_start(&timer->owned.uv.timer, timer_on_time, delay_ms, period_ms);
    BASE_ASSERT(status == 0);
    return timer;
}

void net_timer_stop(struct net_timer *timer)
{
    if (timer) {
        net_owned_release(&timer->owned);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Signals

static void signal_on_signal(uv_signal_t *uv, int number)
{
    struct net_loop *loop = uv->data;
    loop->on_signal(loop->signal_context, number);
}

bool net_signals_watch(struct net_loop *loop, void (*on_signal)(void *context, int signal), void *context)
{
    static const int numbers[3] = {SIGINT, SIGTERM, SIGHUP};
    if (loop->stopping) {
        return false;
    }
    BASE_ASSERT(!loop->signals_open);
    int status = 0;
    for (int i = 0; i < 3; i++) {
        status = uv_signal_init(&loop->uv, &loop->signals[i]);
        if (status) {
            while (i > 0) {
                uv_close((uv_handle_t *)&loop->signals[--i], NULL);
            }
            return false;
        }
    }
    loop->signals_open = true;
    loop->on_signal = on_signal;
    loop->signal_context = context;
    for (int i = 0; i < 3; i++) {
        loop->signals[i].data = loop;
        status = uv_signal_start(&loop->signals[i], signal_on_signal, numbers[i]);
        if (status) {
            base_log(BASE_LOG_ERROR, "signal %d cannot be watched: %s", numbers[i], uv_strerror(status));
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Work

struct net_work_item {
    uv_work_t uv;
    void (*work)(void *context);
    void (*done)(void *context);
    void *context;
};

static void work_run(uv_work_t *uv)
{
    struct net_work_item *item = uv->data;
    base_float_assert(); // rest shapes are computed here, and must be what any other thread makes of them
    base_thread_give_way();
    item->work(item->context);
}

static void work_done(uv_work_t *uv, int status)
{
    BASE_ASSERT(status == 0); // nothing here cancels
    struct net_work_item *item = uv->data;
    item->done(item->context);
    free(item);
}

bool net_work(struct net_loop *loop, void (*work)(void *context), void (*done)(void *context), void *context)
{
    if (loop->stopping) {
        return false;
    }
    struct net_work_item *item = malloc(sizeof *item);
    if (!item) {
        return false;
    }
    item->uv.data = item;
    item->work = work;
    item->done = done;
    item->context = context;
    if (uv_queue_work(&loop->uv, &item->uv, work_run, work_done)) {
        free(item);
        return false;
    }
    return true;
}
