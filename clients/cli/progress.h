// Work that may take a while: told once it has taken a second, and stopped by Ctrl-C.
//
// On terminals it is a bar on standard error that is gone in the end; elsewhere a line every few seconds. While it
// runs SIGINT, SIGTERM and SIGHUP only raise a flag, the first time; a second one ends the program as ever.
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct cli_progress {
    int64_t began_us, told_us;
    const char *stage;
    bool is_terminal, shown;
};

void cli_progress_begin(struct cli_progress *progress);
// share 0 ... 1; negative: nobody knows. False once it shall stop.
bool cli_progress_report(struct cli_progress *progress, const char *stage, double share);
void cli_progress_clear(struct cli_progress *progress); // before other words are written
bool cli_progress_stopped(void);
// The signals do again what they did. If one came it is given to the program now, which ends by it.
void cli_progress_end(struct cli_progress *progress);

#endif
