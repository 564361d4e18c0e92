// Streams: stream.subscribe, stream.set, stream.unsubscribe. Ids are the loop's; a stream belongs to the
// session that opened it.
#include "world/apply.h"

#include "base/assert.h"
#include "document/document.h"
#include "protocol/array.h"
#include "world/call.h"
#include "world/snapshot.h"
#include "world/state.h"
#include "world/stream.h"
#include "world/twins.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)PROTOCOL_STREAM_SET_PARAMS_FIELDS_GRABS ==
                       (int)PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_GRABS &&
                   (int)PROTOCOL_STREAM_SET_PARAMS_UNIT_SUBSTEP ==
                       (int)PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_SUBSTEP,
               "stream.set takes what stream.subscribe takes");

// The ids as an array of their own (malloc'd, NULL where there are none). All must exist now; one that is
// removed later just leaves the frames.
static bool bodies_wanted(struct world_call *call, const struct protocol_array *array, uint32_t **out)
{
    uint32_t bad = 0, *ids = array->count > 0 ? malloc(array->count * sizeof *ids) : NULL;
    *out = ids;
    if (array->count == 0) {
        return true;
    }
    if (!ids) {
        return world_refuse_memory(call);
    }
    bool fits = protocol_array_copy_u32(array, ids, &bad);
    BASE_ASSERT(fits); // the decoder has looked
    for (uint32_t i = 0; i < array->count; i++) {
        if (!document_things_by_id(&call->world->document->bodies, ids[i])) {
            world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "bodies", "body %u does not exist in world \"%s\"",
                         ids[i], call->world->document->name);
            snprintf(call->error.value, sizeof call->error.value, "%u", ids[i]);
            free(ids);
            *out = NULL;
            return false;
        }
    }
    return true;
}

void world_apply_stream_subscribe(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_stream_subscribe_params *params = call->params;
    const struct world_request *request = call->request;
    bool all = !(params->has & PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BODIES);
    uint32_t *bodies = NULL;
    BASE_ASSERT(request->claim.held && request->claim.id != 0);
    if (params->encoding == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_RECORDS) {
        world_twins_subscribe(call);
        return;
    }
    if (!all && !bodies_wanted(call, &params->bodies, &bodies)) {
        return;
    }
    struct world_stream stream = {
        .id = request->claim.id,
        .session = request->asker.session,
        .every = params->every,
        .substeps = params->unit == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_SUBSTEP,
        .due = true,
    };
    if (!world_streams_reserve(&world->streams) || !world_snapshot_prepare(&world->snapshot)) {
        free(bodies);
        world_refuse_memory(call);
        return;
    }
    stream.selection = world_selection_get(&world->streams, request->asker.arrays, params->fields, bodies,
                                           all ? 0 : params->bodies.count, all);
    if (!stream.selection) {
        world_refuse_memory(call);
        return;
    }
    world_streams_add(&world->streams, &stream);
    struct protocol_stream_subscribe_result result = {.has = PROTOCOL_HAS_ALL,
                                                      .stream = stream.id,
                                                      .tick = world->document->tick,
                                                      .revision = world->document->revision};
    world_answer(call, &result);
}

static bool twin_own(const struct world_call *call, uint32_t id)
{
    const struct world_twin *twin = world_twins_find(&call->world->twins, id);
    return twin && twin->session == call->request->asker.session;
}

static struct world_stream *stream_own(struct world_call *call, uint32_t id)
{
    struct world_stream *stream = world_streams_find(&call->world->streams, id);
    if (!stream || stream->session != call->request->asker.session) {
        world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "stream", "stream %u is none of this session", id);
        snprintf(call->error.value, sizeof call->error.value, "%u", id);
        return NULL;
    }
    return stream;
}

void world_apply_stream_set(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_stream_set_params *params = call->params;
    if (twin_own(call, params->stream)) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "stream",
                     "stream %u is of records: there is nothing to change of it", params->stream);
        return;
    }
    struct world_stream *stream = stream_own(call, params->stream);
    if (!stream) {
        return;
    }
    struct world_selection *old = stream->selection;
    bool given = params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_BODIES;
    struct protocol_array wanted = {PROTOCOL_ARRAY_U32, old->body_count, old->bodies};
    if (given) {
        wanted = params->bodies;
    }
    bool all = given ? wanted.count == 0 : old->all;
    uint32_t fields = (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_FIELDS) ? params->fields : old->fields;
    uint32_t *bodies = NULL;
    if (given && !bodies_wanted(call, &wanted, &bodies)) {
        return;
    }
    if (!given && wanted.count > 0) {
        // Bodies that were removed meanwhile are kept in the list: they are no reason to refuse the rest.
        bodies = malloc(wanted.count * sizeof *bodies);
        if (!bodies) {
            world_refuse_memory(call);
            return;
        }
        for (uint32_t i = 0; i < wanted.count; i++) {
            bodies[i] = old->bodies[i];
        }
    }
    struct world_selection *selection =
        world_selection_get(&world->streams, call->request->asker.arrays, fields, bodies, wanted.count, all);
    if (!selection) {
        world_refuse_memory(call);
        return;
    }
    world_selection_put(&world->streams, old);
    stream->selection = selection;
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_EVERY) {
        stream->every = params->every;
    }
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_UNIT) {
        stream->substeps = params->unit == PROTOCOL_STREAM_SET_PARAMS_UNIT_SUBSTEP;
    }
    stream->due = true;
    struct protocol_stream_set_result result = {
        .has = PROTOCOL_HAS_ALL, .tick = world->document->tick, .revision = world->document->revision};
    world_answer(call, &result);
}

void world_apply_stream_unsubscribe(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_stream_unsubscribe_params *params = call->params;
    if (twin_own(call, params->stream)) {
        world_twins_remove(&world->twins, params->stream);
    } else if (stream_own(call, params->stream)) {
        world_streams_remove(&world->streams, params->stream);
    } else {
        return;
    }
    struct protocol_stream_unsubscribe_result result = {.has = PROTOCOL_HAS_ALL,
                                                        .tick = world->document->tick};
    world_answer(call, &result);
}
