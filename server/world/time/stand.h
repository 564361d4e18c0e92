// Stops worlds that another server goes on with. Simulation thread.
#ifndef WEFT_WORLD_STAND_H
#define WEFT_WORLD_STAND_H

#include "world/world.h"

// Stops the world at a boundary, or lets it go on again, as the loop wants. True: it stands still.
bool world_stand_turn(struct world *world);
// Ends the world here, because another server goes on with it.
void world_leave(struct world *world);

#endif
