// Long edges and tethers of a body, as the kernels read them (long/long.h says what they are for).
//
// A batch of long edges is places[2][16] and then rest lengths[16]; a batch of tethers is the places of 16 particles
// that share their anchors, then for each of `tether_count` anchors lengths[16], and then the places of the anchors
// themselves, padded to 16. A place is where a row stands, in bytes; that of no anchor is 0. A lane without anything to
// do has the idle row of the body in all its places.
#ifndef WEFT_SIM_STATE_LONG_H
#define WEFT_SIM_STATE_LONG_H

#include "sim/state/rows.h"

enum {
    SIM_LONG_WORDS = 3 * SIM_LANES, // of a batch of long edges
    SIM_TETHERS_MAX = 3,            // of a particle
    SIM_ANCHORS = 8,                // of a body
};

// Batches that share no particle.
struct sim_long_pass {
    uint32_t first, count;
    uint32_t color; // which nudge its corrections are rounded with
};

struct sim_long {
    uint64_t metric, held; // hashes of what the long edges, and the tethers, were made from
    uint32_t seed;         // of this tick's nudges
    float edge;            // mean rest length of the edges, quanta; 0 without edges
    uint32_t *edges;       // batches of all passes
    struct sim_long_pass *passes;
    uint32_t pass_count, edge_count;
    uint32_t *tethers; // batches
    uint32_t tether_batches, tether_count;
};

// The tethers of a row, as contact reads them. The place of an anchor is 0, and so is its length, if there is none.
struct sim_tethered {
    uint32_t anchors[SIM_TETHERS_MAX];
    float lengths[SIM_TETHERS_MAX]; // quanta
};

static inline uint32_t sim_tether_words(const struct sim_long *longs)
{
    return (2 + longs->tether_count) * SIM_LANES;
}

#endif
