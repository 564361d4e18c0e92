// What an edit may come to that only its world can say: edit.undo and edit.redo have no parameters that tell it, and what edits
// bring is counted when they are applied.
#include "dispatch/permit/permit.h"

#include "dispatch/call.h"
#include "protocol/error.h"

void dispatch_bound(const struct dispatch_server *server, const struct host_session *session,
                    const struct host_world *world, struct world_request *request)
{
    struct protocol_error error = {0};
    struct world_bounds *bounds = &request->bounds;
    bounds->within_quota = dispatch_is_bounded(server, session);
    if (request->method == PROTOCOL_METHOD_EDIT_UNDO || request->method == PROTOCOL_METHOD_EDIT_REDO)
        bounds->no_reset =
            !dispatch_permit(server, session, PROTOCOL_METHOD_WORLD_RESET, world, NULL, &error);
}
