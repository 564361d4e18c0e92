// Ranges of a body's own gravity, of its coefficients in the air and of forces. Faults name the field as body.set and body.force do:
// gravity, wind.drag, force, forces.
// Numbers are checked alone, whatever the body is.
#ifndef WEFT_SIM_BODY_PULL_H
#define WEFT_SIM_BODY_PULL_H

#include "sim/sim.h"

// Each may be NULL: it is not given.
enum fault_code sim_pull_check(double resolution, const struct sim_own_gravity *gravity,
                               const struct sim_body_force *force, struct fault *fault);
enum fault_code sim_own_wind_check(const struct sim_own_wind *wind, struct fault *fault);
// particle: that the force acts on; UINT32_MAX: on a body.
enum fault_code sim_force_check(const double force[3], uint32_t ticks, uint32_t particle,
                                struct fault *fault);

#endif
