// Progress and Ctrl-C. See progress.h.
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };
static volatile sig_atomic_t stopped_by, held, committed, drawn;
static struct sigaction before[SIGNALS];

// SA_RESETHAND has restored the default action before this runs: when raised again, the signal ends the program on
// return.
static void on_signal(int number)
{
    static const char clear[] = "\r\033[K";
    if (committed) {
        return;
    }
    if (held) {
        stopped_by = number;
        return;
    }
    const ssize_t written = drawn ? write(STDERR_FILENO, clear, sizeof clear - 1) : 0;
    (void)written;
    raise(number);
}

void cli_progress_begin(struct cli_progress *progress)
{
    record_meter_begin(&progress->meter, NULL, NULL, 0, 0);
    stopped_by = held = committed = drawn = 0;
    for (int i = 0; i < SIGNALS; i++) {
        // A signal that comes too late does not interrupt the printing (SA_RESTART).
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
        sigemptyset(&action.sa_mask);
        // A signal that was ignored (nohup) stays ignored.
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

bool cli_progress_stopped(void)
{
    return stopped_by != 0;
}

void cli_progress_hold(struct cli_progress *progress)
{
    (void)progress;
    held = 1;
}

bool cli_progress_commit(struct cli_progress *progress)
{
    (void)progress;
    committed = 1; // first: a signal between this and the check counts as later
    if (stopped_by) {
        committed = 0;
    }
    return committed;
}

void cli_progress_clear(struct cli_progress *progress)
{
    record_meter_clear(&progress->meter);
    fflush(stderr);
    drawn = 0;
}

bool cli_progress_report(struct cli_progress *progress, const char *stage, double share)
{
    record_meter_stage(&progress->meter, stage, share);
    drawn = progress->meter.drawn;
    return stopped_by == 0;
}

void cli_progress_end(struct cli_progress *progress)
{
    cli_progress_clear(progress);
    if (committed) {
        return; // until the program exits, a signal comes too late
    }
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &before[i], NULL);
    }
    if (stopped_by) {
        raise(stopped_by);
    }
}
