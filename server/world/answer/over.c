#include "world/answer/over.h"

#include "base/clock.h"
#include "world/state.h"

#include <stdatomic.h>

bool world_time_is_up(const struct world *world, uint32_t session)
{
    if (base_now_ns() < atomic_load(&world->tick_end_ns)) {
        return false;
    }
    const uint32_t ends = atomic_load(&world->tick_end_session);
    return ends == 0 || ends != session;
}

bool world_refuse_broken(struct world_call *call)
{
    const struct world *world = call->world;
    if (atomic_load(&world->tick_end_session) == 0) {
        return world_refuse(call, PROTOCOL_CODE_SHUTDOWN, NULL, "the server is going down; %s is not taken",
                            protocol_methods[call->request->method].name);
    }
    return world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "world", "world \"%s\" (%u) is being deleted",
                        world->document->name, world->id);
}
