// Pairs that might meet: found for all rows, or for those that have left their boxes.
#ifndef WEFT_SIM_CONTACT_DETECT_H
#define WEFT_SIM_CONTACT_DETECT_H

#include "sim/contact/meet.h"

// All pairs.
void sim_detect_all(struct sim *sim);
// Rows that are out of their boxes; true if any are. Those whose ways (and `went`, unless it is NULL) are no longer than what
// is within their boxes are in them.
bool sim_detect_outside(struct sim *sim, const float *went);
// New boxes for these, and their pairs anew.
void sim_detect_again(struct sim *sim);

#endif
