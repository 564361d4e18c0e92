// Turns that share out their tasks: whatever helps, comes, goes or stops in the middle, each task runs once and
// sees what the runs before it wrote; a world that is due does not wait for one that is helped.
#include "base/thread.h"
#include "host/runner_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TASKS = 24, MS = 1000000 };

static void sleep_ms(unsigned ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * MS}, NULL);
}

// Waits a minute or more, which only a failure needs.
static bool reaches(atomic_uint *value, unsigned wanted)
{
    for (int i = 0; i < 60000; i++) {
        if (atomic_load(value) >= wanted) {
            return true;
        }
        sleep_ms(1);
    }
    return false;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

// The threads of the runner that sleep, until all do.
static bool all_sleep(struct host_runner *runner, uint32_t threads)
{
    for (int i = 0; i < 60000; i++) {
        base_mutex_lock(&runner->share.mutex);
        const uint32_t asleep = runner->share.asleep;
        base_mutex_unlock(&runner->share.mutex);
        if (asleep == threads) {
            return true;
        }
        sleep_ms(1);
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------

// A world whose tick is RUNS runs; a task reads what others wrote in the run before.
struct world {
    struct host_runner_entry *entry;
    struct base_parallel *parallel;
    uint64_t values[2][TASKS];
    uint32_t from, count;
    unsigned links_max; // of a task's chain of multiplications
    bool sleeps;        // tasks give their core away now and then, for up to 100 us
    volatile float sink[TASKS];
    unsigned turns_max, runs;
    uint64_t next_ns; // after a turn, from its beginning; 0: at once
    bool burst;
    pthread_t owner;
    atomic_uint turns, begun, helped; // helped: tasks of other threads
    atomic_bool stop;
};

static void step(void *context, uint32_t index)
{
    struct world *world = context;
    const uint64_t *from = world->values[world->from];
    uint64_t value = mix(from[index] + 3 * from[(index + 7) % TASKS] + index);
    float x = 1;
    for (uint64_t i = world->links_max == 0 ? 0 : value % world->links_max; i > 0; i--) {
        x = x * 0.999F + 0.001F;
    }
    world->sink[index] = x;
    if (world->sleeps && value % 4 == 0) {
        nanosleep(&(struct timespec){.tv_nsec = (long)(value % 100000)}, NULL);
    }
    world->values[1 - world->from][index] = value;
    if (!pthread_equal(pthread_self(), world->owner)) {
        atomic_fetch_add_explicit(&world->helped, 1, memory_order_relaxed);
    }
}

static void tick(struct world *world)
{
    struct base_parallel *parallel = world->parallel;
    world->owner = pthread_self();
    if (parallel != NULL && world->burst) {
        parallel->begin(parallel);
    }
    for (unsigned run = 0; run < world->runs && !atomic_load(&world->stop); run++) {
        // The worlds that the others keep are unchanged.
        world->count = 1 + (uint32_t)(mix(run) % TASKS);
        memcpy(world->values[1 - world->from], world->values[world->from], sizeof world->values[0]);
        if (parallel != NULL) {
            parallel->run(parallel, world->count, step, world);
        } else {
            for (uint32_t i = 0; i < world->count; i++) {
                step(world, i);
            }
        }
        world->from = 1 - world->from;
    }
    if (parallel != NULL && world->burst) {
        parallel->end(parallel);
    }
}

static uint64_t turn(void *context, uint64_t now_ns)
{
    struct world *world = context;
    atomic_fetch_add(&world->begun, 1);
    tick(world);
    if (atomic_fetch_add(&world->turns, 1) + 1 >= world->turns_max) {
        return UINT64_MAX;
    }
    return world->next_ns == 0 ? 0 : now_ns + world->next_ns;
}

static void removed(void *context)
{
    (void)context;
}

static void add(struct host_runner *runner, struct world *world)
{
    world->entry = host_runner_add(runner, &(struct host_runner_client){turn, removed, world});
    assert_non_null(world->entry);
}

static void assert_as_if_alone(const struct world *world)
{
    struct world alone = {.runs = world->runs};
    for (unsigned i = 0; i < atomic_load(&world->turns); i++) {
        tick(&alone);
    }
    assert_memory_equal(world->values[world->from], alone.values[alone.from], sizeof alone.values[0]);
}

// ---------------------------------------------------------------------------------------------------------

static void many_worlds(uint32_t threads, unsigned links_max, bool sleeps)
{
    enum { WORLDS = 6, RUNS = 10 };
    const unsigned turns = sleeps ? 5 : 40;
    struct host_runner *runner = host_runner_create_for(threads, threads);
    assert_non_null(runner);
    static struct world worlds[WORLDS];
    memset(worlds, 0, sizeof worlds);
    for (unsigned i = 0; i < WORLDS; i++) {
        worlds[i].parallel = host_runner_parallel(runner);
        worlds[i].turns_max = turns;
        worlds[i].sleeps = sleeps;
        worlds[i].runs = RUNS;
        worlds[i].links_max = links_max;
        worlds[i].burst = i != 1; // one that shares out without
        worlds[i].next_ns = i < 3 ? 0 : 3 * MS;
        add(runner, &worlds[i]);
    }
    for (unsigned i = 0; i < WORLDS; i++) {
        host_runner_wake(worlds[i].entry);
    }
    for (unsigned i = 0; i < WORLDS; i++) {
        assert_true(reaches(&worlds[i].turns, turns));
    }
    host_runner_destroy(runner);
    for (unsigned i = 0; i < WORLDS; i++) {
        assert_as_if_alone(&worlds[i]);
    }
}

static void bursts_of_many_worlds_come_to_what_one_thread_does(void **state)
{
    (void)state;
    static const uint32_t threads[] = {1, 2, 4, 16};
    for (int i = 0; i < 4; i++) {
        many_worlds(threads[i], 0, false);
        many_worlds(threads[i], 10000, false);
        many_worlds(threads[i], 0, true);
    }
}

static void a_turn_is_helped(void **state)
{
    (void)state;
    // With fewer cores than threads, because a watcher leaves the owner's core to it, and there may be no other.
    uint32_t threads = base_thread_cores() + 2;
    struct host_runner *runner = host_runner_create_for(threads, threads);
    struct world world = {.parallel = host_runner_parallel(runner),
                          .turns_max = 1000000,
                          .runs = 20,
                          .links_max = 5000,
                          .burst = true};
    add(runner, &world);
    host_runner_wake(world.entry);
    assert_true(reaches(&world.helped, 100));
    atomic_store(&world.stop, true);
    host_runner_destroy(runner);
}

// A run that ends when it is told to: its owner stays in its first task until then.
static void nap(void *context, uint32_t index)
{
    struct world *world = context;
    (void)index;
    if (pthread_equal(pthread_self(), world->owner)) {
        while (!atomic_load(&world->stop)) {
            sleep_ms(1);
        }
    } else if (!atomic_load(&world->stop)) {
        sleep_ms(1);
        atomic_fetch_add(&world->helped, 1);
    }
}

static uint64_t long_turn(void *context, uint64_t now_ns)
{
    struct world *world = context;
    (void)now_ns;
    world->owner = pthread_self();
    world->parallel->run(world->parallel, 40000, nap, world);
    atomic_fetch_add(&world->turns, 1);
    return UINT64_MAX;
}

static void a_due_world_comes_before_helping(void **state)
{
    (void)state;
    // One thread has the large world's turn; the other one, which helps, must take the small one's.
    struct host_runner *runner = host_runner_create_for(2, 2);
    struct world large = {.parallel = host_runner_parallel(runner)};
    struct world small = {.turns_max = 50, .runs = 1, .next_ns = 2 * MS};
    add(runner, &small);
    large.entry = host_runner_add(runner, &(struct host_runner_client){long_turn, removed, &large});
    assert_non_null(large.entry);
    host_runner_wake(large.entry);
    assert_true(reaches(&large.helped, 3));
    host_runner_wake(small.entry);
    assert_true(reaches(&small.turns, 50));
    assert_int_equal(atomic_load(&large.turns), 0);
    // And it helps again in between.
    assert_true(reaches(&large.helped, atomic_load(&large.helped) + 3));
    atomic_store(&large.stop, true);
    assert_true(reaches(&large.turns, 1));
    host_runner_destroy(runner);
}

static void it_stops_in_the_middle_of_a_burst(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 16; threads *= 2) {
        struct host_runner *runner = host_runner_create_for(threads, threads);
        static struct world worlds[2];
        memset(worlds, 0, sizeof worlds);
        for (int i = 0; i < 2; i++) {
            worlds[i] = (struct world){.parallel = host_runner_parallel(runner),
                                       .turns_max = 1000000,
                                       .runs = 1000,
                                       .links_max = 3000,
                                       .burst = true};
            add(runner, &worlds[i]);
            host_runner_wake(worlds[i].entry);
        }
        assert_true(reaches(&worlds[0].begun, 2));
        host_runner_destroy(runner); // returns when the turns under way have ended
        for (int i = 0; i < 2; i++) {
            assert_int_equal(atomic_load(&worlds[i].turns), atomic_load(&worlds[i].begun));
            assert_as_if_alone(&worlds[i]);
        }
    }
}

static void no_more_threads_help_than_there_are_cores(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create_for(4, 1);
    assert_int_equal(host_runner_parallel(runner)->width, 1);
    struct world world = {.parallel = host_runner_parallel(runner),
                          .turns_max = 20,
                          .runs = 20,
                          .links_max = 5000,
                          .next_ns = 1 * MS,
                          .burst = true};
    add(runner, &world);
    assert_true(all_sleep(runner, 4));
    host_runner_wake(world.entry);
    assert_true(reaches(&world.turns, 20));
    host_runner_destroy(runner);
    assert_int_equal(atomic_load(&world.helped), 0);
    assert_as_if_alone(&world);
}

static void other_threads_run_their_tasks_themselves(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create_for(2, 2);
    struct world world = {.parallel = host_runner_parallel(runner), .runs = 20, .burst = true};
    assert_true(all_sleep(runner, 2));
    tick(&world);
    atomic_store(&world.turns, 1);
    assert_int_equal(atomic_load(&world.helped), 0);
    assert_as_if_alone(&world);
    host_runner_destroy(runner);
}

static void threads_sleep_when_bursts_are_over(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create_for(4, 4);
    struct world world = {.parallel = host_runner_parallel(runner),
                          .turns_max = 30,
                          .runs = 20,
                          .links_max = 5000,
                          .next_ns = 2 * MS,
                          .burst = true};
    add(runner, &world);
    host_runner_wake(world.entry);
    assert_true(reaches(&world.turns, 30));
    assert_true(all_sleep(runner, 4)); // none of them watches for tasks any more
    assert_int_equal(atomic_load(&runner->share.sharing), 0);
    host_runner_destroy(runner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_of_many_worlds_come_to_what_one_thread_does),
        cmocka_unit_test(a_turn_is_helped),
        cmocka_unit_test(a_due_world_comes_before_helping),
        cmocka_unit_test(it_stops_in_the_middle_of_a_burst),
        cmocka_unit_test(no_more_threads_help_than_there_are_cores),
        cmocka_unit_test(other_threads_run_their_tasks_themselves),
        cmocka_unit_test(threads_sleep_when_bursts_are_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
