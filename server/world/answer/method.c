// Lists what is special about methods, by method. A method that is not listed has nothing special.
#include "world/answer/method.h"

#include "document/document.h"

static bool bodies_prepare(struct world_request *request, const struct document_constants *constants,
                           struct protocol_error *error)
{
    request->plans = document_prepare(request->method, request->params, constants, error);
    return request->plans != NULL;
}

const struct world_method world_methods[PROTOCOL_METHOD_COUNT] = {
    [PROTOCOL_METHOD_WORLD_DELETE] = {.ends_world = true},
    [PROTOCOL_METHOD_WORLD_PAUSE] = {.ends_step = true},
    [PROTOCOL_METHOD_BODY_ADD] = {.prepare = bodies_prepare},
    [PROTOCOL_METHOD_EDIT_RESTORE] = {.prepare = bodies_prepare},
    [PROTOCOL_METHOD_EDIT_BATCH] = {.prepare = bodies_prepare},
};
