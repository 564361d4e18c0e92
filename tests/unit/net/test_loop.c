// Wakes, timers, signals, work, and that a stopped loop leaves nothing behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/thread.h"
#include "helper_clock.h"
#include "net/net.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct seen {
    struct net_loop *loop;
    struct net_timer *timer;
    struct net_wake *wake;
    uint32_t calls, until;
    int signal;
    bool worked;
    pthread_t worker;
};

static void count_and_stop(void *context)
{
    struct seen *seen = context;
    seen->calls++;
    if (seen->calls == seen->until) {
        net_loop_stop(seen->loop);
    }
}

// Called by the loop itself, each time that it goes round.
struct pass {
    struct net_wake *wake;
    struct seen *seen;
    uint64_t ms, ended_ms;
};

static void pass_a_millisecond(void *context)
{
    struct pass *pass = context;
    if (pass->seen->calls == 0) {
        pass->ended_ms = pass->ms;
        pass->ms++;
        clock_pass(1000000);
        net_wake_send(pass->wake);
    }
}

static void a_timer_calls_once_after_its_delay(void **state)
{
    (void)state;
    clock_hold();
    struct seen seen = {.loop = net_loop_create(), .until = 1};
    struct pass pass = {.seen = &seen};
    pass.wake = net_wake_create(seen.loop, pass_a_millisecond, &pass);
    clock_pass(20000000); // the loop's own idea of the time is old by now
    seen.timer = net_timer_start(seen.loop, 15, 0, count_and_stop, &seen);
    net_wake_send(pass.wake);
    net_loop_run(seen.loop);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(pass.ended_ms + 1, 15);
    net_timer_stop(seen.timer); // after its only call, and after the loop
    net_timer_stop(NULL);
    net_wake_destroy(pass.wake);
    net_loop_destroy(seen.loop);
    clock_release();
}

static void a_timer_calls_again_until_it_is_stopped(void **state)
{
    (void)state;
    struct seen seen = {.loop = net_loop_create(), .until = 5};
    seen.timer = net_timer_start(seen.loop, 1, 2, count_and_stop, &seen);
    net_loop_run(seen.loop);
    assert_int_equal(seen.calls, 5);
    assert_null(net_timer_start(seen.loop, 1, 0, count_and_stop, &seen)); // stopped
    assert_null(net_wake_create(seen.loop, count_and_stop, &seen));
    net_loop_destroy(seen.loop); // takes the timer along
}

static void stop_myself(void *context)
{
    struct seen *seen = context;
    seen->calls++;
    net_timer_stop(seen->timer);
    seen->timer = net_timer_start(seen->loop, 30, 0, count_and_stop, seen);
}

static void a_timer_may_stop_itself(void **state)
{
    (void)state;
    struct seen seen = {.loop = net_loop_create(), .until = 2};
    seen.timer = net_timer_start(seen.loop, 0, 1, stop_myself, &seen);
    net_loop_run(seen.loop);
    assert_int_equal(seen.calls, 2); // once itself, once the one it started
    net_timer_stop(seen.timer);
    net_loop_destroy(seen.loop);
}

enum { WAKE_SENDERS = 3, WAKE_ROUNDS = 5000 };

struct mailbox {
    struct net_loop *loop;
    struct net_wake *wake;
    atomic_uint posted;
    uint32_t taken, wakes;
};

static void take_mail(void *context)
{
    struct mailbox *mailbox = context;
    mailbox->wakes++;
    mailbox->taken = atomic_load(&mailbox->posted);
    if (mailbox->taken == WAKE_SENDERS * WAKE_ROUNDS) {
        net_loop_stop(mailbox->loop);
    }
}

static void post_mail(void *context)
{
    struct mailbox *mailbox = context;
    for (int i = 0; i < WAKE_ROUNDS; i++) {
        atomic_fetch_add(&mailbox->posted, 1);
        net_wake_send(mailbox->wake);
    }
    // The loop may have stopped, or stop just now.
    for (int i = 0; i < WAKE_ROUNDS; i++) {
        net_wake_send(mailbox->wake);
    }
}

static void no_wake_is_lost_between_threads_and_a_stop(void **state)
{
    (void)state;
    struct mailbox mailbox = {.loop = net_loop_create()};
    mailbox.wake = net_wake_create(mailbox.loop, take_mail, &mailbox);
    struct base_thread senders[WAKE_SENDERS];
    for (int i = 0; i < WAKE_SENDERS; i++) {
        assert_true(base_thread_start(&senders[i], "sender", post_mail, &mailbox));
    }
    net_loop_run(mailbox.loop);
    assert_int_equal(mailbox.taken, WAKE_SENDERS * WAKE_ROUNDS);
    assert_true(mailbox.wakes >= 1 && mailbox.wakes <= WAKE_SENDERS * WAKE_ROUNDS);
    for (int i = 0; i < WAKE_SENDERS; i++) {
        base_thread_join(&senders[i]);
    }
    net_wake_destroy(mailbox.wake);
    net_wake_destroy(NULL);
    net_loop_destroy(mailbox.loop);
}

static void note_signal(void *context, int number)
{
    struct seen *seen = context;
    seen->signal = number;
    net_loop_stop(seen->loop);
}

static void raise_signal(void *context)
{
    raise(*(int *)context);
}

static void sigint_and_sigterm_reach_the_loop(void **state)
{
    (void)state;
    int numbers[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        struct seen seen = {.loop = net_loop_create()};
        assert_true(net_signals_watch(seen.loop, note_signal, &seen));
        struct net_timer *timer = net_timer_start(seen.loop, 1, 0, raise_signal, &numbers[i]);
        assert_non_null(timer);
        net_loop_run(seen.loop);
        assert_int_equal(seen.signal, numbers[i]);
        net_loop_destroy(seen.loop);
    }
}

static void work_elsewhere(void *context)
{
    struct seen *seen = context;
    seen->worked = true;
    seen->worker = pthread_self();
}

static void work_is_done_elsewhere_and_told_here(void **state)
{
    (void)state;
    struct seen seen = {.loop = net_loop_create(), .until = 1};
    assert_true(net_work(seen.loop, work_elsewhere, count_and_stop, &seen));
    net_loop_run(seen.loop);
    assert_true(seen.worked);
    assert_int_equal(seen.calls, 1);
    assert_false(pthread_equal(seen.worker, pthread_self()));
    assert_false(net_work(seen.loop, work_elsewhere, count_and_stop, &seen)); // stopped
    net_loop_destroy(seen.loop);
}

static void work_under_way_is_waited_for(void **state)
{
    (void)state;
    struct seen seen = {.loop = net_loop_create()};
    assert_true(net_work(seen.loop, work_elsewhere, count_and_stop, &seen));
    net_loop_stop(seen.loop);
    net_loop_run(seen.loop);
    assert_true(seen.worked);
    assert_int_equal(seen.calls, 1);
    net_loop_destroy(seen.loop);
}

// The library that has them ends the process where it cannot make them later.
static void workers_are_there_before_there_is_work(void **state)
{
    (void)state;
    struct net_loop *loop = net_loop_create();
    unsigned threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks)) {
        threads++;
    }
    assert_true(!tasks || threads >= 2 + 1 + 4); // . and .., this one, and theirs
    if (tasks) {
        closedir(tasks);
    }
    net_loop_destroy(loop);
}

static void a_loop_that_never_ran_can_be_destroyed(void **state)
{
    (void)state;
    struct seen seen = {.loop = net_loop_create()};
    seen.wake = net_wake_create(seen.loop, count_and_stop, &seen);
    net_wake_send(seen.wake);
    seen.timer = net_timer_start(seen.loop, 0, 1, count_and_stop, &seen);
    assert_true(net_signals_watch(seen.loop, note_signal, &seen));
    net_loop_destroy(seen.loop);
    net_loop_destroy(NULL);
    assert_int_equal(seen.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_are_there_before_there_is_work),
        cmocka_unit_test(a_timer_calls_once_after_its_delay),
        cmocka_unit_test(a_timer_calls_again_until_it_is_stopped),
        cmocka_unit_test(a_timer_may_stop_itself),
        cmocka_unit_test(no_wake_is_lost_between_threads_and_a_stop),
        cmocka_unit_test(sigint_and_sigterm_reach_the_loop),
        cmocka_unit_test(work_is_done_elsewhere_and_told_here),
        cmocka_unit_test(work_under_way_is_waited_for),
        cmocka_unit_test(a_loop_that_never_ran_can_be_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
