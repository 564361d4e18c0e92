// Streams of q16 and delta, from a world to somebody who decodes: random lives of worlds and of streams, and each position that
// arrives within the tolerance of what it was, whatever was left out on the way.
//
// Beside them runs a stream of f32 of every substep, which is the truth. Between a world and a viewer are the queues of a
// connection (net/streams.h), of which some are emptied seldom.
#include "helper_world.h"

#include "net/streams.h"
#include "protocol/codec/codec.h"
#include "world/frames/tier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAGS_TO_REST = 4, VIEWERS = 5, BODIES_MAX = 64, MOMENTS = 4096, MESHES = 2 * BODIES_MAX };

static uint64_t state;

static uint32_t pick(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % below;
}

// ---------------------------------------------------------------------------------------------------------
// The truth

struct truth {
    uint64_t tick, revision;
    uint32_t substep;
    struct {
        uint32_t body;
        bool skin;
        uint32_t count;
        float *positions;
    } items[MESHES];
    uint32_t count;
};

// The elements of a body do not change.
struct mesh {
    uint32_t body;
    bool skin;
    uint32_t count, corners, element_count;
    uint32_t *indices;
};

// ---------------------------------------------------------------------------------------------------------
// Viewers

struct seen {
    uint32_t body;
    bool skin;
    uint32_t nth;
    struct codec_plan *plan;
    struct codec_decoder *decoder;
    float *shown; // positions in the last frame of delta; NULL: that was without it
    uint32_t count;
    bool came; // in the frame that is being read
};

struct viewer {
    uint32_t stream;
    struct net_streams streams; // of its connection
    uint32_t slow;              // a write of it takes so many turns, about; 0: none
    bool writing;
    uint32_t lags; // since a write of it was done
    bool rests;
    struct seen seen[MESHES];
    uint32_t seen_count;
    uint64_t tick; // of the last frame
    uint32_t frames, dropped_told, keys;
};

struct program {
    struct helper *helper;
    struct truth *truths; // a ring
    uint32_t truth_next;
    struct mesh meshes[MESHES];
    uint32_t mesh_count;
    struct viewer viewers[VIEWERS];
    uint32_t reference;
    uint64_t bytes, vertices; // of delta
    uint32_t decoded, nexts, rests, left_out;
};

static void truth_clear(struct truth *truth)
{
    for (uint32_t i = 0; i < truth->count; i++) {
        free(truth->items[i].positions);
    }
    truth->count = 0;
}

static const struct truth *truth_find(const struct program *program, uint64_t tick, uint32_t substep,
                                      uint64_t revision)
{
    for (uint32_t i = 1; i <= MOMENTS; i++) {
        const struct truth *truth = &program->truths[(program->truth_next + MOMENTS - i) % MOMENTS];
        if (truth->count > 0 && truth->tick == tick && truth->substep == substep &&
            truth->revision == revision) {
            return truth;
        }
    }
    return NULL;
}

static uint64_t number(const msgpack_object *map, const char *path)
{
    return (uint64_t)helper_number(map, path);
}

static void truth_take(struct program *program, const struct base_frame *frame)
{
    struct truth *truth = &program->truths[program->truth_next++ % MOMENTS];
    truth_clear(truth);
    program->truth_next %= MOMENTS;
    assert_int_equal(frame->part_count, 1);
    const msgpack_object *map = helper_frame_part(program->helper, frame, 0, NULL, NULL);
    assert_null(helper_find(map, "encoding"));
    truth->tick = number(map, "tick");
    truth->substep = (uint32_t)number(map, "substep");
    truth->revision = number(map, "revision");
    const msgpack_object *list = helper_at(map, "bodies");
    for (uint32_t b = 0; b < list->via.array.size; b++) {
        const msgpack_object *body = &list->via.array.ptr[b];
        const bool skin = helper_find(body, "skin") != NULL;
        struct protocol_array array = helper_array(body, skin ? "skin" : "positions", PROTOCOL_ARRAY_F32);
        assert_true(truth->count < MESHES);
        assert_int_equal(helper_number(body, "first"), 0);
        truth->items[truth->count].body = (uint32_t)number(body, "body");
        truth->items[truth->count].skin = skin;
        truth->items[truth->count].count = array.count / 3;
        truth->items[truth->count].positions = malloc(array.count * sizeof(float) + 1);
        protocol_array_copy_f32(&array, truth->items[truth->count].positions);
        truth->count++;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Decoding

static void mesh_learn(struct program *program, uint32_t body, bool skin)
{
    struct world_mesh from;
    world_tier_mesh(program->helper->world->document, body, skin, 1, &from);
    const size_t size = sizeof(uint32_t) * from.corners * from.element_count;
    struct mesh mesh = {body, skin, from.count, from.corners, from.element_count, malloc(size + 1)};
    if (size > 0) {
        memcpy(mesh.indices, from.indices, size);
    }
    assert_true(program->mesh_count < MESHES);
    program->meshes[program->mesh_count++] = mesh;
}

static struct seen *seen_of(const struct program *program, struct viewer *viewer, uint32_t body, bool skin,
                            uint32_t nth)
{
    for (uint32_t i = 0; i < viewer->seen_count; i++) {
        const struct seen *seen = &viewer->seen[i];
        if (seen->body == body && seen->skin == skin && seen->nth == nth) {
            return &viewer->seen[i];
        }
    }
    assert_true(viewer->seen_count < MESHES);
    struct seen *seen = &viewer->seen[viewer->seen_count++];
    *seen = (struct seen){.body = body, .skin = skin, .nth = nth};
    for (uint32_t i = 0; i < program->mesh_count; i++) {
        const struct mesh *mesh = &program->meshes[i];
        if (mesh->body == body && mesh->skin == skin) {
            const bool whole = nth == 1;
            assert_int_equal(codec_plan_create((mesh->count + nth - 1) / nth, whole ? mesh->corners : 0,
                                               mesh->indices, whole ? mesh->element_count : 0, &seen->plan),
                             CODEC_OK);
        }
    }
    assert_non_null(seen->plan);
    seen->decoder = codec_decoder_create(seen->plan);
    return seen;
}

static void compare(const struct program *program, const msgpack_object *map, uint32_t body, bool skin,
                    uint32_t nth, uint32_t count, const float *got, const float error[3])
{
    const struct truth *truth =
        truth_find(program, number(map, "tick"), (uint32_t)number(map, "substep"), number(map, "revision"));
    assert_non_null(truth);
    for (uint32_t i = 0; i < truth->count; i++) {
        if (truth->items[i].body != body || truth->items[i].skin != skin) {
            continue;
        }
        assert_int_equal(count, (truth->items[i].count + nth - 1) / nth);
        for (uint32_t v = 0; v < count; v++) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                const double is = (double)got[3 * v + axis],
                             was = (double)truth->items[i].positions[3 * (size_t)v * nth + axis];
                if (!(fabs(is - was) <= (double)error[axis])) {
                    fail_msg("body %u vertex %u: %.9g, was %.9g; off by more than %g", body, v, is, was,
                             (double)error[axis]);
                }
            }
        }
        return;
    }
    fail_msg("body %u is not in the truth", body);
}

static void take_chunk(struct program *program, struct viewer *viewer, const msgpack_object *map,
                       const msgpack_object *chunk, bool delta)
{
    const bool skin = helper_find(chunk, "skin") != NULL;
    const msgpack_object *bin = helper_at(chunk, skin ? "skin" : "positions");
    const uint32_t body = (uint32_t)number(chunk, "body"), count = (uint32_t)number(chunk, "count"),
                   nth = helper_find(map, "nth") ? (uint32_t)number(map, "nth") : 1;
    const uint8_t *bytes = (const uint8_t *)bin->via.bin.ptr;
    const size_t size = bin->via.bin.size;
    assert_int_equal(bin->type, MSGPACK_OBJECT_BIN);
    assert_int_equal(number(chunk, "first"), 0);
    assert_null(helper_find(chunk, "tiles"));
    float *out = malloc(3 * sizeof *out * count), error[3];
    if (delta) {
        const float tolerance = (float)helper_number(map, "tolerance");
        struct seen *seen = seen_of(program, viewer, body, skin, nth);
        const enum codec_status status = codec_delta_decode(seen->decoder, bytes, size, out);
        assert_int_equal(status, CODEC_OK); // nobody is sent what they cannot build on
        free(seen->shown);
        seen->shown = malloc(3 * sizeof *out * count + 1);
        memcpy(seen->shown, out, 3 * sizeof *out * count);
        seen->count = count;
        seen->came = true;
        for (int axis = 0; axis < 3; axis++) {
            error[axis] = tolerance;
        }
        viewer->keys += bytes[0] == 1;
        program->nexts += bytes[0] == 2;
        program->bytes += size;
        program->vertices += count;
    } else {
        assert_int_equal(codec_q16_decode(bytes, size, count, out), CODEC_OK);
        codec_q16_error(bytes, error);
    }
    compare(program, map, body, skin, nth, count, out, error);
    program->decoded++;
    free(out);
}

// Compares what a sparse frame leaves out, which is as it was in the frame before. A body that any other frame lacks is gone.
static void take_left_out(struct program *program, struct viewer *viewer, const msgpack_object *map)
{
    const uint32_t nth = helper_find(map, "nth") ? (uint32_t)number(map, "nth") : 1;
    const uint32_t told = helper_find(map, "left_out") ? (uint32_t)number(map, "left_out") : 0;
    const float tolerance = (float)helper_number(map, "tolerance");
    uint32_t found = 0;
    for (uint32_t i = 0; i < viewer->seen_count; i++) {
        struct seen *seen = &viewer->seen[i];
        if (told > 0 && seen->shown && !seen->came && seen->nth == nth) {
            compare(program, map, seen->body, seen->skin, nth, seen->count, seen->shown,
                    (const float[3]){tolerance, tolerance, tolerance});
            found++;
        } else if (!seen->came) {
            free(seen->shown);
            seen->shown = NULL;
        }
        seen->came = false;
    }
    assert_int_equal(found, told);
    program->left_out += told;
}

static void take_part(struct program *program, struct viewer *viewer, const struct base_frame *frame,
                      uint32_t part, uint64_t dropped)
{
    const msgpack_object *map = helper_frame_part(program->helper, frame, part, NULL, NULL);
    const msgpack_object *encoding = helper_find(map, "encoding");
    assert_int_equal(map->via.map.size, frame->key_count);
    assert_true(frame->parts[part].size + 64 <= PROTOCOL_LIMIT_FRAME_PART_BYTES);
    viewer->tick = number(map, "tick");
    viewer->frames += part + 1 == frame->part_count;
    viewer->dropped_told += (uint32_t)dropped;
    if (encoding) {
        const msgpack_object *list = helper_at(map, "bodies");
        for (uint32_t b = 0; b < list->via.array.size; b++) {
            take_chunk(program, viewer, map, &list->via.array.ptr[b], encoding->via.str.size == 5);
        }
        if (encoding->via.str.size == 5 && part + 1 == frame->part_count) {
            take_left_out(program, viewer, map);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Connections

static void tell_behind(struct program *program, struct viewer *viewer)
{
    uint32_t id;
    while ((id = net_streams_behind(&viewer->streams)) != 0) {
        world_post_behind(program->helper->world, id);
    }
}

// Whoever is blocked for long rests, and wakes when something of it is written.
static void put(struct program *program, struct viewer *viewer, struct net_stream *stream,
                struct base_batch *batch)
{
    const uint32_t dropped = net_stream_put(&viewer->streams, stream, batch, !viewer->writing);
    tell_behind(program, viewer);
    if (dropped > 0 && viewer->writing && !viewer->rests && ++viewer->lags >= LAGS_TO_REST) {
        viewer->rests = true;
        program->rests++;
        assert_true(world_post_rest(program->helper->world, viewer->stream, true));
    }
}

// As much as its connection takes.
static void viewer_read(struct program *program, struct viewer *viewer)
{
    for (bool more = true; more;) {
        if (viewer->writing && viewer->slow > 0 && pick(viewer->slow) > 0) {
            return;
        }
        if (viewer->writing) {
            net_streams_written(&viewer->streams);
            viewer->writing = false;
            tell_behind(program, viewer);
            viewer->lags = 0;
            if (viewer->rests) {
                viewer->rests = false;
                assert_true(world_post_rest(program->helper->world, viewer->stream, false));
            }
        }
        struct net_stream *stream = net_streams_next(&viewer->streams);
        more = stream != NULL;
        if (more) {
            const struct base_frame *frame = stream->current->frames[stream->frame];
            take_part(program, viewer, frame, stream->part,
                      stream->frame == 0 && stream->part == 0 ? stream->current->dropped : 0);
            net_streams_begin(&viewer->streams, stream);
            viewer->writing = true;
        }
    }
}

static void turn(struct program *program)
{
    struct helper *helper = program->helper;
    helper->now_ns += UINT64_C(16666667);
    helper_turn(helper);
    for (uint32_t e = 0; e < helper->event_count; e++) {
        struct world_event *event = helper->events[e];
        for (uint32_t b = 0; event->kind == WORLD_PUBLICATION && b < event->batch_count; b++) {
            struct base_batch *batch = event->batches[b];
            for (uint32_t f = 0; batch->stream == program->reference && f < batch->frame_count; f++) {
                truth_take(program, batch->frames[f]);
            }
            for (uint32_t v = 0; v < VIEWERS; v++) {
                struct viewer *viewer = &program->viewers[v];
                struct net_stream *stream = net_streams_find(&viewer->streams, batch->stream);
                if (viewer->stream == batch->stream && stream) {
                    event->batches[b] = NULL;
                    put(program, viewer, stream, batch);
                    break;
                }
            }
        }
    }
    for (uint32_t v = 0; v < VIEWERS; v++) {
        viewer_read(program, &program->viewers[v]);
    }
    helper_forget(helper);
    helper_forget_unpacked(helper); // it would all live as long as the helper
}

// ---------------------------------------------------------------------------------------------------------
// What happens

// The present is told to the truth as well.
static void post(struct program *program, const char *method, const char *notation)
{
    char set[64];
    if (helper_post(program->helper, HELPER_ANN, method, notation) == 0) {
        fail_msg("%s %s: %s", method, notation, program->helper->refused.text);
    }
    snprintf(set, sizeof set, "{'stream': %u}", program->reference);
    helper_post(program->helper, HELPER_EVE, "stream.set", set);
}

static const char *wish(void)
{
    static char text[256];
    static const char *const tolerances[] = {"1e-4", "0.001", "0.00001"};
    const bool delta = pick(4) > 0;
    if (pick(2)) {
        return "'every': 3, 'unit': 'tick', 'encoding': 'delta', 'tolerance': 1e-4, 'nth': 1, 'box': [], "
               "'fields': ['positions']"; // several that share
    }
    const char *units = pick(3) > 0 ? "tick" : "substep";
    int size = snprintf(text, sizeof text, "'every': %u, 'unit': '%s', 'encoding': '%s'", 1 + pick(3), units,
                        delta ? "delta" : "q16");
    if (delta && pick(2)) {
        size += snprintf(text + size, sizeof text - (size_t)size, ", 'tolerance': %s", tolerances[pick(3)]);
    }
    if (pick(4) == 0) {
        size += snprintf(text + size, sizeof text - (size_t)size, ", 'nth': %u", 1 + pick(4));
    }
    if (delta && pick(2)) {
        size += snprintf(text + size, sizeof text - (size_t)size, ", 'box': [], 'sparse': true");
    } else if (pick(4) == 0) {
        size += snprintf(text + size, sizeof text - (size_t)size, ", 'box': [-1, %s, -1, 1, 4, 1]",
                         pick(2) ? "0.8" : "-3");
    }
    if (pick(2)) {
        snprintf(text + size, sizeof text - (size_t)size, ", 'fields': ['positions', 'skin', 'grabs']");
    }
    return text;
}

static void subscribe(struct program *program, struct viewer *viewer)
{
    char text[320];
    snprintf(text, sizeof text, "{'world': 1, %s}", wish());
    viewer->stream = program->helper->stream;
    assert_true(net_streams_add(&viewer->streams, viewer->stream));
    post(program, "stream.subscribe", text);
}

static void viewer_leave(struct program *program, struct viewer *viewer)
{
    char text[64];
    snprintf(text, sizeof text, "{'stream': %u}", viewer->stream);
    post(program, "stream.unsubscribe", text);
    turn(program);
    net_streams_ground(&viewer->streams);
    net_streams_deinit(&viewer->streams);
    for (uint32_t i = 0; i < viewer->seen_count; i++) {
        codec_decoder_destroy(viewer->seen[i].decoder);
        free(viewer->seen[i].shown);
        codec_plan_destroy(viewer->seen[i].plan);
    }
    *viewer = (struct viewer){.slow = viewer->slow};
}

static uint32_t body_add(struct program *program)
{
    static const char *const kinds[] = {
        "'kind': 'points', 'positions': [1, 2, 3, 0.5, 1, 0], 'masses': 1, 'pins': [0, 1]",
        "'kind': 'rope', 'positions': [0, 2, 0, 0.1, 2, 0, 0.2, 2, 0, 0.3, 2, 0, 0.4, 2.2, 0, 0.5, 2, 0, "
        "0.6, 2, 0], "
        "'edges': [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6], 'masses': 0.1, 'pins': [0]",
        "'kind': 'soft', 'positions': [0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1, 1, 2, 1], 'tets': [0, 1, 2, 3, 1, "
        "4, 2, 3], "
        "'masses': 1, 'skin': {'particles': [0, 1, 2, 3, 1, 4, 2, 3, 0, 1, 2, 3], 'triangles': [0, 1, 2], "
        "'weights': [0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0, 0, 0.5, 0.5, 0]}",
    };
    char text[640];
    const uint32_t kind = pick(3) > 0 ? 3 : pick(3);
    if (program->mesh_count + 4 > MESHES) {
        return 0;
    }
    const struct document_things *bodies = &program->helper->world->document->bodies;
    if (kind == 3) {
        snprintf(text, sizeof text, "cloth %u", program->mesh_count);
        helper_post(program->helper, HELPER_EVE, "stream.set", "{'stream': 100}");
        // The turn of helper_cloth would hand events to nobody: they stay until the next one is taken.
        helper_cloth(program->helper, HELPER_ANN, 5 + pick(12), 1 + pick(3), text);
    } else {
        snprintf(text, sizeof text, "{'world': 1, %s}", kinds[kind]);
        post(program, "body.add", text);
        helper_turn(program->helper);
    }
    const struct document_thing *body = &bodies->items[bodies->count - 1];
    mesh_learn(program, body->id, false);
    if (body->skin) {
        mesh_learn(program, body->id, true);
    }
    return body->id;
}

static void happen(struct program *program)
{
    char text[512];
    struct helper *helper = program->helper;
    const struct document_things *bodies = &helper->world->document->bodies;
    const struct document_thing *body = bodies->count > 0 ? &bodies->items[pick(bodies->count)] : NULL;
    struct viewer *viewer = &program->viewers[pick(VIEWERS)];
    switch (pick(12)) {
    case 0:
        if (bodies->count < 8) {
            body_add(program);
        }
        break;
    case 1:
        if (body && bodies->count > 2) {
            snprintf(text, sizeof text, "{'world': 1, 'body': %u}", body->id);
            post(program, "body.remove", text);
        }
        break;
    case 2:
        post(program, "edit.undo", "{'world': 1, 'force': true}");
        break;
    case 3:
        if (viewer->stream != 0) {
            viewer_leave(program, viewer);
        }
        break;
    case 4:
    case 5:
        if (viewer->stream == 0) {
            subscribe(program, viewer);
        }
        break;
    case 6:
        if (viewer->stream != 0) {
            snprintf(text, sizeof text, "{'stream': %u, %s}", viewer->stream, wish());
            post(program, "stream.set", text);
        }
        break;
    case 7:
        post(program, helper->world->time->state == WORLD_PLAYING ? "world.pause" : "world.play",
             "{'world': 1}");
        break;
    case 8:
        viewer->slow = pick(3) == 0 ? 0 : 1 + pick(12);
        break;
    case 9:
        if (body) {
            const uint32_t particle = pick(body->particle_count);
            double at[3];
            sim_body_positions64(helper->world->document->sim, body->id, particle, 1, at);
            snprintf(text, sizeof text,
                     "{'world': 1, 'body': %u, 'particles': [%u], 'positions': [%.4f, %.4f, %.4f]}", body->id,
                     particle, at[0] + 0.01 * pick(10), at[1] + 0.01 * pick(10), at[2] - 0.01 * pick(10));
            post(program, "particle.set", text);
        }
        break;
    case 10:
        if (pick(3) == 0) {
            post(program, "world.reset", "{'world': 1}");
        }
        break;
    default:
        if (viewer->stream != 0) {
            snprintf(text, sizeof text, "{'stream': %u}", viewer->stream);
            post(program, "stream.set", text);
        }
        break;
    }
}

static void program_begin(struct program *program, uint64_t seed)
{
    *program = (struct program){.helper = helper_create(NULL)};
    program->truths = calloc(MOMENTS, sizeof *program->truths);
    state = seed;
    program->reference = program->helper->stream;
    helper_post(program->helper, HELPER_EVE, "stream.subscribe",
                "{'world': 1, 'unit': 'substep', 'fields': ['positions', 'skin']}");
}

static void program_end_of(struct program *program)
{
    for (uint32_t i = 0; i < MOMENTS; i++) {
        truth_clear(&program->truths[i]);
    }
    for (uint32_t i = 0; i < program->mesh_count; i++) {
        free(program->meshes[i].indices);
    }
    free(program->truths);
    helper_destroy(program->helper);
}

static void program_end(struct program *program)
{
    for (uint32_t v = 0; v < VIEWERS; v++) {
        if (program->viewers[v].stream != 0) {
            viewer_leave(program, &program->viewers[v]);
        }
    }
    // The owner of a tier is gone, and with it the tier's memory.
    assert_int_equal(program->helper->world->frames->streams.cuts.bytes, 0);
    assert_int_equal(program->helper->world->frames->streams.selection_count, 1);
    program_end_of(program);
}

// The last frame of each viewer is at most so many ticks old.
static void see(const struct program *program, uint32_t late)
{
    for (uint32_t v = 0; v < VIEWERS; v++) {
        const struct viewer *viewer = &program->viewers[v];
        if (viewer->stream != 0) {
            assert_true(viewer->tick + late >= program->helper->world->document->tick);
        }
    }
}

static void no_position_is_ever_wrong(void **unused)
{
    (void)unused;
    uint32_t decoded = 0, nexts = 0, rests = 0, frames = 0, dropped = 0, left_out = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct program program;
        program_begin(&program, seed);
        for (uint32_t v = 0; v < VIEWERS; v++) {
            program.viewers[v].slow = v < 2 ? 0 : 2 + 3 * v;
        }
        for (uint32_t t = 0; t < 250; t++) {
            if (pick(3) == 0) {
                happen(&program);
            }
            turn(&program);
        }
        // Whatever there was: everybody sees what goes on.
        if (program.helper->world->time->state != WORLD_PLAYING) {
            post(&program, "world.play", "{'world': 1}");
        }
        for (uint32_t t = 0; t < 60; t++) {
            for (uint32_t v = 0; v < VIEWERS && t >= 30; v++) {
                program.viewers[v].slow = 0;
            }
            turn(&program);
        }
        see(&program, program.helper->world->time->state == WORLD_PLAYING ? 3 : UINT32_MAX);
        // A body at rest is seen as it is, also by a reader that lacked the base of its last frames.
        for (uint32_t v = 0; v < VIEWERS; v++) {
            program.viewers[v].slow = 20;
        }
        for (uint32_t t = 0; t < 30; t++) {
            turn(&program);
        }
        helper_post(program.helper, HELPER_EVE, "world.pause", "{'world': 1}");
        for (uint32_t t = 0; t < 40; t++) {
            for (uint32_t v = 0; v < VIEWERS && t >= 20; v++) {
                program.viewers[v].slow = 0;
            }
            turn(&program);
        }
        see(&program, 2); // a stream may want every third tick
        for (uint32_t v = 0; v < VIEWERS; v++) {
            frames += program.viewers[v].frames;
            dropped += program.viewers[v].dropped_told;
        }
        decoded += program.decoded;
        nexts += program.nexts;
        rests += program.rests;
        left_out += program.left_out;
        program_end(&program);
    }
    assert_true(frames > 1000);
    assert_true(decoded > 5000);
    assert_true(nexts > 2000);
    assert_true(dropped > 1000);
    assert_true(rests > 100);
    assert_true(left_out > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_position_is_ever_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
