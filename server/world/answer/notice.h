// Sends notifications to all sessions that joined a world. Simulation thread.
#ifndef WEFT_WORLD_NOTICE_H
#define WEFT_WORLD_NOTICE_H

#include "world/world.h"

struct world_answers;

// Sends world.changed with this state. A NULL asker means that the world itself is the cause.
void world_notice_changed(struct world *world, int state, const struct world_asker *asker);
// Sends world.person: somebody joined, or goes by another name.
void world_notice_person(struct world *world, const struct world_asker *asker);
// Adds the bytes of notices that readers could take since the last call.
void world_readers_refill(struct world_answers *answers, uint64_t now_ns);
// Whether readers have been told as much as they can take now.
bool world_readers_full(const struct world *world);
// Returns why the world takes no edits; NULL: it does.
const char *world_read_only(const struct world *world);

#endif
