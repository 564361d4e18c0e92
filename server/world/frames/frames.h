// The functions of the room of frames for other rooms. Simulation thread.
#ifndef WEFT_WORLD_FRAMES_H
#define WEFT_WORLD_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct base_budget;
struct document;
struct world_frames;
struct world_streams;

// Note that an edit has changed what frames show, or only grabs, so that a paused world sends a frame.
void world_frames_changed(struct world_frames *frames);
void world_frames_grabs_changed(struct world_frames *frames);
// Shows another document from now on.
void world_frames_show(struct world_frames *frames, const struct document *document);
// Allocates memory when the first stream comes. May be called again. False if memory runs out.
bool world_frames_prepare(struct world_frames *frames);
struct world_streams *world_streams_of(struct world_frames *frames);
// Returns the budget that all frames of the world are charged to.
struct base_budget *world_frames_budget(const struct world_frames *frames);
// Returns the number of frames that were left out.
uint64_t world_frames_dropped(const struct world_frames *frames);
// Begins a publication, whose batches are made together, and returns its number.
uint64_t world_publication_begin(struct world_frames *frames);

#endif
