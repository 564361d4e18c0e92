// Rows: where particles are while a tick runs.
//
//   rows (hot, 16 bytes each, one index space for the whole world; row 0 is a static dummy)
//     | 4 static | body 1: particles, static rows | body 3 ... | hole | body 4 ...
//   A body's particles stand in an order of its own (order.c); row_of maps the caller's index to it. After
//   them comes a static row for each of its tiles, and as many as make its rows a multiple of four.
#ifndef WEFT_SIM_STATE_ROWS_H
#define WEFT_SIM_STATE_ROWS_H

#include "sim/sim.h"
#include "sim/state/fixed.h"
#include <stddef.h>

enum {
    SIM_LANES = 16,
    SIM_TILE_ROWS = 1024, // at most: 32 x 32 particles, 16 KiB of rows
    SIM_COLORS = 64,      // what fits none of them goes to the serial colour, one constraint a batch
    SIM_SERIAL = SIM_COLORS,
    SIM_ROW_BYTES = 16,
    SIM_IDLE_ROWS = 4,     // first rows of all: static; lanes of loose constraints' tiles point at the first
    SIM_CONTACT_SLOTS = 4, // contacts of a particle whose push and slip are remembered between iterations
    SIM_SHELF = 256,       // batches of a shelf, at most
};

// Within these no product or quotient of the solve leaves the range of a float.
#define SIM_INVERSE_MASS_MAX 1e9   // 1/kg
#define SIM_INVERSE_MASS_MIN 1e-20 // 1/kg, of what is not static
#define SIM_COMPLIANCE_MAX 1e10    // [C]^2/J
#define SIM_DAMPING_MAX 1e10       // J s/[C]^2

// The greatest extent for things that have a state already: their world may have been made smaller around them since.
#define SIM_EXTENT_MAX 1e9 // m

struct sim_row {
    int32_t x[3]; // low words of the position, quanta
    float w;      // inverse mass, 1/kg; 0 for static and pinned particles
};

struct sim_velocity {
    float v[3]; // m/s
    float unused;
};

struct sim_contact {
    uint32_t collider; // id, 0 where the slot is free
    float push;        // D: sum of normal corrections in this substep, quanta
    float slip;        // F: sum of friction corrections, quanta
};

#endif
