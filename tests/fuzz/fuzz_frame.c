// Messages of a server to a client that reads compressed frames: answers of body.get (0) and maps of stream.frame (1),
// one after another, each behind that byte and its size (two bytes).
//
// Besides not crashing and not leaking: each array that is returned is readable to its end, vertices are given in their
// order, and missing data is reported.
#include "fuzz.h"

#include "protocol/unpack.h"

#include <string.h>
#include <weft.h>

enum { FUZZ_BYTES_MAX = 1 << 18, FUZZ_BODIES_MAX = 1000 };

// Reads them, which is for a sanitizer to see.
static void look_at(const float *items, size_t count)
{
    for (size_t i = 0; items && i < count; i++) {
        const volatile float seen = items[i];
        (void)seen;
    }
}

static void take_body(const struct weft_frame *frame, const struct weft_frame_body *body)
{
    const size_t count = 3 * (size_t)body->count;
    if (frame->encoding == WEFT_F32) {
        FUZZ_ASSERT(!body->vertices && body->missing == WEFT_MISSING_NOTHING);
        return;
    }
    const float *floats = body->skin ? body->skin : body->positions;
    FUZZ_ASSERT((floats != NULL) == (body->missing == WEFT_MISSING_NOTHING));
    FUZZ_ASSERT(!body->skin || !body->positions);
    look_at(floats, count);
    for (uint32_t i = 1; body->vertices && i < body->count; i++) {
        FUZZ_ASSERT(body->vertices[i] > body->vertices[i - 1]);
    }
}

static void take_frame(struct weft_decoder *decoder, const msgpack_object *map, msgpack_zone *zone)
{
    struct weft_frame frame;
    struct weft_frame_body body;
    struct weft_error error = {0};
    int got = -1;
    if (!weft_frame_init(&frame, map, zone, &error)) {
        FUZZ_ASSERT(error.text[0] != '\0');
        return;
    }
    weft_frame_use(&frame, decoder);
    for (int i = 0; i < FUZZ_BODIES_MAX && (got = weft_frame_next(&frame, &body, &error)) == 1; i++) {
        take_body(&frame, &body);
    }
    FUZZ_ASSERT(got >= 0 || error.text[0] != '\0');
}

static void take(struct weft_decoder *decoder, bool is_frame, const uint8_t *data, size_t size)
{
    msgpack_zone zone;
    msgpack_object map;
    struct weft_error error = {0};
    // A copy of just that size, so that a sanitizer sees who reads past its end.
    uint8_t *copy = malloc(size > 0 ? size : 1);
    FUZZ_ASSERT(copy && msgpack_zone_init(&zone, 4096));
    memcpy(copy, data, size);
    if (protocol_unpack(copy, size, &zone, &map) && map.type == MSGPACK_OBJECT_MAP) {
        if (is_frame) {
            take_frame(decoder, &map, &zone);
        } else if (!weft_decoder_body(decoder, &map, &error)) {
            FUZZ_ASSERT(error.text[0] != '\0');
        }
    }
    msgpack_zone_destroy(&zone);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > FUZZ_BYTES_MAX) {
        return 0;
    }
    struct weft_decoder *decoder = weft_decoder_create();
    FUZZ_ASSERT(decoder);
    while (size >= 3) {
        const size_t given = (size_t)data[1] | (size_t)data[2] << 8, left = size - 3;
        const size_t taken = given < left ? given : left;
        take(decoder, data[0] & 1, data + 3, taken);
        data += 3 + taken;
        size -= 3 + taken;
    }
    weft_decoder_destroy(decoder);
    return 0;
}
