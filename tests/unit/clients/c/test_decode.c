// Frames of q16 and delta through a decoder: floats as they went in, what is missing and how it comes, and that nothing a server
// may send is believed.
#include "protocol/codec/codec.h"
#include "protocol/scan.h"

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

enum { SIDE = 12, COUNT = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), SKIN = 5 };

static uint64_t state = 1;

static uint32_t pick(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % below;
}

// ---------------------------------------------------------------------------------------------------------
// A server

static uint32_t triangles[3 * TRIANGLES];
static const uint32_t skin_triangles[] = {0, 1, 2, 1, 3, 2, 2, 3, 4};
static float positions[3 * COUNT];

static void mesh_make(void)
{
    uint32_t *corner = triangles;
    for (uint32_t i = 0; i + SIDE + 1 < COUNT; i++) {
        if (i % SIDE + 1 < SIDE) {
            const uint32_t square[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(corner, square, sizeof square);
            corner += 6;
        }
    }
}

static void move(double time)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[3 * i] = (float)(0.1 * (i % SIDE) + 0.02 * sin(time + 0.3 * i));
        positions[3 * i + 1] = (float)(0.1 * (i / SIDE) - 0.5 * time * time);
        positions[3 * i + 2] = (float)(0.2 * sin(3 * time + 0.1 * (i % SIDE)));
    }
}

static void put_string(msgpack_packer *packer, const char *text)
{
    msgpack_pack_str_with_body(packer, text, strlen(text));
}

static void put_bin(msgpack_packer *packer, const char *key, const void *data, size_t size)
{
    put_string(packer, key);
    msgpack_pack_bin_with_body(packer, data, size);
}

static void put_u32(msgpack_packer *packer, const char *key, uint32_t value)
{
    put_string(packer, key);
    msgpack_pack_uint32(packer, value);
}

// The answer of body.get for body 7, a cloth with a skin. hash is that of its elements; 0: it has none.
static void put_body(msgpack_sbuffer *out, uint32_t hash)
{
    msgpack_packer packer;
    double wide[3 * COUNT] = {0};
    const uint32_t particles[4 * SKIN] = {0};
    msgpack_packer_init(&packer, out, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, hash > 0 ? 7 : 6);
    if (hash > 0) {
        put_u32(&packer, "elements_hash", hash);
    }
    put_u32(&packer, "body", 7);
    put_string(&packer, "kind");
    put_string(&packer, "cloth");
    put_u32(&packer, "particles", COUNT);
    put_bin(&packer, "positions", wide, sizeof wide);
    put_bin(&packer, "triangles", triangles, sizeof triangles);
    put_string(&packer, "skin");
    msgpack_pack_map(&packer, 2);
    put_bin(&packer, "particles", particles, sizeof particles);
    put_bin(&packer, "triangles", skin_triangles, sizeof skin_triangles);
}

struct chunk {
    const char *field; // "positions", "skin"
    uint32_t count, tile, tiles, nth;
    const uint8_t *data;
    size_t size;
    uint32_t hash; // of the body's elements; 0: it tells none
};

static void put_frame(msgpack_sbuffer *out, const char *encoding, const struct chunk *chunk)
{
    static const char *const numbers[] = {"stream", "seq",     "dropped",  "world",
                                          "tick",   "substep", "revision", "part"};
    msgpack_packer packer;
    out->size = 0;
    msgpack_packer_init(&packer, out, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, 12 + (chunk->nth > 1 ? 1 : 0));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        put_u32(&packer, numbers[i], 0);
    }
    put_u32(&packer, "parts", 1);
    put_string(&packer, "encoding");
    put_string(&packer, encoding);
    put_string(&packer, "tolerance");
    msgpack_pack_double(&packer, 1e-4);
    if (chunk->nth > 1) {
        put_u32(&packer, "nth", chunk->nth);
    }
    put_string(&packer, "bodies");
    msgpack_pack_array(&packer, 1);
    msgpack_pack_map(&packer, 4 + (chunk->tiles > 1 ? 2 : 0) + (chunk->hash > 0 ? 1 : 0));
    if (chunk->hash > 0) {
        put_u32(&packer, "elements_hash", chunk->hash);
    }
    put_u32(&packer, "body", 7);
    put_u32(&packer, "first", 0);
    put_u32(&packer, "count", chunk->count);
    if (chunk->tiles > 1) {
        put_u32(&packer, "tile", chunk->tile);
        put_u32(&packer, "tiles", chunk->tiles);
    }
    put_bin(&packer, chunk->field, chunk->data, chunk->size);
}

// ---------------------------------------------------------------------------------------------------------
// A client

static void learn(struct weft_decoder *decoder, uint32_t hash)
{
    msgpack_sbuffer bytes;
    msgpack_zone zone;
    msgpack_object root;
    struct weft_error error;
    size_t offset = 0;
    msgpack_sbuffer_init(&bytes);
    put_body(&bytes, hash);
    assert_true(msgpack_zone_init(&zone, 1024));
    assert_int_equal(msgpack_unpack(bytes.data, bytes.size, &offset, &zone, &root), MSGPACK_UNPACK_SUCCESS);
    if (!weft_decoder_body(decoder, &root, &error)) {
        fail_msg("%s", error.text);
    }
    msgpack_zone_destroy(&zone);
    msgpack_sbuffer_destroy(&bytes);
}

// The check that every client makes before it unpacks, because msgpack-c allocates what lengths claim.
static bool is_message(const char *bytes, size_t size)
{
    const struct protocol_scan_limits limits = {
        .bytes = 1 << 20, .depth = PROTOCOL_SCAN_DEPTH_MAX, .nodes = 1 << 16};
    struct protocol_scan scan;
    size_t used = 0;
    protocol_scan_init(&scan, &limits);
    return protocol_scan_feed(&scan, (const uint8_t *)bytes, size, &used) == PROTOCOL_SCAN_DONE;
}

// The result for a frame of one chunk: weft_frame_next, the chunk's `missing`, and floats if there are any.
static int show(struct weft_decoder *decoder, const char *bytes, size_t size, enum weft_missing *missing,
                float *out, uint32_t *count)
{
    msgpack_zone zone;
    msgpack_object root;
    struct weft_frame frame;
    struct weft_frame_body body;
    struct weft_error error;
    size_t offset = 0;
    // A copy of just that size, so that a sanitizer sees who reads past its end.
    char *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    int got = -2;
    assert_true(msgpack_zone_init(&zone, 1024));
    if (is_message(copy, size) &&
        msgpack_unpack(copy, size, &offset, &zone, &root) == MSGPACK_UNPACK_SUCCESS &&
        weft_frame_init(&frame, &root, &zone, &error)) {
        weft_frame_use(&frame, decoder);
        got = weft_frame_next(&frame, &body, &error);
        *missing = body.missing;
        *count = body.count;
        const float *floats = body.positions ? body.positions : body.skin;
        if (got == 1 && floats && out) {
            memcpy(out, floats, 3 * sizeof *out * body.count);
        }
        if (got == 1) {
            assert_false(floats && body.missing != WEFT_MISSING_NOTHING);
        }
        while (got == 1 && weft_frame_next(&frame, &body, &error) == 1) {
        }
    }
    msgpack_zone_destroy(&zone);
    free(copy);
    return got;
}

static void assert_near(const float *got, uint32_t count, uint32_t nth, double tolerance)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            assert_true(fabs((double)got[3 * i + axis] - (double)positions[3 * i * nth + axis]) <= tolerance);
        }
    }
}

struct coding {
    struct codec_plan *plan;
    struct codec_encoder *encoder;
    uint8_t *chunk;
    size_t size;
    struct weft_decoder *decoder;
    msgpack_sbuffer bytes;
    float out[3 * COUNT];
};

static void coding_init(struct coding *coding)
{
    mesh_make();
    memset(coding, 0, sizeof *coding);
    assert_int_equal(codec_plan_create(COUNT, 3, triangles, TRIANGLES, &coding->plan), CODEC_OK);
    coding->encoder = codec_encoder_create(coding->plan);
    coding->chunk = malloc(codec_delta_bound(COUNT) + codec_q16_bound(COUNT));
    coding->decoder = weft_decoder_create();
    msgpack_sbuffer_init(&coding->bytes);
}

static void coding_deinit(struct coding *coding)
{
    codec_encoder_destroy(coding->encoder);
    codec_plan_destroy(coding->plan);
    weft_decoder_destroy(coding->decoder);
    free(coding->chunk);
    msgpack_sbuffer_destroy(&coding->bytes);
}

static void encode(struct coding *coding, uint64_t moment)
{
    move(0.01 * (double)moment);
    coding->size = codec_delta_encode(coding->encoder, positions, moment, 1e-4F, coding->chunk);
    put_frame(
        &coding->bytes, "delta",
        &(struct chunk){.field = "positions", .count = COUNT, .data = coding->chunk, .size = coding->size});
}

static int shown(struct coding *coding, enum weft_missing *missing)
{
    uint32_t count;
    return show(coding->decoder, coding->bytes.data, coding->bytes.size, missing, coding->out, &count);
}

static void what_is_missing_is_said_and_comes_with_a_key(void **unused)
{
    (void)unused;
    struct coding coding;
    enum weft_missing missing;
    coding_init(&coding);
    encode(&coding, 1);
    assert_int_equal(shown(&coding, &missing), 1);
    assert_int_equal(missing, WEFT_MISSING_BODY);
    learn(coding.decoder, 0);
    encode(&coding, 2); // builds on what the decoder did not know how to read
    assert_int_equal(shown(&coding, &missing), 1);
    assert_int_equal(missing, WEFT_MISSING_KEY);
    coding.size = codec_delta_key(coding.encoder, coding.chunk);
    put_frame(
        &coding.bytes, "delta",
        &(struct chunk){.field = "positions", .count = COUNT, .data = coding.chunk, .size = coding.size});
    for (uint64_t moment = 3; moment < 20; moment++) {
        assert_int_equal(shown(&coding, &missing), 1);
        assert_int_equal(missing, WEFT_MISSING_NOTHING);
        assert_near(coding.out, COUNT, 1, 1e-4);
        encode(&coding, moment);
    }
    // One is left out: the next is refused, and what was held stays.
    encode(&coding, 20);
    assert_int_equal(shown(&coding, &missing), 1);
    assert_int_equal(missing, WEFT_MISSING_KEY);
    weft_decoder_forget(coding.decoder, 7);
    weft_decoder_forget(coding.decoder, 8);
    assert_int_equal(shown(&coding, &missing), 1);
    assert_int_equal(missing, WEFT_MISSING_BODY);
    coding_deinit(&coding);
}

// A key of the present, of elements with that hash, or what follows it.
static enum weft_missing missing_of(struct coding *coding, uint32_t hash, uint32_t count)
{
    enum weft_missing missing;
    const struct chunk chunk = {
        .field = "positions", .count = count, .hash = hash, .data = coding->chunk, .size = coding->size};
    put_frame(&coding->bytes, "delta", &chunk);
    assert_int_equal(shown(coding, &missing), 1);
    return missing;
}

static void other_elements_are_asked_for(void **unused)
{
    (void)unused;
    struct coding coding;
    coding_init(&coding);
    learn(coding.decoder, 5);
    encode(&coding, 1);
    assert_int_equal(missing_of(&coding, 5, COUNT), WEFT_MISSING_NOTHING);
    assert_int_equal(missing_of(&coding, 6, COUNT), WEFT_MISSING_BODY);
    encode(&coding, 2);
    assert_int_equal(missing_of(&coding, 0, COUNT), WEFT_MISSING_BODY); // it is not known any more
    learn(coding.decoder, 6);
    assert_int_equal(missing_of(&coding, 0, COUNT), WEFT_MISSING_KEY);
    assert_int_equal(missing_of(&coding, 0, COUNT + 1), WEFT_MISSING_KEY); // of what was there before
    coding.size = codec_delta_key(coding.encoder, coding.chunk);
    assert_int_equal(missing_of(&coding, 6, COUNT), WEFT_MISSING_NOTHING);
    assert_near(coding.out, COUNT, 1, 1e-4);
    coding_deinit(&coding);
}

// A decoder learns here of 8193 points, in two tiles.
static void learn_points(struct weft_decoder *decoder, uint32_t count)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_zone zone;
    msgpack_object root;
    struct weft_error error;
    size_t offset = 0;
    double *wide = calloc(3 * (size_t)count, sizeof *wide);
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, 4);
    put_u32(&packer, "body", 7);
    put_string(&packer, "kind");
    put_string(&packer, "points");
    put_u32(&packer, "particles", count);
    put_bin(&packer, "positions", wide, 3 * sizeof *wide * count);
    free(wide);
    assert_true(msgpack_zone_init(&zone, 1024));
    assert_int_equal(msgpack_unpack(bytes.data, bytes.size, &offset, &zone, &root), MSGPACK_UNPACK_SUCCESS);
    assert_true(weft_decoder_body(decoder, &root, &error));
    msgpack_zone_destroy(&zone);
    msgpack_sbuffer_destroy(&bytes);
}

static void tiles_say_which_vertices_they_have(void **unused)
{
    (void)unused;
    enum { MANY = 8193, HALF = MANY / 2 };
    static float some[3 * (MANY - HALF)];
    struct coding coding;
    struct codec_plan *plan;
    enum weft_missing missing;
    coding_init(&coding);
    uint8_t *large = malloc(codec_delta_bound(MANY));
    struct chunk chunk = {.field = "positions", .count = MANY - HALF, .tile = 1, .tiles = 2, .data = large};
    assert_int_equal(codec_plan_create(MANY - HALF, 0, NULL, 0, &plan), CODEC_OK);
    struct codec_encoder *encoder = codec_encoder_create(plan);
    for (uint32_t i = 0; i < 3 * chunk.count; i++) {
        some[i] = 0.001F * (float)i;
    }
    // Also of q16 it takes the body to know them.
    chunk.size = codec_q16_encode(some, chunk.count, large);
    put_frame(&coding.bytes, "q16", &chunk);
    assert_int_equal(shown(&coding, &missing), 1);
    assert_int_equal(missing, WEFT_MISSING_BODY);
    learn_points(coding.decoder, MANY);
    const char *encodings[] = {"q16", "delta", "delta"};
    for (uint32_t e = 0; e < 3; e++) {
        msgpack_zone zone;
        msgpack_object root;
        struct weft_frame frame;
        struct weft_frame_body body;
        struct weft_error error;
        size_t offset = 0;
        if (e > 0) {
            chunk.size = codec_delta_encode(encoder, some, e, 1e-4F, large);
        }
        put_frame(&coding.bytes, encodings[e], &chunk);
        assert_true(msgpack_zone_init(&zone, 1024));
        assert_int_equal(msgpack_unpack(coding.bytes.data, coding.bytes.size, &offset, &zone, &root),
                         MSGPACK_UNPACK_SUCCESS);
        assert_true(weft_frame_init(&frame, &root, &zone, &error));
        weft_frame_use(&frame, coding.decoder);
        assert_int_equal(weft_frame_next(&frame, &body, &error), 1);
        assert_int_equal(body.missing, WEFT_MISSING_NOTHING);
        assert_int_equal(body.count, MANY - HALF);
        for (uint32_t i = 0; i < body.count; i++) {
            assert_int_equal(body.vertices[i], HALF + i);
            assert_true(fabsf(body.positions[3 * i] - some[3 * i]) <= 1e-3F);
        }
        msgpack_zone_destroy(&zone);
    }
    // The chunk is of another tile, of other tiles, or of another count.
    const struct chunk right = chunk;
    for (uint32_t wrong = 0; wrong < 4; wrong++) {
        chunk = right;
        chunk.tile -= wrong == 0;
        chunk.tiles += wrong == 1;
        chunk.count += wrong == 2;
        chunk.tile += wrong == 3;
        put_frame(&coding.bytes, "delta", &chunk);
        assert_int_equal(
            show(coding.decoder, coding.bytes.data, coding.bytes.size, &missing, NULL, &chunk.nth), -1);
    }
    free(large);
    codec_encoder_destroy(encoder);
    codec_plan_destroy(plan);
    coding_deinit(&coding);
}

static void q16_needs_no_body_and_every_nth_vertex_a_plan_without_elements(void **unused)
{
    (void)unused;
    struct coding coding;
    enum weft_missing missing;
    coding_init(&coding);
    move(1);
    coding.size = codec_q16_encode(positions, COUNT, coding.chunk);
    struct chunk chunk = {.field = "skin", .count = COUNT, .data = coding.chunk, .size = coding.size};
    put_frame(&coding.bytes, "q16", &chunk);
    assert_int_equal(shown(&coding, &missing), 1);
    assert_near(coding.out, COUNT, 1, 1e-4);
    chunk.count++;
    put_frame(&coding.bytes, "q16", &chunk);
    assert_int_equal(shown(&coding, &missing), -1);
    chunk.count = UINT32_MAX;
    put_frame(&coding.bytes, "q16", &chunk);
    assert_int_equal(shown(&coding, &missing), -1);
    learn(coding.decoder, 0);
    for (uint32_t nth = 2; nth < 200; nth += 7) {
        const uint32_t count = (COUNT + nth - 1) / nth;
        struct codec_plan *plan;
        float some[3 * COUNT];
        for (uint32_t i = 0; i < count; i++) {
            memcpy(some + 3 * i, positions + 3 * (size_t)i * nth, 3 * sizeof *some);
        }
        assert_int_equal(codec_plan_create(count, 0, NULL, 0, &plan), CODEC_OK);
        struct codec_encoder *encoder = codec_encoder_create(plan);
        for (uint64_t moment = 1; moment < 4; moment++) {
            chunk = (struct chunk){.field = "positions", .count = count, .nth = nth, .data = coding.chunk};
            chunk.size = codec_delta_encode(encoder, some, moment, 1e-4F, coding.chunk);
            put_frame(&coding.bytes, "delta", &chunk);
            assert_int_equal(shown(&coding, &missing), 1);
            assert_int_equal(missing, WEFT_MISSING_NOTHING);
            assert_near(coding.out, count, nth, 1e-4);
        }
        codec_encoder_destroy(encoder);
        codec_plan_destroy(plan);
        chunk.count++;
        put_frame(&coding.bytes, "delta", &chunk);
        assert_int_equal(shown(&coding, &missing), -1);
    }
    coding_deinit(&coding);
}

static void without_a_decoder_it_says_what_to_do(void **unused)
{
    (void)unused;
    struct coding coding;
    enum weft_missing missing;
    uint32_t count;
    coding_init(&coding);
    encode(&coding, 1);
    assert_int_equal(show(NULL, coding.bytes.data, coding.bytes.size, &missing, NULL, &count), -1);
    coding_deinit(&coding);
}

// Bytes of frames and of answers that are wrong somewhere: refused, or read as something else that is right in itself.
static void garbage_is_refused(void **unused)
{
    (void)unused;
    struct coding coding;
    enum weft_missing missing;
    uint32_t refused = 0, count;
    coding_init(&coding);
    for (uint32_t round = 0; round < 6000; round++) {
        if (round % 50 == 0) {
            learn(coding.decoder, 0);
        }
        encode(&coding, round + 1);
        if (pick(3) == 0) {
            coding.size = codec_delta_key(coding.encoder, coding.chunk);
            put_frame(&coding.bytes, "delta",
                      &(struct chunk){
                          .field = "positions", .count = COUNT, .data = coding.chunk, .size = coding.size});
        } else if (pick(4) == 0) {
            coding.size = codec_q16_encode(positions, COUNT, coding.chunk);
            put_frame(&coding.bytes, "q16",
                      &(struct chunk){
                          .field = "positions", .count = COUNT, .data = coding.chunk, .size = coding.size});
        }
        size_t size = coding.bytes.size;
        for (uint32_t changes = pick(4); changes > 0; changes--) {
            coding.bytes.data[pick((uint32_t)size)] ^= (char)(1U << pick(8));
        }
        if (pick(10) == 0) {
            size = pick((uint32_t)size);
        }
        refused += show(coding.decoder, coding.bytes.data, size, &missing, coding.out, &count) < 0;
    }
    assert_true(refused > 500);
    msgpack_sbuffer bytes;
    msgpack_sbuffer_init(&bytes);
    put_body(&bytes, 5);
    for (uint32_t round = 0; round < 4000; round++) {
        msgpack_zone zone;
        msgpack_object root;
        struct weft_error error;
        size_t offset = 0;
        char *copy = malloc(bytes.size);
        memcpy(copy, bytes.data, bytes.size);
        // Rather where the lengths are than in the numbers.
        for (uint32_t changes = 1 + pick(3); changes > 0; changes--) {
            copy[pick(pick(2) ? 60 : (uint32_t)bytes.size)] = (char)pick(256);
        }
        assert_true(msgpack_zone_init(&zone, 1024));
        if (is_message(copy, bytes.size) &&
            msgpack_unpack(copy, bytes.size, &offset, &zone, &root) == MSGPACK_UNPACK_SUCCESS) {
            weft_decoder_body(coding.decoder, &root, &error);
        }
        msgpack_zone_destroy(&zone);
        free(copy);
    }
    msgpack_sbuffer_destroy(&bytes);
    coding_deinit(&coding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_said_and_comes_with_a_key),
        cmocka_unit_test(other_elements_are_asked_for),
        cmocka_unit_test(tiles_say_which_vertices_they_have),
        cmocka_unit_test(q16_needs_no_body_and_every_nth_vertex_a_plan_without_elements),
        cmocka_unit_test(without_a_decoder_it_says_what_to_do),
        cmocka_unit_test(garbage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
