// Handles stream.subscribe, stream.set and stream.unsubscribe. The loop gives out ids. A stream belongs to
// the session that opened it.
#include "world/edit/apply.h"

#include "base/assert.h"
#include "document/document.h"
#include "protocol/array.h"
#include "protocol/codec/codec.h"
#include "world/answer/call.h"
#include "world/frames/frames.h"
#include "world/frames/lossless.h"
#include "world/frames/stream.h"
#include "world/state.h"
#include "world/twins/twins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float TOLERANCE = 1e-4F; // in metres; the default of stream.subscribe in api.json

_Static_assert((int)PROTOCOL_STREAM_SET_PARAMS_FIELDS_GRABS ==
                       (int)PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_GRABS &&
                   (int)PROTOCOL_STREAM_SET_PARAMS_UNIT_SUBSTEP ==
                       (int)PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_SUBSTEP,
               "stream.set takes what stream.subscribe takes");

// Copies the ids into an array of their own (malloc'd, NULL if there are none). All must exist now. A body
// that is removed later just leaves the frames.
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
    BASE_ASSERT(fits); // the decoder has checked it
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

// The fields that both methods have, under the same names.
struct asked {
    struct world_stream_options options; // owns its bodies
    uint32_t every;                      // the present value, which an adapting stream may have raised
    bool substeps;
    struct world_rate rate;
};

static void asked_deinit(struct asked *asked)
{
    free(asked->options.bodies);
    asked->options.bodies = NULL;
}

static bool box_take(struct world_call *call, const struct protocol_array *array,
                     struct world_stream_options *options)
{
    double *box = options->box;
    options->boxed = array->count > 0;
    memset(box, 0, sizeof options->box);
    if (!options->boxed) {
        return true;
    }
    if (array->count != 6) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "box",
                            "box: length %u; must be 6, the lowest x, y, z and the highest", array->count);
    }
    protocol_array_copy_f64(array, box);
    for (int axis = 0; axis < 3; axis++) {
        if (box[axis] > box[axis + 3]) {
            return world_refuse(call, PROTOCOL_CODE_INVALID, "box",
                                "box: %g to %g along %c; the lowest must come first", box[axis],
                                box[axis + 3], 'x' + axis);
        }
    }
    return true;
}

// Checks that the fields go together, and sets those to 0 that mean nothing for the encoding.
static bool asked_fits(struct world_call *call, struct asked *asked, bool tolerance_given,
                       const struct world_selection *leaves)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } large[] = {
        {PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS64, "positions64"},
        {PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_VELOCITIES, "velocities"},
        {PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_NORMALS, "normals"},
        {PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ROTATIONS, "rotations"},
        {PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ROTATIONS64, "rotations64"},
    };
    struct world_stream_options *options = &asked->options;
    for (size_t i = 0; options->encoding != WORLD_F32 && i < sizeof large / sizeof *large; i++) {
        if (options->fields & large[i].bit) {
            return world_refuse(call, PROTOCOL_CODE_INVALID, "fields",
                                "fields: %s is not sent with encoding \"%s\", only positions and skin are; "
                                "leave it out, or ask for it in a stream of \"f32\"",
                                large[i].name, options->encoding == WORLD_Q16 ? "q16" : "delta");
        }
    }
    if (options->encoding != WORLD_DELTA && tolerance_given) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "tolerance",
                            "tolerance: only encoding \"delta\" has one; leave it out");
    }
    const bool delta = options->encoding == WORLD_DELTA;
    options->sparse = options->sparse && !options->boxed;
    options->tolerance = delta ? codec_tolerance_step(options->tolerance) : 0;
    options->every = world_stream_chained(options) ? asked->every : 0;
    options->substeps = world_stream_chained(options) && asked->substeps;
    if (world_streams_full(world_streams_of(call->world->frames), call->request->asker.session, options,
                           leaves)) {
        world_refuse(
            call, PROTOCOL_CODE_LIMIT, "encoding",
            "too many different streams of world \"%s\" have an encoding of their own: at most %u, and for "
            "one session as many as there are places left (limit stream_tiers); ask for the same as one "
            "of them, or for \"f32\" of all vertices",
            call->world->document->name, (unsigned)PROTOCOL_LIMIT_STREAM_TIERS);
        call->error.limit = PROTOCOL_LIMIT_STREAM_TIERS;
        return false;
    }
    return true;
}

static enum world_encoding encoding_of(int encoding)
{
    return encoding == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_DELTA ? WORLD_DELTA
           : encoding == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_Q16 ? WORLD_Q16
                                                                       : WORLD_F32;
}

// With a box, a chunk that is absent may have left the box.
static bool sparse_fits(struct world_call *call, const struct world_stream_options *options)
{
    return !options->sparse || !options->boxed ||
           world_refuse(
               call, PROTOCOL_CODE_INVALID, "sparse",
               "sparse: a stream with a box cannot leave out what is unchanged; leave out sparse, or "
               "the box");
}

// Reads what stream.subscribe asks for. After a refusal *asked owns nothing.
static bool subscribe_asked(struct world_call *call, struct asked *asked)
{
    const struct protocol_stream_subscribe_params *params = call->params;
    const bool all = !(params->has & PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BODIES);
    const struct protocol_array none = {.type = PROTOCOL_ARRAY_F64};
    *asked = (struct asked){
        .options = {.arrays = call->request->asker.arrays,
                    .encoding = encoding_of(params->encoding),
                    .tolerance = (float)params->tolerance,
                    .fields = params->fields,
                    .nth = params->nth,
                    .sparse = params->sparse,
                    .all = all,
                    .body_count = all ? 0 : params->bodies.count},
        .every = params->every,
        .substeps = params->unit == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_SUBSTEP,
        .rate = {.adapts = params->adapt, .asked = params->every},
    };
    if (box_take(call, params->has & PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BOX ? &params->box : &none,
                 &asked->options) &&
        sparse_fits(call, &asked->options) &&
        (all || bodies_wanted(call, &params->bodies, &asked->options.bodies)) &&
        asked_fits(call, asked, params->has & PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_TOLERANCE, NULL)) {
        return true;
    }
    asked_deinit(asked);
    return false;
}

static bool adapt_refuse(struct world_call *call)
{
    return world_refuse(call, PROTOCOL_CODE_INVALID, "adapt",
                        "adapt: a lossless stream gets all that it wants; leave it out, or ask for mode "
                        "\"live\"");
}

// Checks that fields which belong to one mode are only given with that mode.
static bool mode_fits(struct world_call *call)
{
    static const struct {
        uint64_t bit;
        const char *name;
    } sizes[] = {
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_CREDIT, "credit"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BACKLOG, "backlog"},
    };
    const struct protocol_stream_subscribe_params *params = call->params;
    const bool lossless = params->mode == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LOSSLESS;
    if (lossless && params->adapt) {
        return adapt_refuse(call);
    }
    for (size_t i = 0; !lossless && i < sizeof sizes / sizeof *sizes; i++) {
        if (params->has & sizes[i].bit) {
            return world_refuse(call, PROTOCOL_CODE_INVALID, sizes[i].name,
                                "%s: only mode \"lossless\" has one; leave it out", sizes[i].name);
        }
    }
    return true;
}

// Reserves the backlog of a lossless stream. *out is NULL for a live one. False: refused.
static bool lossless_take(struct world_call *call, struct world_lossless **out)
{
    const struct world *world = call->world;
    const struct protocol_stream_subscribe_params *params = call->params;
    *out = NULL;
    if (params->mode != PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LOSSLESS) {
        return true;
    }
    const size_t left = world_lossless_room(world->frames, call->request->asker.session);
    if (params->backlog > left) {
        world_refuse(
            call, PROTOCOL_CODE_LIMIT, "backlog",
            "backlog: %u; this session may have %zu more in world \"%s\" now (limit lossless_bytes: %zu "
            "for all, and as much for others as one has)",
            params->backlog, left, world->document->name, world_lossless_most(world->frames));
        snprintf(call->error.value, sizeof call->error.value, "%u", params->backlog);
        call->error.limit = (double)world_lossless_most(world->frames);
        return false;
    }
    *out = world_lossless_create(params->backlog);
    return *out || world_refuse_memory(call);
}

// Sets the expected work of a new selection as if each vertex were encoded, until its first frame is made. So
// nobody gets much work done at once by asking for much that is new.
static void expect_work(const struct world *world, struct world_selection *selection)
{
    const struct document_things *bodies = &world->document->bodies;
    uint64_t particles = 0;
    for (uint32_t b = 0; selection->work == 0 && b < bodies->count; b++) {
        particles += bodies->items[b].particle_count;
    }
    selection->work = selection->work > 0 ? selection->work : 1 + particles * WORLD_PRICE_DELTA;
}

void world_apply_stream_subscribe(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_stream_subscribe_params *params = call->params;
    const struct world_request *request = call->request;
    BASE_ASSERT(request->claim.held && request->claim.id != 0);
    if (params->encoding == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_RECORDS) {
        world_twins_subscribe(call);
        return;
    }
    struct asked asked;
    struct world_lossless *lossless = NULL;
    if (!mode_fits(call) || !subscribe_asked(call, &asked)) {
        return;
    }
    if (!lossless_take(call, &lossless)) {
        asked_deinit(&asked);
        return;
    }
    struct world_stream stream = {
        .id = request->claim.id,
        .session = request->asker.session,
        .every = asked.every,
        .substeps = asked.substeps,
        .rate = asked.rate,
        .due = true,
        .fresh = true,
        .lossless = lossless,
    };
    if (!world_streams_reserve(world_streams_of(world->frames)) || !world_frames_prepare(world->frames)) {
        world_lossless_destroy(lossless);
        asked_deinit(&asked);
        world_refuse_memory(call);
        return;
    }
    stream.payer = world_effort_payer(&world_streams_of(world->frames)->effort, &request->asker);
    if (!stream.payer) {
        world_lossless_destroy(lossless);
        asked_deinit(&asked);
        world_refuse_memory(call);
        return;
    }
    stream.selection = world_selection_get(world_streams_of(world->frames), &asked.options);
    if (!stream.selection) {
        world_lossless_destroy(lossless);
        world_payer_put(stream.payer);
        world_refuse_memory(call);
        return;
    }
    expect_work(world, stream.selection);
    world_streams_add(world_streams_of(world->frames), &stream);
    struct protocol_stream_subscribe_result result = {.has = PROTOCOL_HAS_ALL,
                                                      .stream = stream.id,
                                                      .tick = world->document->tick,
                                                      .revision = world->document->revision};
    world_answer(call, &result);
}

static bool twin_own(const struct world_call *call, uint32_t id)
{
    const struct world_twin *twin = world_twins_find(call->world->twins, id);
    return twin && twin->session == call->request->asker.session;
}

static struct world_stream *stream_own(struct world_call *call, uint32_t id)
{
    struct world_stream *stream = world_streams_find(world_streams_of(call->world->frames), id);
    if (!stream || stream->session != call->request->asker.session) {
        world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "stream", "stream %u does not belong to this session",
                     id);
        snprintf(call->error.value, sizeof call->error.value, "%u", id);
        return NULL;
    }
    return stream;
}

// Checks the new list of bodies. Bodies that were removed since the last one are allowed, so that they do not
// cause a refusal.
static bool bodies_keep(struct world_call *call, const struct world_stream_options *old, uint32_t **out)
{
    *out = old->body_count > 0 ? malloc(old->body_count * sizeof **out) : NULL;
    if (!*out) {
        return old->body_count == 0 || world_refuse_memory(call);
    }
    memcpy(*out, old->bodies, old->body_count * sizeof **out);
    return true;
}

static void set_fields(const struct protocol_stream_set_params *params, struct asked *asked)
{
    struct world_stream_options *options = &asked->options;
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_FIELDS) {
        options->fields = params->fields;
    }
    const uint64_t rate_fields = PROTOCOL_HAS_STREAM_SET_PARAMS_EVERY | PROTOCOL_HAS_STREAM_SET_PARAMS_UNIT |
                                 PROTOCOL_HAS_STREAM_SET_PARAMS_ADAPT;
    if (params->has & rate_fields) {
        const bool adapts =
            params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_ADAPT ? params->adapt : asked->rate.adapts;
        asked->every = params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_EVERY ? params->every : asked->rate.asked;
        asked->rate = (struct world_rate){.adapts = adapts, .asked = asked->every};
    }
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_UNIT) {
        asked->substeps = params->unit == PROTOCOL_STREAM_SET_PARAMS_UNIT_SUBSTEP;
    }
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_NTH) {
        options->nth = params->nth;
    }
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_ENCODING) {
        static const enum world_encoding encodings[] = {
            [PROTOCOL_STREAM_SET_PARAMS_ENCODING_F32] = WORLD_F32,
            [PROTOCOL_STREAM_SET_PARAMS_ENCODING_Q16] = WORLD_Q16,
            [PROTOCOL_STREAM_SET_PARAMS_ENCODING_DELTA] = WORLD_DELTA,
        };
        options->tolerance = options->encoding == WORLD_DELTA ? options->tolerance : TOLERANCE;
        options->encoding = encodings[params->encoding];
    }
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_SPARSE) {
        options->sparse = params->sparse;
    }
    if (params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_TOLERANCE) {
        options->tolerance = (float)params->tolerance;
    }
}

// Merges the stream's present options with what is given.
static bool set_asked(struct world_call *call, const struct world_stream *stream, struct asked *asked)
{
    const struct protocol_stream_set_params *params = call->params;
    const struct world_stream_options *old = &stream->selection->options;
    struct world_stream_options *options = &asked->options;
    const bool given = params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_BODIES;
    *asked = (struct asked){
        .options = *old, .every = stream->every, .substeps = stream->substeps, .rate = stream->rate};
    options->arrays = call->request->asker.arrays;
    options->bodies = NULL;
    if (given) {
        options->body_count = params->bodies.count;
        options->all = options->body_count == 0;
    }
    set_fields(params, asked);
    return (!(params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_BOX) || box_take(call, &params->box, options)) &&
           (!(params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_SPARSE) || sparse_fits(call, options)) &&
           (given ? bodies_wanted(call, &params->bodies, &options->bodies)
                  : bodies_keep(call, old, &options->bodies)) &&
           asked_fits(call, asked, params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_TOLERANCE, stream->selection);
}

void world_apply_stream_set(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_stream_set_params *params = call->params;
    if (twin_own(call, params->stream)) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "stream",
                     "stream %u has records: nothing about it can be changed", params->stream);
        return;
    }
    struct world_stream *stream = stream_own(call, params->stream);
    if (!stream) {
        return;
    }
    if (stream->lossless && params->has & PROTOCOL_HAS_STREAM_SET_PARAMS_ADAPT && params->adapt) {
        adapt_refuse(call);
        return;
    }
    struct asked asked;
    if (!set_asked(call, stream, &asked)) {
        asked_deinit(&asked);
        return;
    }
    struct world_selection *selection = world_selection_get(world_streams_of(world->frames), &asked.options);
    if (!selection) {
        world_refuse_memory(call);
        return;
    }
    expect_work(world, selection);
    world_stream_select(world_streams_of(world->frames), stream, selection);
    stream->every = asked.every;
    stream->substeps = asked.substeps;
    stream->rate = asked.rate;
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
        world_twins_remove(world->twins, params->stream);
    } else if (stream_own(call, params->stream)) {
        world_streams_remove(world_streams_of(world->frames), params->stream);
    } else {
        return;
    }
    struct protocol_stream_unsubscribe_result result = {.has = PROTOCOL_HAS_ALL,
                                                        .tick = world->document->tick};
    world_answer(call, &result);
}
