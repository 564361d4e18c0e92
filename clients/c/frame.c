// Reads stream.frame. Nothing of it is trusted: each chunk's arrays must have exactly the length that its count claims,
// else the iteration ends with an error.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static bool bad(struct weft_error *error, const char *what)
{
    return weft_fail(error, WEFT_KIND_TRANSPORT, "PROTOCOL", "the server sent a frame in which %s", what);
}

static bool take_u64(const msgpack_object *map, const char *field, uint64_t max, uint64_t *out)
{
    const msgpack_object *value = weft_get(map, field);
    if (!value || value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > max) {
        return false;
    }
    *out = value->via.u64;
    return true;
}

static bool take_u32(const msgpack_object *map, const char *field, uint32_t *out)
{
    uint64_t value;
    if (!take_u64(map, field, UINT32_MAX, &value)) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool take_encoding(struct weft_frame *frame, const msgpack_object *map)
{
    const msgpack_object *encoding = weft_get(map, "encoding");
    frame->nth = 1;
    if (encoding && weft_string_is(encoding, "q16")) {
        frame->encoding = WEFT_Q16;
    } else if (encoding && weft_string_is(encoding, "delta")) {
        frame->encoding = WEFT_DELTA;
    } else if (encoding) {
        return false;
    }
    frame->tolerance = weft_f64(weft_get(map, "tolerance"), 0);
    return !weft_get(map, "nth") || (take_u32(map, "nth", &frame->nth) && frame->nth > 0);
}

void weft_frame_use(struct weft_frame *frame, struct weft_decoder *decoder)
{
    frame->decoder = decoder;
}

bool weft_frame_init(struct weft_frame *frame, const msgpack_object *map, msgpack_zone *zone,
                     struct weft_error *error)
{
    memset(frame, 0, sizeof *frame);
    frame->zone = zone;
    if (!map || map->type != MSGPACK_OBJECT_MAP) {
        return bad(error, "the fields are no map");
    }
    if (!take_u32(map, "stream", &frame->stream)) {
        return bad(error, "stream is no u32");
    }
    if (!take_u32(map, "seq", &frame->seq)) {
        return bad(error, "seq is no u32");
    }
    if (!take_u32(map, "dropped", &frame->dropped)) {
        return bad(error, "dropped is no u32");
    }
    if (!take_u32(map, "world", &frame->world)) {
        return bad(error, "world is no u32");
    }
    if (!take_u64(map, "tick", UINT64_MAX, &frame->tick)) {
        return bad(error, "tick is no u64");
    }
    if (!take_u32(map, "substep", &frame->substep)) {
        return bad(error, "substep is no u32");
    }
    if (!take_u64(map, "revision", UINT64_MAX, &frame->revision)) {
        return bad(error, "revision is no u64");
    }
    if (weft_get(map, "epoch") && !take_u64(map, "epoch", UINT64_MAX, &frame->epoch)) {
        return bad(error, "epoch is no u64");
    }
    if (!take_u32(map, "part", &frame->part) || !take_u32(map, "parts", &frame->parts) ||
        frame->part >= frame->parts) {
        return bad(error, "part and parts do not number its parts");
    }
    if (!take_encoding(frame, map)) {
        return bad(error, "encoding, tolerance and nth are not as they should be");
    }
    frame->time = weft_f64(weft_get(map, "time"), 0);
    frame->measures = weft_get(map, "measures");
    frame->grabs = weft_get(map, "grabs");
    frame->colliders = weft_get(map, "colliders");
    frame->contact = weft_get(map, "contact");
    frame->contacts = weft_get(map, "contacts");
    frame->asleep = weft_get(map, "asleep");
    if (weft_get(map, "left_out") && !take_u32(map, "left_out", &frame->left_out)) {
        return bad(error, "left_out is no u32");
    }
    frame->bodies = weft_get(map, "bodies");
    if (!frame->bodies || frame->bodies->type != MSGPACK_OBJECT_ARRAY) {
        return bad(error, "bodies is no list");
    }
    frame->body_count = frame->bodies->via.array.size;
    return true;
}

// Reads the array called field; *items is NULL if it is absent. Copies are allocated in the zone.
static bool take_array(struct weft_frame *frame, const msgpack_object *chunk, const char *field,
                       bool (*view_as)(const msgpack_object *, struct weft_view *), size_t number_count,
                       const void **items)
{
    *items = NULL;
    const msgpack_object *value = weft_get(chunk, field);
    if (!value) {
        return true;
    }
    struct weft_view view;
    if (!view_as(value, &view)) {
        return false;
    }
    if (view.copy && !msgpack_zone_push_finalizer(frame->zone, free, view.copy)) {
        weft_view_deinit(&view);
        return false;
    }
    if (view.count != number_count) {
        return false;
    }
    *items = number_count ? view.data : NULL;
    return true;
}

static int next_packed(struct weft_frame *frame, struct weft_frame_body *body, struct weft_error *error)
{
    if (!frame->decoder) {
        return weft_fail(error, WEFT_KIND_LOCAL, "USAGE", "frames of q16 and delta need weft_frame_use") - 1;
    }
    if (frame->next >= frame->body_count) {
        return 0;
    }
    const msgpack_object *chunk = &frame->bodies->via.array.ptr[frame->next++];
    const int taken = weft_decoder_take(frame->decoder, frame, chunk, body, error);
    if (taken < 0) {
        memset(body, 0, sizeof *body);
        frame->next = frame->body_count;
    }
    return taken;
}

int weft_frame_next(struct weft_frame *frame, struct weft_frame_body *body, struct weft_error *error)
{
    memset(body, 0, sizeof *body);
    if (frame->encoding != WEFT_F32) {
        return next_packed(frame, body, error);
    }
    if (frame->next >= frame->body_count) {
        return 0;
    }
    const msgpack_object *chunk = &frame->bodies->via.array.ptr[frame->next];
    const void *items[7];
    // After a malformed chunk the rest of the frame is not read.
    const uint32_t next = frame->next + 1;
    frame->next = frame->body_count;
    if (!take_u32(chunk, "body", &body->body) || !take_u32(chunk, "first", &body->first) ||
        !take_u32(chunk, "count", &body->count) || body->count > UINT32_MAX - body->first) {
        bad(error, "a body has no body, first and count");
    } else if (!take_array(frame, chunk, "positions", weft_view_f32, 3 * (size_t)body->count, &items[0]) ||
               !take_array(frame, chunk, "positions64", weft_view_f64, 3 * (size_t)body->count, &items[1]) ||
               !take_array(frame, chunk, "velocities", weft_view_f32, 3 * (size_t)body->count, &items[2]) ||
               !take_array(frame, chunk, "normals", weft_view_f32, 3 * (size_t)body->count, &items[3]) ||
               !take_array(frame, chunk, "skin", weft_view_f32, 3 * (size_t)body->count, &items[4])) {
        bad(error, "an array of a body has not three numbers for each of its particles");
    } else if (!take_array(frame, chunk, "rotations", weft_view_f32, 4 * (size_t)body->count, &items[5]) ||
               !take_array(frame, chunk, "rotations64", weft_view_f64, 4 * (size_t)body->count, &items[6])) {
        bad(error, "rotations of a body are not four numbers for each of its particles");
    } else {
        body->positions = (const float *)items[0];
        body->positions64 = (const double *)items[1];
        body->velocities = (const float *)items[2];
        body->normals = (const float *)items[3];
        body->skin = (const float *)items[4];
        body->rotations = (const float *)items[5];
        body->rotations64 = (const double *)items[6];
        frame->next = next;
        return 1;
    }
    memset(body, 0, sizeof *body);
    return -1;
}
