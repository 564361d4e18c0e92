// Writes compressed_frames.json: streams of q16 and delta of one small world's life, as the server sends them, and what they
// are read as. Every byte comes from the world, the codec and the queues of a connection; what is read, from libweft, and it is
// held against the world where it was told at once.
//
//     make_compressed_frames > compressed_frames.json
#include "helper_world.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "net/streams.h"
#include "protocol/frame.h"
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
#include <weft.h>

enum { VIEWERS_MAX = 6, TICKS = 12 };

// A stream and who reads it.
struct viewer {
    const char *name, *wish;
    uint32_t from, until;        // ticks at which it comes and goes
    uint32_t slow_from, slow_to; // nothing that is written in between is done
    uint32_t stream;
    struct net_streams streams;
    bool writing;
    struct weft_decoder *decoder;
    char *json; // its messages
    size_t json_size;
    FILE *out;
    uint32_t message_count;
};

static struct viewer viewers[] = {
    {.name = "delta, from the beginning", .wish = "'encoding': 'delta'", .until = TICKS},
    {.name = "delta, the same wish, from the sixth tick",
     .wish = "'encoding': 'delta'",
     .from = 6,
     .until = TICKS},
    {.name = "delta, the same wish, by who is slow for a while",
     .wish = "'encoding': 'delta'",
     .from = 1,
     .until = TICKS,
     .slow_from = 3,
     .slow_to = 7},
    {.name = "delta, in a box, every other tick",
     .wish = "'encoding': 'delta', 'tolerance': 0.001, 'every': 2, 'box': [-1, 0.95, -1, 2, 9, 2]",
     .until = TICKS},
    {.name = "delta, every third vertex", .wish = "'encoding': 'delta', 'nth': 3", .from = 5, .until = 9},
    {.name = "q16, every third tick", .wish = "'encoding': 'q16', 'every': 3", .until = TICKS},
};

_Static_assert(sizeof viewers / sizeof *viewers == VIEWERS_MAX, "viewers");

static const char *const bodies[] = {
    "{'world': 1, 'kind': 'rope', 'masses': 0.1, 'pins': [0], 'edges': [0, 1, 1, 2, 2, 3, 3, 4, 4, 5], "
    "'positions': [0, 2, 0, 0.1, 2, 0, 0.2, 2, 0, 0.3, 2, 0, 0.4, 2.2, 0, 0.5, 2, 0]}",
    "{'world': 1, 'kind': 'soft', 'positions': [0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1, 1, 2, 1], "
    "'tets': [0, 1, 2, 3, 1, 4, 2, 3], 'masses': 1, 'skin': {'particles': [0, 1, 2, 3, 1, 4, 2, 3, 0, 1, 2, "
    "3], "
    "'triangles': [0, 1, 2], 'weights': [0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0, 0, 0.5, 0.5, 0]}}",
    "{'world': 1, 'kind': 'points', 'masses': 1, 'positions': [1, 2, 3, 0.5, 1, 0]}",
};

// ---------------------------------------------------------------------------------------------------------
// JSON

static void write_u32s(FILE *out, const uint32_t *items, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%u", i > 0 ? ", " : "", items[i]);
    }
    fputc(']', out);
}

static void write_floats(FILE *out, const float *items, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%.9g", i > 0 ? ", " : "", (double)items[i]);
    }
    fputc(']', out);
}

static void write_mesh(const struct document *document, uint32_t body, bool skin)
{
    struct world_mesh mesh;
    world_tier_mesh(document, body, skin, 1, &mesh);
    printf("\"count\": %u, \"corners\": %u, \"elements\": ", mesh.count, mesh.corners);
    write_u32s(stdout, mesh.indices, (size_t)mesh.corners * mesh.element_count);
}

// As body.get tells it.
static uint32_t elements_hash(const struct document *document, uint32_t body)
{
    struct base_hash *hash = base_hash_create();
    assert_non_null(hash);
    const uint32_t digest = world_tier_elements_hash(document, body, hash);
    base_hash_destroy(hash);
    return digest;
}

static void write_body(const struct document_thing *body, const struct document *document, bool first)
{
    printf("%s\n    {\"body\": %u, \"elements_hash\": %u, ", first ? "" : ",", body->id,
           elements_hash(document, body->id));
    write_mesh(document, body->id, false);
    if (body->skin) {
        printf(", \"skin\": {");
        write_mesh(document, body->id, true);
        printf("}");
    }
    printf("}");
}

// ---------------------------------------------------------------------------------------------------------
// Who reads

// What body.get answers, as far as a decoder looks.
static void learn(struct helper *helper, struct viewer *viewer, uint32_t body)
{
    char text[64];
    struct weft_error error;
    snprintf(text, sizeof text, "{'world': 1, 'body': %u}", body);
    const uint32_t msgid = helper_post(helper, HELPER_EVE, "body.get", text);
    helper_turn(helper);
    bool failed;
    const msgpack_object *result = helper_answer(helper, msgid, &failed);
    assert_true(result && !failed && weft_decoder_body(viewer->decoder, result, &error));
}

static void hold_against(const struct helper *helper, const struct weft_frame *frame,
                         const struct weft_frame_body *body)
{
    const double tolerance = frame->encoding == WEFT_DELTA ? (double)(float)frame->tolerance : 1e-3;
    double at[3];
    for (uint32_t v = 0; body->positions && v < body->count; v++) {
        sim_body_positions64(helper->world->document->sim, body->body, v * frame->nth, 1, at);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs((double)body->positions[3 * v + (uint32_t)axis] - at[axis]) <= tolerance + 1e-6);
        }
    }
}

static void write_read(struct helper *helper, struct viewer *viewer, uint8_t *message, size_t size,
                       bool at_once)
{
    const msgpack_object *root = helper_unpack(helper, message, size);
    msgpack_zone zone;
    struct weft_frame frame;
    struct weft_frame_body body;
    struct weft_error error;
    int got;
    assert_true(msgpack_zone_init(&zone, 1024));
    assert_true(weft_frame_init(&frame, helper_at(root, "#2.#0"), &zone, &error));
    weft_frame_use(&frame, viewer->decoder);
    const char *before = "";
    while ((got = weft_frame_next(&frame, &body, &error)) == 1) {
        assert_int_equal(body.missing, WEFT_MISSING_NOTHING);
        fprintf(viewer->out, "%s{\"body\": %u, \"%s\": ", before, body.body,
                body.skin ? "skin" : "positions");
        write_floats(viewer->out, body.skin ? body.skin : body.positions, 3 * (size_t)body.count);
        fputs("}", viewer->out);
        before = ", ";
        if (at_once) {
            hold_against(helper, &frame, &body);
        }
    }
    assert_int_equal(got, 0);
    msgpack_zone_destroy(&zone);
}

static void write_message(struct helper *helper, struct viewer *viewer, const struct net_stream *stream,
                          bool at_once)
{
    const struct base_frame *frame = stream->current->frames[stream->frame];
    const struct base_frame_part *part = &frame->parts[stream->part];
    uint8_t *message = malloc(PROTOCOL_FRAME_HEAD_SIZE + part->size);
    size_t size = PROTOCOL_FRAME_HEAD_SIZE;
    const bool first = stream->frame == 0 && stream->part == 0;
    protocol_frame_head(message, frame->key_count, stream->id, (uint32_t)stream->seq,
                        first ? (uint32_t)stream->current->dropped : 0);
    for (uint32_t b = 0; b < part->buffer_count; b++) {
        memcpy(message + size, part->buffers[b]->data, part->buffers[b]->size);
        size += part->buffers[b]->size;
    }
    fprintf(viewer->out, "%s\n      {\"hex\": \"", viewer->message_count++ > 0 ? "," : "");
    for (size_t i = 0; i < size; i++) {
        fprintf(viewer->out, "%02x", message[i]);
    }
    fputs("\",\n       \"decoded\": [", viewer->out);
    write_read(helper, viewer, message, size, at_once);
    fputs("]}", viewer->out);
    free(message);
}

// ---------------------------------------------------------------------------------------------------------
// Its connection

static void tell_behind(struct helper *helper, struct viewer *viewer)
{
    uint32_t id;
    while ((id = net_streams_behind(&viewer->streams)) != 0) {
        world_post_behind(helper->world, id);
    }
}

static void read(struct helper *helper, struct viewer *viewer, uint32_t tick)
{
    const bool slow = tick >= viewer->slow_from && tick < viewer->slow_to;
    for (bool more = true; more;) {
        if (viewer->writing) {
            if (slow) {
                return;
            }
            net_streams_written(&viewer->streams);
            viewer->writing = false;
            tell_behind(helper, viewer);
        }
        struct net_stream *stream = net_streams_next(&viewer->streams);
        more = stream != NULL;
        if (more) {
            // What waited meanwhile is of a tick that is over.
            write_message(helper, viewer, stream, viewer->slow_to == 0 || tick < viewer->slow_from);
            net_streams_begin(&viewer->streams, stream);
            viewer->writing = true;
        }
    }
}

static void put(struct helper *helper)
{
    for (uint32_t e = 0; e < helper->event_count; e++) {
        struct world_event *event = helper->events[e];
        for (uint32_t b = 0; event->kind == WORLD_PUBLICATION && b < event->batch_count; b++) {
            for (uint32_t v = 0; event->batches[b] && v < VIEWERS_MAX; v++) {
                struct viewer *viewer = &viewers[v];
                struct net_stream *stream = net_streams_find(&viewer->streams, event->batches[b]->stream);
                if (stream) {
                    net_stream_put(&viewer->streams, stream, event->batches[b], !viewer->writing);
                    event->batches[b] = NULL;
                    tell_behind(helper, viewer);
                    break;
                }
            }
        }
    }
}

static void turn(struct helper *helper, uint32_t tick, bool on)
{
    helper->now_ns += on ? UINT64_C(16666667) : 0;
    helper_turn(helper);
    put(helper);
    for (uint32_t v = 0; v < VIEWERS_MAX; v++) {
        read(helper, &viewers[v], tick);
    }
    helper_forget(helper);
}

static void post(struct helper *helper, uint32_t tick, const char *method, const char *notation)
{
    if (helper_post(helper, HELPER_ANN, method, notation) == 0) {
        fail_msg("%s %s: %s", method, notation, helper->refused.text);
    }
    turn(helper, tick, false);
}

static void come_and_go(struct helper *helper, uint32_t tick)
{
    char text[256];
    for (uint32_t v = 0; v < VIEWERS_MAX; v++) {
        struct viewer *viewer = &viewers[v];
        if (viewer->from == tick) {
            viewer->stream = helper->stream;
            assert_true(net_streams_add(&viewer->streams, viewer->stream));
            snprintf(text, sizeof text, "{'world': 1, 'fields': ['positions', 'skin'], %s}", viewer->wish);
            post(helper, tick, "stream.subscribe", text);
        }
        if (viewer->until == tick) {
            snprintf(text, sizeof text, "{'stream': %u}", viewer->stream);
            post(helper, tick, "stream.unsubscribe", text);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// A life

static void add(struct helper *helper, uint32_t tick, const char *notation)
{
    const struct document_things *things = &helper->world->document->bodies;
    if (notation) {
        post(helper, tick, "body.add", notation);
    } else {
        helper_cloth(helper, HELPER_ANN, 7, 1, "sail");
    }
    const struct document_thing *body = &things->items[things->count - 1];
    write_body(body, helper->world->document, things->count == 1);
    for (uint32_t v = 0; v < VIEWERS_MAX; v++) {
        learn(helper, &viewers[v], body->id);
    }
}

// What happens before a tick, besides who comes and goes.
static void happen(struct helper *helper, uint32_t tick)
{
    switch (tick) {
    case 0:
        add(helper, tick, NULL);
        add(helper, tick, bodies[0]);
        break;
    case 1:
        post(helper, tick, "world.play", "{'world': 1}");
        break;
    case 2: // uneven from here on
        post(helper, tick, "particle.set",
             "{'world': 1, 'body': 1, 'particles': [24, 30], 'velocities': [1, -1, 0.3, -0.4, -0.2, 0.1]}");
        break;
    case 4:
        add(helper, tick, bodies[1]);
        add(helper, tick, bodies[2]);
        break;
    case 8:
        post(helper, tick, "body.remove", "{'world': 1, 'body': 3}");
        break;
    case 9:
        post(helper, tick, "world.reset", "{'world': 1}");
        break;
    case 10:
        post(helper, tick, "edit.undo", "{'world': 1}");
        post(helper, tick, "edit.undo", "{'world': 1}");
        break;
    case 11:
        post(helper, tick, "world.pause", "{'world': 1}");
        post(helper, tick, "particle.set",
             "{'world': 1, 'body': 2, 'particles': [5], 'positions': [0.5, 2.1, 0.1]}");
        break;
    default:
        break;
    }
}

// ---------------------------------------------------------------------------------------------------------
// A large body

enum { SIDE = 92, EVERY = 211 };

// Where every so many vertices are; null for those of tiles that were not sent.
static void write_samples(struct weft_frame *frame)
{
    const float **at = calloc((size_t)SIDE * SIDE, sizeof(const float *));
    struct weft_frame_body body;
    struct weft_error error;
    while (weft_frame_next(frame, &body, &error) == 1) {
        assert_int_equal(body.missing, WEFT_MISSING_NOTHING);
        for (uint32_t i = 0; i < body.count; i++) {
            at[body.vertices[i]] = body.positions + 3 * (size_t)i;
        }
    }
    for (uint32_t v = 0; v < SIDE * SIDE; v += EVERY) {
        fputs(v > 0 ? ", " : "", stdout);
        if (at[v]) {
            write_floats(stdout, at[v], 3);
        } else {
            fputs("null", stdout);
        }
    }
    free((void *)at);
}

static void write_tiled(struct helper *helper, const char *name, const char *notation, int moments, bool last)
{
    struct weft_decoder *decoder = weft_decoder_create();
    struct viewer viewer = {.decoder = decoder};
    learn(helper, &viewer, 1);
    printf("\n    {\"name\": \"%s\", \"side\": %u, \"elements_hash\": %u, \"every\": %u, \"messages\": [",
           name, SIDE, elements_hash(helper->world->document, 1), EVERY);
    for (int moment = 0; moment < moments; moment++) {
        const uint32_t stream = moment > 0 ? viewer.stream : helper->stream;
        char text[160];
        uint8_t *message;
        size_t size;
        helper_forget(helper);
        if (moment == 0) {
            helper_call(helper, HELPER_ANN, "stream.subscribe", notation);
        } else {
            snprintf(text, sizeof text,
                     "{'world': 1, 'body': 1, 'particles': [%u], 'positions': [0.2, 1.1, 0.3]}", EVERY);
            helper_call(helper, HELPER_ANN, "particle.set", text);
        }
        viewer.stream = stream;
        const msgpack_object *map =
            helper_frame_part(helper, helper_batch(helper, 0, stream)->frames[0], 0, &message, &size);
        struct weft_frame frame;
        struct weft_error error;
        msgpack_zone zone;
        assert_true(msgpack_zone_init(&zone, 1024));
        assert_true(weft_frame_init(&frame, map, &zone, &error));
        weft_frame_use(&frame, decoder);
        printf("%s\n      {\"hex\": \"", moment > 0 ? "," : "");
        for (size_t i = 0; i < size; i++) {
            printf("%02x", message[i]);
        }
        printf("\",\n       \"decoded\": [");
        write_samples(&frame);
        printf("]}");
        msgpack_zone_destroy(&zone);
        free(message);
    }
    printf("]}%s", last ? "" : ",");
    weft_decoder_destroy(decoder);
}

static void write_large(void)
{
    struct helper *helper = helper_create(helper_edge_by_edge);
    helper_cloth(helper, HELPER_ANN, SIDE, 1, "sail");
    write_tiled(helper, "delta, a cloth in two tiles", "{'world': 1, 'encoding': 'delta'}", 2, false);
    write_tiled(helper, "q16, the tile that is in a box",
                "{'world': 1, 'encoding': 'q16', 'box': [-1, -1, -1, 0.5, 2, 0.5]}", 1, true);
    helper_destroy(helper);
}

static void write_viewer(const struct viewer *viewer, bool first)
{
    printf("%s\n    {\"name\": \"%s\", \"messages\": [%s]}", first ? "" : ",", viewer->name, viewer->json);
}

int main(void)
{
    struct helper *helper = helper_create(helper_edge_by_edge);
    for (uint32_t v = 0; v < VIEWERS_MAX; v++) {
        viewers[v].decoder = weft_decoder_create();
        viewers[v].out = open_memstream(&viewers[v].json, &viewers[v].json_size);
    }
    printf("{\n  \"about\": \"Whole frames of q16 and delta (docs/concepts/streaming.md) of one world's "
           "life, stream by stream, and "
           "what they are read as; written by make_compressed_frames.c.\",\n  \"bodies\": [");
    for (uint32_t tick = 0; tick <= TICKS; tick++) {
        happen(helper, tick);
        come_and_go(helper, tick);
        turn(helper, tick, true);
    }
    printf("\n  ],\n  \"streams\": [");
    for (uint32_t v = 0; v < VIEWERS_MAX; v++) {
        struct viewer *viewer = &viewers[v];
        fclose(viewer->out);
        write_viewer(viewer, v == 0);
        net_streams_ground(&viewer->streams);
        net_streams_deinit(&viewer->streams);
        weft_decoder_destroy(viewer->decoder);
        free(viewer->json);
    }
    printf("\n  ],\n  \"tiled\": [");
    write_large();
    printf("\n  ]\n}\n");
    helper_destroy(helper);
    return 0;
}
