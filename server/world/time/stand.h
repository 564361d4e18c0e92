// Stops worlds that another server goes on with. Simulation thread.
#ifndef WEFT_WORLD_STAND_H
#define WEFT_WORLD_STAND_H

#include "world/world.h"

struct world_time;

// Stops the world at a boundary, or lets it go on again, as the loop wants. True: it stands still.
bool world_stand_turn(struct world *world);
// Ends the world here, because another server goes on with it.
void world_leave(struct world *world);
// Say on the loop thread that the world is to stand, or go on here, and that it is to leave.
void world_stand_want(struct world_time *time, bool stand);
void world_leave_want(struct world_time *time, const struct protocol_home *home);

#endif
