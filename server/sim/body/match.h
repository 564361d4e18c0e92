// Shape matching: the check of what is asked for, and the regions that the solver needs (state/match.h).
#ifndef WEFT_SIM_BODY_MATCH_H
#define WEFT_SIM_BODY_MATCH_H

#include "sim/state/state.h"

// Checks the numbers alone. Faults name the field as shape.compliance.
enum fault_code sim_matching_check(const struct sim_matching *matching, double resolution,
                                   struct fault *fault);
// Makes the regions of a body for a matching that is checked, and is not none.
enum fault_code sim_match_make(const struct sim_body *body, const struct sim_matching *matching,
                               double resolution, struct sim_match **match, struct fault *fault);
void sim_match_destroy(struct sim_match *match);         // NULL is allowed
uint64_t sim_match_bytes(const struct sim_match *match); // of memory, about; 0 for NULL

#endif
