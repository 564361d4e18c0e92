// At time a, the server says that the world has reached tick t. The message comes at time n, late by its time on the
// way.
//
//     offset = min (n − a)                           the message with the least delay gives the difference of the clocks
//     tick shown at n = t + (n − offset − a − delay) · rate,  never beyond the last t
//     delay ≥ n' − offset − a                        for the next message, at n': or t would have been reached before
//
// So the delay depends on the period of messages and on their jitter. It grows at once and shrinks slowly, with a time
// constant of ten seconds. The offset is forgotten at a rate of 50 millionths, because clocks drift.
#include "twin/twin.h"

#include <math.h>

static const double drift = 50e-6;
static const double shrink_us = 10e6;
static const double delay_most_us = 2e6;

static double clamp(double value, double most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

void twin_clock_take(struct twin_clock *clock, uint64_t at_us, uint64_t tick, double ticks_per_us,
                     uint64_t now_us)
{
    const double at = (double)at_us, now = (double)now_us;
    const double since = clock->begun ? clamp(now - clock->now_us, 1e12) : 0;
    double offset = now - at;
    if (clock->begun && clock->offset_us + drift * since < offset) {
        offset = clock->offset_us + drift * since;
    }
    // Messages from a paused world say nothing about the delay while it plays.
    if (clock->begun && clock->ticks_per_us > 0) {
        const double needed = clamp(now - offset - clock->at_us, delay_most_us);
        const double shrunk = clock->delay_us - (clock->delay_us - needed) * clamp(since / shrink_us, 1);
        clock->delay_us = needed > clock->delay_us ? needed : shrunk;
    }
    clock->offset_us = offset;
    clock->at_us = at;
    clock->tick = (double)tick;
    clock->ticks_per_us = ticks_per_us;
    clock->now_us = now;
    clock->begun = true;
}

uint64_t twin_clock_tick(const struct twin_clock *clock, uint64_t now_us)
{
    if (!clock->begun || clock->ticks_per_us <= 0) {
        return (uint64_t)clock->tick;
    }
    const double late_us = (double)now_us - clock->offset_us - clock->at_us - clock->delay_us;
    return (uint64_t)clamp(floor(clock->tick + late_us * clock->ticks_per_us), clock->tick);
}
