// When ticks are due.
#ifndef WEFT_WORLD_PACE_H
#define WEFT_WORLD_PACE_H

#include <stdint.h>

#define WORLD_RATE_MIN 1e-6 // but 0; as api.json says of world.play

struct world_pace {
    double tick_rate;
    double rate; // 0: always due
    uint64_t base_ns;
    uint64_t ticks; // since base_ns
    uint64_t late, lateness_us, lateness_max_us, lost_us;
    uint64_t lateness_sum_us; // of all ticks
};

void world_pace_start(struct world_pace *pace, double rate, uint64_t now_ns);
void world_pace_change(struct world_pace *pace, double rate, uint64_t now_ns); // keeps the phase
uint64_t world_pace_due(const struct world_pace *pace);                        // 0: at once
void world_pace_tick(struct world_pace *pace, uint64_t now_ns);                // a tick begins

#endif
