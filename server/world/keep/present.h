// Makes an image of a world's present state for the loop.
#ifndef WEFT_WORLD_PRESENT_H
#define WEFT_WORLD_PRESENT_H

#include <stdbool.h>

struct world;
struct world_keep;

// At a boundary, after requests were applied: gives the image that was asked for, or begins to make it.
// Simulation thread.
void world_present_turn(struct world *world);
void world_present_want(struct world_keep *keep); // on the loop thread
bool world_present_is_wanted(const struct world_keep *keep);

#endif
