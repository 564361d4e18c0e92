// Errors of a whole scene, looked at after each tick. A figure by body is that of the worst body.
#ifndef WEFT_BENCH_GALLERY_ERRORS_H
#define WEFT_BENCH_GALLERY_ERRORS_H

#include "report.h"
#include "sim/sim.h"

struct gallery_errors {
    // Edges above their limit: the greatest of all ticks, and means over ticks of the worst and of the root mean square.
    double strain_max, strain_worst, strain_rms;
    double edge_max, edge_worst,
        edge_rms; // max(0, l/L - 1) of all edges of bodies, springs included, likewise
    double gap;   // m, mean over ticks of the greatest |l - L| of distances that were added
    double unresolved[SIM_PART_COUNT]; // means over ticks
    double deepest, deepest_mean;      // 1 - d / R of contact between bodies
    uint64_t crossings, dropped;       // the greatest; the sum
    double lowest, height,
        kinetic; // m, of all ticks; m, mean of all particles at the end; J, mean over ticks
    uint32_t ticks;
};

// Adds the present tick; the errors begin as zeros. False if memory runs out.
bool gallery_errors_look(struct gallery_errors *errors, struct sim *sim);
// Makes means of the sums, once, after the last tick.
void gallery_errors_finish(struct gallery_errors *errors);
// Prints a line, and adds fields to the row.
void gallery_errors_tell(struct bench_report *report, json_t *row, const struct gallery_errors *errors);

#endif
