// Why a frame was not made, and who is told.
#ifndef WEFT_WORLD_LACK_H
#define WEFT_WORLD_LACK_H

#include "world/stream.h"
#include "world/world.h"

enum world_lack world_lack_of(const struct world *world, const struct world_selection *selection,
                              size_t used_before); // why its frame was not made
void world_lack_tell(struct world *world);         // those who missed frames; ends streams that can have none

#endif
