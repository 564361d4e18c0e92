// Each index runs once, whatever members come and go. A job sees what the job before it wrote. Nothing waits for a
// member that has begun nothing, and no member spins for long.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crew_internal.h"
#include "base/thread.h"
#include "helper_clock.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEMBERS_MAX = 15, COUNT_MAX = 50 };

static const uint64_t US = 1000, SECOND = 1000000000;

// Members that join again and again until told to stop.
struct rig {
    struct base_crew *crew;
    struct base_thread threads[MEMBERS_MAX];
    uint32_t members;
    atomic_bool stop;
    atomic_uint asked;
    unsigned away_each; // each so many times that a member asks, it is called away; 0: never
    atomic_uint left[3];
};

static _Thread_local bool is_member;
static atomic_uint done_by_members;

static bool away(void *context)
{
    struct rig *rig = context;
    return atomic_load(&rig->stop) ||
           (rig->away_each != 0 && atomic_fetch_add(&rig->asked, 1) % rig->away_each == 0);
}

static void member(void *context)
{
    struct rig *rig = context;
    is_member = true;
    while (!atomic_load(&rig->stop)) {
        uint32_t seat = base_crew_join(rig->crew, 1);
        if (seat != 0) {
            atomic_fetch_add(&rig->left[base_crew_serve(rig->crew, seat, away, rig)], 1);
        } else {
            usleep(50);
        }
    }
}

static void rig_start(struct rig *rig, uint32_t threads, bool spins)
{
    rig->crew = base_crew_create(&(struct base_crew_desc){.threads = threads, .spins = spins});
    assert_non_null(rig->crew);
    for (; rig->members < threads - 1; rig->members++) {
        assert_true(base_thread_start(&rig->threads[rig->members], "member", member, rig));
    }
}

static void rig_stop(struct rig *rig)
{
    atomic_store(&rig->stop, true);
    for (uint32_t i = 0; i < rig->members; i++) {
        base_thread_join(&rig->threads[i]);
    }
    base_crew_destroy(rig->crew);
}

// ---------------------------------------------------------------------------------------------------------

// Each job reads what the one before wrote at neighbours, whoever did those.
struct table {
    uint64_t values[2][COUNT_MAX];
    uint32_t runs[COUNT_MAX]; // not atomic: an index belongs to one thread in one job
    uint32_t from, count;
    int length;
    volatile float sink[COUNT_MAX];
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

// Work of random length: none, up to 20 us, or now and then a short sleep, in which others get the core.
enum length { SHORT, WORKING, SLEEPING };

static void spend(struct table *table, uint32_t index, uint64_t random)
{
    float x = 1;
    for (uint64_t i = table->length == WORKING ? random % 20000 : 0; i > 0; i--) {
        x = x * 0.999F + 0.001F;
    }
    table->sink[index] = x;
    if (table->length == SLEEPING && random % 8 == 0) {
        usleep((useconds_t)(random % 100));
    }
}

static void fill(void *context, uint32_t index)
{
    struct table *table = context;
    const uint64_t *from = table->values[table->from];
    table->runs[index]++;
    if (is_member) {
        atomic_fetch_add_explicit(&done_by_members, 1, memory_order_relaxed); // orders nothing
    }
    uint64_t value = mix(from[index] + 3 * from[(index + 7) % table->count] + index);
    spend(table, index, value);
    table->values[1 - table->from][index] = value;
}

static uint64_t run_table(struct base_crew *crew, uint32_t bursts, enum length length)
{
    struct table table = {.length = length};
    uint32_t expected[COUNT_MAX] = {0};
    uint64_t random = 1;
    for (uint32_t burst = 0; burst < bursts; burst++) {
        if (crew != NULL && burst % 4 != 3) { // now and then jobs that are no burst
            base_crew_open(crew);
        }
        for (uint32_t job = 0; job < 20; job++) {
            random = mix(random + job);
            table.count = job < 3 ? job : 1 + (uint32_t)(random % COUNT_MAX);
            for (uint32_t i = 0; i < table.count; i++) {
                expected[i]++;
            }
            if (crew != NULL) {
                base_crew_run(crew, table.count, fill, &table);
            } else {
                for (uint32_t i = 0; i < table.count; i++) {
                    fill(&table, i);
                }
            }
            assert_memory_equal(table.runs, expected, sizeof expected);
            table.from = 1 - table.from;
        }
        if (crew != NULL && burst % 4 != 3) {
            base_crew_close(crew);
        }
    }
    uint64_t hash = 0;
    for (uint32_t i = 0; i < COUNT_MAX; i++) {
        hash = mix(hash + table.values[table.from][i]);
    }
    return hash;
}

static void every_index_runs_once_on_any_threads(void **state)
{
    (void)state;
    static const uint32_t threads[] = {1, 2, 4, 16};
    const uint32_t working = getenv("WEFT_FULL") ? 8 : 2;
    for (enum length length = SHORT; length <= SLEEPING; length++) {
        uint32_t bursts = length == SHORT ? 100 : length == WORKING ? working : 2;
        uint64_t alone = run_table(NULL, bursts, length);
        for (uint32_t t = 0; t < 4; t++) {
            for (int spins = 0; spins < 2; spins++) {
                for (unsigned away_each = 0; away_each <= 5; away_each += 5) {
                    struct rig rig = {.away_each = away_each};
                    rig_start(&rig, threads[t], spins != 0);
                    assert_int_equal(run_table(rig.crew, bursts, length), alone);
                    rig_stop(&rig);
                }
            }
        }
    }
    assert_true(atomic_load(&done_by_members) > 100);
}

// ---------------------------------------------------------------------------------------------------------

struct shares {
    atomic_uint by_members, by_owner;
    unsigned owner_us;
    atomic_bool member_in;
    bool owner_waits;
    // A member goes on once the owner sleeps. Whoever waits lets so much pass on a clock that is held.
    struct base_crew *sleeps;
    uint64_t passes_ns;
    uint64_t works_ns; // processor time that the member's task takes once the owner sleeps
    bool slept;
};

// A minute is enough for anything to come; without it the test fails.
static void await(const struct shares *shares, const atomic_bool *value)
{
    for (int i = 0; i < 600000 && !atomic_load(value); i++) {
        clock_pass(shares->passes_ns);
        usleep(100);
    }
}

static void share(void *context, uint32_t index)
{
    struct shares *shares = context;
    (void)index;
    atomic_fetch_add(is_member ? &shares->by_members : &shares->by_owner, 1);
    if (is_member) {
        atomic_store(&shares->member_in, true);
    } else if (shares->owner_waits) {
        await(shares, &shares->member_in);
    }
    if (is_member && shares->sleeps) {
        await(shares, &shares->sleeps->awaiting);
        clock_pass(shares->passes_ns);
        clock_work(shares->works_ns);
        shares->slept = atomic_load(&shares->sleeps->awaiting);
    } else {
        usleep(is_member ? 0 : shares->owner_us);
    }
}

static void members_work_at_the_same_time(void **state)
{
    (void)state;
    struct rig rig = {0};
    struct shares shares = {.owner_waits = true};
    rig_start(&rig, 2, false);
    base_crew_run(rig.crew, 2, share, &shares);
    rig_stop(&rig);
    assert_int_equal(atomic_load(&shares.by_members), 1);
    assert_int_equal(atomic_load(&shares.by_owner), 1);
}

// The owner and a member begin one task after another, side by side.
struct pairs {
    atomic_uint begun[2]; // by the owner, by the member
    bool of_member[COUNT_MAX];
};

static void pair(void *context, uint32_t index)
{
    struct pairs *pairs = context;
    const unsigned mine = atomic_fetch_add(&pairs->begun[is_member], 1) + 1;
    pairs->of_member[index] = is_member;
    for (int i = 0; i < 600000 && atomic_load(&pairs->begun[!is_member]) < mine; i++) {
        usleep(100);
    }
}

// Until the member watches for the next job: of the times that it asks whether it is called away, one at most belongs to its last task.
static void await_watch(struct rig *rig)
{
    const unsigned asked = atomic_load(&rig->asked);
    for (int i = 0; i < 600000 && atomic_load(&rig->asked) - asked < 2; i++) {
        usleep(100);
    }
}

// On a clock that stands still a member watches for ever, and nobody is taken for one that has begun nothing for a while.
static void a_thread_keeps_its_indices_from_job_to_job(void **state)
{
    (void)state;
    enum { JOBS = 40, COUNT = 8 };
    struct rig rig = {.away_each = UINT_MAX};
    static struct pairs pairs;
    clock_hold();
    atomic_store(&rig.asked, 1);
    rig_start(&rig, 2, true);
    base_crew_open(rig.crew);
    for (unsigned job = 1; job <= JOBS; job++) {
        await_watch(&rig);
        base_crew_run(rig.crew, COUNT, pair, &pairs);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_int_equal(pairs.of_member[i], i >= COUNT / 2);
        }
        assert_int_equal(atomic_load(&pairs.begun[0]), job * COUNT / 2);
    }
    base_crew_close(rig.crew);
    rig_stop(&rig);
    clock_release();
}

static void who_is_called_away_leaves_the_rest_to_the_owner(void **state)
{
    (void)state;
    struct rig rig = {.away_each = 1};
    struct shares shares = {.owner_waits = true};
    rig_start(&rig, 2, true);
    base_crew_run(rig.crew, 10, share, &shares);
    rig_stop(&rig);
    assert_int_equal(atomic_load(&shares.by_members) + atomic_load(&shares.by_owner), 10);
    assert_true(atomic_load(&shares.by_members) >= 1);
    // It leaves after each task, whatever is left.
    assert_true(atomic_load(&rig.left[BASE_CREW_AWAY]) >= atomic_load(&shares.by_members));
}

static void the_owner_sleeps_while_a_member_takes_long(void **state)
{
    (void)state;
    for (int spins = 0; spins < 2; spins++) {
        struct rig rig = {0};
        clock_hold();
        rig_start(&rig, 2, spins != 0);
        struct shares shares = {.owner_waits = true, .sleeps = rig.crew, .passes_ns = 20 * US};
        base_crew_run(rig.crew, 2, share, &shares);
        assert_true(shares.slept);
        assert_int_equal(atomic_load(&shares.by_members), 1);
        rig_stop(&rig);
        clock_release();
    }
}

// ---------------------------------------------------------------------------------------------------------

struct watcher {
    struct base_crew *crew;
    enum base_crew_left left;
    unsigned looks;
};

static bool never_away(void *context)
{
    (void)context;
    return false;
}

static bool look(void *context)
{
    struct watcher *watcher = context;
    watcher->looks++;
    clock_pass(10 * US);
    return false;
}

static void watch(void *context)
{
    struct watcher *watcher = context;
    uint32_t seat = base_crew_join(watcher->crew, 3);
    if (seat == 3) {
        watcher->left = base_crew_serve(watcher->crew, seat, look, watcher);
    }
}

// It returns though nobody closes the crew: at once, or after a hundred microseconds.
static void who_watches_in_vain_leaves(void **state)
{
    (void)state;
    for (int spins = 0; spins < 2; spins++) {
        struct base_crew *crew =
            base_crew_create(&(struct base_crew_desc){.threads = 4, .spins = spins != 0});
        struct watcher watcher = {.crew = crew, .left = BASE_CREW_AWAY};
        struct base_thread thread;
        clock_hold();
        base_crew_open(crew);
        assert_true(base_thread_start(&thread, "watch", watch, &watcher));
        base_thread_join(&thread);
        assert_int_equal(watcher.left, BASE_CREW_TIRED);
        assert_in_range(watcher.looks, 1, spins != 0 ? 12 : 1);
        base_crew_close(crew);
        base_crew_destroy(crew);
        clock_release();
    }
}

static void seats_are_for_open_crews(void **state)
{
    (void)state;
    struct base_crew *crew = base_crew_create(&(struct base_crew_desc){.threads = 3, .spins = true});
    assert_int_equal(base_crew_join(crew, 1), 0);
    base_crew_open(crew);
    assert_int_equal(base_crew_lacking(crew), 0); // no job has told yet
    assert_int_equal(base_crew_join(crew, 2), 2);
    assert_int_equal(base_crew_join(crew, 2), 1); // taken: another one
    assert_int_equal(base_crew_join(crew, 1), 0); // full
    base_crew_close(crew);
    // Both leave: a closed crew has nothing to watch for.
    assert_int_equal(base_crew_serve(crew, 1, never_away, NULL), BASE_CREW_CLOSED);
    assert_int_equal(base_crew_serve(crew, 2, never_away, NULL), BASE_CREW_CLOSED);
    assert_int_equal(base_crew_join(crew, 1), 0);
    base_crew_destroy(crew);
}

static void count_calls(void *context, uint32_t lacking)
{
    uint32_t *calls = context;
    calls[0]++;
    calls[1] = lacking;
}

static void nothing(void *context, uint32_t index)
{
    (void)context;
    (void)index;
}

static void a_job_calls_for_those_it_could_use(void **state)
{
    (void)state;
    uint32_t calls[2] = {0};
    struct base_crew *crew = base_crew_create(
        &(struct base_crew_desc){.threads = 64, .spins = true, .call = count_calls, .context = calls});
    base_crew_open(crew);
    base_crew_run(crew, 1, nothing, NULL);
    assert_int_equal(calls[0], 0);
    base_crew_run(crew, 5, nothing, NULL);
    assert_int_equal(calls[0], 1);
    assert_int_equal(calls[1], 4);
    base_crew_run(crew, 1000, nothing, NULL);
    assert_int_equal(calls[1], 63);
    assert_int_equal(base_crew_lacking(crew), 63);
    assert_false(base_crew_waiting(crew));
    assert_int_equal(base_crew_join(crew, 63), 63);
    assert_int_equal(base_crew_lacking(crew), 62);
    base_crew_run(crew, 2, nothing, NULL); // one is there: no call, and it need not do anything
    assert_int_equal(calls[0], 2);
    base_crew_close(crew);
    assert_int_equal(base_crew_lacking(crew), 0);
    assert_int_equal(base_crew_serve(crew, 63, never_away, NULL), BASE_CREW_CLOSED);
    base_crew_destroy(crew);
}

// A member holds a task for a long time, in which it has a core for so long.
static void take_long(struct rig *rig, uint64_t works_ns)
{
    struct shares shares = {
        .owner_waits = true, .sleeps = rig->crew, .passes_ns = 1000 * US, .works_ns = works_ns};
    base_crew_run(rig->crew, 2, share, &shares);
    assert_true(shares.slept);
    assert_int_equal(atomic_load(&shares.by_members), 1);
}

static void lose_a_core(struct rig *rig)
{
    take_long(rig, 0);
}

static void jobs_alone(struct rig *rig)
{
    struct shares shares = {.owner_us = 200};
    for (int burst = 0; burst < 2; burst++) {
        for (int job = 0; job < 50; job++) {
            base_crew_run(rig->crew, 2, share, &shares);
        }
        assert_int_equal(base_crew_lacking(rig->crew), 0);
        base_crew_close(rig->crew);
        base_crew_open(rig->crew);
    }
    assert_int_equal(atomic_load(&shares.by_members), 0);
    assert_int_equal(atomic_load(&shares.by_owner), 200);
}

// It is tried again in the same burst once a pause has passed. A loss that follows soon makes the pause twice as long.
static void who_loses_a_core_is_not_waited_for_again_soon(void **state)
{
    (void)state;
    struct rig rig = {0};
    clock_hold();
    clock_pass(SECOND);
    rig_start(&rig, 2, true);
    base_crew_open(rig.crew);
    const uint64_t pauses_us[] = {10000, 20000, 10000};
    for (int loss = 0; loss < 3; loss++) {
        base_crew_run(rig.crew, 0, NULL, NULL);
        assert_int_equal(rig.crew->limit, 1);
        // The clock goes on by an unknown time before a core is lost. So the test says whether the last pause was long ago.
        rig.crew->more_at_ns = loss == 1 ? base_now_ns() + 3600 * SECOND : 0;
        lose_a_core(&rig);
        clock_pass(pauses_us[loss] * US - 1);
        jobs_alone(&rig);
        clock_pass(1);
    }
    lose_a_core(&rig); // which says that it is tried again
    base_crew_close(rig.crew);
    rig_stop(&rig);
    clock_release();
}

// However long tasks are.
static void who_has_long_tasks_is_kept(void **state)
{
    (void)state;
    struct rig rig = {0};
    clock_hold();
    rig_start(&rig, 2, true);
    base_crew_open(rig.crew);
    for (int job = 0; job < 5; job++) {
        take_long(&rig, 60 * 1000 * 1000 * US); // no less than passes while both wait for each other
        assert_int_equal(rig.crew->limit, 1);
    }
    base_crew_close(rig.crew);
    rig_stop(&rig);
    clock_release();
}

// By how long a member had a core in this time, and how long it lacked one.
static void a_core_is_lost_by_time_without_it(void **state)
{
    (void)state;
    const uint64_t begun_ns = 7000 * US;
    assert_false(crew_lost_core(begun_ns, begun_ns, 500 * US)); // a few turns of the scheduler
    assert_true(crew_lost_core(begun_ns, begun_ns, 501 * US));
    assert_false(crew_lost_core(begun_ns, begun_ns + 5000 * US, 5000 * US));
    assert_false(crew_lost_core(begun_ns, begun_ns + 5001 * US, 5000 * US)); // clocks differ a little
    assert_false(crew_lost_core(begun_ns, begun_ns + 5000 * US, 10000 * US));
    assert_true(crew_lost_core(begun_ns, begun_ns + 4999 * US, 10000 * US));
    // Clocks that cannot be read, or are another thread's.
    assert_true(crew_lost_core(0, begun_ns, 501 * US));
    assert_true(crew_lost_core(begun_ns, begun_ns - 1, 501 * US));
}

static void do_not_call(void *context, uint32_t lacking)
{
    (void)context;
    (void)lacking;
}

static void a_member_leaves_the_owners_core_to_the_owner(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0); // and so of threads that begin from now on
    struct shares shares = {.owner_us = 200};
    struct rig rig = {
        .crew = base_crew_create(&(struct base_crew_desc){.threads = 2, .spins = true, .call = do_not_call})};
    base_crew_open(rig.crew);
    base_crew_run(rig.crew, 2, share, &shares);
    assert_int_equal(base_crew_lacking(rig.crew), 1);
    assert_true(base_thread_start(&rig.threads[rig.members++], "member", member, &rig));
    for (int job = 0; job < 10000 && base_crew_lacking(rig.crew) > 0; job++) {
        base_crew_run(rig.crew, 2, share, &shares);
    }
    assert_int_equal(base_crew_lacking(rig.crew), 0);
    base_crew_close(rig.crew);
    rig_stop(&rig);
    assert_int_equal(atomic_load(&shares.by_members), 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_once_on_any_threads),
        cmocka_unit_test(members_work_at_the_same_time),
        cmocka_unit_test(a_thread_keeps_its_indices_from_job_to_job),
        cmocka_unit_test(who_is_called_away_leaves_the_rest_to_the_owner),
        cmocka_unit_test(the_owner_sleeps_while_a_member_takes_long),
        cmocka_unit_test(who_watches_in_vain_leaves),
        cmocka_unit_test(seats_are_for_open_crews),
        cmocka_unit_test(a_job_calls_for_those_it_could_use),
        cmocka_unit_test(a_member_leaves_the_owners_core_to_the_owner),
        cmocka_unit_test(who_loses_a_core_is_not_waited_for_again_soon),
        cmocka_unit_test(who_has_long_tasks_is_kept),
        cmocka_unit_test(a_core_is_lost_by_time_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
