// The rows of `weft-bench stiff`: one solver with one number of substeps, and what came of it.
#ifndef WEFT_BENCH_STIFF_GROUP_H
#define WEFT_BENCH_STIFF_GROUP_H

#include "report.h"
#include "stiff_options.h"

enum { STIFF_RUNS_MAX = STIFF_SOLVERS + 2 }; // the reference, and Jolt in equal time

// The behaviour of one world.
struct stiff_outcome {
    double worst, rms, greatest;  // strains at the end, and the greatest of all ticks
    double lowest[2], kinetic[2]; // in the first second and in the next one: the first two swings
    double told;                  // of the case: the side, the sag, the drape or the droop
    double ms, first_ms;          // a tick; the first one
    uint64_t hash;
    uint32_t failed_tick; // 0: it did not fail
    char reason[STIFF_REASON_SIZE];
};

// One row: a solver, coming to rest and swinging. The latter has no second run in cases that do not swing.
struct stiff_run {
    const struct stiff_solver *solver;
    uint32_t substeps, iterations;
    bool reference;  // nearer the truth; others are compared with it
    bool equal_time; // substeps were chosen so that a tick takes as long as weft's
    void *world;
    uint64_t all_ns, first_ns;
    struct stiff_outcome rest, swing;
};

// The runs that take turns.
struct stiff_group {
    const struct stiff_case *of;
    struct stiff_body body;
    double size, stiffness;
    double *positions;
    float *velocities;
    struct stiff_run runs[STIFF_RUNS_MAX];
    uint32_t count;
};

// The run of a solver that is neither the reference nor in equal time; NULL: it is not run.
const struct stiff_run *stiff_find(const struct stiff_group *group, enum stiff_solver_id solver);
bool stiff_failed(const struct stiff_run *run);

void stiff_tell_head(enum stiff_kind kind); // prints the title and the columns
// Prints rows and goals of the runs from `first` on, and adds them to the report.
void stiff_tell(struct bench_report *report, const struct stiff_group *group, uint32_t first,
                uint32_t seconds);

#endif
