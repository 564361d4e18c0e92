// Signals before, while and after work that a signal may stop. Each case runs in a process of its own, which a signal may end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "progress.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMITTED = 40, TAKEN_BACK = 41, BROKEN = 42 }; // exit statuses of a case

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

// Runs one case with each signal in turn. Returns its exit status, or minus the signal that ended it; all have to agree.
static int outcome(void (*run)(int number))
{
    int common = 0;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int status = 0;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (size_t j = 0; j < sizeof signals / sizeof *signals; j++) {
                signal(signals[j], SIG_DFL); // also if the test runs under nohup
            }
            run(signals[i]);
            _exit(BROKEN);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        const int now =
            WIFSIGNALED(status) ? (WTERMSIG(status) == signals[i] ? -1 : -2) : WEXITSTATUS(status);
        assert_true(i == 0 || now == common);
        common = now;
    }
    return common;
}

// The end of a command: the work was done or taken back, its status is told, and it ends.
static void finish(struct cli_progress *progress, bool committed)
{
    cli_progress_end(progress);
    _exit(committed ? COMMITTED : TAKEN_BACK);
}

static void before_hold(int number)
{
    struct cli_progress progress;
    cli_progress_begin(&progress);
    raise(number);
}

static void before_commit(int number)
{
    struct cli_progress progress;
    cli_progress_begin(&progress);
    cli_progress_hold(&progress);
    if (!cli_progress_report(&progress, "sending", 0)) {
        return;
    }
    raise(number);
    if (cli_progress_report(&progress, "sending", 0.5) || !cli_progress_stopped()) {
        return;
    }
    finish(&progress, cli_progress_commit(&progress));
}

static void after_commit(int number)
{
    struct cli_progress progress;
    cli_progress_begin(&progress);
    cli_progress_hold(&progress);
    const bool committed = cli_progress_commit(&progress);
    raise(number);
    if (!cli_progress_stopped()) {
        finish(&progress, committed);
    }
}

static void after_end(int number)
{
    struct cli_progress progress;
    cli_progress_begin(&progress);
    cli_progress_hold(&progress);
    const bool committed = cli_progress_commit(&progress);
    cli_progress_end(&progress);
    raise(number);
    _exit(committed ? COMMITTED : TAKEN_BACK);
}

static void twice_after_commit(int number)
{
    struct cli_progress progress;
    cli_progress_begin(&progress);
    cli_progress_hold(&progress);
    if (!cli_progress_commit(&progress)) {
        return;
    }
    raise(number);
    raise(number);
}

static void without_one(int number)
{
    struct cli_progress progress;
    (void)number;
    cli_progress_begin(&progress);
    cli_progress_hold(&progress);
    finish(&progress, cli_progress_commit(&progress));
}

static void another_while_it_is_taken_back(int number)
{
    struct cli_progress progress;
    cli_progress_begin(&progress);
    cli_progress_hold(&progress);
    raise(number == SIGINT ? SIGTERM : SIGINT);
    if (!cli_progress_commit(&progress)) {
        raise(number);
        finish(&progress, false);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void a_signal_before_the_commit_ends_the_program_at_last(void **state)
{
    (void)state;
    assert_int_equal(outcome(before_hold), -1);
    assert_int_equal(outcome(before_commit), -1);
    assert_int_equal(outcome(another_while_it_is_taken_back), -1);
}

static void a_signal_after_the_commit_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(outcome(without_one), COMMITTED);
    assert_int_equal(outcome(after_commit), COMMITTED);
    assert_int_equal(outcome(after_end), COMMITTED);
}

static void a_program_that_does_not_end_is_ended_by_a_second_one(void **state)
{
    (void)state;
    assert_int_equal(outcome(twice_after_commit), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_before_the_commit_ends_the_program_at_last),
        cmocka_unit_test(a_signal_after_the_commit_changes_nothing),
        cmocka_unit_test(a_program_that_does_not_end_is_ended_by_a_second_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
