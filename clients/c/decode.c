// Turns frames of q16 and delta into floats.
//
//     body.get ─▶ tiles and plans of the body, and of its skin        known, by id
//     chunks   ─▶ codec, a decoder for each tile ─▶ floats in the frame's zone
//
// A body that comes back under its id may have other elements. A chunk that stands alone carries a hash of the
// elements; if it differs, the decoder forgets the body.
//
// Nothing from the server is trusted. A body is as large as the answer of body.get that described it, so memory is in
// proportion to the bytes that came. A chunk is refused if its count, or the number of its tiles, does not follow from
// that.
#include "internal.h"

#include "protocol/array/reserve.h"
#include "protocol/codec/codec.h"

#include <stdlib.h>
#include <string.h>

// A body or its skin.
struct surface {
    bool known;
    uint32_t count;
    struct codec_tiles *tiles;
    struct codec_tiles *sparse; // for streams that leave out vertices; NULL until it is needed
    struct codec_decoder *
        *decoders; // one for each tile of `tiles` or of `sparse`; each NULL until it is needed
    uint32_t nth;  // stride that these are built for; 0: none
    bool begun;    // one of them has decoded something
};

struct known {
    uint32_t body;
    bool hashed; // body.get gave a hash of its elements, and of its skin's
    uint32_t elements_hash;
    struct surface surfaces[2]; // the skin is the second
};

struct weft_decoder {
    struct known *items; // by body
    uint32_t count, capacity;
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

static struct codec_tiles *tiles_of(const struct surface *surface)
{
    return surface->nth > 1 ? surface->sparse : surface->tiles;
}

static void decoding_end(struct surface *surface)
{
    for (uint32_t t = 0; surface->decoders && t < codec_tiles_count(tiles_of(surface)); t++) {
        codec_decoder_destroy(surface->decoders[t]);
    }
    free((void *)surface->decoders);
    codec_tiles_destroy(surface->sparse);
    surface->decoders = NULL;
    surface->sparse = NULL;
    surface->nth = 0;
    surface->begun = false;
}

static void surface_deinit(struct surface *surface)
{
    decoding_end(surface);
    codec_tiles_destroy(surface->tiles);
    memset(surface, 0, sizeof *surface);
}

static void known_deinit(struct known *known)
{
    surface_deinit(&known->surfaces[0]);
    surface_deinit(&known->surfaces[1]);
}

void weft_decoder_destroy(struct weft_decoder *decoder)
{
    if (!decoder) {
        return;
    }
    for (uint32_t i = 0; i < decoder->count; i++) {
        known_deinit(&decoder->items[i]);
    }
    free(decoder->items);
    free(decoder);
}

// Index of the first body whose id is not less.
static uint32_t place_of(const struct weft_decoder *decoder, uint32_t body)
{
    uint32_t low = 0, high = decoder->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (decoder->items[middle].body < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
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
    if (!known) {
        return;
    }
    known_deinit(known);
    decoder->count--;
    memmove(known, known + 1, (size_t)(decoder->items + decoder->count - known) * sizeof *known);
}

static bool insert(struct weft_decoder *decoder, const struct known *known, struct weft_error *error)
{
    if (!array_reserve(&decoder->items, &decoder->capacity, decoder->count + 1)) {
        return weft_fail_memory(error);
    }
    const uint32_t place = place_of(decoder, known->body);
    memmove(decoder->items + place + 1, decoder->items + place,
            (decoder->count - place) * sizeof *decoder->items);
    decoder->items[place] = *known;
    decoder->count++;
    return true;
}

static bool take_u32(const msgpack_object *map, const char *field, uint32_t otherwise, uint32_t *out)
{
    const msgpack_object *value = weft_get(map, field);
    *out = otherwise;
    if (!value) {
        return true;
    }
    if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)value->via.u64;
    return true;
}

// Builds a surface. It has as many vertices as the answer has numbers for.
static bool surface_make(struct surface *surface, size_t count, const msgpack_object *elements,
                         uint32_t corners, struct weft_error *error)
{
    struct weft_view view = {0};
    if (elements && !weft_view_u32(elements, &view)) {
        return bad(error, "a body whose elements are no indices");
    }
    enum codec_status status = CODEC_INVALID;
    if (count <= CODEC_COUNT_MAX && (corners == 0 || view.count % corners == 0)) {
        status = codec_tiles_create((uint32_t)count, corners, view.u32,
                                    corners > 0 ? view.count / corners : 0, true, &surface->tiles);
    }
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
    } kinds[] = {{"cloth", "triangles", 3},
                 {"soft", "tets", 4},
                 {"rope", "edges", 2},
                 {"points", NULL, 0},
                 {"rigid", NULL, 0}};
    const uint64_t body = weft_u64(weft_get(result, "body"), 0);
    struct weft_view positions;
    if (body == 0 || body > UINT32_MAX || !weft_view_f64(weft_get(result, "positions"), &positions)) {
        return bad(error, "an answer that is none of body.get");
    }
    const size_t count = positions.count / 3;
    const bool whole =
        positions.count % 3 == 0 && weft_u64(weft_get(result, "particles"), UINT64_MAX) == count;
    weft_view_deinit(&positions);
    known->body = (uint32_t)body;
    known->hashed = weft_get(result, "elements_hash") != NULL;
    if (!take_u32(result, "elements_hash", 0, &known->elements_hash)) {
        return bad(error, "a body whose elements_hash is no hash");
    }
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds &&
           !weft_string_is(weft_get(result, "kind"), kinds[kind].kind)) {
        kind++;
    }
    if (!whole || kind == sizeof kinds / sizeof *kinds) {
        return bad(error, "a body of an unknown kind, or without a position for each particle");
    }
    const char *elements = kinds[kind].elements;
    if (!surface_make(&known->surfaces[0], count, elements ? weft_get(result, elements) : NULL,
                      kinds[kind].corners, error)) {
        return false;
    }
    const msgpack_object *skin = weft_get(result, "skin");
    struct weft_view particles;
    if (!skin) {
        return true;
    }
    if (!weft_view_u32(weft_get(skin, "particles"), &particles)) {
        return bad(error, "a skin without particles");
    }
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

// The fields of one chunk, except its bytes.
struct told {
    uint32_t count, tile, tiles;
    bool skin, hashed;
    uint32_t elements_hash; // valid if hashed
    const uint8_t *data;
    size_t size;
};

// Prepares for every nth vertex. False if memory runs out.
static bool surface_use(struct surface *surface, uint32_t nth)
{
    if (surface->nth == nth) {
        return true;
    }
    decoding_end(surface);
    const uint32_t count = surface->count / nth + (surface->count % nth != 0);
    if (nth > 1 && codec_tiles_create(count, 0, NULL, 0, true, &surface->sparse) != CODEC_OK) {
        return false;
    }
    surface->nth = nth;
    surface->decoders = calloc(codec_tiles_count(tiles_of(surface)), sizeof(struct codec_decoder *));
    if (!surface->decoders) {
        decoding_end(surface);
        return false;
    }
    return true;
}

static struct codec_decoder *decoder_for(struct surface *surface, uint32_t tile)
{
    struct codec_decoder **decoder = &surface->decoders[tile];
    if (!*decoder) {
        *decoder = codec_decoder_create(codec_tile_plan(tiles_of(surface), tile));
    }
    return *decoder;
}

// Allocates in the frame's zone.
static float *floats_create(const struct weft_frame *frame, uint32_t count)
{
    float *floats = malloc(3 * sizeof *floats * (size_t)count + 1);
    if (floats && !msgpack_zone_push_finalizer(frame->zone, free, floats)) {
        free(floats);
        return NULL;
    }
    return floats;
}

static int decode_q16(const struct weft_frame *frame, const struct told *told, float **out,
                      struct weft_error *error)
{
    // Memory for the floats is in proportion to the bytes that came.
    if (told->count > CODEC_COUNT_MAX || told->size < 8 + 6 * (size_t)told->count) {
        return bad(error, "a chunk of q16 that is shorter than its count says") - 1;
    }
    *out = floats_create(frame, told->count);
    if (!*out) {
        return weft_fail_memory(error) - 1;
    }
    return codec_q16_decode(told->data, told->size, told->count, *out) == CODEC_OK
               ? 1
               : bad(error, "a chunk that is no q16") - 1;
}

static int decode_delta(struct surface *surface, const struct weft_frame *frame, const struct told *told,
                        enum weft_missing *missing, float **out, struct weft_error *error)
{
    struct codec_decoder *codec = decoder_for(surface, told->tile);
    *out = codec ? floats_create(frame, told->count) : NULL;
    if (!*out) {
        return weft_fail_memory(error) - 1;
    }
    switch (codec_delta_decode(codec, told->data, told->size, *out)) {
    case CODEC_OK:
        surface->begun = true;
        return 1;
    case CODEC_BASE:
        *out = NULL;
        *missing = WEFT_MISSING_KEY;
        return 1;
    case CODEC_MEMORY:
        return weft_fail_memory(error) - 1;
    default:
        return bad(error, "a chunk that is no delta of its body") - 1;
    }
}

// Finds the tile that the chunk belongs to, if that needs the body.
static bool find_tile(struct surface *surface, const struct weft_frame *frame, const struct told *told,
                      struct weft_frame_body *body, struct weft_error *error)
{
    uint32_t count;
    if (!surface_use(surface, frame->nth)) {
        return weft_fail_memory(error);
    }
    const struct codec_tiles *tiles = tiles_of(surface);
    if (told->tiles != codec_tiles_count(tiles)) {
        return bad(error, "a chunk of another number of tiles than its body has");
    }
    const uint32_t *vertices = codec_tile_vertices(tiles, told->tile, &count);
    if (told->count != count) {
        return bad(error, "a chunk of another count than its body has");
    }
    body->vertices = told->tiles > 1 ? vertices : NULL;
    return true;
}

static bool tell(const msgpack_object *chunk, struct told *told, uint32_t *body, struct weft_error *error)
{
    const msgpack_object *positions = weft_get(chunk, "positions"), *skin = weft_get(chunk, "skin"),
                         *bin = positions ? positions : skin;
    if (!weft_get(chunk, "body") || !weft_get(chunk, "count") || !take_u32(chunk, "body", 0, body) ||
        !take_u32(chunk, "count", 0, &told->count) || !take_u32(chunk, "tile", 0, &told->tile) ||
        !take_u32(chunk, "tiles", 1, &told->tiles) ||
        !take_u32(chunk, "elements_hash", 0, &told->elements_hash) || told->tile >= told->tiles || !bin ||
        bin->type != MSGPACK_OBJECT_BIN || (positions && skin) || told->count > CODEC_COUNT_MAX) {
        return bad(error, "a frame with a chunk that is not as it should be");
    }
    told->skin = !positions;
    told->hashed = weft_get(chunk, "elements_hash") != NULL;
    told->data = (const uint8_t *)bin->via.bin.ptr;
    told->size = bin->via.bin.size;
    return true;
}

int weft_decoder_take(struct weft_decoder *decoder, const struct weft_frame *frame,
                      const msgpack_object *chunk, struct weft_frame_body *body, struct weft_error *error)
{
    struct told told = {0};
    float *out = NULL;
    memset(body, 0, sizeof *body);
    if (!tell(chunk, &told, &body->body, error)) {
        return -1;
    }
    struct known *known = find(decoder, body->body);
    if (known && known->hashed && told.hashed && known->elements_hash != told.elements_hash) {
        weft_decoder_forget(decoder, body->body);
        known = NULL;
    }
    struct surface *surface = known && known->surfaces[told.skin].known ? &known->surfaces[told.skin] : NULL;
    const bool delta = frame->encoding == WEFT_DELTA;
    body->count = told.count;
    if (!surface && (delta || told.tiles > 1)) {
        body->missing = WEFT_MISSING_BODY;
        return 1;
    }
    if (delta && known->hashed && !told.hashed && !surface->begun) {
        body->missing = WEFT_MISSING_KEY; // the chunk may build on a state from before the body changed
        return 1;
    }
    if ((delta || told.tiles > 1) && !find_tile(surface, frame, &told, body, error)) {
        return -1;
    }
    const int taken = delta ? decode_delta(surface, frame, &told, &body->missing, &out, error)
                            : decode_q16(frame, &told, &out, error);
    body->positions = told.skin ? NULL : out;
    body->skin = told.skin ? out : NULL;
    return taken;
}
