// Cleans up after a session that is gone: it is no member any more, has no streams, and holds nothing.
#include "world/turn/leave.h"

#include "world/edit/apply.h"
#include "world/frames/frames.h"
#include "world/frames/stream.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/time/view.h"
#include "world/twins/twins.h"

void world_session_gone(struct world *world, uint32_t session)
{
    world_people_leave(world->people, session);
    world_streams_remove_session(world_streams_of(world->frames), session);
    world_twins_remove_session(world->twins, session);
    uint32_t count;
    const struct world_holder *holders = world_holders_all(world->people, &count);
    for (uint32_t i = 0; i < count;) {
        const struct world_holder *holder = &holders[i];
        if (holder->session != session) {
            i++;
            continue;
        }
        const uint32_t grab = holder->grab;
        world_grab_drop(world, holder);
        world_holders_remove(world->people, grab);
        holders = world_holders_all(world->people, &count);
        world_frames_grabs_changed(world->frames);
    }
    if (world_view_of(world->time) != 0 && world_view_session(world->time) == session) {
        world_view_end(world, NULL);
    }
}
