// Progress of long work, on standard error: a bar that is drawn over where that is a terminal and gone in the end,
// else a line each ten seconds. Work that is over within a second shows nothing.
//
// Either the work is counted (show), or it goes through stages, each of which may know its share (stage).
#ifndef WEFT_RECORD_METER_H
#define WEFT_RECORD_METER_H

#include <stdbool.h>
#include <stdint.h>

struct record_meter {
    const char *what;      // "recording", "baking", or the stage
    const char *unit;      // "ticks"; NULL: it goes by stages
    const char *told;      // the last stage that was told of
    uint64_t first, total; // done when it began, because of what went before; 0: nobody knows the total
    int64_t begun_us, shown_us;
    bool terminal, utf8, drawn;
};

void record_meter_begin(struct record_meter *meter, const char *what, const char *unit, uint64_t first,
                        uint64_t total);
void record_meter_show(struct record_meter *meter, uint64_t done); // cheap: looks at the clock
// share 0 ... 1; negative: nobody knows. A new stage is told at once.
void record_meter_stage(struct record_meter *meter, const char *stage, double share);
void record_meter_clear(struct record_meter *meter); // the bar, before other words are written and in the end

#endif
