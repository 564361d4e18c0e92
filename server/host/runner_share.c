// Shares out a turn's tasks. Each simulation thread owns the crew of the turns that it runs (base/crew.h).
// Threads without a world that is due join the crew that lacks most, and leave it for a world that becomes
// due.
//
// Each thread that is awake keeps a core to itself: a thread that spins on a core that another could use does
// harm.
#include "host/runner_share.h"

#include "base/clock.h"
#include "base/crew.h"

#include <stddef.h>

static const uint64_t never = UINT64_MAX;

static _Thread_local struct host_worker *this_worker;

// Returns the worker of the calling thread. NULL: it is no simulation thread of this runner, so it shares out
// nothing.
static struct host_worker *caller(const struct base_parallel *self)
{
    const struct host_share *share =
        (const struct host_share *)((const char *)self - offsetof(struct host_share, parallel));
    return this_worker && this_worker->share == share ? this_worker : NULL;
}

static void parallel_begin(struct base_parallel *self)
{
    struct host_worker *worker = caller(self);
    if (!worker) {
        return;
    }
    base_crew_open(worker->crew);
    worker->burst = true;
    atomic_fetch_add(&worker->share->sharing, 1);
}

static void parallel_end(struct base_parallel *self)
{
    struct host_worker *worker = caller(self);
    if (!worker) {
        return;
    }
    atomic_fetch_sub(&worker->share->sharing, 1);
    worker->burst = false;
    base_crew_close(worker->crew);
}

static void parallel_run(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    struct host_worker *worker = caller(self);
    if (!worker) {
        for (uint32_t index = 0; index < count; index++) {
            task(context, index);
        }
        return;
    }
    bool alone = !worker->burst && count > 1;
    if (alone) {
        atomic_fetch_add(&worker->share->sharing, 1);
    }
    base_crew_run(worker->crew, count, task, context);
    if (alone) {
        atomic_fetch_sub(&worker->share->sharing, 1);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Sleepers

void host_share_tell_spare(struct host_share *share)
{
    uint32_t cores = share->cores > share->awake ? share->cores - share->awake : 0;
    atomic_store(&share->spare, share->asleep < cores ? share->asleep : cores);
}

static void call(struct host_share *share, uint32_t count)
{
    uint32_t called = count < share->asleep ? count : share->asleep;
    share->asleep -= called;
    share->awake += called;
    share->calls += called;
    host_share_tell_spare(share);
    for (uint32_t i = 0; i < called; i++) {
        base_cond_signal(&share->work);
    }
}

void host_share_call_one(struct host_share *share)
{
    if (share->first_ns < share->timer_ns) {
        call(share, 1);
    }
}

static void call_helpers(void *context, uint32_t lacking)
{
    struct host_share *share = context;
    if (atomic_load(&share->spare) == 0) {
        return;
    }
    base_mutex_lock(&share->mutex);
    uint32_t spare = atomic_load_explicit(&share->spare, memory_order_relaxed);
    call(share, lacking < spare ? lacking : spare);
    base_mutex_unlock(&share->mutex);
}

// ---------------------------------------------------------------------------------------------------------

void host_share_init(struct host_share *share, struct host_worker *workers, uint32_t threads, uint32_t cores)
{
    uint32_t width = threads < cores ? threads : cores;
    *share = (struct host_share){.first_ns = never, .timer_ns = never, .cores = cores, .workers = workers};
    share->parallel.begin = parallel_begin;
    share->parallel.run = parallel_run;
    share->parallel.end = parallel_end;
    share->parallel.width = width < BASE_CREW_MAX ? width : BASE_CREW_MAX;
    atomic_init(&share->spare, 0);
    atomic_init(&share->sharing, 0);
    atomic_init(&share->due_ns, never);
    atomic_init(&share->stopping, false);
    base_mutex_init(&share->mutex);
    base_cond_init(&share->work);
}

bool host_share_add_worker(struct host_share *share, uint32_t threads)
{
    struct host_worker *worker = &share->workers[share->worker_count];
    worker->share = share;
    worker->crew = base_crew_create(&(struct base_crew_desc){
        .threads = threads < BASE_CREW_MAX ? threads : BASE_CREW_MAX,
        .spins = share->cores <= base_thread_cores(),
        .call = call_helpers,
        .context = share,
    });
    share->worker_count += worker->crew != NULL;
    return worker->crew != NULL;
}

void host_share_deinit(struct host_share *share)
{
    for (uint32_t i = 0; i < share->worker_count; i++) {
        base_crew_destroy(share->workers[i].crew);
    }
    base_cond_deinit(&share->work);
    base_mutex_deinit(&share->mutex);
}

void host_worker_enter(struct host_worker *worker)
{
    this_worker = worker;
}

const struct host_worker *host_share_to_help(const struct host_share *share, bool tasks_wait)
{
    const struct host_worker *owner = NULL;
    uint32_t most = 0;
    if (share->awake > share->cores || atomic_load(&share->sharing) == 0) {
        return NULL;
    }
    for (uint32_t i = 0; i < share->worker_count; i++) {
        const struct host_worker *worker = &share->workers[i];
        uint32_t lacking = base_crew_lacking(worker->crew);
        if (lacking > most && (!tasks_wait || base_crew_waiting(worker->crew))) {
            most = lacking;
            owner = worker;
        }
    }
    return owner;
}

// Whether a helper has to leave: a world that is due comes before tasks.
static bool called_away(void *context)
{
    struct host_share *share = context;
    if (atomic_load_explicit(&share->stopping, memory_order_relaxed)) {
        return true;
    }
    uint64_t due_ns = atomic_load_explicit(&share->due_ns, memory_order_relaxed);
    return due_ns != never && due_ns <= base_now_ns() &&
           atomic_compare_exchange_strong_explicit(&share->due_ns, &due_ns, never, memory_order_relaxed,
                                                   memory_order_relaxed);
}

bool host_worker_help(struct host_worker *worker, const struct host_worker *owner)
{
    struct host_share *share = worker->share;
    // It takes the same seat each time, if that is free, so that the same tasks come to the same core. No
    // other thread has the owner's number, and 0 is the owner's seat.
    uint32_t number = (uint32_t)((worker != share->workers ? worker : owner) - share->workers);
    uint32_t seat = base_crew_join(owner->crew, number);
    if (seat == 0) {
        return true;
    }
    // The timer may just have become a helper: another thread must watch the clock.
    host_share_call_one(share);
    base_mutex_unlock(&share->mutex);
    enum base_crew_left left = base_crew_serve(owner->crew, seat, called_away, share);
    base_mutex_lock(&share->mutex);
    return left == BASE_CREW_TIRED;
}
