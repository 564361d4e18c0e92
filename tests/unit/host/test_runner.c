// Worlds are stood in for by turns that count: the runner knows nothing else of them. Where time matters it is the test's own
// (helper_clock.h), and what a turn takes is what the turn lets pass.
#include "base/clock.h"
#include "base/thread.h"
#include "helper_clock.h"
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

enum { MS = 1000000, LOG_MAX = 4096 };

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = MS}, NULL);
}

// Waits a minute or more, which only a failure needs.
static bool reaches(atomic_uint *value, unsigned wanted)
{
    for (int i = 0; i < 60000; i++) {
        if (atomic_load(value) >= wanted) {
            return true;
        }
        rest();
    }
    return false;
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
        rest();
    }
    return false;
}

// The events on the one thread of a runner, in their order.
struct log {
    struct log_turn {
        unsigned subject;
        uint64_t ns;
    } turns[LOG_MAX];
    atomic_uint count;
};

struct subject {
    struct host_runner_entry *entry;
    atomic_uint turns, ended;
    atomic_uint inside; // at a time
    atomic_bool overlapped;
    atomic_uint removed;
    uint64_t (*next)(struct subject *subject, uint64_t now_ns);
    uint64_t turn_ns;  // which it lets pass
    atomic_bool *gate; // a turn waits until it is open
    unsigned limit;
    unsigned number;
    struct log *log;
    struct base_parallel *parallel;
    atomic_uint *hits; // tasks of a job, by index
    unsigned tasks;
    void *context;
};

static uint64_t turn(void *context, uint64_t now_ns)
{
    struct subject *subject = context;
    if (atomic_fetch_add(&subject->inside, 1) != 0) {
        atomic_store(&subject->overlapped, true);
    }
    if (subject->log != NULL && atomic_load(&subject->log->count) < LOG_MAX) {
        subject->log->turns[atomic_load(&subject->log->count)] = (struct log_turn){subject->number, now_ns};
        atomic_fetch_add(&subject->log->count, 1);
    }
    atomic_fetch_add(&subject->turns, 1);
    clock_pass(subject->turn_ns);
    while (subject->gate != NULL && !atomic_load(subject->gate)) {
        rest();
    }
    uint64_t next_ns = subject->next == NULL ? UINT64_MAX : subject->next(subject, now_ns);
    atomic_fetch_sub(&subject->inside, 1);
    atomic_fetch_add(&subject->ended, 1);
    return next_ns;
}

static void removed(void *context)
{
    struct subject *subject = context;
    atomic_fetch_add(&subject->removed, 1);
}

static void add(struct host_runner *runner, struct subject *subject)
{
    subject->entry = host_runner_add(runner, &(struct host_runner_client){turn, removed, subject});
    assert_non_null(subject->entry);
}

static uint64_t at_once(struct subject *subject, uint64_t now_ns)
{
    (void)now_ns;
    return atomic_load(&subject->turns) < subject->limit ? 0 : UINT64_MAX;
}

static uint64_t each_5_ms(struct subject *subject, uint64_t now_ns)
{
    return atomic_load(&subject->turns) < subject->limit ? now_ns + 5 * MS : UINT64_MAX;
}

// Two turns of another world, so that one thread has taken whatever was due before.
static void others_have_turns(struct host_runner *runner)
{
    struct subject other = {0};
    add(runner, &other);
    for (unsigned i = 1; i <= 2; i++) {
        host_runner_wake(other.entry);
        assert_true(reaches(&other.turns, i));
        assert_true(reaches(&other.ended, i));
    }
    if (!host_runner_remove(other.entry)) {
        assert_true(reaches(&other.removed, 1));
    }
}

static int hold_clock(void **state)
{
    (void)state;
    clock_hold();
    return 0;
}

static int release_clock(void **state)
{
    (void)state;
    clock_release();
    return 0;
}

static void an_entry_sleeps_until_it_is_woken(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    struct subject subject = {0};
    add(runner, &subject);
    others_have_turns(runner);
    assert_int_equal(atomic_load(&subject.turns), 0);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.turns, 1));
    others_have_turns(runner);
    assert_int_equal(atomic_load(&subject.turns), 1);
    host_runner_destroy(runner);
}

static void a_turn_comes_at_the_time_it_asked_for(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    static struct log log;
    struct subject subject = {.next = each_5_ms, .limit = 11, .log = &log};
    add(runner, &subject);
    clock_leaps(true);
    uint64_t begin_ns = base_now_ns();
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.ended, 11));
    host_runner_destroy(runner);
    for (unsigned i = 0; i < 11; i++) {
        assert_int_equal(log.turns[i].ns - begin_ns, i * 5 * (uint64_t)MS);
    }
}

static void a_wake_comes_before_a_later_deadline(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(2);
    struct subject far = {.next = NULL}, near = {.next = each_5_ms, .limit = 1000000};
    add(runner, &far);
    add(runner, &near);
    host_runner_wake(near.entry);
    assert_true(reaches(&near.ended, 1));
    for (unsigned i = 1; i <= 50; i++) {
        host_runner_wake(far.entry);
        assert_true(reaches(&far.turns, i));
    }
    assert_int_equal(atomic_load(&near.turns), 1);
    clock_pass(5 * MS);
    assert_true(reaches(&near.turns, 2));
    host_runner_destroy(runner);
}

// Wakes all of them in one turn, so that one thread finds them due together.
struct start {
    struct subject *subjects;
    unsigned count;
};

static uint64_t start_all(struct subject *subject, uint64_t now_ns)
{
    const struct start *start = subject->context;
    (void)now_ns;
    for (unsigned i = 0; i < start->count; i++) {
        host_runner_wake(start->subjects[i].entry);
    }
    return UINT64_MAX;
}

static void greedy_entries_share_one_thread_fairly(void **state)
{
    (void)state;
    enum { COUNT = 4, TURNS = 200, LONGEST = 3 };
    struct host_runner *runner = host_runner_create(1);
    static struct log log;
    static const uint64_t turn_ms[COUNT] = {1, 1, 2, LONGEST};
    struct subject subjects[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        subjects[i] = (struct subject){
            .next = at_once, .limit = UINT32_MAX, .turn_ns = turn_ms[i] * MS, .log = &log, .number = i};
        add(runner, &subjects[i]);
    }
    struct start start = {subjects, COUNT};
    struct subject starter = {.next = start_all, .context = &start};
    add(runner, &starter);
    host_runner_wake(starter.entry);
    assert_true(reaches(&log.count, TURNS));
    host_runner_destroy(runner);
    uint64_t spent[COUNT] = {0};
    for (unsigned i = 0; i < TURNS; i++) {
        spent[log.turns[i].subject] += turn_ms[log.turns[i].subject];
        uint64_t least = UINT64_MAX, most = 0;
        for (unsigned k = 0; k < COUNT; k++) {
            least = spent[k] < least ? spent[k] : least;
            most = spent[k] > most ? spent[k] : most;
        }
        assert_in_range(most - least, 0, LONGEST);
    }
}

// Each fifth turn of those that always want a thread wakes the one that seldom does.
struct seldom {
    struct subject *subject;
    struct log *log;
    unsigned wakes, at[LOG_MAX]; // places in the log behind which it has to stand
};

static uint64_t at_once_and_wake(struct subject *subject, uint64_t now_ns)
{
    struct seldom *seldom = subject->context;
    const unsigned count = atomic_load(&seldom->log->count);
    if (count >= 60 && count % 5 == 0 && count < LOG_MAX) {
        seldom->at[seldom->wakes++] = count;
        host_runner_wake(seldom->subject->entry);
    }
    return at_once(subject, now_ns);
}

// However many want the threads all the time, and however long they have wanted them.
static void who_seldom_wants_a_thread_does_not_wait_for_those_who_always_do(void **state)
{
    (void)state;
    enum { GREEDY = 60, TURNS = GREEDY * 12 };
    struct host_runner *runner = host_runner_create(1);
    static struct log log;
    static struct subject greedy[GREEDY];
    static struct seldom seldom;
    struct subject rare = {.log = &log, .number = GREEDY};
    seldom.subject = &rare;
    seldom.log = &log;
    add(runner, &rare);
    for (unsigned i = 0; i < GREEDY; i++) {
        greedy[i] = (struct subject){.next = at_once_and_wake,
                                     .limit = UINT32_MAX,
                                     .turn_ns = 2 * MS,
                                     .log = &log,
                                     .number = i,
                                     .context = &seldom};
        add(runner, &greedy[i]);
    }
    struct start start = {greedy, GREEDY};
    struct subject starter = {.next = start_all, .context = &start};
    add(runner, &starter);
    host_runner_wake(starter.entry);
    assert_true(reaches(&log.count, TURNS));
    host_runner_destroy(runner);
    unsigned turns[GREEDY + 1] = {0}, checked = 0;
    for (; seldom.at[checked] < TURNS && checked < seldom.wakes; checked++) {
        assert_int_equal(log.turns[seldom.at[checked]].subject, GREEDY); // the very next turn
    }
    assert_in_range(checked, 100, TURNS);
    for (unsigned i = 0; i < TURNS; i++) {
        turns[log.turns[i].subject]++;
    }
    // Nor does anybody wait for ever.
    for (unsigned i = 0; i < GREEDY; i++) {
        assert_in_range(turns[i], 8, 10);
    }
}

static void a_paced_entry_keeps_pace_beside_greedy_ones(void **state)
{
    (void)state;
    enum { TURNS = 20 };
    struct host_runner *runner = host_runner_create(1);
    static struct log log;
    struct subject greedy = {.next = at_once, .limit = UINT32_MAX, .turn_ns = MS};
    struct subject paced = {.next = each_5_ms, .limit = TURNS, .log = &log};
    add(runner, &greedy);
    add(runner, &paced);
    host_runner_wake(greedy.entry);
    host_runner_wake(paced.entry);
    assert_true(reaches(&paced.ended, TURNS));
    host_runner_destroy(runner);
    for (unsigned i = 1; i < TURNS; i++) { // as late as a turn of the other takes
        assert_in_range(log.turns[i].ns - log.turns[i - 1].ns, 5 * MS, 6 * MS);
    }
}

static void a_wake_during_a_turn_brings_another(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct host_runner *runner = host_runner_create(threads);
        atomic_bool gate = false;
        struct subject subject = {.gate = &gate};
        add(runner, &subject);
        host_runner_wake(subject.entry);
        assert_true(reaches(&subject.turns, 1));
        host_runner_wake(subject.entry);
        host_runner_wake(subject.entry);
        atomic_store(&gate, true);
        assert_true(reaches(&subject.ended, 2));
        others_have_turns(runner);
        assert_int_equal(atomic_load(&subject.turns), 2);
        assert_false(atomic_load(&subject.overlapped));
        host_runner_destroy(runner);
    }
}

struct post {
    struct subject *subject;
    atomic_uint *posted, *seen;
    unsigned count;
};

static uint64_t see(struct subject *subject, uint64_t now_ns)
{
    (void)now_ns;
    struct post *post = (struct post *)subject->hits;
    atomic_store(post->seen, atomic_load(post->posted));
    return UINT64_MAX;
}

static void post_and_wake(void *context)
{
    struct post *post = context;
    for (unsigned i = 0; i < post->count; i++) {
        atomic_fetch_add(post->posted, 1);
        host_runner_wake(post->subject->entry);
    }
}

static void no_wake_is_lost(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(3);
    atomic_uint posted = 0, seen = 0;
    struct subject subject = {.next = see};
    struct post post = {&subject, &posted, &seen, 5000};
    subject.hits = (atomic_uint *)&post;
    add(runner, &subject);
    struct base_thread threads[2];
    for (int i = 0; i < 2; i++) {
        assert_true(base_thread_start(&threads[i], "post", post_and_wake, &post));
    }
    for (int i = 0; i < 2; i++) {
        base_thread_join(&threads[i]);
    }
    assert_true(reaches(&seen, 10000));
    assert_false(atomic_load(&subject.overlapped));
    host_runner_destroy(runner);
}

static void hit(void *context, uint32_t index)
{
    struct subject *subject = context;
    atomic_fetch_add(&subject->hits[index], 1);
}

static uint64_t share_out(struct subject *subject, uint64_t now_ns)
{
    subject->parallel->run(subject->parallel, subject->tasks, hit, subject);
    return at_once(subject, now_ns);
}

static void each_task_runs_once_while_worlds_are_due(void **state)
{
    (void)state;
    enum { WORLDS = 3, TURNS = 200, TASKS = 37 };
    struct host_runner *runner = host_runner_create_for(4, 4);
    struct base_parallel *parallel = host_runner_parallel(runner);
    assert_int_equal(parallel->width, 4);
    struct subject busy = {.next = at_once, .limit = UINT32_MAX};
    struct subject paced = {.next = each_5_ms, .limit = 1000000};
    add(runner, &busy);
    add(runner, &paced);
    host_runner_wake(busy.entry);
    host_runner_wake(paced.entry);
    struct subject sharers[WORLDS];
    atomic_uint hits[WORLDS][TASKS] = {0};
    for (int i = 0; i < WORLDS; i++) {
        sharers[i] = (struct subject){
            .next = share_out, .limit = TURNS, .parallel = parallel, .hits = hits[i], .tasks = TASKS};
        add(runner, &sharers[i]);
        host_runner_wake(sharers[i].entry);
    }
    for (int i = 0; i < WORLDS; i++) {
        assert_true(reaches(&sharers[i].turns, TURNS));
        while (atomic_load(&sharers[i].inside) > 0) {
            rest();
        }
        for (int task = 0; task < TASKS; task++) {
            assert_int_equal(atomic_load(&hits[i][task]), TURNS);
        }
    }
    unsigned paced_turns = atomic_load(&paced.turns);
    assert_true(reaches(&paced.turns, paced_turns + 2));
    host_runner_destroy(runner);
}

// Both tasks are inside at once only if a second thread helps.
static void wait_for_company(void *context, uint32_t index)
{
    struct subject *subject = context;
    (void)index;
    atomic_fetch_add(&subject->hits[0], 1);
    if (reaches(&subject->hits[0], 2)) {
        atomic_fetch_add(&subject->hits[1], 1);
    }
}

static uint64_t want_company(struct subject *subject, uint64_t now_ns)
{
    (void)now_ns;
    subject->parallel->run(subject->parallel, 2, wait_for_company, subject);
    return UINT64_MAX;
}

static void an_idle_thread_helps(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create_for(2, 2);
    atomic_uint hits[2] = {0};
    struct subject subject = {.next = want_company, .hits = hits, .parallel = host_runner_parallel(runner)};
    add(runner, &subject);
    assert_true(all_sleep(runner, 2));
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.ended, 1));
    assert_int_equal(atomic_load(&hits[1]), 2);
    host_runner_destroy(runner);
}

static void removing_a_sleeping_entry_is_done_at_once(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    struct subject asleep = {0}, queued = {.next = each_5_ms, .limit = 1000000};
    add(runner, &asleep);
    add(runner, &queued);
    assert_true(host_runner_remove(asleep.entry));
    host_runner_wake(queued.entry);
    assert_true(reaches(&queued.ended, 1));
    assert_true(all_sleep(runner, 1));
    assert_true(host_runner_remove(queued.entry));
    clock_pass(20 * MS);
    others_have_turns(runner);
    assert_int_equal(atomic_load(&queued.turns), 1);
    assert_int_equal(atomic_load(&queued.removed), 0);
    assert_int_equal(atomic_load(&asleep.removed), 0);
    host_runner_destroy(runner);
}

static void removing_a_running_entry_says_when_its_turn_has_ended(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    atomic_bool gate = false;
    struct subject subject = {.next = at_once, .limit = UINT32_MAX, .gate = &gate};
    add(runner, &subject);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.inside, 1));
    assert_false(host_runner_remove(subject.entry)); // it waits for nothing, or it would wait for this thread
    assert_int_equal(atomic_load(&subject.inside), 1);
    assert_int_equal(atomic_load(&subject.removed), 0);
    atomic_store(&gate, true);
    assert_true(reaches(&subject.removed, 1));
    assert_int_equal(atomic_load(&subject.inside), 0);
    others_have_turns(runner);
    assert_int_equal(atomic_load(&subject.turns), 1);
    host_runner_destroy(runner);
}

// A thread that has nothing to do waits, and of those that wait one alone wakes for the next turn.
static void idle_threads_use_no_time(void **state)
{
    (void)state;
    enum { THREADS = 4, TURNS = 500 };
    struct host_runner *runner = host_runner_create(THREADS);
    struct subject subject = {.next = each_5_ms, .limit = TURNS};
    add(runner, &subject);
    assert_true(all_sleep(runner, THREADS));
    clock_leaps(true);
    const uint64_t waits = clock_waits();
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.ended, TURNS));
    assert_true(all_sleep(runner, THREADS));
    assert_in_range(clock_waits() - waits, TURNS - 1, 2 * TURNS);
    host_runner_destroy(runner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_entry_sleeps_until_it_is_woken, hold_clock, release_clock),
        cmocka_unit_test_setup_teardown(a_turn_comes_at_the_time_it_asked_for, hold_clock, release_clock),
        cmocka_unit_test_setup_teardown(a_wake_comes_before_a_later_deadline, hold_clock, release_clock),
        cmocka_unit_test_setup_teardown(greedy_entries_share_one_thread_fairly, hold_clock, release_clock),
        cmocka_unit_test_setup_teardown(who_seldom_wants_a_thread_does_not_wait_for_those_who_always_do,
                                        hold_clock, release_clock),
        cmocka_unit_test_setup_teardown(a_paced_entry_keeps_pace_beside_greedy_ones, hold_clock,
                                        release_clock),
        cmocka_unit_test_setup_teardown(a_wake_during_a_turn_brings_another, hold_clock, release_clock),
        cmocka_unit_test(no_wake_is_lost),
        cmocka_unit_test(each_task_runs_once_while_worlds_are_due),
        cmocka_unit_test(an_idle_thread_helps),
        cmocka_unit_test_setup_teardown(removing_a_sleeping_entry_is_done_at_once, hold_clock, release_clock),
        cmocka_unit_test_setup_teardown(removing_a_running_entry_says_when_its_turn_has_ended, hold_clock,
                                        release_clock),
        cmocka_unit_test_setup_teardown(idle_threads_use_no_time, hold_clock, release_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
