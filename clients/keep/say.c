// The last words, and signals.
#include "keep/keep.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

static volatile sig_atomic_t stop_asked;

bool keep_stopped(void)
{
    return stop_asked != 0;
}

static void on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

enum keep_status keep_say(enum keep_status status, const char *code, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "weft: %s: ", code);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return status;
}

void keep_signals_catch(void)
{
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction was;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &was) == 0 && was.sa_handler != SIG_IGN) { // nohup
        sigaction(SIGHUP, &action, NULL);
    }
}
