// One queue of runnable worlds, ordered by deadline, and the threads that serve it.
//
//     ASLEEP ──wake──▶ QUEUED ──taken when due──▶ RUNNING ──▶ QUEUED at the returned time, or ASLEEP
//        ▲                ▲                          │
//        └────────────────┴──────────────────────────┘  (a wake while RUNNING: QUEUED for now)
//
// Invariants, all under one mutex:
//   - an entry is in the heap exactly while it is QUEUED; heap[entry->place] is the entry;
//   - among entries that are due, the one that became due first runs first, so none is starved;
//   - of the sleeping threads at most one needs to wake by itself: `timer_ns` is the deadline it waits for,
//     and whoever puts an earlier one into the heap signals a sleeper, which takes over as the timer;
//   - a job (tasks that a turn shares out) lives on the stack of the thread that called for it and is in
//     the list while tasks are left; it does not go away before `helpers` has fallen to 0.
// A due world comes before a job for a thread that looks for work.
#include "host/runner.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t never = UINT64_MAX;

enum entry_state { ENTRY_ASLEEP, ENTRY_QUEUED, ENTRY_RUNNING };

struct host_runner_entry {
    struct host_runner *runner;
    struct host_runner_client client;
    enum entry_state state;
    bool woken;   // while it ran
    bool removed; // while it ran
    uint32_t place;
    uint64_t deadline_ns;
    uint64_t order; // breaks ties: who came first
    struct host_runner_entry *next, *previous;
};

struct job {
    base_task task;
    void *context;
    uint32_t count;
    atomic_uint_least64_t next; // task to be claimed; 64 bits, so that claims past the end cannot wrap
    uint32_t helpers;           // threads inside, the caller not counted
    struct base_cond left;      // the last helper is out
    struct job *newer, *older;
};

struct host_runner {
    struct base_parallel parallel;
    struct base_mutex mutex;
    struct base_cond work;
    struct host_runner_entry **heap;
    uint32_t heap_count;
    uint32_t entry_count, entry_capacity;
    struct host_runner_entry *entries;
    uint64_t order;
    uint64_t timer_ns;
    uint32_t idle;         // threads asleep on `work`
    atomic_uint idle_hint; // the same, readable without the mutex
    struct job *jobs;      // newest first
    bool stopping;
    uint32_t thread_count;
    struct base_thread threads[];
};

// ---------------------------------------------------------------------------------------------------------
// Heap

static bool before(const struct host_runner_entry *a, const struct host_runner_entry *b)
{
    return a->deadline_ns != b->deadline_ns ? a->deadline_ns < b->deadline_ns : a->order < b->order;
}

static void heap_put(struct host_runner *runner, struct host_runner_entry *entry, uint32_t place)
{
    runner->heap[place] = entry;
    entry->place = place;
}

static void heap_sift(struct host_runner *runner, uint32_t place)
{
    struct host_runner_entry *entry = runner->heap[place];
    while (place > 0 && before(entry, runner->heap[(place - 1) / 2])) {
        heap_put(runner, runner->heap[(place - 1) / 2], place);
        place = (place - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= runner->heap_count)
            break;
        if (child + 1 < runner->heap_count && before(runner->heap[child + 1], runner->heap[child]))
            child++;
        if (!before(runner->heap[child], entry))
            break;
        heap_put(runner, runner->heap[child], place);
        place = child;
    }
    heap_put(runner, entry, place);
}

static void heap_remove(struct host_runner *runner, struct host_runner_entry *entry)
{
    uint32_t place = entry->place;
    BASE_ASSERT(place < runner->heap_count && runner->heap[place] == entry);
    runner->heap_count--;
    if (place == runner->heap_count)
        return;
    heap_put(runner, runner->heap[runner->heap_count], place);
    heap_sift(runner, place);
}

// Wakes one more thread if something waits that no thread is awake for or will wake for in time.
static void call_one(struct host_runner *runner)
{
    if (runner->idle > 0 && runner->heap_count > 0 && runner->heap[0]->deadline_ns < runner->timer_ns)
        base_cond_signal(&runner->work);
}

static void enqueue(struct host_runner *runner, struct host_runner_entry *entry, uint64_t deadline_ns)
{
    entry->state = ENTRY_QUEUED;
    entry->deadline_ns = deadline_ns;
    entry->order = runner->order++;
    runner->heap_count++;
    heap_put(runner, entry, runner->heap_count - 1);
    heap_sift(runner, runner->heap_count - 1);
}

// ---------------------------------------------------------------------------------------------------------
// Jobs

static void job_work(struct job *job)
{
    for (;;) {
        uint64_t index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (index >= job->count)
            return;
        job->task(job->context, (uint32_t)index);
    }
}

static struct job *job_open(const struct host_runner *runner)
{
    for (struct job *job = runner->jobs; job != NULL; job = job->older)
        if (atomic_load_explicit(&job->next, memory_order_relaxed) < job->count)
            return job;
    return NULL;
}

static void job_unlink(struct host_runner *runner, struct job *job)
{
    if (job->newer != NULL)
        job->newer->older = job->older;
    else
        runner->jobs = job->older;
    if (job->older != NULL)
        job->older->newer = job->newer;
}

static void run_parallel(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    struct host_runner *runner =
        (struct host_runner *)((char *)self - offsetof(struct host_runner, parallel));
    // Nobody to help: the tasks cost what they cost and nothing on top.
    if (count < 2 || atomic_load_explicit(&runner->idle_hint, memory_order_relaxed) == 0) {
        for (uint32_t index = 0; index < count; index++)
            task(context, index);
        return;
    }
    struct job job = {.task = task, .context = context, .count = count};
    atomic_init(&job.next, 0);
    base_cond_init(&job.left);

    base_mutex_lock(&runner->mutex);
    job.older = runner->jobs;
    if (job.older != NULL)
        job.older->newer = &job;
    runner->jobs = &job;
    uint32_t helpers = runner->idle < count - 1 ? runner->idle : count - 1;
    for (uint32_t helper = 0; helper < helpers; helper++)
        base_cond_signal(&runner->work);
    base_mutex_unlock(&runner->mutex);

    job_work(&job);

    base_mutex_lock(&runner->mutex);
    job_unlink(runner, &job);
    while (job.helpers > 0)
        base_cond_wait(&job.left, &runner->mutex);
    base_mutex_unlock(&runner->mutex);
    base_cond_deinit(&job.left);
}

static void help(struct host_runner *runner, struct job *job)
{
    job->helpers++;
    base_mutex_unlock(&runner->mutex);
    job_work(job);
    base_mutex_lock(&runner->mutex);
    job->helpers--;
    if (job->helpers == 0)
        base_cond_signal(&job->left);
}

// ---------------------------------------------------------------------------------------------------------
// Threads

static void entry_free(struct host_runner *runner, struct host_runner_entry *entry)
{
    if (entry->previous != NULL)
        entry->previous->next = entry->next;
    else
        runner->entries = entry->next;
    if (entry->next != NULL)
        entry->next->previous = entry->previous;
    runner->entry_count--;
    free(entry);
}

static void run_entry(struct host_runner *runner, struct host_runner_entry *entry, uint64_t now_ns)
{
    heap_remove(runner, entry);
    entry->state = ENTRY_RUNNING;
    entry->woken = false;
    call_one(runner);
    base_mutex_unlock(&runner->mutex);
    uint64_t next_ns = entry->client.turn(entry->client.context, now_ns);
    // Taken here, not after the lock: a world that wants to go on lines up behind those due before.
    uint64_t done_ns = base_now_ns();
    base_mutex_lock(&runner->mutex);
    if (entry->removed) {
        struct host_runner_client client = entry->client;
        entry_free(runner, entry);
        base_mutex_unlock(&runner->mutex);
        client.removed(client.context);
        base_mutex_lock(&runner->mutex);
        return;
    }
    if (entry->woken || next_ns == 0)
        next_ns = done_ns;
    if (next_ns != never)
        enqueue(runner, entry, next_ns);
    else
        entry->state = ENTRY_ASLEEP;
}

static void sleep_until_work(struct host_runner *runner)
{
    uint64_t top_ns = runner->heap_count > 0 ? runner->heap[0]->deadline_ns : never;
    runner->idle++;
    atomic_store_explicit(&runner->idle_hint, runner->idle, memory_order_relaxed);
    if (top_ns < runner->timer_ns) {
        runner->timer_ns = top_ns;
        base_cond_wait_until(&runner->work, &runner->mutex, top_ns);
        if (runner->timer_ns == top_ns)
            runner->timer_ns = never;
    } else {
        base_cond_wait(&runner->work, &runner->mutex);
    }
    runner->idle--;
    atomic_store_explicit(&runner->idle_hint, runner->idle, memory_order_relaxed);
}

static void serve(void *context)
{
    struct host_runner *runner = context;
    base_mutex_lock(&runner->mutex);
    while (!runner->stopping) {
        uint64_t now_ns = base_now_ns();
        struct job *job;
        if (runner->heap_count > 0 && runner->heap[0]->deadline_ns <= now_ns) {
            run_entry(runner, runner->heap[0], now_ns);
        } else if ((job = job_open(runner)) != NULL) {
            // The timer may just have become a helper: another one must watch the clock.
            call_one(runner);
            help(runner, job);
        } else {
            sleep_until_work(runner);
        }
    }
    base_mutex_unlock(&runner->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// From outside

static void stop_and_join(struct host_runner *runner)
{
    base_mutex_lock(&runner->mutex);
    runner->stopping = true;
    base_cond_broadcast(&runner->work);
    base_mutex_unlock(&runner->mutex);
    for (uint32_t thread = 0; thread < runner->thread_count; thread++)
        base_thread_join(&runner->threads[thread]);
}

struct host_runner *host_runner_create(uint32_t threads)
{
    BASE_ASSERT(threads >= 1);
    struct host_runner *runner = calloc(1, sizeof *runner + threads * sizeof runner->threads[0]);
    if (runner == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for %" PRIu32 " simulation threads", threads);
        return NULL;
    }
    runner->parallel = (struct base_parallel){run_parallel, threads};
    runner->timer_ns = never;
    base_mutex_init(&runner->mutex);
    base_cond_init(&runner->work);
    for (uint32_t thread = 0; thread < threads; thread++) {
        char name[16];
        snprintf(name, sizeof name, "sim-%u", (unsigned)(thread % 100000));
        if (!base_thread_start(&runner->threads[thread], name, serve, runner)) {
            base_log(BASE_LOG_ERROR, "simulation thread %" PRIu32 " of %" PRIu32 " cannot be started",
                     thread + 1, threads);
            host_runner_destroy(runner);
            return NULL;
        }
        runner->thread_count++;
    }
    return runner;
}

void host_runner_destroy(struct host_runner *runner)
{
    stop_and_join(runner);
    for (struct host_runner_entry *entry = runner->entries, *next; entry != NULL; entry = next) {
        next = entry->next;
        free(entry);
    }
    free(runner->heap);
    base_cond_deinit(&runner->work);
    base_mutex_deinit(&runner->mutex);
    free(runner);
}

struct base_parallel *host_runner_parallel(struct host_runner *runner)
{
    return &runner->parallel;
}

// Every entry has a place in the heap, so that queueing one cannot fail.
static bool reserve(struct host_runner *runner)
{
    if (runner->entry_count < runner->entry_capacity)
        return true;
    uint32_t capacity = runner->entry_capacity == 0 ? 16 : 2 * runner->entry_capacity;
    struct host_runner_entry **heap = realloc(runner->heap, capacity * sizeof *heap);
    if (heap == NULL)
        return false;
    runner->heap = heap;
    runner->entry_capacity = capacity;
    return true;
}

struct host_runner_entry *host_runner_add(struct host_runner *runner, const struct host_runner_client *client)
{
    struct host_runner_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->runner = runner;
    entry->client = *client;
    base_mutex_lock(&runner->mutex);
    if (!reserve(runner)) {
        base_mutex_unlock(&runner->mutex);
        free(entry);
        return NULL;
    }
    runner->entry_count++;
    entry->next = runner->entries;
    if (entry->next != NULL)
        entry->next->previous = entry;
    runner->entries = entry;
    base_mutex_unlock(&runner->mutex);
    return entry;
}

void host_runner_wake(struct host_runner_entry *entry)
{
    struct host_runner *runner = entry->runner;
    uint64_t now_ns = base_now_ns();
    base_mutex_lock(&runner->mutex);
    if (entry->state == ENTRY_RUNNING) {
        entry->woken = true;
    } else if (entry->state == ENTRY_ASLEEP) {
        enqueue(runner, entry, now_ns);
        call_one(runner);
    } else if (entry->deadline_ns > now_ns) {
        heap_remove(runner, entry);
        enqueue(runner, entry, now_ns);
        call_one(runner);
    }
    base_mutex_unlock(&runner->mutex);
}

bool host_runner_remove(struct host_runner_entry *entry)
{
    struct host_runner *runner = entry->runner;
    base_mutex_lock(&runner->mutex);
    bool idle = entry->state != ENTRY_RUNNING;
    if (idle) {
        if (entry->state == ENTRY_QUEUED)
            heap_remove(runner, entry);
        entry_free(runner, entry);
    } else {
        entry->removed = true;
    }
    base_mutex_unlock(&runner->mutex);
    return idle;
}
