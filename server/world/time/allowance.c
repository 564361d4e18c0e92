#include "base/clock.h"
#include "base/log.h"
#include "world/answer/event.h"
#include "world/state.h"
#include "world/time/pace.h"
#include "world/time/part.h"

// A slowed world stays slowed until ticks take less than half of what they may. So a world on the edge does
// not tell a change with each tick.
void world_allowance_tick(struct world *world)
{
    struct world_allowance *allowance = &world->time->allowance;
    const struct world_times *times = &world->time->times;
    const uint64_t took_ns = (uint64_t)((times->tick_us + times->capture_us) * 1000);
    const bool over = allowance->tick_ns > 0 && took_ns > allowance->tick_ns;
    const bool slowed = over || (allowance->slowed && took_ns > allowance->tick_ns / 2);
    allowance->rest_until_ns = over ? base_now_ns() + took_ns : 0;
    if (slowed == allowance->slowed) {
        return;
    }
    allowance->slowed = slowed;
    base_log(slowed ? BASE_LOG_WARN : BASE_LOG_INFO,
             "world %u \"%s\" %s: a tick took %.0f ms, it may take %.0f", world->id, world->document->name,
             slowed ? "is slowed" : "is no longer slowed", (double)took_ns * 1e-6,
             (double)allowance->tick_ns * 1e-6);
    world_notice_changed(world, world->time->state, NULL);
}
