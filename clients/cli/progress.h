// Work that may take a while: a meter (record/meter.h) shows each stage, and Ctrl-C stops the work.
//
// SIGINT, SIGTERM and SIGHUP first remove the progress bar and end the program as usual. After cli_progress_hold, when
// something could be left half-made, the first of them only raises a flag. After cli_progress_commit the first of them
// does nothing: the work is done, and there is nothing left to stop.
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include "record/meter.h"

#include <stdbool.h>

struct cli_progress {
    struct record_meter meter;
};

void cli_progress_begin(struct cli_progress *progress);
void cli_progress_hold(struct cli_progress *progress);
// share is 0 ... 1; negative: unknown. False once the work is to stop.
bool cli_progress_report(struct cli_progress *progress, const char *stage, double share);
// Declares the work done. False if a signal came before; then the caller undoes the work. Every signal counts as either
// before or after this, so the caller does not call cli_progress_stopped() again.
bool cli_progress_commit(struct cli_progress *progress);
void cli_progress_clear(struct cli_progress *progress); // call it before printing anything else
bool cli_progress_stopped(void);
// Restores the signals' earlier actions, except after a commit. If a signal stopped the work, raises it again, which
// ends the program.
void cli_progress_end(struct cli_progress *progress);

#endif
