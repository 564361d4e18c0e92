// Work that may take a while: told by a meter (record/meter.h), stage by stage, and stopped by Ctrl-C.
//
// SIGINT, SIGTERM and SIGHUP end the program as ever, but for the bar, which goes first; until there is something that
// would be left half-made (cli_progress_hold): from then on the first one only raises a flag. Once the work is done
// (cli_progress_commit), the first one that comes does nothing: there is nothing left to stop, and what was done stays.
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include "record/meter.h"

#include <stdbool.h>

struct cli_progress {
    struct record_meter meter;
};

void cli_progress_begin(struct cli_progress *progress);
void cli_progress_hold(struct cli_progress *progress);
// share 0 ... 1; negative: nobody knows. False once it shall stop.
bool cli_progress_report(struct cli_progress *progress, const char *stage, double share);
// The work is done, unless a signal came before: then it returns false, and the caller takes the work back. Every signal comes
// either before or after, so a caller does not look at cli_progress_stopped() again.
bool cli_progress_commit(struct cli_progress *progress);
void cli_progress_clear(struct cli_progress *progress); // before other words are written
bool cli_progress_stopped(void);
// The signals do again what they did, except after a commit. If one stopped the work it is given to the program now, which
// ends by it.
void cli_progress_end(struct cli_progress *progress);

#endif
