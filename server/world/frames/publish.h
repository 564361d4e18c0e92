// Decides which stream gets which frames, and when. Simulation thread.
#ifndef WEFT_WORLD_PUBLISH_H
#define WEFT_WORLD_PUBLISH_H

#include "world/world.h"

struct world_frames;

enum {
    WORLD_PUBLICATIONS_MAX = 16, // events in the outbox that the loop has not taken yet
    // Time between two keys of a selection for streams that fell behind.
    WORLD_KEY_PERIOD_NS = 100 * 1000 * 1000,
};

// Sends a frame of the present state to streams that are due, and to all streams if a paused world has changed.
void world_publish_present(struct world *world);
// tick_begin comes before document_step, and tick_end after it. document_step calls world_publish_substep after each substep
// (sim_hooks; the context is the world).
void world_publish_tick_begin(struct world *world);
void world_publish_substep(void *context, uint32_t substep);
void world_publish_tick_end(struct world *world);
void world_publish_tick_drop(struct world_frames *frames); // drops the frames of a tick that will not end
// Drops the frames of a tick that was given up before it ended. None of its moments happened, so no stream
// has missed a frame.
void world_publish_tick_undone(struct world_frames *frames);

#endif
