// The solvers that `weft-bench stiff` compares: each makes a world of a body, steps it and tells where it is.
#ifndef WEFT_BENCH_STIFF_SOLVER_H
#define WEFT_BENCH_STIFF_SOLVER_H

#include "stiff_body.h"

enum { STIFF_TICK_RATE = 60, STIFF_REASON_SIZE = 224 };

// How a world is to be solved.
struct stiff_world {
    double damping; // 1/s
    uint32_t substeps, iterations;
};

struct stiff_solver {
    const char *name; // as in a row, and in --solvers
    const char *what; // for --help
    // NULL, with a line on stderr, if the world cannot be made.
    void *(*create)(const struct stiff_body *body, const struct stiff_world *world);
    void (*destroy)(void *world); // NULL is allowed
    // One tick of 1/60 s. False, with the reason, if the world failed.
    bool (*tick)(void *world, char reason[STIFF_REASON_SIZE]);
    void (*positions)(void *world, double *out); // m, 3 each
    void (*velocities)(void *world, float *out); // m/s, 3 each
    uint64_t (*hash)(void *world);               // NULL: it has none
};

// The table of solvers. Some may be missing from a build: those have no create. Rows come in this order. Another setting
// of weft takes an id here, and a row with a create of its own in stiff_solver.c.
enum stiff_solver_id { STIFF_BEFORE, STIFF_WEFT, STIFF_ALONE, STIFF_SOLVED, STIFF_JOLT, STIFF_SOLVERS };
extern const struct stiff_solver stiff_solvers[STIFF_SOLVERS];

#endif
