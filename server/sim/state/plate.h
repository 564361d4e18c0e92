// A body whose bending is solved, as the kernels read it (plate/plate.h says what that is).
//
// Unknowns are the particles of the body in the order of elimination. They are cut into nodes of a tree, children
// before their parents. What a node has below it are unknowns of its ancestors. A vector has one place for each
// unknown, of four numbers (x, y, z and 0), and a spare one that lanes without a row point at.
//
//     node        unknowns first ... first + count - 1;  b: those of a vector;  a: those below
//     forward     a -= V b                 V: below_count x count
//     backward    x = S b - V' x_below     S: count x count, symmetric
//
// V is laid out twice, so that both passes read their numbers as they lie. A panel is cut into blocks of `lanes` rows of the
// result, the last one of those that are left, and a block lies column by column: those of V for the first pass, and
// those of S and then of -V' for the second. In the last block a load of all lanes reaches into the next column. What
// comes of these lanes goes to the spare place, which nothing reads.
// A large body is cut into parts: subtrees that share no unknowns, so that threads may take one each. What they give the
// unknowns above them, the top, they add to copies of these, which stand behind all unknowns:
//
//     vector   | unknowns | spare | copy of the top, spare | copy of the top, spare | ...
//
// The top adds the copies up in the order of parts, and writes its ways into them.
#ifndef WEFT_SIM_STATE_PLATE_H
#define WEFT_SIM_STATE_PLATE_H

#include "sim/state/rows.h"

struct sim_plate_node {
    uint32_t first, count;       // unknowns
    uint32_t own;                // where the list of these begins in `places`
    uint32_t below, below_count; // and that of those below
    size_t forward, backward;    // where its panels begin in `entries`
};

enum { SIM_PLATE_PARTS = 4 };

struct sim_plate_range {
    uint32_t first, end;
};

struct sim_plate {
    uint64_t sources; // hash of what it was made from
    bool solved;      // there is a factor; else bending is swept
    bool large;       // there is none because it would be too large
    bool fine;        // entries and vectors are doubles, else floats
    bool free;        // no particle is held
    uint32_t count, lanes;
    struct sim_plate_node *nodes;
    uint32_t node_count;
    uint32_t *places; // lists of all nodes, in bytes of a vector, each padded to `lanes`
    uint32_t *rows;   // by unknown: its row
    double *masses;   // by unknown, kg; 0: held
    void *entries;
    size_t entry_count;                            // and `lanes` more, so that loads stay inside
    void *pushes, *ways;                           // vectors
    struct sim_plate_range parts[SIM_PLATE_PARTS]; // nodes; no node of the top stands inside of one
    uint32_t part_count;
    uint32_t *top; // unknowns above the parts, ascending
    uint32_t top_count;
};

static inline size_t sim_plate_place(const struct sim_plate *plate)
{
    return 4 * (plate->fine ? sizeof(double) : sizeof(float));
}

// Unknowns of a part.
static inline struct sim_plate_range sim_plate_unknowns(const struct sim_plate *plate, uint32_t part)
{
    const struct sim_plate_node *last = &plate->nodes[plate->parts[part].end - 1];
    return (struct sim_plate_range){plate->nodes[plate->parts[part].first].first, last->first + last->count};
}

// The place of the first of a part's copies; the spare one of the part stands behind them.
static inline uint32_t sim_plate_copies(const struct sim_plate *plate, uint32_t part)
{
    return plate->count + 1 + part * (plate->top_count + 1);
}

// Rows of the block that begins at row `block` of a panel.
static inline uint32_t sim_plate_width(uint32_t rows, uint32_t block, uint32_t lanes)
{
    return rows - block < lanes ? rows - block : lanes;
}

static inline uint32_t sim_plate_padded(uint32_t count, uint32_t lanes)
{
    return (count + lanes - 1) / lanes * lanes;
}

#endif
