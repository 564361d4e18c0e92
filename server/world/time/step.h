// Holds the step under way. Simulation thread.
#ifndef WEFT_WORLD_STEP_H
#define WEFT_WORLD_STEP_H

#include "world/world.h"

struct world_step {
    struct world_request *request; // NULL: no step runs
    uint32_t left;
};

void world_step_cut(struct world *world);  // answers the step under way with the tick that was reached
void world_step_fail(struct world *world); // answers the step under way with the failure

#endif
