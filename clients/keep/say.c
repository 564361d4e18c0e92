// Final messages, and signals.
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

struct lost {
    bool json;
    char last[FAULT_TEXT_SIZE]; // damage of a list rather than of the log, which says more
};

static void on_lost(void *context, const char *text)
{
    struct lost *lost = context;
    snprintf(lost->last, sizeof lost->last, "%s", text);
    if (!lost->json) {
        printf("lost: %s\n", text);
    }
}

enum keep_status keep_lost(const struct keep_options *options, struct keep_source *source,
                           const char *command, uint64_t *count)
{
    struct lost lost = {.json = options->json};
    *count = keep_source_lost(source, on_lost, &lost);
    if (*count == 0 || options->salvage) {
        return KEEP_OK;
    }
    return keep_say(KEEP_FAILED, "DAMAGED", "%s; nothing was done: weft %s --salvage uses the intact part",
                    lost.last, command);
}

enum keep_status keep_salvaged(uint64_t lost)
{
    return lost == 0 ? KEEP_OK
                     : keep_say(KEEP_SALVAGED, "SALVAGED", "done with the intact part; data is lost");
}
