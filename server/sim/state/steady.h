// The sums by which what a sweep moves and turns a free body by is found (solve/steady.c).
#ifndef WEFT_SIM_STATE_STEADY_H
#define WEFT_SIM_STATE_STEADY_H

#include "sim/state/rows.h"
#include <stdbool.h>

// Sums over the rows of a chunk, with places r and corrections d in quanta. They tell how the body as a whole
// was moved and turned.
struct sim_steady_moments {
    double mass, at[3]; // sum m, sum m r
    double squares[6];  // sum m of r_x r_x, r_y r_y, r_z r_z, r_x r_y, r_y r_z, r_z r_x
    double moved[3];    // sum m d
    double turned[3];   // sum m r x d
    uint32_t held;      // particles without a finite mass
};

struct sim_steady {
    struct sim_row *before; // by row: rows when a sweep began, and what loose constraints moved them by since
    struct sim_row *aside;  // by row: before a stage of loose constraints
    struct sim_steady_moments *moments; // by chunk
    uint32_t chunk_count;
    bool loose; // nothing holds the body: the next three are taken from the corrections
    double shift[3], turn[3], centre[3]; // quanta, rad, quanta
};

#endif
