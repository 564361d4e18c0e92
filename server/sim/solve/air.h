// Gusts: noise in space and time that is added to the wind (kernels/air.c), and keeps bodies awake that it can move.
#ifndef WEFT_SIM_SOLVE_AIR_H
#define WEFT_SIM_SOLVE_AIR_H

#include "base/parallel.h"
#include "sim/state/state.h"

// Fills what the tick that begins needs to know, from the settings.
void sim_air_set(struct sim *sim);
// Finds the air at all bodies that it can push, if it is gusty. When a tick begins.
void sim_air_begin(struct sim *sim, struct base_parallel *parallel);
// Moves the pattern on. When a tick ends that has not failed.
void sim_air_end(struct sim *sim);
// Whether gusts can move a particle of the body.
bool sim_air_moves(const struct sim *sim, const struct sim_body *body);

#endif
