// Closed surfaces with pressure inside: what is asked for, and the rings that the solver needs (state/balloon.h).
#ifndef WEFT_SIM_BODY_BALLOON_H
#define WEFT_SIM_BODY_BALLOON_H

#include "sim/state/state.h"

// Checks the numbers alone. Faults name the field as pressure.overpressure.
enum fault_code sim_pressure_check(const struct sim_pressure *pressure, double resolution,
                                   struct fault *fault);
// Checks that the body has a surface for this pressure: a cloth whose triangles are closed and turn one way,
// with a reference volume. If *balloon is NULL it gets the rings.
enum fault_code sim_balloon_make(const struct sim_body *body, const struct sim_pressure *pressure,
                                 double resolution, struct sim_balloon **balloon, struct fault *fault);
void sim_balloon_destroy(struct sim_balloon *balloon); // NULL is allowed

#endif
