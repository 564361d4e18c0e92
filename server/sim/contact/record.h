// Pairs of features that may meet in a tick, as they lie in memory.
//
// A pair is a vertex and a triangle (VT) or two edges (EE): four rows. Both kinds have a list of their own, and of a list
// batch and lane say where pair i stands: i / SIM_LANES, i % SIM_LANES. What every substep goes through lies apart from
// what only those that touch need:
//
//     lanes   | at[4] reach low slope | at[4] reach ...      28 bytes a pair
//     rest    | tag slip | ...                                6 bytes a pair
//     slips   | slip[3] limit friction | ...                 32 bytes for each pair that has touched
//
// Few pairs of a list ever touch. So what only these need lies elsewhere, side by side for pairs that first touched one after the
// other.
//
// A pair that left is a hole: row 0 with row 0, farther than anything, so that it is never near. The next pair that comes
// takes the first hole. So nothing moves, and what names a pair by its index stays right for as long as it lives.
// Lengths are in quanta.
#ifndef WEFT_SIM_CONTACT_RECORD_H
#define WEFT_SIM_CONTACT_RECORD_H

#include "sim/state/rows.h"

#include <float.h>

enum sim_pair_kind { SIM_PAIR_VT, SIM_PAIR_EE, SIM_PAIR_KINDS };

enum {
    SIM_PAIR_COLORS = 127, // what fits none of them is serial: one pair after the other
    SIM_PAIR_SERIAL = SIM_PAIR_COLORS,
    SIM_PAIR_UNCOLORED, // has not touched yet
    SIM_PUSH_STACKS = (SIM_PAIR_COLORS + 1) * SIM_PAIR_KINDS,
    SIM_PAIR_COLOR_SHIFT = 8,
    SIM_PAIR_OWNS =
        0x3f, // bit k: corner k is the triangle's to push; bit 3 + k: the edge of corners k and k + 1 is
};

#define SIM_PAIR_FAR FLT_MAX // low of a hole

// The rows of a pair VT are the vertex and then the corners of the triangle, those of a pair EE both ends of each edge.
struct sim_pair_lanes {
    uint32_t at[4][SIM_LANES]; // places: row * SIM_ROW_BYTES
    float reach[SIM_LANES];    // R: the distance that is kept
    // When substep k ends, and its rows are where their paths have them, they are at least low + slope k apart.
    float low[SIM_LANES], slope[SIM_LANES];
};

struct sim_pair_rest {
    uint16_t
        tag[SIM_LANES]; // owns | colour << SIM_PAIR_COLOR_SHIFT; a pair gets its colour when it first touches
    uint32_t slip[SIM_LANES]; // index of its slip, if it has a colour
};

struct sim_slip {
    float slip[3];          // what friction still owes
    float limit;            // of the length of slip
    float friction, slides; // mu of what holds, and of what slides
    uint32_t next;          // of those that are free, while it is
    uint32_t unused;
};

// Coefficients of friction of a pair: of what holds, and of what slides, which is no greater.
struct sim_rubs {
    float holds, slides;
};

struct sim_slips {
    struct sim_slip *items;
    uint32_t count, capacity;
    uint32_t free; // one more than the first that was given back; 0: none
};

struct sim_pair_list {
    struct sim_pair_lanes *lanes;
    struct sim_pair_rest *rest;
    uint32_t count, capacity; // pairs and holes; a multiple of SIM_LANES
    uint32_t holes;           // of them
    uint32_t first_hole;      // no hole is before it
};

// Pairs that may be as close as R in this substep, gathered from a list. Lanes past the last one are of row 0.
struct sim_near_lanes {
    struct sim_pair_lanes pairs; // low: at most the distance now (sim_near.measure); slope 0
    uint32_t pair[SIM_LANES];
    uint32_t tag[SIM_LANES];
};

struct sim_near_list {
    struct sim_near_lanes *lanes;
    uint32_t count, capacity; // a multiple of SIM_LANES
};

// Lists are gone through in slices (slices.h).
enum { SIM_SLICE_BATCHES = 128, SIM_SLICE_PAIRS = SIM_SLICE_BATCHES * SIM_LANES };

struct sim_slice {
    uint32_t picked;            // pairs that may be as close as R
    uint32_t near;              // pairs: these, or of them those alone that may touch (slices.h)
    uint32_t active;            // of them: they touch
    uint32_t fresh;             // of these: they have no colour yet
    uint32_t found;             // pairs that were looked for last
    uint32_t holes, first_hole; // that were made when pairs were dropped last
};

// Contacts of some slices that follow each other (tiles.h).
struct sim_push_tile {
    uint32_t kind, first_slice, slice_count, active;
    uint32_t first_batch, batch_count;
    uint32_t block_count; // more than SIM_TILE_BLOCKS: they are not listed
    uint32_t color;
};

enum {
    SIM_TILE_ACTIVE = 1024, // contacts of a tile, at least, but for the last one
    SIM_TILE_BLOCKS = 512,
    SIM_TILE_COLORS = 64,
    SIM_BLOCK_ROWS = 64
};

// Near pairs of one kind and colour that touch: no free row is in two of them, unless the colour is the serial one.
struct sim_push_lanes {
    uint32_t at[4][SIM_LANES];
    float reach[SIM_LANES], friction[SIM_LANES];
    float slip[3][SIM_LANES], limit[SIM_LANES]; // when the substep began
    float hold[SIM_LANES];                      // what friction may undo in this substep
    float slides[SIM_LANES];                    // mu of what slides; read only where there is one
    float foot[3][SIM_LANES];   // coefficients of rows 1, 2, 3; with that of row 0 their sum is 0
    float normal[3][SIM_LANES]; // from side 2 to side 1; 0 where the two coincide
    uint32_t from[SIM_LANES];   // index of its slip
    uint32_t kind, color, count;
};

static inline uint32_t sim_pair_color(uint32_t tag)
{
    return tag >> SIM_PAIR_COLOR_SHIFT & 0xff;
}

static inline uint32_t sim_pair_batches(uint32_t count)
{
    return (count + SIM_LANES - 1) / SIM_LANES;
}

static inline uint32_t sim_pair_row(const struct sim_pair_list *list, uint32_t pair, uint32_t k)
{
    return list->lanes[pair / SIM_LANES].at[k][pair % SIM_LANES] / SIM_ROW_BYTES;
}

static inline bool sim_pair_is_hole(const struct sim_pair_list *list, uint32_t pair)
{
    return list->lanes[pair / SIM_LANES].low[pair % SIM_LANES] >= SIM_PAIR_FAR;
}

// Row k of four: is it of side 1?
static inline bool sim_pair_first_side(enum sim_pair_kind kind, uint32_t k)
{
    return k == 0 || (kind == SIM_PAIR_EE && k == 1);
}

#endif
