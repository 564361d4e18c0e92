// A body whose bending is solved, as the kernels read it (plate/plate.h says what that is).
//
// Unknowns are the particles of the body in the order of elimination. They are cut into nodes of a tree, children
// before their parents. What a node has below it are unknowns of its ancestors. A vector has one place for each
// unknown, of four numbers (x, y, z and 0), and one more that lanes without a row point at.
//
//     node        unknowns first ... first + count - 1;  b: those of a vector;  a: those below
//     forward     a -= V b                 V: below_count x count
//     backward    x = S b - V' x_below     S: count x count, symmetric
//
// V is laid out twice, so that both passes read neighbouring lanes from one end to the other: a panel is a block of
// `lanes` rows for each so many rows of the result, column by column of V for the first pass, and column by column of S
// and then -V' for the second. What pads a block is 0, and its place is the one more.
#ifndef WEFT_SIM_STATE_PLATE_H
#define WEFT_SIM_STATE_PLATE_H

#include "sim/state/rows.h"

struct sim_plate_node {
    uint32_t first, count;       // unknowns
    uint32_t own;                // where the list of these begins in `places`
    uint32_t below, below_count; // and that of those below
    size_t forward, backward;    // where its panels begin in `entries`
};

struct sim_plate {
    uint64_t sources; // hash of what it was made from
    bool solved;      // there is a factor; else bending is swept
    bool fine;        // entries and vectors are doubles, else floats
    bool free;        // no particle is held
    uint32_t count, lanes;
    struct sim_plate_node *nodes;
    uint32_t node_count;
    uint32_t *places; // lists of all nodes, in bytes of a vector, each padded to `lanes`
    uint32_t *rows;   // by unknown: its row
    double *masses;   // by unknown, kg; 0: held
    void *entries;
    size_t entry_count;
    void *pushes, *ways; // vectors
};

static inline size_t sim_plate_place(const struct sim_plate *plate)
{
    return 4 * (plate->fine ? sizeof(double) : sizeof(float));
}

static inline uint32_t sim_plate_padded(uint32_t count, uint32_t lanes)
{
    return (count + lanes - 1) / lanes * lanes;
}

#endif
