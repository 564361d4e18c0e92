// Pairs that might meet: found for all rows, or for those that have left their boxes.
#ifndef WEFT_SIM_CONTACT_DETECT_H
#define WEFT_SIM_CONTACT_DETECT_H

#include "sim/contact/meet.h"

// All pairs.
void sim_detect_all(struct sim *sim);
// Rows that are out of their boxes; true if any are.
bool sim_detect_outside(struct sim *sim);
// New boxes for these, and their pairs anew.
void sim_detect_again(struct sim *sim);

// Features that may come as close as they must not, before it is known whether they do: pairs of two bodies, or of one.
struct sim_candidates {
    uint32_t at[4][SIM_LANES];
    uint32_t owns[SIM_LANES];
    float reach;
    bool same; // in one body: kept no farther apart than they are at rest
    uint32_t count;
};

// Bit i: candidate i may. reach and low come out.
typedef uint32_t sim_narrow(const struct sim_meet *meet, struct sim_candidates *candidates,
                            float reach[SIM_LANES], float low[SIM_LANES]);
sim_narrow *sim_narrow_of(enum sim_isa isa, enum sim_pair_kind kind);

#endif
