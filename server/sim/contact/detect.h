// Pairs that might meet: found for all rows, or for those that have left their tubes.
#ifndef WEFT_SIM_CONTACT_DETECT_H
#define WEFT_SIM_CONTACT_DETECT_H

#include "sim/contact/meet.h"

// Begins a detection of all pairs.
void sim_detect_all(struct sim *sim);
// Marks rows that are out of their tubes as dirty; true if any are. Those whose ways (and `went`, unless it is NULL) are no
// longer than their tubes are wide are in them.
bool sim_detect_outside(struct sim *sim, const float *went);
// Gives dirty rows new tubes, and begins to find their pairs.
void sim_detect_again(struct sim *sim);
// Goes on with the detection that has begun, if any. False if the tick is to rest before it ends.
bool sim_detect_go_on(struct sim *sim);

#endif
