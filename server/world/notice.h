// Notifications to all who joined.
#ifndef WEFT_WORLD_NOTICE_H
#define WEFT_WORLD_NOTICE_H

#include "world/world.h"

// State as in world.changed; asker is NULL where the world did it.
void world_notice_changed(struct world *world, int state, const struct world_asker *asker);
void world_notice_person(struct world *world, const struct world_asker *asker);

#endif
