#include "dispatch/route/elsewhere.h"

#include "dispatch/call.h"
#include "dispatch/route/route.h"
#include "host/registry.h"
#include "host/session.h"
#include "protocol/error.h"
#include "world/world.h"

#include <inttypes.h>
#include <stddef.h>

// False: it is for this server, or its method has to say what is wrong.
static bool names_another(const struct dispatch_server *server, struct host_session *session,
                          struct world_packet *packet, struct dispatch_passed *passed)
{
    struct protocol_error error = {0};
    struct protocol_ref *world = &passed->world;
    if (dispatch_names_world(passed->method)) {
        if (!dispatch_peek_world(packet, passed->method, world, &error) ||
            (world->id == 0 && world->name.size == 0))
            return false;
    } else {
        passed->stream = dispatch_peek_stream(packet, passed->method);
        world->id = passed->stream != 0 ? host_session_stream_world(session, passed->stream) : 0;
        if (world->id == 0)
            return false;
    }
    const struct host_world *here = dispatch_find(server->registry, passed->method, world);
    if (here == NULL)
        return true;
    const bool all = server->elsewhere->came(server->elsewhere->context, session, here->id);
    if (!all)
        *world = (struct protocol_ref){.id = here->id};
    return !all;
}

// It is about to go on at another server, and is not gone yet: what is asked of it now comes behind what was asked before.
static struct host_world *leaving_of(const struct dispatch_server *server,
                                     const struct dispatch_passed *passed)
{
    struct host_world *world = dispatch_names_world(passed->method)
                                   ? host_registry_find_closing(server->registry, &passed->world)
                                   : NULL;
    return world != NULL && world->elsewhere ? world : NULL;
}

enum dispatch_went dispatch_pass_on(const struct dispatch_server *server, struct host_session *session,
                                    struct world_packet *packet, struct dispatch_passed *passed,
                                    struct protocol_error *error)
{
    const struct dispatch_elsewhere *elsewhere = server->elsewhere;
    if (elsewhere == NULL || host_session_follows(session) || !names_another(server, session, packet, passed))
        return DISPATCH_STAYS;
    struct host_world *leaving = leaving_of(server, passed);
    if (leaving != NULL && host_leaving_asked(&leaving->leaving, session, passed->bytes, passed->size))
        return DISPATCH_PASSED;
    if (leaving != NULL) {
        protocol_error_set(error, PROTOCOL_CODE_BUSY, "world",
                           "world %" PRIu32 " goes to another server; send it again later", leaving->id);
        return DISPATCH_REFUSED;
    }
    return elsewhere->pass(elsewhere->context, session, passed, error);
}

void dispatch_introduced(const struct dispatch_server *server, struct host_session *session,
                         const struct protocol_session_hello_params *params)
{
    const struct dispatch_elsewhere *elsewhere = server->elsewhere;
    if (elsewhere != NULL)
        elsewhere->introduced(elsewhere->context, session, params);
}
