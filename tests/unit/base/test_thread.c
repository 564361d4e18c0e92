// Teams run each index once and use no time else; waits end by the monotonic clock; threads start as promised; flush-to-zero and
// another rounding stop the process.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/thread.h"

#include <fenv.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TEAM_COUNT = 1000, TEAM_ROUNDS = 200 };

static void count_run(void *context, uint32_t index)
{
    uint32_t *runs = context;
    runs[index]++; // not atomic: an index belongs to one thread in one job
}

static void team_of(uint32_t threads)
{
    static uint32_t runs[TEAM_COUNT];
    memset(runs, 0, sizeof runs);
    struct base_team *team = base_team_create(threads);
    struct base_parallel *parallel = base_team_parallel(team);
    assert_int_equal(parallel->width, threads);
    uint32_t expected[TEAM_COUNT] = {0};
    for (uint32_t round = 0; round < TEAM_ROUNDS; round++) {
        uint32_t count = round < 4 ? round : TEAM_COUNT - round; // 0, 1, 2, 3, then many
        if (round % 50 == 25) {
            parallel->begin(parallel);
        }
        parallel->run(parallel, count, count_run, runs);
        if (round % 50 == 49) {
            parallel->end(parallel);
        }
        for (uint32_t i = 0; i < count; i++) {
            expected[i]++;
        }
        assert_memory_equal(runs, expected, sizeof runs);
    }
    base_team_destroy(team);
}

static void a_team_runs_every_index_once(void **state)
{
    (void)state;
    static const uint32_t threads[] = {1, 2, 4, 16};
    for (uint32_t i = 0; i < 4; i++) {
        team_of(threads[i]);
    }
}

struct rendezvous {
    atomic_uint arrived, met;
};

static void wait_for_all(void *context, uint32_t index)
{
    struct rendezvous *rendezvous = context;
    (void)index;
    atomic_fetch_add(&rendezvous->arrived, 1);
    uint64_t deadline = base_now_ns() + UINT64_C(60000000000);
    while (atomic_load(&rendezvous->arrived) < 3 && base_now_ns() < deadline) {
        usleep(100);
    }
    atomic_fetch_add(&rendezvous->met, atomic_load(&rendezvous->arrived) == 3);
}

static void a_team_works_at_the_same_time(void **state)
{
    (void)state;
    // Each task waits for the two others: of a team that runs them one after another, one alone would meet them.
    struct base_team *team = base_team_create(3);
    struct rendezvous rendezvous = {0};
    struct base_parallel *parallel = base_team_parallel(team);
    parallel->run(parallel, 3, wait_for_all, &rendezvous);
    assert_int_equal(atomic_load(&rendezvous.met), 3);
    base_team_destroy(team);
}

static void a_large_team_has_64_threads(void **state)
{
    (void)state;
    struct base_team *team = base_team_create(70);
    assert_non_null(team);
    assert_int_equal(base_team_parallel(team)->width, 64);
    base_team_destroy(team);
}

static uint64_t cpu_ns(clockid_t clock)
{
    struct timespec used;
    clock_gettime(clock, &used);
    return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

// Processor time of all threads except this one. The kernel adds up the process without what this thread has used since it last
// woke, so a later look may tell a little less than an earlier one.
static int64_t others_ns(void)
{
    return (int64_t)(cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns(CLOCK_THREAD_CPUTIME_ID));
}

// Until the other threads have used nothing for a while; a minute at most. One that watched would use all of it.
static bool others_rest(void)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(60000000000);
    bool rest = false;
    while (!rest && base_now_ns() < deadline_ns) {
        const int64_t before_ns = others_ns();
        usleep(50000);
        rest = others_ns() - before_ns < 1000000;
    }
    return rest;
}

static void a_team_uses_no_time_between_bursts(void **state)
{
    (void)state;
    static uint32_t runs[TEAM_COUNT];
    uint32_t threads = base_thread_cores();
    struct base_team *team = base_team_create(threads < 2 ? 2 : threads);
    struct base_parallel *parallel = base_team_parallel(team);
    parallel->begin(parallel);
    for (int i = 0; i < 100; i++) {
        parallel->run(parallel, TEAM_COUNT, count_run, runs);
    }
    parallel->end(parallel);
    assert_true(others_rest());
    // Nor for long within one: who watches in vain goes to sleep.
    parallel->begin(parallel);
    parallel->run(parallel, TEAM_COUNT, count_run, runs);
    assert_true(others_rest());
    parallel->end(parallel);
    base_team_destroy(team);
}

static void there_are_as_many_cores_as_may_be_used(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(base_thread_cores(), CPU_COUNT(&before));
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(base_thread_cores(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

struct worker {
    int clock;
    uint64_t used_ns;
    sem_t has_worked, may_end;
};

static void work_and_wait(void *context)
{
    struct worker *worker = context;
    worker->clock = base_core_clock();
    while (worker->used_ns < 5000000) {
        worker->used_ns = base_core_ns();
    }
    sem_post(&worker->has_worked);
    sem_wait(&worker->may_end);
}

static void a_thread_reads_the_processor_time_of_another(void **state)
{
    (void)state;
    struct base_thread thread;
    struct worker worker = {0};
    assert_int_equal(base_core_ns_of(0), 0);
    assert_int_equal(sem_init(&worker.has_worked, 0, 0), 0);
    assert_int_equal(sem_init(&worker.may_end, 0, 0), 0);
    assert_true(base_thread_start(&thread, "worker", work_and_wait, &worker));
    sem_wait(&worker.has_worked);
    assert_true(base_core_ns_of(worker.clock) >= worker.used_ns);
    sem_post(&worker.may_end);
    base_thread_join(&thread);
    while (base_core_ns_of(worker.clock) != 0) { // the kernel ends a thread a moment after it is joined
        (void)sched_yield();
    }
    sem_destroy(&worker.has_worked);
    sem_destroy(&worker.may_end);
}

static void a_wait_ends_at_its_deadline(void **state)
{
    (void)state;
    struct base_mutex mutex;
    struct base_cond cond;
    base_mutex_init(&mutex);
    base_cond_init(&cond);
    base_mutex_lock(&mutex);
    uint64_t deadline = base_now_ns() + 20000000;
    while (base_cond_wait_until(&cond, &mutex, deadline)) {
    }
    assert_true(base_now_ns() >= deadline);
    base_mutex_unlock(&mutex);
    base_cond_deinit(&cond);
    base_mutex_deinit(&mutex);
}

static void look_at_mask(void *context)
{
    sigset_t *mask = context;
    pthread_sigmask(SIG_BLOCK, NULL, mask);
}

static void new_threads_block_signals_and_the_parent_does_not(void **state)
{
    (void)state;
    sigset_t mask;
    sigemptyset(&mask);
    struct base_thread thread;
    assert_true(base_thread_start(&thread, "mask", look_at_mask, &mask));
    base_thread_join(&thread);
    assert_true(sigismember(&mask, SIGINT));
    assert_true(sigismember(&mask, SIGTERM));
    sigemptyset(&mask);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGTERM));
}

// Runs in a child with its errors shut up; true if it was aborted.
static bool aborts(void (*spoil)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL); // cmocka catches it otherwise
        close(STDERR_FILENO);
        spoil();
        base_float_assert();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void spoil_nothing(void) {}

static void spoil_rounding_up(void)
{
    fesetround(FE_UPWARD);
}

static void spoil_rounding_to_zero(void)
{
    fesetround(FE_TOWARDZERO);
}

#ifdef __SSE2__
static void spoil_ftz(void)
{
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8000);
}

static void spoil_daz(void)
{
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x0040);
}
#endif

static void a_wrong_float_environment_stops_the_process(void **state)
{
    (void)state;
    assert_false(aborts(spoil_nothing));
    assert_true(aborts(spoil_rounding_up));
    assert_true(aborts(spoil_rounding_to_zero));
#ifdef __SSE2__
    assert_true(aborts(spoil_ftz));
    assert_true(aborts(spoil_daz));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_float_environment_stops_the_process),
        cmocka_unit_test(a_team_runs_every_index_once),
        cmocka_unit_test(a_team_works_at_the_same_time),
        cmocka_unit_test(a_large_team_has_64_threads),
        cmocka_unit_test(a_team_uses_no_time_between_bursts),
        cmocka_unit_test(there_are_as_many_cores_as_may_be_used),
        cmocka_unit_test(a_thread_reads_the_processor_time_of_another),
        cmocka_unit_test(a_wait_ends_at_its_deadline),
        cmocka_unit_test(new_threads_block_signals_and_the_parent_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
