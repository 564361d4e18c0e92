// Computes when ticks are due, and slows worlds whose ticks take too long.
#ifndef WEFT_WORLD_PACE_H
#define WEFT_WORLD_PACE_H

#include <stdint.h>

#define WORLD_RATE_MIN 1e-6 // lowest rate except 0; the same as in api.json for world.play

struct world;

struct world_pace {
    double tick_rate;
    double rate; // 0: as fast as possible
    uint64_t base_ns;
    uint64_t ticks; // ticks since base_ns
    uint64_t late, lateness_us, lateness_max_us, lost_us;
    uint64_t lateness_sum_us; // sum over all ticks
};

void world_pace_start(struct world_pace *pace, double rate, uint64_t now_ns);
// Keeps the phase within the tick.
void world_pace_change(struct world_pace *pace, double rate, uint64_t now_ns);
uint64_t world_pace_due(const struct world_pace *pace); // returns when the next tick is due; 0: at once
void world_pace_tick(struct world_pace *pace, uint64_t now_ns); // notes that a tick begins

// Bounds the time that a world may take of a thread for one tick with its frames. A world that takes more is slowed: it rests
// after each tick for as long as that tick took, and tells its members. This judges the tick that has just ended, whose times
// are known. Simulation thread.
void world_allowance_tick(struct world *world);

#endif
