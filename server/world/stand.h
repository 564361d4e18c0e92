// Worlds that another server goes on with.
#ifndef WEFT_WORLD_STAND_H
#define WEFT_WORLD_STAND_H

#include "world/world.h"

bool world_stand_turn(struct world *world); // at a boundary: it stands still
void world_leave(struct world *world);      // it has gone on there

#endif
