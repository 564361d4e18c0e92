// Work that may take a while: told by a meter (record/meter.h), stage by stage, and stopped by Ctrl-C.
//
// SIGINT, SIGTERM and SIGHUP end the program as ever, but for the bar, which goes first; until there is something that
// would be left half-made (cli_progress_hold): from then on the first one only raises a flag.
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
void cli_progress_clear(struct cli_progress *progress); // before other words are written
bool cli_progress_stopped(void);
// The signals do again what they did. If one came it is given to the program now, which ends by it.
void cli_progress_end(struct cli_progress *progress);

#endif
