// What an edit may come to that only its world can say: edit.undo and edit.redo have no parameters that tell it.
#include "dispatch_access.h"

#include "dispatch_server.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "protocol/error.h"
#include "world/world.h"

static uint64_t room_of(uint64_t most, uint64_t there)
{
    return there < most ? most - there : 0;
}

void dispatch_bound(const struct dispatch_server *server, const struct host_session *session,
                    const struct host_world *world, struct world_request *request)
{
    struct protocol_error error = {0};
    if (request->method != PROTOCOL_METHOD_EDIT_UNDO && request->method != PROTOCOL_METHOD_EDIT_REDO)
        return;
    struct world_bounds *bounds = &request->bounds;
    bounds->no_reset = !dispatch_permit(server, session, PROTOCOL_METHOD_WORLD_RESET, world, NULL, &error);
    if (server->access == NULL || server->access->book == NULL ||
        host_session_role(session) == PROTOCOL_ROLE_ADMIN)
        return;
    const char *maker = access_maker(server->access->book, world->id);
    if (maker == NULL)
        return;
    const struct dispatch_load load = dispatch_load_of(server, maker);
    bounds->bodies_most = server->access->quotas.bodies;
    bounds->particles_most = server->access->quotas.particles;
    bounds->bodies = room_of(bounds->bodies_most, load.bodies);
    bounds->particles = room_of(bounds->particles_most, load.particles);
}
