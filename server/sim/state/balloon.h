// The rings and sums by which a body with pressure pushes its surface (concepts/pressure.md has the equations).
//
// Around each particle its neighbours form a ring, in the order in which the triangles turn. The sum of the cross products of
// neighbours that follow each other is six times the gradient of the enclosed volume. So each particle finds its own gradient, and
// no two threads write the same number. Rings are laid out for lanes: a batch holds the rings of SIM_LANES rows that stand side by
// side, slot by slot, padded with the end of the ring. The first slot holds the rows themselves.
//
//     slots     | 16 rows | 16 first neighbours | 16 second neighbours | ... | the first ones again |
//     chunk     batches of the rows of one sim_chunk; what they add up to has a place of its own
#ifndef WEFT_SIM_STATE_BALLOON_H
#define WEFT_SIM_STATE_BALLOON_H

#include "sim/state/rows.h"
#include <stdbool.h>

// Sums over the rows of a chunk. g: six times the gradient, quanta^2.
struct sim_balloon_sums {
    double volume; // sum x . g, 18 times the volume, quanta^3
    double yield;  // sum w |g|^2
    double area;   // sum |g|
    double flow;   // sum v . g, m/s quanta^2
    double most;   // the greatest w |g|
};

// A gas in less than this part of its reference volume acts as if it had that much, so that a crushed gas
// pushes with bounds.
#define SIM_PRESSURE_LEAST 0.01

struct sim_balloon {
    uint32_t *starts; // by batch, and one more: where its slots begin, in SIM_LANES
    uint32_t *slots;  // places of rows from the body's first one on, in bytes
    uint32_t batch_count, chunk_count;
    bool inwards;                  // triangles look inwards, and rings run the other way round
    double (*gradients)[4];        // by row: g, and 0; those past the particles are 0
    struct sim_balloon_sums *sums; // by chunk
    double rest;                   // quanta^3: the volume of the rest shape, never below 0
    double growth; // the surface is not pushed to become so many times larger in each direction
    double lambda; // Pa s^2: the multiplier of the last substep, overpressure times h^2
    double kept;   // that one, while forces are found again
    double push;   // quanta kg for each quanta^2 of g: what the push under way gives
};

#endif
