// Rigid bodies as they are made.
#ifndef WEFT_SIM_BODY_RIGID_H
#define WEFT_SIM_BODY_RIGID_H

#include "sim/state/state.h"

// Refuses a shape that is out of range or missing, and what a rigid body cannot have.
enum fault_code sim_body_rigid_check(const struct sim_body_desc *desc, double resolution,
                                     struct fault *fault);
// Refuses states of pieces: each has an orientation, and `spin` is its angular momentum in kg m^2/s.
enum fault_code sim_rigid_turned_check(const char *field, const struct sim_turned *turned, uint32_t count,
                                       struct fault *fault);
// Keeps the shape, and gives pieces without orientations that of the world. False without memory.
bool sim_body_rigid_take(struct sim_body *body, const struct sim_rigid_shape *shape, double resolution);
// A piece has its own surface, so a rigid body may meet others with a thickness of 0. This is what sim_meeting_check is to see in
// place of that.
double sim_rigid_thickness(double thickness, double resolution);

#endif
