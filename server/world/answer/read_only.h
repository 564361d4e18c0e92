// Tells whether a world takes edits.
#ifndef WEFT_WORLD_READ_ONLY_H
#define WEFT_WORLD_READ_ONLY_H

#include "world/world.h"

// Returns why the world takes no edits; NULL: it does. Simulation thread.
const char *world_read_only(const struct world *world);

#endif
