// Freezes a world that another server is about to take over, and ends it here. Simulation thread, unless stated.
#ifndef WEFT_WORLD_STAND_H
#define WEFT_WORLD_STAND_H

#include "world/world.h"

struct world_time;

// Freezes the world at a boundary, or lets it go on again, as the loop wants. True: it is frozen.
bool world_stand_turn(struct world *world);
// Ends the world here, because another server runs it now.
void world_leave(struct world *world);
// Loop thread: ask for the world to be frozen or to go on here, and for it to leave.
void world_stand_want(struct world_time *time, bool stand);
void world_leave_want(struct world_time *time, const struct protocol_home *home);

#endif
