// Cleans up after sessions that are gone. Simulation thread.
#ifndef WEFT_WORLD_LEAVE_H
#define WEFT_WORLD_LEAVE_H

#include "world/world.h"

// Ends a session's streams, grabs and membership. No request of the session may wait any more.
void world_session_gone(struct world *world, uint32_t session);

#endif
