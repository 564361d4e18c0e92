// Moves a world to another server. It stands still first, so that the other server begins with all that there
// is. Then it leaves.
//
//     runs ──world_stand──▶ [tick ends, journal says which] ──▶ stands ──world_post_leave──▶ what waits is refused; it ends
//       ▲                                                          │
//       └────────────────── it was not taken there ────────────────┘
#include "world/time/stand.h"

#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/state.h"
#include "world/time/part.h"
#include "world/time/step.h"

#include <stdatomic.h>

bool world_stand_turn(struct world *world)
{
    struct world_time *time = world->time;
    const bool wanted = atomic_load(&time->stand_wanted) && !time->deleted && !time->shut;
    if (wanted && !time->stands) {
        world_step_cut(world);
        world_image_cut(world, PROTOCOL_CODE_CONFLICT, "world \"%s\" (%u) moves to another server",
                        world->document->name, world->id);
        world_journal_mark(world, PAST_MARK_TICKS, NULL);
    }
    time->stands = wanted;
    return wanted;
}

void world_leave(struct world *world)
{
    world_step_cut(world);
    world_image_cut(world, PROTOCOL_CODE_BUSY, "world \"%s\" (%u) runs on another server now",
                    world->document->name, world->id);
    world_delete(world->time);
}

void world_stand_want(struct world_time *time, bool stand)
{
    atomic_store(&time->stand_wanted, stand);
}

void world_leave_want(struct world_time *time, const struct protocol_home *home)
{
    time->home = *home;
    atomic_store(&time->leaving, true);
    atomic_store(&time->stand_wanted, false);
}
