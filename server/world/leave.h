// Sessions that are gone.
#ifndef WEFT_WORLD_LEAVE_H
#define WEFT_WORLD_LEAVE_H

#include "world/world.h"

void world_session_gone(struct world *world, uint32_t session); // nothing of it waits any more

#endif
