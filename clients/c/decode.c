// Frames of q16 and delta as floats.
//
//     body.get ─▶ plan of the body, and of its skin        known, by id
//     chunks   ─▶ joined, where they come in pieces ─▶ codec ─▶ floats in the frame's zone
//
// Nothing of the server is believed. A body is as large as the answer of body.get that told of it, so what is kept is in
// proportion to what came; a chunk is refused if its count is not the one that follows from that; pieces must come in order, and
// not be more than a chunk of so many vertices may have.
#include "internal.h"

#include "protocol/codec/codec.h"

#include <stdlib.h>
#include <string.h>

// A body or its skin.
struct surface {
    bool known;
    uint32_t count;
    struct codec_plan *plan;
    struct codec_decoder
        *decoder; // of plan, or of `sparse` where vertices are left out; NULL until it is needed
    struct codec_plan *sparse;
    uint32_t nth; // that decoder is for
};

struct known {
    uint32_t body;
    struct surface surfaces[2]; // the skin is the second
};

struct weft_decoder {
    struct known *items; // by body
    uint32_t count, capacity;
    // The chunk under way.
    uint8_t *joined;
    size_t joined_size, joined_capacity;
    uint32_t piece, pieces, body, vertices; // the next piece; pieces 0: nothing is under way
    bool skin;
};

static bool bad(struct weft_error *error, const char *what)
{
    return weft_fail(error, WEFT_KIND_TRANSPORT, "PROTOCOL", "the server sent %s", what);
}

struct weft_decoder *weft_decoder_create(void)
{
    return calloc(1, sizeof(struct weft_decoder));
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

static void decoding_end(struct surface *surface)
{
    codec_decoder_destroy(surface->decoder);
    codec_plan_destroy(surface->sparse);
    surface->decoder = NULL;
    surface->sparse = NULL;
}

static void surface_deinit(struct surface *surface)
{
    decoding_end(surface);
    codec_plan_destroy(surface->plan);
    memset(surface, 0, sizeof *surface);
}

static void known_deinit(struct known *known)
{
    surface_deinit(&known->surfaces[0]);
    surface_deinit(&known->surfaces[1]);
}

void weft_decoder_destroy(struct weft_decoder *decoder)
{
    if (!decoder)
        return;
    for (uint32_t i = 0; i < decoder->count; i++)
        known_deinit(&decoder->items[i]);
    free(decoder->items);
    free(decoder->joined);
    free(decoder);
}

// The first whose id is not less.
static uint32_t place_of(const struct weft_decoder *decoder, uint32_t body)
{
    uint32_t low = 0, high = decoder->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (decoder->items[middle].body < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct known *find(const struct weft_decoder *decoder, uint32_t body)
{
    const uint32_t place = place_of(decoder, body);
    return place < decoder->count && decoder->items[place].body == body ? &decoder->items[place] : NULL;
}

void weft_decoder_forget(struct weft_decoder *decoder, uint32_t body)
{
    struct known *known = find(decoder, body);
    if (!known)
        return;
    known_deinit(known);
    decoder->count--;
    memmove(known, known + 1, (size_t)(decoder->items + decoder->count - known) * sizeof *known);
}

static bool insert(struct weft_decoder *decoder, const struct known *known, struct weft_error *error)
{
    if (decoder->count == decoder->capacity) {
        const uint32_t capacity = decoder->capacity > 0 ? 2 * decoder->capacity : 8;
        struct known *grown = realloc(decoder->items, capacity * sizeof *grown);
        if (!grown)
            return weft_fail_memory(error);
        decoder->items = grown;
        decoder->capacity = capacity;
    }
    const uint32_t place = place_of(decoder, known->body);
    memmove(decoder->items + place + 1, decoder->items + place,
            (decoder->count - place) * sizeof *decoder->items);
    decoder->items[place] = *known;
    decoder->count++;
    return true;
}

// Vertices are as many as the answer has numbers for.
static bool surface_make(struct surface *surface, size_t count, const msgpack_object *elements,
                         uint32_t corners, struct weft_error *error)
{
    struct weft_view view = {0};
    if (elements && !weft_view_u32(elements, &view))
        return bad(error, "a body whose elements are no indices");
    enum codec_status status = CODEC_INVALID;
    if (count <= CODEC_COUNT_MAX && (corners == 0 || view.count % corners == 0))
        status = codec_plan_create((uint32_t)count, corners, view.u32, corners > 0 ? view.count / corners : 0,
                                   &surface->plan);
    weft_view_deinit(&view);
    surface->known = status == CODEC_OK;
    surface->count = (uint32_t)count;
    return status == CODEC_OK ||
           (status == CODEC_MEMORY ? weft_fail_memory(error)
                                   : bad(error, "a body whose elements are not of its vertices"));
}

static bool body_make(struct known *known, const msgpack_object *result, struct weft_error *error)
{
    static const struct {
        const char *kind, *elements;
        uint32_t corners;
    } kinds[] = {{"cloth", "triangles", 3}, {"soft", "tets", 4}, {"rope", "edges", 2}, {"points", NULL, 0}};
    const uint64_t body = weft_u64(weft_get(result, "body"), 0);
    struct weft_view positions;
    if (body == 0 || body > UINT32_MAX || !weft_view_f64(weft_get(result, "positions"), &positions))
        return bad(error, "an answer that is none of body.get");
    const size_t count = positions.count / 3;
    const bool whole =
        positions.count % 3 == 0 && weft_u64(weft_get(result, "particles"), UINT64_MAX) == count;
    weft_view_deinit(&positions);
    known->body = (uint32_t)body;
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && !weft_string_is(weft_get(result, "kind"), kinds[kind].kind))
        kind++;
    if (!whole || kind == sizeof kinds / sizeof *kinds)
        return bad(error, "a body of an unknown kind, or without a position for each particle");
    const char *elements = kinds[kind].elements;
    if (!surface_make(&known->surfaces[0], count, elements ? weft_get(result, elements) : NULL,
                      kinds[kind].corners, error))
        return false;
    const msgpack_object *skin = weft_get(result, "skin");
    struct weft_view particles;
    if (!skin)
        return true;
    if (!weft_view_u32(weft_get(skin, "particles"), &particles))
        return bad(error, "a skin without particles");
    const size_t vertices = particles.count / 4;
    weft_view_deinit(&particles);
    return surface_make(&known->surfaces[1], vertices, weft_get(skin, "triangles"), 3, error);
}

bool weft_decoder_body(struct weft_decoder *decoder, const msgpack_object *result, struct weft_error *error)
{
    struct known known = {0};
    if (!body_make(&known, result, error)) {
        known_deinit(&known);
        return false;
    }
    weft_decoder_forget(decoder, known.body);
    if (!insert(decoder, &known, error)) {
        known_deinit(&known);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Chunks

static bool take_u32(const msgpack_object *map, const char *field, uint32_t otherwise, uint32_t *out)
{
    const msgpack_object *value = weft_get(map, field);
    *out = otherwise;
    if (!value)
        return true;
    if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > UINT32_MAX)
        return false;
    *out = (uint32_t)value->via.u64;
    return true;
}

// The decoder for every nth vertex of a surface; NULL without memory.
static struct codec_decoder *decoder_for(struct surface *surface, uint32_t nth)
{
    if (surface->decoder && surface->nth == nth)
        return surface->decoder;
    decoding_end(surface);
    const struct codec_plan *plan = surface->plan;
    if (nth > 1) {
        const uint32_t count = surface->count / nth + (surface->count % nth != 0);
        if (codec_plan_create(count, 0, NULL, 0, &surface->sparse) != CODEC_OK)
            return NULL;
        plan = surface->sparse;
    }
    surface->nth = nth;
    surface->decoder = codec_decoder_create(plan);
    return surface->decoder;
}

// In the frame's zone.
static float *floats_create(const struct weft_frame *frame, uint32_t count)
{
    float *floats = malloc(3 * sizeof *floats * (size_t)count + 1);
    if (floats && !msgpack_zone_push_finalizer(frame->zone, free, floats)) {
        free(floats);
        return NULL;
    }
    return floats;
}

static int decode_q16(const struct weft_frame *frame, const uint8_t *data, size_t size, uint32_t count,
                      float **out, struct weft_error *error)
{
    // What the floats take is in proportion to the bytes.
    if (count > CODEC_COUNT_MAX || size < 8 + 6 * (size_t)count)
        return bad(error, "a chunk of q16 that is shorter than its count says") - 1;
    *out = floats_create(frame, count);
    if (!*out)
        return weft_fail_memory(error) - 1;
    return codec_q16_decode(data, size, count, *out) == CODEC_OK ? 1
                                                                 : bad(error, "a chunk that is no q16") - 1;
}

static int decode_delta(struct weft_decoder *decoder, const struct weft_frame *frame, const uint8_t *data,
                        size_t size, struct weft_frame_body *body, float **out, struct weft_error *error)
{
    struct known *known = find(decoder, body->body);
    struct surface *surface = known ? &known->surfaces[decoder->skin] : NULL;
    if (!surface || !surface->known) {
        body->missing = WEFT_MISSING_BODY;
        return 1;
    }
    if (body->count != surface->count / frame->nth + (surface->count % frame->nth != 0))
        return bad(error, "a chunk of another count than its body has") - 1;
    struct codec_decoder *codec = decoder_for(surface, frame->nth);
    *out = codec ? floats_create(frame, body->count) : NULL;
    if (!*out)
        return weft_fail_memory(error) - 1;
    switch (codec_delta_decode(codec, data, size, *out)) {
    case CODEC_OK:
        return 1;
    case CODEC_BASE:
        *out = NULL;
        body->missing = WEFT_MISSING_KEY;
        return 1;
    case CODEC_MEMORY:
        return weft_fail_memory(error) - 1;
    default:
        return bad(error, "a chunk that is no delta of its body") - 1;
    }
}

// The whole chunk of which this is the last piece; NULL in *data if there are more to come.
static bool join(struct weft_decoder *decoder, const msgpack_object *bin, uint32_t piece, uint32_t pieces,
                 const struct weft_frame_body *body, const uint8_t **data, size_t *size,
                 struct weft_error *error)
{
    *data = (const uint8_t *)bin->via.bin.ptr;
    *size = bin->via.bin.size;
    if (decoder->pieces == 0 && pieces == 1)
        return true;
    if (piece == 0 && decoder->pieces == 0) {
        decoder->pieces = pieces;
        decoder->body = body->body;
        decoder->vertices = body->count;
        decoder->joined_size = 0;
    } else if (pieces != decoder->pieces || piece != decoder->piece || body->body != decoder->body ||
               body->count != decoder->vertices)
        return bad(error, "pieces of a chunk that do not follow each other");
    const size_t delta = codec_delta_bound(body->count), q16 = codec_q16_bound(body->count),
                 most = delta > q16 ? delta : q16, needed = decoder->joined_size + *size;
    if (needed > most)
        return bad(error, "more pieces of a chunk than it can have");
    if (needed > decoder->joined_capacity) {
        uint8_t *grown = realloc(decoder->joined, needed);
        if (!grown)
            return weft_fail_memory(error);
        decoder->joined = grown;
        decoder->joined_capacity = needed;
    }
    if (*size > 0)
        memcpy(decoder->joined + decoder->joined_size, *data, *size);
    decoder->joined_size = needed;
    decoder->piece = piece + 1;
    *data = NULL;
    if (decoder->piece == pieces) {
        *data = decoder->joined;
        *size = needed;
        decoder->pieces = decoder->piece = 0;
    }
    return true;
}

static int take(struct weft_decoder *decoder, const struct weft_frame *frame, const msgpack_object *chunk,
                struct weft_frame_body *body, struct weft_error *error)
{
    uint32_t piece, pieces;
    const msgpack_object *positions = weft_get(chunk, "positions"), *skin = weft_get(chunk, "skin"),
                         *bin = positions ? positions : skin;
    const uint8_t *data;
    size_t size;
    float *out = NULL;
    if (!weft_get(chunk, "body") || !weft_get(chunk, "count") || !take_u32(chunk, "body", 0, &body->body) ||
        !take_u32(chunk, "count", 0, &body->count) || !take_u32(chunk, "piece", 0, &piece) ||
        !take_u32(chunk, "pieces", 1, &pieces) || piece >= pieces || !bin ||
        bin->type != MSGPACK_OBJECT_BIN || (positions && skin) || body->count > CODEC_COUNT_MAX)
        return bad(error, "a frame with a chunk that is not as it should be") - 1;
    if (decoder->pieces > 0 && decoder->skin != !positions)
        return bad(error, "pieces of a chunk that do not follow each other") - 1;
    decoder->skin = !positions;
    if (!join(decoder, bin, piece, pieces, body, &data, &size, error))
        return -1;
    if (!data)
        return 0;
    const int taken = frame->encoding == WEFT_Q16
                          ? decode_q16(frame, data, size, body->count, &out, error)
                          : decode_delta(decoder, frame, data, size, body, &out, error);
    body->positions = positions ? out : NULL;
    body->skin = skin ? out : NULL;
    return taken;
}

int weft_decoder_take(struct weft_decoder *decoder, const struct weft_frame *frame,
                      const msgpack_object *chunk, struct weft_frame_body *body, struct weft_error *error)
{
    memset(body, 0, sizeof *body);
    const int taken = take(decoder, frame, chunk, body, error);
    if (taken < 0)
        decoder->pieces = decoder->piece = 0;
    return taken;
}
