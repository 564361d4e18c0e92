// Regions of a body that is drawn to its shape at rest, and their sums (concepts/shape-matching.md has the equations).
//
// Members of a region lie in slots, in batches of SIM_LANES, padded with idle rows. A part is a run of batches that one task adds up.
// Sums of a part are by lane, then over the lanes in order; those of a region are over its parts in order. So they depend neither on
// lanes nor on threads.
//
//     slots    | region 0: 16 | 16 | 5 and 11 idle | region 1: 16 | ...
//     parts    |-------------- 0 ------------------|------- 1 ------
//
// A chunk has the parts k P/n ... (k + 1) P/n - 1 if it is number k of the n chunks of its body, and the regions likewise.
#ifndef WEFT_SIM_STATE_MATCH_H
#define WEFT_SIM_STATE_MATCH_H

#include "sim/state/rows.h"
#include <stdbool.h>

// x, q: places now and at rest, quanta from those of the region's origin on; m: mass over the number of the particle's regions.
enum {
    SIM_MATCH_MASS,        // sum m
    SIM_MATCH_NOW,         // sum m x, 3
    SIM_MATCH_REST = 4,    // sum m q, 3
    SIM_MATCH_PRODUCT = 7, // sum m x q^T, 9 by rows
    SIM_MATCH_SUMS = 16,
    SIM_MATCH_PART_BATCHES = 64, // of a part, at most
};

// Sums over a part. Particles without a finite mass count apart, with 1 over the number of their regions as m.
struct sim_match_sums {
    double free[SIM_MATCH_SUMS], held[SIM_MATCH_SUMS];
};

struct sim_match_part {
    uint32_t region, first_batch, batch_count;
};

// How the shape of a region lies in this iteration: the goal of a particle is turn (q - rest) + shift + now.
struct sim_match_frame {
    double turn[3][3], shift[3]; // shift: quanta
    int32_t now[3], rest[3];     // low words of the origin's places
};

struct sim_match {
    struct sim_row *
        rest; // by row: low words of the place at rest, and w: 1 over the number of its regions. Idle rows: 0
    uint32_t *slots;      // places of rows from the body's first one on, in bytes
    uint64_t place_count; // particles of all regions
    struct sim_match_part *parts;
    struct sim_match_sums *sums; // by part
    uint32_t part_count, region_count;
    uint32_t *first_parts; // by region, and one more
    uint32_t *origins;     // by region: row from the body's first one on
    double *spreads;       // by region: the mean square of the distances from the centre at rest, quanta^2
    struct sim_match_frame *frames;
    uint32_t *starts,
        *regions;      // by row, and one more: where its regions begin; those. NULL: all rows are in region 0
    float (*drawn)[4]; // by row: the sum of what this drew it by in the last substep, quanta; and 0
    float (*kept)[4];  // that, while forces are found again
    double *places;    // m: those of the matching; NULL: the shape is that at which the body was made
    double soften;     // of the tick: compliance times the body's mass, over h^2
};

#endif
