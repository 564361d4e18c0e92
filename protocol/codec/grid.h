// The grid to which delta rounds positions, and the moment that an encoder or decoder holds.
//
// For a tolerance t and a number g from 1 to 8 the step is t (2 - 2^(1 - g)). Rounding to it errs by at most t (1 - 2^-g), which
// leaves t 2^-g for rounding the result to a float: half the spacing of floats there. The encoder takes the largest g for
// which the spacing at the largest coordinate is at most t 2^-g (for t = 0.1 mm: 8 up to 4 m, 1 from 256 m on).
//
// If there is no such g, it takes g = 1, so the step is t. A spacing of at most t then errs by at most t / 2 + t / 2. With a
// larger spacing, rounding to the grid moves a float by less than half of it, so the nearest float is the original.
#ifndef WEFT_PROTOCOL_CODEC_GRID_H
#define WEFT_PROTOCOL_CODEC_GRID_H

#include "protocol/codec/codec.h"

enum { GRID_MAX = 8, GRID_COUNT_MAX = 1 << 30 };        // the greatest g; the most steps away from 0
enum { DELTA_RAW, DELTA_KEY, DELTA_NEXT, DELTA_STILL }; // kinds of chunks: plain, key, next, still

static const float GRID_TOLERANCE_MIN = 1e-12F, GRID_TOLERANCE_MAX = 1e6F;

struct grid {
    float tolerance; // m
    uint32_t fine;   // g
};

// The step, m. It is exact: a float times a number of nine bits.
static inline double grid_step(struct grid grid)
{
    return (double)grid.tolerance * (2.0 - 2.0 / (double)(1U << grid.fine));
}

// A moment that is held. Both arrays have plan->count rows, in the order of the plan.
struct held {
    uint64_t moment;
    struct grid grid;
    bool has;            // a moment is held
    uint32_t (*at)[4];   // x, y, z as whole steps, signed; the fourth is 0
    uint32_t (*past)[4]; // E of predict.h
};

#endif
