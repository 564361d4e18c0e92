// Progress and Ctrl-C. See progress.h.
#include "progress.h"

#include "terminal.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_US = 1000000, BAR_US = 100000, LINE_US = 2000000, BAR_WIDTH = 30 };

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };
static volatile sig_atomic_t stopped_by;
static struct sigaction before[SIGNALS];

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void on_signal(int number)
{
    stopped_by = number;
}

void cli_progress_begin(struct cli_progress *progress)
{
    *progress = (struct cli_progress){.began_us = now_us(), .is_terminal = isatty(STDERR_FILENO)};
    stopped_by = 0;
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        // What was ignored (nohup) stays ignored.
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool cli_progress_stopped(void)
{
    return stopped_by != 0;
}

void cli_progress_clear(struct cli_progress *progress)
{
    if (progress->shown && progress->is_terminal)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

static void draw_bar(const char *stage, double share, double seconds)
{
    const bool utf8 = cli_terminal_look().utf8;
    char bar[4 * BAR_WIDTH + 1];
    size_t used = 0;
    // Where nobody knows how far it is, something goes to and fro.
    const int at = (int)lrint(seconds * 10) % (2 * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) {
        const bool full = share >= 0 ? i < share * BAR_WIDTH : i == at || i == 2 * BAR_WIDTH - 1 - at;
        used += (size_t)snprintf(bar + used, sizeof bar - used, "%s",
                                 full ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."));
    }
    if (share >= 0)
        fprintf(stderr, "\r%-10s %s %3.0f %%  %.0f s\033[K", stage, bar, 100 * share, seconds);
    else
        fprintf(stderr, "\r%-10s %s  %.0f s\033[K", stage, bar, seconds);
}

bool cli_progress_report(struct cli_progress *progress, const char *stage, double share)
{
    const int64_t now = now_us();
    const bool new_stage = progress->stage != stage;
    const int64_t pause = progress->is_terminal ? BAR_US : LINE_US;
    progress->stage = stage;
    if (now - progress->began_us < QUIET_US || (now - progress->told_us < pause && !new_stage))
        return stopped_by == 0;
    progress->told_us = now;
    progress->shown = true;
    const double seconds = (double)(now - progress->began_us) / 1e6;
    if (progress->is_terminal)
        draw_bar(stage, share, seconds);
    else if (share >= 0)
        fprintf(stderr, "weft: %s, %.0f %%, after %.0f s\n", stage, 100 * share, seconds);
    else
        fprintf(stderr, "weft: %s, after %.0f s\n", stage, seconds);
    fflush(stderr);
    return stopped_by == 0;
}

void cli_progress_end(struct cli_progress *progress)
{
    cli_progress_clear(progress);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    if (stopped_by)
        raise(stopped_by);
}
