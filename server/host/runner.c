// Has one queue of runnable worlds, and the threads that serve it.
//
//     ASLEEP ──wake──▶ QUEUED ──taken when due──▶ RUNNING ──▶ QUEUED at the returned time, or ASLEEP
//        ▲                ▲                          │
//        └────────────────┴──────────────────────────┘  (a wake while RUNNING: QUEUED for now)
//
// A thread does what comes first of these: runs the world that is due; helps with the tasks of a turn that
// lacks threads (runner_share.h); sleeps. runner_internal.h has the invariants.
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "host/runner_internal.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t never = UINT64_MAX;

// Bounds on the distance of spent_ns from the floor. An entry that slept is not owed all of that time. An
// entry that had a thread for long while no other wanted it is not held back for all of it.
static const uint64_t credit_ns = 10000000, debt_ns = 20000000;

static struct host_runner *runner_of(struct host_share *share)
{
    return (struct host_runner *)((char *)share - offsetof(struct host_runner, share));
}

// ---------------------------------------------------------------------------------------------------------
// Deadlines

static void set_first(struct host_runner *runner)
{
    runner->share.first_ns = runner->ready.count > 0 ? 0 : host_deadlines_first_ns(&runner->deadlines);
}

static void tell_due(struct host_runner *runner)
{
    set_first(runner);
    atomic_store_explicit(&runner->share.due_ns, runner->share.first_ns, memory_order_relaxed);
}

static void enqueue(struct host_runner *runner, struct host_runner_entry *entry, uint64_t deadline_ns)
{
    entry->state = ENTRY_QUEUED;
    entry->ready = false;
    host_deadlines_put(&runner->deadlines, &entry->deadline, deadline_ns);
    tell_due(runner);
}

static void dequeue(struct host_runner *runner, struct host_runner_entry *entry)
{
    host_deadlines_remove(entry->ready ? &runner->ready : &runner->deadlines, &entry->deadline);
    tell_due(runner);
}

// Moves entries whose time has come to the ready ones. Among those, the order of their times does not matter.
static void make_ready(struct host_runner *runner, uint64_t now_ns)
{
    while (host_deadlines_first_ns(&runner->deadlines) <= now_ns && runner->deadlines.count > 0) {
        struct host_runner_entry *entry =
            (struct host_runner_entry *)host_deadlines_first(&runner->deadlines);
        uint64_t least_ns = runner->floor_ns - credit_ns;
        host_deadlines_remove(&runner->deadlines, &entry->deadline);
        entry->ready = true;
        entry->spent_ns = entry->spent_ns > least_ns ? entry->spent_ns : least_ns;
        host_deadlines_put(&runner->ready, &entry->deadline, entry->spent_ns);
    }
    set_first(runner);
}

static void spend(struct host_runner *runner, struct host_runner_entry *entry, uint64_t ns)
{
    uint64_t most_ns = runner->floor_ns + debt_ns;
    entry->spent_ns = entry->spent_ns + ns < most_ns ? entry->spent_ns + ns : most_ns;
}

// ---------------------------------------------------------------------------------------------------------
// Threads

static void entry_free(struct host_runner *runner, struct host_runner_entry *entry)
{
    if (entry->previous) {
        entry->previous->next = entry->next;
    } else {
        runner->entries = entry->next;
    }
    if (entry->next) {
        entry->next->previous = entry->previous;
    }
    runner->entry_count--;
    free(entry);
}

static void run_entry(struct host_runner *runner, struct host_runner_entry *entry, uint64_t now_ns)
{
    dequeue(runner, entry);
    runner->floor_ns = entry->spent_ns > runner->floor_ns ? entry->spent_ns : runner->floor_ns;
    entry->state = ENTRY_RUNNING;
    entry->woken = false;
    host_share_call_one(&runner->share);
    base_mutex_unlock(&runner->share.mutex);
    uint64_t next_ns = entry->client.turn(entry->client.context, now_ns);
    uint64_t done_ns = base_now_ns();
    base_mutex_lock(&runner->share.mutex);
    spend(runner, entry, done_ns - now_ns);
    if (entry->removed) {
        struct host_runner_client client = entry->client;
        entry_free(runner, entry);
        base_mutex_unlock(&runner->share.mutex);
        client.removed(client.context);
        base_mutex_lock(&runner->share.mutex);
        return;
    }
    if (entry->woken || next_ns == 0) {
        next_ns = done_ns;
    }
    if (next_ns != never) {
        enqueue(runner, entry, next_ns);
    } else {
        entry->state = ENTRY_ASLEEP;
    }
}

// Sleeps until it is called, or as the timer until the first deadline. Tasks that came before this thread was
// known to sleep have not called it, so it looks for them first, unless it is tired.
static void sleep_until_work(struct host_share *share, bool tired)
{
    share->asleep++;
    share->awake--;
    host_share_tell_spare(share);
    bool up = !tired && host_share_to_help(share, true) && share->awake < share->cores;
    while (!up && share->calls == 0 && !atomic_load_explicit(&share->stopping, memory_order_relaxed)) {
        uint64_t first_ns = share->first_ns;
        if (first_ns < share->timer_ns) {
            share->timer_ns = first_ns;
            up = !base_cond_wait_until(&share->work, &share->mutex, first_ns);
            if (share->timer_ns == first_ns) {
                share->timer_ns = never;
            }
        } else {
            base_cond_wait(&share->work, &share->mutex);
        }
    }
    if (share->calls > 0) {
        // The caller has counted this thread as awake, or another that sleeps on in its place.
        share->calls--;
        return;
    }
    share->asleep -= share->asleep > 0;
    share->awake++;
    host_share_tell_spare(share);
}

static void serve(void *context)
{
    struct host_worker *worker = context;
    struct host_share *share = worker->share;
    struct host_runner *runner = runner_of(share);
    host_worker_enter(worker);
    bool tired = false;
    base_mutex_lock(&share->mutex);
    share->awake++;
    host_share_tell_spare(share);
    while (!atomic_load_explicit(&share->stopping, memory_order_relaxed)) {
        uint64_t now_ns = base_now_ns();
        const struct host_worker *owner;
        make_ready(runner, now_ns);
        if (runner->ready.count > 0) {
            run_entry(runner, (struct host_runner_entry *)host_deadlines_first(&runner->ready), now_ns);
            tired = false;
        } else if (!tired && (owner = host_share_to_help(share, false))) {
            tired = host_worker_help(worker, owner);
        } else {
            sleep_until_work(share, tired);
            tired = false;
        }
    }
    base_mutex_unlock(&share->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// From outside

static void stop_and_join(struct host_runner *runner)
{
    base_mutex_lock(&runner->share.mutex);
    atomic_store_explicit(&runner->share.stopping, true, memory_order_relaxed);
    runner->share.asleep = 0;
    host_share_tell_spare(&runner->share);
    base_cond_broadcast(&runner->share.work);
    base_mutex_unlock(&runner->share.mutex);
    for (uint32_t i = 0; i < runner->started_count; i++) {
        base_thread_join(&runner->workers[i].thread);
    }
}

// Makes all crews before the threads, because each thread looks through all crews.
static bool start(struct host_runner *runner, uint32_t threads)
{
    while (runner->share.worker_count < threads) {
        if (!host_share_add_worker(&runner->share, threads)) {
            base_log(BASE_LOG_ERROR, "no memory for %" PRIu32 " simulation threads", threads);
            return false;
        }
    }
    for (; runner->started_count < threads; runner->started_count++) {
        struct host_worker *worker = &runner->workers[runner->started_count];
        char name[16];
        snprintf(name, sizeof name, "sim-%u", (unsigned)(runner->started_count % 100000));
        if (!base_thread_start(&worker->thread, name, serve, worker)) {
            base_log(BASE_LOG_ERROR, "simulation thread %" PRIu32 " of %" PRIu32 " cannot be started",
                     runner->started_count + 1, threads);
            return false;
        }
    }
    return true;
}

struct host_runner *host_runner_create_for(uint32_t threads, uint32_t cores)
{
    BASE_ASSERT(threads >= 1 && cores >= 1);
    struct host_runner *runner = calloc(1, sizeof *runner + threads * sizeof runner->workers[0]);
    if (!runner) {
        base_log(BASE_LOG_ERROR, "no memory for %" PRIu32 " simulation threads", threads);
        return NULL;
    }
    runner->floor_ns = credit_ns;
    host_share_init(&runner->share, runner->workers, threads, cores);
    if (!start(runner, threads)) {
        host_runner_destroy(runner);
        return NULL;
    }
    return runner;
}

struct host_runner *host_runner_create(uint32_t threads)
{
    return host_runner_create_for(threads, base_thread_cores());
}

void host_runner_destroy(struct host_runner *runner)
{
    stop_and_join(runner);
    for (struct host_runner_entry *entry = runner->entries, *next; entry; entry = next) {
        next = entry->next;
        free(entry);
    }
    host_deadlines_deinit(&runner->deadlines);
    host_deadlines_deinit(&runner->ready);
    host_share_deinit(&runner->share);
    free(runner);
}

struct base_parallel *host_runner_parallel(struct host_runner *runner)
{
    return &runner->share.parallel;
}

struct host_runner_entry *host_runner_add(struct host_runner *runner, const struct host_runner_client *client)
{
    struct host_runner_entry *entry = calloc(1, sizeof *entry);
    if (!entry) {
        return NULL;
    }
    entry->runner = runner;
    entry->client = *client;
    base_mutex_lock(&runner->share.mutex);
    // Every entry has a place in both heaps, so that queueing one cannot fail.
    if (!host_deadlines_reserve(&runner->deadlines, runner->entry_count + 1) ||
        !host_deadlines_reserve(&runner->ready, runner->entry_count + 1)) {
        base_mutex_unlock(&runner->share.mutex);
        free(entry);
        return NULL;
    }
    runner->entry_count++;
    entry->next = runner->entries;
    if (entry->next) {
        entry->next->previous = entry;
    }
    runner->entries = entry;
    base_mutex_unlock(&runner->share.mutex);
    return entry;
}

bool host_runner_late(const struct host_runner *runner)
{
    uint64_t due_ns = atomic_load_explicit(&runner->share.due_ns, memory_order_relaxed);
    return due_ns != never && due_ns <= base_now_ns();
}

void host_runner_wake(struct host_runner_entry *entry)
{
    struct host_runner *runner = entry->runner;
    uint64_t now_ns = base_now_ns();
    base_mutex_lock(&runner->share.mutex);
    if (entry->state == ENTRY_RUNNING) {
        entry->woken = true;
    } else if (entry->state == ENTRY_ASLEEP) {
        enqueue(runner, entry, now_ns);
        host_share_call_one(&runner->share);
    } else if (!entry->ready && entry->deadline.ns > now_ns) {
        dequeue(runner, entry);
        enqueue(runner, entry, now_ns);
        host_share_call_one(&runner->share);
    }
    base_mutex_unlock(&runner->share.mutex);
}

bool host_runner_remove(struct host_runner_entry *entry)
{
    struct host_runner *runner = entry->runner;
    base_mutex_lock(&runner->share.mutex);
    bool idle = entry->state != ENTRY_RUNNING;
    if (idle) {
        if (entry->state == ENTRY_QUEUED) {
            dequeue(runner, entry);
        }
        entry_free(runner, entry);
    } else {
        entry->removed = true;
    }
    base_mutex_unlock(&runner->share.mutex);
    return idle;
}
