// Holding back at the end of a substep: rows that would cross something stop before it.
#ifndef WEFT_SIM_CONTACT_HOLD_H
#define WEFT_SIM_CONTACT_HOLD_H

#include "sim/contact/meet.h"

// Pairs nearer than this part of R are measured in a substep.
#define SIM_NEAR_SHARE 1.02f

// When rows are held against something: when the substep ends, at both its ends against places of both, or at both its ends
// against one place at its end.
enum sim_ways_when { SIM_WAYS_AT_END, SIM_WAYS_AT_BOTH, SIM_WAYS_SINCE };

// How far rows of an island are off: in its frame, or, of what they were measured at (SIM_WAYS_SINCE), against a frame that stands
// there. Returns the greatest.
float sim_ways_find(struct sim *sim, const struct sim_island *island, struct sim_ways *ways,
                    enum sim_ways_when when, float *out);

// Finds the pairs of rows that left their tubes, and holds back what might cross. False if the tick is to rest; it is called
// again then.
bool sim_hold_back(struct sim *sim);

#endif
