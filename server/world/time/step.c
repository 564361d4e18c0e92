// Keeps the request of world.step until its last tick, or until something cuts the step short.
#include "world/time/step.h"

#include "world/answer/call.h"
#include "world/state.h"

static void step_end(struct world *world, const struct protocol_error *error)
{
    struct world_request *request = world->step.request;
    world->step.request = NULL;
    world->step.left = 0;
    world_journal_mark(world, PAST_MARK_TICKS, NULL); // the tick that the answer tells becomes durable
    if (error) {
        world_answer_error(world, request, error);
    } else {
        struct world_call call = {.world = world, .request = request, .params = request->params};
        struct protocol_world_step_result result = {.has = PROTOCOL_HAS_ALL, .tick = world->document->tick};
        world_answer(&call, &result);
    }
    world_request_destroy(request);
}

void world_step_cut(struct world *world)
{
    if (world->step.request) {
        step_end(world, NULL);
    }
}

void world_step_fail(struct world *world)
{
    if (world->step.request) {
        struct protocol_error error = {0};
        protocol_error_set(&error, document_failed_code(world->document), NULL,
                           "world \"%s\" failed: %.144s; %s", world->document->name, world->document->reason,
                           document_mended_by(world->document));
        error.revision = world->document->revision;
        step_end(world, &error);
    }
}
