// Pairs that might meet: found for all rows, or for those that have left their boxes.
#ifndef WEFT_SIM_CONTACT_DETECT_H
#define WEFT_SIM_CONTACT_DETECT_H

#include "sim/contact/meet.h"

// Begins a detection of all pairs.
void sim_detect_all(struct sim *sim);
// Rows that are out of their boxes; true if any are. Those whose ways (and `went`, unless it is NULL) are no longer than what
// is within their boxes are in them.
bool sim_detect_outside(struct sim *sim, const float *went);
// Gives these new boxes, and begins to find their pairs.
void sim_detect_again(struct sim *sim);
// Goes on with the detection that has begun, if any. False if the tick is to rest before it ends.
bool sim_detect_go_on(struct sim *sim);

#endif
