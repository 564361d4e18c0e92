// Pairs that might meet: found for all rows, or for those that have left their tubes.
#ifndef WEFT_SIM_CONTACT_DETECT_H
#define WEFT_SIM_CONTACT_DETECT_H

#include "sim/contact/meet.h"

// Marks rows that are out of their tubes as dirty. Those whose ways (and `went`, unless it is NULL) are no longer than their
// tubes are wide are in them.
void sim_detect_outside(struct sim *sim, const float *went);
// Begins a detection for islands that have dirty rows, which get new tubes, or have left their sweeps, and for bodies that woke. The
// first one of a tick is for all islands.
void sim_detect_again(struct sim *sim);
// Goes on with the detection that has begun, if any. False if the tick is to rest before it ends.
bool sim_detect_go_on(struct sim *sim);

#endif
