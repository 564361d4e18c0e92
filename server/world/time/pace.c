// Computes when ticks are due.
//
//     base_ns ──┬────┬────┬────┬──▶        tick n is due at base_ns + n · 10⁹ / (tick_rate · rate)
//               0    1    2    3
//
// Each time is computed from the base, never from the time before it, so rounding does not add up. A tick
// that begins late leaves the base alone: the next ones come early until the world has caught up. Past
// 250 ms or four ticks, whichever is more, the base moves: that time is given up for good, so a world that
// cannot keep pace runs slower than real time instead of owing more and more.
#include "world/time/pace.h"

static const uint64_t pace_owed_max_ns = UINT64_C(250000000);
enum { PACE_OWED_TICKS = 4 };

static long double pace_period_ns(const struct world_pace *pace)
{
    return 1e9L / ((long double)pace->tick_rate * (long double)pace->rate);
}

// Converts a time that is not negative. A time that no clock reaches becomes UINT64_MAX - 1.
static uint64_t pace_ns(long double ns)
{
    return ns < 1.8e19L ? (uint64_t)ns : UINT64_MAX - 1;
}

void world_pace_start(struct world_pace *pace, double rate, uint64_t now_ns)
{
    pace->rate = rate;
    pace->base_ns = now_ns;
    pace->ticks = 0;
}

uint64_t world_pace_due(const struct world_pace *pace)
{
    if (pace->rate <= 0) {
        return 0;
    }
    long double due = (long double)pace->base_ns + (long double)pace->ticks * pace_period_ns(pace);
    return pace_ns(due);
}

void world_pace_change(struct world_pace *pace, double rate, uint64_t now_ns)
{
    uint64_t due = world_pace_due(pace);
    if (pace->rate <= 0 || rate <= 0) {
        world_pace_start(pace, rate, now_ns);
        return;
    }
    // The rest of the present tick stays the same part of a tick, so that changing the rate up and down
    // neither holds the world back nor drives it on.
    long double left = due > now_ns ? (long double)(due - now_ns) / pace_period_ns(pace) : 0;
    pace->rate = rate;
    pace->ticks = 0;
    pace->base_ns = due > now_ns ? pace_ns((long double)now_ns + left * pace_period_ns(pace)) : due;
}

void world_pace_tick(struct world_pace *pace, uint64_t now_ns)
{
    if (pace->rate <= 0) {
        pace->lateness_us = 0;
        return;
    }
    uint64_t due = world_pace_due(pace);
    uint64_t late_ns = now_ns > due ? now_ns - due : 0;
    long double period = pace_period_ns(pace);
    pace->lateness_us = late_ns / 1000;
    pace->lateness_sum_us += pace->lateness_us;
    if (pace->lateness_us > pace->lateness_max_us) {
        pace->lateness_max_us = pace->lateness_us;
    }
    if ((long double)late_ns > period) {
        pace->late++;
    }
    if (late_ns > pace_owed_max_ns && (long double)late_ns > PACE_OWED_TICKS * period) {
        pace->lost_us += late_ns / 1000;
        pace->base_ns = now_ns;
        pace->ticks = 0;
    }
    pace->ticks++;
}
