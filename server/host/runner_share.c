// Shares out a turn's tasks. Each simulation thread owns the crew of the turns that it runs (base/crew.h).
// Threads without a world that is due join the crew that lacks most, and leave it for a world that becomes
// due.
//
// Each thread that is awake keeps a core to itself: a thread that spins on a core that another could use does
// harm.
#include "host/runner_internal.h"

#include "base/clock.h"
#include "base/crew.h"

#include <stddef.h>

static const uint64_t never = UINT64_MAX;

static _Thread_local struct host_worker *this_worker;

// Returns the worker of the calling thread. NULL: it is no simulation thread of this runner, so it shares out
// nothing.
static struct host_worker *caller(const struct base_parallel *self)
{
    const struct host_runner *runner =
        (const struct host_runner *)((const char *)self - offsetof(struct host_runner, parallel));
    return this_worker != NULL && this_worker->runner == runner ? this_worker : NULL;
}

static void parallel_begin(struct base_parallel *self)
{
    struct host_worker *worker = caller(self);
    if (worker == NULL)
        return;
    base_crew_open(worker->crew);
    worker->burst = true;
    atomic_fetch_add(&worker->runner->sharing, 1);
}

static void parallel_end(struct base_parallel *self)
{
    struct host_worker *worker = caller(self);
    if (worker == NULL)
        return;
    atomic_fetch_sub(&worker->runner->sharing, 1);
    worker->burst = false;
    base_crew_close(worker->crew);
}

static void parallel_run(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    struct host_worker *worker = caller(self);
    if (worker == NULL) {
        for (uint32_t index = 0; index < count; index++)
            task(context, index);
        return;
    }
    bool alone = !worker->burst && count > 1;
    if (alone)
        atomic_fetch_add(&worker->runner->sharing, 1);
    base_crew_run(worker->crew, count, task, context);
    if (alone)
        atomic_fetch_sub(&worker->runner->sharing, 1);
}

// ---------------------------------------------------------------------------------------------------------
// Sleepers

void host_runner_tell_spare(struct host_runner *runner)
{
    uint32_t cores = runner->cores > runner->awake ? runner->cores - runner->awake : 0;
    atomic_store(&runner->spare, runner->asleep < cores ? runner->asleep : cores);
}

void host_runner_call(struct host_runner *runner, uint32_t count)
{
    uint32_t called = count < runner->asleep ? count : runner->asleep;
    runner->asleep -= called;
    runner->awake += called;
    runner->calls += called;
    host_runner_tell_spare(runner);
    for (uint32_t i = 0; i < called; i++)
        base_cond_signal(&runner->work);
}

void host_runner_call_one(struct host_runner *runner)
{
    if (host_runner_first_ns(runner) < runner->timer_ns)
        host_runner_call(runner, 1);
}

static void call_helpers(void *context, uint32_t lacking)
{
    struct host_runner *runner = context;
    if (atomic_load(&runner->spare) == 0)
        return;
    base_mutex_lock(&runner->mutex);
    uint32_t spare = atomic_load_explicit(&runner->spare, memory_order_relaxed);
    host_runner_call(runner, lacking < spare ? lacking : spare);
    base_mutex_unlock(&runner->mutex);
}

// ---------------------------------------------------------------------------------------------------------

void host_runner_share_init(struct host_runner *runner, uint32_t threads)
{
    uint32_t width = threads < runner->cores ? threads : runner->cores;
    runner->parallel.begin = parallel_begin;
    runner->parallel.run = parallel_run;
    runner->parallel.end = parallel_end;
    runner->parallel.width = width < BASE_CREW_MAX ? width : BASE_CREW_MAX;
    atomic_init(&runner->spare, 0);
    atomic_init(&runner->sharing, 0);
    atomic_init(&runner->due_ns, never);
}

bool host_worker_init(struct host_worker *worker, struct host_runner *runner, uint32_t threads)
{
    worker->runner = runner;
    worker->crew = base_crew_create(&(struct base_crew_desc){
        .threads = threads < BASE_CREW_MAX ? threads : BASE_CREW_MAX,
        .spins = runner->cores <= base_thread_cores(),
        .call = call_helpers,
        .context = runner,
    });
    return worker->crew != NULL;
}

void host_worker_deinit(struct host_worker *worker)
{
    base_crew_destroy(worker->crew);
}

void host_worker_enter(struct host_worker *worker)
{
    this_worker = worker;
}

const struct host_worker *host_runner_to_help(const struct host_runner *runner, bool tasks_wait)
{
    const struct host_worker *owner = NULL;
    uint32_t most = 0;
    if (runner->awake > runner->cores || atomic_load(&runner->sharing) == 0)
        return NULL;
    for (uint32_t i = 0; i < runner->worker_count; i++) {
        const struct host_worker *worker = &runner->workers[i];
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
    struct host_runner *runner = context;
    if (atomic_load_explicit(&runner->stopping, memory_order_relaxed))
        return true;
    uint64_t due_ns = atomic_load_explicit(&runner->due_ns, memory_order_relaxed);
    return due_ns != never && due_ns <= base_now_ns() &&
           atomic_compare_exchange_strong_explicit(&runner->due_ns, &due_ns, never, memory_order_relaxed,
                                                   memory_order_relaxed);
}

bool host_worker_help(struct host_worker *worker, const struct host_worker *owner)
{
    struct host_runner *runner = worker->runner;
    // It takes the same seat each time, if that is free, so that the same tasks come to the same core. No
    // other thread has the owner's number, and 0 is the owner's seat.
    uint32_t number = (uint32_t)((worker != runner->workers ? worker : owner) - runner->workers);
    uint32_t seat = base_crew_join(owner->crew, number);
    if (seat == 0)
        return true;
    // The timer may just have become a helper: another thread must watch the clock.
    host_runner_call_one(runner);
    base_mutex_unlock(&runner->mutex);
    enum base_crew_left left = base_crew_serve(owner->crew, seat, called_away, runner);
    base_mutex_lock(&runner->mutex);
    return left == BASE_CREW_TIRED;
}
