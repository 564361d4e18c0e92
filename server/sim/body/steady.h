// Makes the room in which the moves and turns of a free body are summed up, so that they can be taken back
// (state/steady.h, solve/steady.c).
//
// A body has it once it has pressure or shape matching. Then it stays until the body is destroyed, and costs nothing while
// the body has neither.
#ifndef WEFT_SIM_BODY_STEADY_H
#define WEFT_SIM_BODY_STEADY_H

#include "sim/state/state.h"

// Makes it for so many particles; NULL if memory runs out.
struct sim_steady *sim_steady_make(uint32_t particle_count);
void sim_steady_destroy(struct sim_steady *steady); // NULL is allowed

#endif
