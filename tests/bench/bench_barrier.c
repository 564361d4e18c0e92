// Cost of sharing out work, by a team and by the server's own threads, with one thread and with two.
//
//   empty      a run whose tasks do nothing, in a burst and by itself: what there is to pay in any case
//   meeting    a run of two tasks that wait for each other: there and back. The cores' own time for that stands
//              above: no run that two threads share can be faster
//   steady     a substep of 8 runs of 2 tasks of 5 us, in the midst of a tick
//   tick       20 such substeps, of which the first wake the helpers; 2 ms between two ticks
//
// Given are the best, what a tenth stayed below, and the median; on a machine that does something else the first
// two tell more. Readings of the clock (below 50 ns) are not taken off.
#include "base/clock.h"
#include "base/thread.h"
#include "host/runner.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKS = 300, SUBSTEPS = 20, WAKING_SUBSTEPS = 10, RUNS = 8, TASKS = 2, SAMPLES_MAX = 20000 };

static const double TASK_NS = 5000;
static const uint64_t BETWEEN_NS = 2000000;

struct samples {
    double ns[SAMPLES_MAX];
    uint32_t count;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take(struct samples *samples, uint64_t begin_ns)
{
    if (samples->count < SAMPLES_MAX) {
        samples->ns[samples->count++] = (double)(base_now_ns() - begin_ns);
    }
}

static void print(const char *what, struct samples *samples, double alone_ns)
{
    double *ns = samples->ns, best, tenth, median;
    qsort(ns, samples->count, sizeof *ns, by_value);
    best = ns[0];
    tenth = ns[samples->count / 10];
    median = ns[samples->count / 2];
    printf("  %-20s %9.0f ns best %9.0f a tenth %9.0f median", what, best, tenth, median);
    if (alone_ns > 0) {
        printf("   %.2f %.2f %.2f times as fast", alone_ns / best, alone_ns / tenth, alone_ns / median);
    }
    printf("\n");
    samples->count = 0;
}

static void pause_ns(uint64_t ns)
{
    for (uint64_t end = base_now_ns() + ns; base_now_ns() < end;) {
    }
}

// ---------------------------------------------------------------------------------------------------------
// Runs

static void nothing(void *context, uint32_t index)
{
    (void)context;
    (void)index;
}

static void measure_empty(struct base_parallel *parallel, struct samples *samples, uint32_t count, bool burst)
{
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        if (burst) {
            parallel->begin(parallel);
        }
        for (uint32_t run = 0; run < 50; run++) {
            uint64_t begin_ns = base_now_ns();
            parallel->run(parallel, count, nothing, NULL);
            take(samples, begin_ns);
        }
        if (burst) {
            parallel->end(parallel);
        }
    }
}

// Not for ever: the other may not come.
static void meet(void *context, uint32_t index)
{
    atomic_uint *arrived = context;
    (void)index;
    atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < 10000 && atomic_load_explicit(arrived, memory_order_relaxed) < 2; i++) {
    }
}

static void measure_meeting(struct base_parallel *parallel, struct samples *samples)
{
    atomic_uint arrived;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        parallel->begin(parallel);
        for (uint32_t run = 0; run < 60; run++) {
            atomic_init(&arrived, 0);
            uint64_t begin_ns = base_now_ns();
            parallel->run(parallel, 2, meet, &arrived);
            if (run >= 10) {
                take(samples, begin_ns);
            }
        }
        parallel->end(parallel);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Substeps

struct work {
    volatile float start;
    uint32_t links; // of a chain of multiplications: how fast that is does not depend on the neighbours
    struct {
        alignas(128) float value;
    } sums[TASKS];
};

static void chain(void *context, uint32_t index)
{
    struct work *work = context;
    float x = work->start;
    for (uint32_t i = 0; i < work->links; i++) {
        x = x * 0.999F + 0.001F;
    }
    work->sums[index].value = x;
}

static double chain_ns(struct work *work)
{
    double best = 1e18;
    for (int round = 0; round < 200; round++) {
        uint64_t begin_ns = base_now_ns();
        for (int i = 0; i < 10; i++) {
            chain(work, 0);
        }
        double ns = (double)(base_now_ns() - begin_ns) / 10;
        best = ns < best ? ns : best;
    }
    return best;
}

static void measure_ticks(struct base_parallel *parallel, struct samples *ticks, struct samples *steady,
                          struct work *work)
{
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        pause_ns(BETWEEN_NS);
        uint64_t tick_ns = base_now_ns();
        parallel->begin(parallel);
        for (uint32_t substep = 0; substep < SUBSTEPS; substep++) {
            uint64_t begin_ns = base_now_ns();
            for (uint32_t run = 0; run < RUNS; run++) {
                parallel->run(parallel, TASKS, chain, work);
            }
            if (substep >= WAKING_SUBSTEPS) {
                take(steady, begin_ns);
            }
        }
        parallel->end(parallel);
        take(ticks, tick_ns);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void measure(const char *who, struct base_parallel *parallel)
{
    static struct samples samples, ticks;
    struct work work = {.start = 1, .links = 1000};
    work.links = (uint32_t)(1000 * TASK_NS / chain_ns(&work));
    double substep_ns = chain_ns(&work) * TASKS * RUNS;
    printf("%s, threads: %" PRIu32 "\n", who, parallel->width);
    measure_empty(parallel, &samples, 2, true);
    print("empty, 2 tasks", &samples, 0);
    measure_empty(parallel, &samples, 16, true);
    print("empty, 16 tasks", &samples, 0);
    measure_empty(parallel, &samples, 2, false);
    print("2 tasks, no burst", &samples, 0);
    if (parallel->width > 1) {
        measure_meeting(parallel, &samples);
        print("meeting", &samples, 0);
    }
    measure_ticks(parallel, &ticks, &samples, &work);
    print("steady", &samples, substep_ns);
    print("tick", &ticks, substep_ns * SUBSTEPS);
}

struct signals {
    alignas(128) atomic_uint there;
    alignas(128) atomic_uint back;
};

enum { TRIPS = 5000 };

static void answer(void *context)
{
    struct signals *signals = context;
    for (uint32_t i = 1; i <= TRIPS; i++) {
        while (atomic_load_explicit(&signals->there, memory_order_acquire) != i) {
        }
        atomic_store_explicit(&signals->back, i, memory_order_release);
    }
}

static bool measure_cores(void)
{
    static struct signals signals;
    static struct samples samples;
    struct base_thread thread;
    if (!base_thread_start(&thread, "answer", answer, &signals)) {
        return false;
    }
    for (uint32_t i = 1; i <= TRIPS; i++) {
        uint64_t begin_ns = base_now_ns();
        atomic_store_explicit(&signals.there, i, memory_order_release);
        while (atomic_load_explicit(&signals.back, memory_order_acquire) != i) {
        }
        take(&samples, begin_ns);
    }
    base_thread_join(&thread);
    print("core to core and back", &samples, 0);
    return true;
}

struct bench {
    struct base_parallel *parallel;
    struct base_mutex mutex;
    struct base_cond cond;
    bool done;
};

static uint64_t turn(void *context, uint64_t now_ns)
{
    struct bench *bench = context;
    (void)now_ns;
    measure("server's threads", bench->parallel);
    base_mutex_lock(&bench->mutex);
    bench->done = true;
    base_cond_signal(&bench->cond);
    base_mutex_unlock(&bench->mutex);
    return UINT64_MAX;
}

static bool measure_runner(uint32_t threads)
{
    struct host_runner *runner = host_runner_create(threads);
    if (!runner) {
        return false;
    }
    struct bench bench = {.parallel = host_runner_parallel(runner)};
    base_mutex_init(&bench.mutex);
    base_cond_init(&bench.cond);
    struct host_runner_entry *entry =
        host_runner_add(runner, &(struct host_runner_client){.turn = turn, .context = &bench});
    if (entry) {
        host_runner_wake(entry);
        base_mutex_lock(&bench.mutex);
        while (!bench.done) {
            base_cond_wait(&bench.cond, &bench.mutex);
        }
        base_mutex_unlock(&bench.mutex);
    }
    host_runner_destroy(runner);
    base_cond_deinit(&bench.cond);
    base_mutex_deinit(&bench.mutex);
    return entry != NULL;
}

static bool measure_team(uint32_t threads)
{
    struct base_team *team = base_team_create(threads);
    if (!team) {
        return false;
    }
    measure("team", base_team_parallel(team));
    base_team_destroy(team);
    return true;
}

int main(void)
{
    bool ok = base_thread_cores() < 2 || measure_cores();
    for (uint32_t threads = 1; ok && threads <= 2; threads++) {
        ok = measure_team(threads) && measure_runner(threads);
    }
    if (!ok) {
        fprintf(stderr, "bench_barrier: no threads\n");
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
