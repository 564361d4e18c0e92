// When which stream gets which frames.
#ifndef WEFT_WORLD_PUBLISH_H
#define WEFT_WORLD_PUBLISH_H

#include "world/world.h"

enum {
    WORLD_PUBLICATIONS_MAX = 16,             // not yet taken by the loop
    WORLD_KEY_PERIOD_NS = 100 * 1000 * 1000, // between keys of a selection for who fell behind
};

// The present state to streams that are due, and to all where a resting world has changed.
void world_publish_present(struct world *world);
// Around sim_step, which calls world_publish_substep (a hook, context is the world). tick_end comes
// after world->tick has moved on.
void world_publish_tick_begin(struct world *world);
void world_publish_substep(void *context, uint32_t substep);
void world_publish_tick_end(struct world *world);
void world_publish_tick_drop(struct world *world); // it will not end
// Before it ends: it was given up, so none of its moments has been, and no frame of it is missed.
void world_publish_tick_undone(struct world *world);

#endif
