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
// V is laid out twice, so that both passes read their numbers as they lie: all panels of the first pass, and behind them
// those of the second one, from the last node to the first. A panel is cut into blocks of `lanes` rows of the
// result, the last one of those that are left, and a block lies column by column: those of V for the first pass, and
// those of S and then of -V' for the second. In the last block a load of all lanes reaches into the next column. What
// comes of these lanes goes to the spare place, which nothing reads.
//
// Numbers of a factor fade from neighbour to neighbour, and many processors take a hundred times longer for a product
// that is no normal number. So numbers of a factor below SIM_PLATE_DROP, and of a vector below SIM_PLATE_STILL, are 0. What
// a product of two others adds is normal in floats (2^-126) and in doubles.
//
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
    size_t forward, backward;    // where its panels of the two passes begin in `entries`
};

#define SIM_PLATE_DROP 0x1p-46  // of V, and of S over the root of the two numbers on the diagonal
#define SIM_PLATE_STILL 0x1p-80 // kg m of pushes, m of ways
// The same if entries are doubles.
#define SIM_PLATE_DROP_FINE 0x1p-100
#define SIM_PLATE_STILL_FINE 0x1p-200

// The matrix of a node while it is eliminated (plate/factor.c), in blocks of 8 x 8. Own unknowns come first and are filled up to
// whole blocks with rows of the unit matrix, and so are those below, with zeros. Row r and column c of a matrix with
// `columns` columns stand at 8 * (r / 8 * columns + c) + r % 8. Of x there is only the lower triangle: block row b
// begins at sim_plate_row(b), and has 8 b + 8 columns.
//
//     before   x = | A11     |      after   x = | L                    |     A11 = L L'     S = A11^-1
//                  | A21 A22 |                  | -V   A22 - V A21'    |     inverse = L^-T     square = -S (lower)
struct sim_plate_front {
    uint32_t own, below; // blocks
    double *x, *inverse, *square;
};

// Steps of its elimination: block columns of L, rows of A22 - V A21', rows of L^-T, rows of S, and rows of V.
static inline size_t sim_plate_steps(const struct sim_plate_front *front)
{
    return 3 * (size_t)front->own + 2 * (size_t)front->below;
}

// A block row of a lower triangle begins here.
static inline size_t sim_plate_row(size_t block)
{
    return 32 * block * (block + 1);
}

enum { SIM_PLATE_PARTS = 4 };

struct sim_plate_range {
    uint32_t first, end;
};

struct sim_plate_tree;   // plate/plate.h
struct sim_plate_making; // plate/making.c

struct sim_plate {
    uint64_t sources; // hash of what it was made from
    uint64_t mesh;    // hash of the constraints alone
    uint64_t shape;   // hash of their unknowns alone, which the tree follows from
    bool made;        // there is a factor
    bool solved;      // and it is attached; else bending is swept
    bool large;       // there is none because it would be too large
    bool fine;        // entries and vectors are doubles, else floats
    bool free;        // no particle is held
    uint32_t count, lanes;
    struct sim_plate_node *nodes;
    uint32_t node_count;
    uint32_t *places; // lists of all nodes, in bytes of a vector, each padded to `lanes`
    uint32_t *rows;   // by unknown: its row
    double *masses;   // by unknown, kg; 0: held
    double *sums;     // by row of the body: a bound of the row of h^2 Q, kg
    void *entries;
    size_t entry_count;                            // and `lanes` more, so that loads stay inside
    void *pushes, *ways;                           // vectors
    struct sim_plate_range parts[SIM_PLATE_PARTS]; // nodes; no node of the top stands inside of one
    uint32_t part_count;
    uint32_t *top; // unknowns above the parts, ascending
    uint32_t top_count;
    struct sim_plate_tree *tree;     // what a factor is made from; NULL: there can be none
    struct sim_plate_making *making; // how far that is; NULL: nothing is begun
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
