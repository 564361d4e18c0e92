// Bounds the time that a world may take of a thread for one tick with its frames. A world that takes more is
// slowed: it rests after each tick for as long as that tick took, so that it has half a thread at most, and
// tells its members.
#ifndef WEFT_WORLD_ALLOWANCE_H
#define WEFT_WORLD_ALLOWANCE_H

struct world;

// Judges the tick that has just ended, whose times are known. Simulation thread.
void world_allowance_tick(struct world *world);

#endif
