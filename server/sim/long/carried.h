// Finds again what long edges and tethers carry past the edges of their bodies, when a caller asks for it.
//
// The last substep is solved once more on rows aside (solve/forces.c). Meanwhile each long edge and tether that pulls is
// noted, with its impulse. Then the impulse is added to all edges on the shortest way along edges between its ends. So a
// cut through a rope is passed by what its edge carries and by what is carried here, whatever does it. The sweeps for
// limits alone act on edges, and theirs is added to the edge.
//
//   long edges, tethers   lambda = C/(w1 + w2), before their pass is run; its batches share no particle
//   sweeps for limits     the same, by a copy of the sweep in double
#ifndef WEFT_SIM_LONG_CARRIED_H
#define WEFT_SIM_LONG_CARRIED_H

#include "sim/state/state.h"

// A pull on two rows, counted from the first one of the body.
struct sim_pull {
    uint32_t body; // its place among the sim's bodies
    uint32_t from, to;
    uint32_t order;
    double impulse; // kg quanta
};

struct sim_recorder {
    bool failed; // without memory
    struct sim_pull *pulls;
    uint32_t pull_count, pull_capacity;
    double (*moved)[3]; // quanta, by row: what the copy of a sweep has moved; 0 between sweeps
    double *slots;      // kg quanta, by slot of distances; positive pulls
    uint64_t visits;    // edges that were looked at to share the pulls
};

struct sim_recorder *sim_recorder_create(const struct sim *sim); // NULL without memory
void sim_recorder_destroy(struct sim_recorder *recorder);        // NULL is allowed

// To be called before a pass, the tethers of a body or a sweep of a tile for its limits is run.
void sim_record_edges(struct sim *sim, uint32_t body, const struct sim_long_pass *pass);
void sim_record_tethers(struct sim *sim, uint32_t body);
void sim_record_limits(struct sim *sim, const struct sim_tile *tile);

// Gives the pulls to the edges. Returns what is carried by slot, malloc'd. NULL without memory.
double *sim_recorder_share(const struct sim *sim, struct sim_recorder *recorder);

#endif
