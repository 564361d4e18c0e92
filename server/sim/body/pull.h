// Ranges of a body's own gravity and of forces. Faults name the field as body.set and body.force do: gravity, force, forces.
// Numbers are checked alone, whatever the body is.
#ifndef WEFT_SIM_BODY_PULL_H
#define WEFT_SIM_BODY_PULL_H

#include "sim/sim.h"

// Each may be NULL: it is not given.
enum fault_code sim_pull_check(double resolution, const struct sim_own_gravity *gravity,
                               const struct sim_body_force *force, struct fault *fault);
// particle: that the force acts on; UINT32_MAX: on a body.
enum fault_code sim_force_check(const double force[3], uint32_t ticks, uint32_t particle,
                                struct fault *fault);

#endif
