// The step (world.step) that a world runs. Simulation thread.
#ifndef WEFT_WORLD_STEP_H
#define WEFT_WORLD_STEP_H

#include "world/world.h"

struct world_time;

// Begins a step of so many ticks. Owns the request until it is answered.
void world_step_begin(struct world_time *time, struct world_request *request, uint32_t ticks);
// Notes that one of its ticks has ended. True: that was its last, and the step is answered.
bool world_step_tick(struct world *world);
void world_step_cut(struct world *world);  // ends the step, and answers with the tick that was reached
void world_step_fail(struct world *world); // ends the step, and answers with the failure

#endif
