// Progress of long work, on standard error: a bar that is drawn over where that is a terminal, else a line each
// ten seconds. Work that is over within a second shows nothing.
#ifndef WEFT_RECORD_METER_H
#define WEFT_RECORD_METER_H

#include <stdbool.h>
#include <stdint.h>

struct record_meter {
    const char *what;      // "recording", "baking"
    const char *unit;      // "ticks"
    uint64_t first, total; // done when it began, because of what went before; 0: nobody knows the total
    int64_t begun_us, shown_us;
    bool terminal, drawn;
};

void record_meter_begin(struct record_meter *meter, const char *what, const char *unit, uint64_t first,
                        uint64_t total);
void record_meter_show(struct record_meter *meter, uint64_t done); // cheap: looks at the clock
void record_meter_end(struct record_meter *meter);                 // clears the bar

#endif
