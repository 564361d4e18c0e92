// The grid that positions are rounded to, and what both sides hold of a moment.
//
// Of tolerance t and a number g of 1 to 8 the step is t (2 - 2^(1 - g)): rounding to it is off by at most
// t (1 - 2^-g), and t 2^-g is left for what rounding the result to a float adds, half its spacing. The encoder takes the
// largest g for which the spacing of the largest coordinate is at most t 2^-g (8 up to 4 m, 1 from 256 m on, for
// t = 0.1 mm). Where none is, g is 1: the step is t. A spacing of at most t then gives at most t / 2 + t / 2; a larger one
// is more than twice as far as rounding to the grid goes, so that the nearest float is the one that there was.
#ifndef WEFT_PROTOCOL_CODEC_GRID_H
#define WEFT_PROTOCOL_CODEC_GRID_H

#include "protocol/codec/codec.h"

enum { GRID_MAX = 8, GRID_COUNT_MAX = 1 << 30 }; // steps from 0, at most
enum { DELTA_RAW, DELTA_KEY, DELTA_NEXT, DELTA_STILL };

static const float GRID_TOLERANCE_MIN = 1e-12F, GRID_TOLERANCE_MAX = 1e6F;

struct grid {
    float tolerance; // m
    uint32_t fine;   // g
};

// Exact: a float times a number of nine bits.
static inline double grid_step(struct grid grid)
{
    return (double)grid.tolerance * (2.0 - 2.0 / (double)(1U << grid.fine));
}

// plan->count rows, in the order of the plan.
struct held {
    uint64_t moment;
    struct grid grid;
    bool has;            // a moment is held
    uint32_t (*at)[4];   // whole steps; the fourth is 0
    uint32_t (*past)[4]; // E of predict.h
};

#endif
