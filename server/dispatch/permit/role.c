// What a session may do in a world.
#include "dispatch/permit/permit.h"

#include "dispatch/call.h"
#include "host/badge.h"

enum protocol_role dispatch_role(const struct dispatch_server *server, const struct host_session *session,
                                 uint32_t world)
{
    if (server->access == NULL || server->access->book == NULL ||
        host_session_role(session) == PROTOCOL_ROLE_ADMIN)
        return PROTOCOL_ROLE_ADMIN;
    return host_session_known(session) ? access_role(server->access->book, world, host_person_key(session))
                                       : PROTOCOL_ROLE_ANYONE;
}
