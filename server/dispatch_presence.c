// session.leave, presence.set, presence.say: what people do beside worlds.
#include "dispatch_route.h"
#include "dispatch_server.h"
#include "host/presence.h"
#include "host/registry.h"
#include "host/session.h"

static void leave(struct dispatch_call *call)
{
    host_session_leave(call->session);
}

bool dispatch_session_leave(struct dispatch_call *call)
{
    call->after = leave;
    protocol_encode(&protocol_session_leave_result_type,
                    &(struct protocol_session_leave_result){.has = PROTOCOL_HAS_ALL},
                    host_session_asker(call->session).arrays, call->packer);
    return true;
}

// NULL: refused.
static struct host_world *world_of(struct dispatch_call *call, const struct protocol_ref *ref)
{
    struct host_world *world = dispatch_find(call->server->registry, call->method, ref);
    if (world == NULL)
        dispatch_no_world(call->error, ref);
    return world;
}

bool dispatch_presence_set(struct dispatch_call *call)
{
    const struct protocol_presence_set_params *params = call->params;
    struct host_world *world = world_of(call, &params->world);
    if (world == NULL || !host_presence_set(call->session, world, params, call->error))
        return false;
    protocol_encode(&protocol_presence_set_result_type,
                    &(struct protocol_presence_set_result){.has = PROTOCOL_HAS_ALL},
                    host_session_asker(call->session).arrays, call->packer);
    return true;
}

bool dispatch_presence_say(struct dispatch_call *call)
{
    const struct protocol_presence_say_params *params = call->params;
    struct host_world *world = world_of(call, &params->world);
    struct protocol_presence_say_result result = {.has = PROTOCOL_HAS_ALL};
    if (world == NULL || !host_presence_say(call->session, world, &params->text, &result.line, call->error))
        return false;
    protocol_encode(&protocol_presence_say_result_type, &result, host_session_asker(call->session).arrays,
                    call->packer);
    return true;
}
