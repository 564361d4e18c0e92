// Keeps the request of world.step until its last tick, or until something cuts the step short.
#include "world/time/step.h"

#include "world/answer/call.h"
#include "world/keep/journal.h"
#include "world/state.h"
#include "world/time/part.h"

static void step_end(struct world *world, const struct protocol_error *error)
{
    struct world_request *request = world->time->step.request;
    world->time->step.request = NULL;
    world->time->step.left = 0;
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

void world_step_begin(struct world_time *time, struct world_request *request, uint32_t ticks)
{
    time->step = (struct world_step){.request = request, .left = ticks};
}

bool world_step_tick(struct world *world)
{
    if (--world->time->step.left > 0) {
        return false;
    }
    step_end(world, NULL);
    return true;
}

void world_step_cut(struct world *world)
{
    if (world->time->step.request) {
        step_end(world, NULL);
    }
}

void world_step_fail(struct world *world)
{
    if (world->time->step.request) {
        struct protocol_error error = {0};
        protocol_error_set(&error, document_failed_code(world->document), NULL,
                           "world \"%s\" failed: %.144s; %s", world->document->name, world->document->reason,
                           document_mended_by(world->document));
        error.revision = world->document->revision;
        step_end(world, &error);
    }
}
