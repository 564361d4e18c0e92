// Worlds are stood in for by turns that count and sleep: the runner knows nothing else of them.
#include "base/clock.h"
#include "base/thread.h"
#include "host/runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MS = 1000000 };

static void sleep_ms(unsigned ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * MS}, NULL);
}

// Waits up to 10 s, which only a failure needs.
static bool reaches(atomic_uint *value, unsigned wanted)
{
    for (int i = 0; i < 10000; i++) {
        if (atomic_load(value) >= wanted)
            return true;
        sleep_ms(1);
    }
    return false;
}

struct subject {
    struct host_runner_entry *entry;
    atomic_uint turns;
    atomic_uint inside; // at a time
    atomic_bool overlapped;
    atomic_uint removed;
    atomic_ullong last_ns;  // when the last turn began
    atomic_ullong spent_ns; // in turns
    atomic_ullong most_ns;  // in one
    uint64_t (*next)(struct subject *subject, uint64_t now_ns);
    unsigned turn_ms;
    unsigned limit;
    struct base_parallel *parallel;
    atomic_uint *hits; // tasks of a job, by index
    unsigned tasks;
};

static uint64_t turn(void *context, uint64_t now_ns)
{
    struct subject *subject = context;
    if (atomic_fetch_add(&subject->inside, 1) != 0)
        atomic_store(&subject->overlapped, true);
    atomic_store(&subject->last_ns, base_now_ns());
    atomic_fetch_add(&subject->turns, 1);
    if (subject->turn_ms > 0)
        sleep_ms(subject->turn_ms);
    const uint64_t took_ns = base_now_ns() - atomic_load(&subject->last_ns);
    atomic_fetch_add(&subject->spent_ns, took_ns);
    if (took_ns > atomic_load(&subject->most_ns))
        atomic_store(&subject->most_ns, took_ns);
    uint64_t next_ns = subject->next == NULL ? UINT64_MAX : subject->next(subject, now_ns);
    atomic_fetch_sub(&subject->inside, 1);
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

static void an_entry_sleeps_until_it_is_woken(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(2);
    struct subject subject = {0};
    add(runner, &subject);
    sleep_ms(20);
    assert_int_equal(atomic_load(&subject.turns), 0);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.turns, 1));
    sleep_ms(20);
    assert_int_equal(atomic_load(&subject.turns), 1);
    host_runner_destroy(runner);
}

static void a_turn_comes_at_the_time_it_asked_for(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    struct subject subject = {.next = each_5_ms, .limit = 11};
    add(runner, &subject);
    uint64_t begin_ns = base_now_ns();
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.turns, 11));
    assert_true(atomic_load(&subject.last_ns) - begin_ns >= 50 * (uint64_t)MS);
    host_runner_destroy(runner);
}

static void a_wake_comes_before_a_later_deadline(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(2);
    struct subject far = {.next = NULL}, near = {.next = each_5_ms, .limit = 1000000};
    add(runner, &far);
    add(runner, &near);
    host_runner_wake(near.entry);
    for (unsigned i = 1; i <= 50; i++) {
        host_runner_wake(far.entry);
        assert_true(reaches(&far.turns, i));
    }
    assert_true(reaches(&near.turns, 2));
    host_runner_destroy(runner);
}

static void greedy_entries_share_one_thread_fairly(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    struct subject subjects[4];
    for (int i = 0; i < 4; i++) {
        subjects[i] = (struct subject){.next = at_once, .limit = 100, .turn_ms = 1};
        add(runner, &subjects[i]);
    }
    for (int i = 0; i < 4; i++)
        host_runner_wake(subjects[i].entry);
    assert_true(reaches(&subjects[0].turns, 50));
    // In time, since a turn takes longer where the machine is busy; but for one turn, which is over before it counts.
    const uint64_t first_ns = atomic_load(&subjects[0].spent_ns), most_ns = atomic_load(&subjects[0].most_ns);
    for (int i = 1; i < 4; i++)
        assert_in_range(atomic_load(&subjects[i].spent_ns) + most_ns, first_ns - first_ns / 4,
                        first_ns + first_ns / 4 + 50 * MS + most_ns);
    host_runner_destroy(runner);
}

// However many want the threads all the time, and however long they have wanted them.
static void who_seldom_wants_a_thread_does_not_wait_for_those_who_always_do(void **state)
{
    (void)state;
    enum { GREEDY = 60 };
    struct host_runner *runner = host_runner_create(1);
    static struct subject greedy[GREEDY];
    struct subject seldom = {0};
    add(runner, &seldom);
    for (int i = 0; i < GREEDY; i++) {
        greedy[i] = (struct subject){.next = at_once, .limit = UINT32_MAX, .turn_ms = 2};
        add(runner, &greedy[i]);
        host_runner_wake(greedy[i].entry);
    }
    for (int i = 0; i < GREEDY; i++)
        assert_true(reaches(&greedy[i].turns, 1));
    for (unsigned n = 1; n <= 10; n++) {
        sleep_ms(10);
        unsigned before = 0, after = 0;
        for (int i = 0; i < GREEDY; i++)
            before += atomic_load(&greedy[i].turns);
        host_runner_wake(seldom.entry);
        assert_true(reaches(&seldom.turns, n));
        for (int i = 0; i < GREEDY; i++)
            after += atomic_load(&greedy[i].turns);
        assert_in_range(after - before, 0, GREEDY / 2); // it looks but each millisecond
    }
    // Nor does anybody wait for ever.
    for (int i = 0; i < GREEDY; i++)
        assert_true(reaches(&greedy[i].turns, 5));
    host_runner_destroy(runner);
}

static void a_paced_entry_keeps_pace_beside_greedy_ones(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    struct subject greedy = {.next = at_once, .limit = UINT32_MAX, .turn_ms = 1};
    struct subject paced = {.next = each_5_ms, .limit = 20};
    add(runner, &greedy);
    add(runner, &paced);
    host_runner_wake(greedy.entry);
    uint64_t begin_ns = base_now_ns();
    host_runner_wake(paced.entry);
    assert_true(reaches(&paced.turns, 20));
    assert_true(atomic_load(&paced.last_ns) - begin_ns < 2000 * (uint64_t)MS);
    host_runner_destroy(runner);
}

static void a_wake_during_a_turn_brings_another(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(2);
    struct subject subject = {.turn_ms = 20};
    add(runner, &subject);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.turns, 1));
    host_runner_wake(subject.entry);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.turns, 2));
    sleep_ms(60);
    assert_int_equal(atomic_load(&subject.turns), 2);
    assert_false(atomic_load(&subject.overlapped));
    host_runner_destroy(runner);
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
    for (int i = 0; i < 2; i++)
        assert_true(base_thread_start(&threads[i], "post", post_and_wake, &post));
    for (int i = 0; i < 2; i++)
        base_thread_join(&threads[i]);
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
        while (atomic_load(&sharers[i].inside) > 0)
            sleep_ms(1);
        for (int task = 0; task < TASKS; task++)
            assert_int_equal(atomic_load(&hits[i][task]), TURNS);
    }
    unsigned paced_turns = atomic_load(&paced.turns);
    assert_true(reaches(&paced.turns, paced_turns + 2));
    host_runner_destroy(runner);
}

static void wait_for_company(void *context, uint32_t index)
{
    struct subject *subject = context;
    atomic_fetch_add(&subject->hits[0], 1);
    (void)index;
    // Both tasks are inside at once only if a second thread helps.
    (void)reaches(&subject->hits[0], 2);
}

static uint64_t want_company(struct subject *subject, uint64_t now_ns)
{
    (void)now_ns;
    subject->parallel->run(subject->parallel, 2, wait_for_company, subject);
    atomic_fetch_add(&subject->removed, 1);
    return UINT64_MAX;
}

static void an_idle_thread_helps(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create_for(2, 2);
    atomic_uint hits = 0;
    struct subject subject = {.next = want_company, .hits = &hits, .parallel = host_runner_parallel(runner)};
    add(runner, &subject);
    sleep_ms(20); // both threads are asleep
    uint64_t begin_ns = base_now_ns();
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.removed, 1));
    assert_true(base_now_ns() - begin_ns < 5000 * (uint64_t)MS);
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
    assert_true(reaches(&queued.turns, 1));
    // A turn may be running just then: the callback follows.
    if (!host_runner_remove(queued.entry))
        assert_true(reaches(&queued.removed, 1));
    unsigned turns = atomic_load(&queued.turns);
    sleep_ms(20);
    assert_int_equal(atomic_load(&queued.turns), turns);
    assert_int_equal(atomic_load(&asleep.removed), 0);
    host_runner_destroy(runner);
}

static void removing_a_running_entry_says_when_its_turn_has_ended(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(1);
    struct subject subject = {.next = at_once, .limit = UINT32_MAX, .turn_ms = 30};
    add(runner, &subject);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.inside, 1));
    uint64_t begin_ns = base_now_ns();
    if (!host_runner_remove(subject.entry)) {
        assert_true(base_now_ns() - begin_ns < 20 * (uint64_t)MS);
        assert_true(reaches(&subject.removed, 1));
    }
    assert_int_equal(atomic_load(&subject.inside), 0);
    unsigned turns = atomic_load(&subject.turns);
    sleep_ms(60);
    assert_int_equal(atomic_load(&subject.turns), turns);
    host_runner_destroy(runner);
}

static void idle_threads_use_no_time(void **state)
{
    (void)state;
    struct host_runner *runner = host_runner_create(4);
    struct subject subject = {.next = each_5_ms, .limit = 1000000};
    add(runner, &subject);
    host_runner_wake(subject.entry);
    assert_true(reaches(&subject.turns, 1));
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    sleep_ms(200);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    int64_t used_ns = (int64_t)(end.tv_sec - begin.tv_sec) * 1000000000 + (end.tv_nsec - begin.tv_nsec);
    assert_true(used_ns < 100 * (int64_t)MS);
    host_runner_destroy(runner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_sleeps_until_it_is_woken),
        cmocka_unit_test(a_turn_comes_at_the_time_it_asked_for),
        cmocka_unit_test(a_wake_comes_before_a_later_deadline),
        cmocka_unit_test(greedy_entries_share_one_thread_fairly),
        cmocka_unit_test(who_seldom_wants_a_thread_does_not_wait_for_those_who_always_do),
        cmocka_unit_test(a_paced_entry_keeps_pace_beside_greedy_ones),
        cmocka_unit_test(a_wake_during_a_turn_brings_another),
        cmocka_unit_test(no_wake_is_lost),
        cmocka_unit_test(each_task_runs_once_while_worlds_are_due),
        cmocka_unit_test(an_idle_thread_helps),
        cmocka_unit_test(removing_a_sleeping_entry_is_done_at_once),
        cmocka_unit_test(removing_a_running_entry_says_when_its_turn_has_ended),
        cmocka_unit_test(idle_threads_use_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
