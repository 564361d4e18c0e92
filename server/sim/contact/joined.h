// Finds particles that loose constraints join closer than contact keeps them. They count as one particle.
//
// A join is a loose distance constraint, or one of the kind `join` that has not parted. It is between two particles of bodies that
// meet, or of one body that meets itself, and its rest length is below R, the distance that contact keeps between the two bodies. Features that have a joined particle in common
// are neighbours, as if they were of one mesh: contact leaves them alone, and no crossing of theirs is counted.
//
// Joins chain: if a is joined to b and b to c, all three count as one, as long as the rest lengths of the chain add up to less
// than R. Beyond that only the two ends of each join are neighbours. So a long seam never becomes one particle.
//
// A `join` with an edge or a triangle on a side makes neighbours of the particles of its two sides, and no single one.
//
// A ring on a rail (slide_rail) is a neighbour of the particles of the rail around it, where it is when the tick begins.
//
// All of this follows from bodies, constraints and their ids alone. It is found when a tick begins, and kept nowhere.
#ifndef WEFT_SIM_CONTACT_JOINED_H
#define WEFT_SIM_CONTACT_JOINED_H

#include "sim/state/state.h"

// Neighbours of a particle beyond those that count as one with it. More than so many are not remembered.
enum { SIM_JOINED_BESIDE = 4 };

struct sim_joined {
    uint32_t *of; // by row: a row of the particles that count as one with it, the same for all of them
    float *span;  // of such a row: the rest lengths between its particles, added up, quanta
    uint32_t (*beside)[SIM_JOINED_BESIDE]; // by row: other rows that are neighbours; 0 past the last
    bool any;                              // else the arrays hold nothing
    bool rails;                            // rings know the particles of their rails, which do not know them
};

// Room for so many rows. False without memory.
bool sim_joined_reserve(struct sim_joined *joined, uint32_t rows);
void sim_joined_deinit(struct sim_joined *joined);
// Finds the joins of a sim. Needs room for all its rows.
void sim_joined_find(const struct sim *sim, struct sim_joined *joined);

bool sim_joined_are(const struct sim_joined *joined, uint32_t a, uint32_t b);
// Has one of the first rows a joined one among the others?
bool sim_joined_features(const struct sim_joined *joined, const uint32_t *rows, uint32_t first,
                         const uint32_t *others, uint32_t count);

#endif
