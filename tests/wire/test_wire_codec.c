// Our encoders and decoders of compressed positions against the vectors. Runs in their folder. A vector that fails is named.
#include "json.h"

#include "protocol/codec/codec.h"
#include "protocol/codec/plan.h"
#include "protocol/codec/tiles.h"
#include "protocol/message.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#ifdef WITH_LIBWEFT
#include <weft.h>
#endif

enum { COMPRESSED_MAX = 256 };

static uint32_t count_of(const json_t *vector)
{
    uint64_t count = vector_u64(vector, "count");
    CHECK(vector, count <= COMPRESSED_MAX);
    return (uint32_t)count;
}

static bool same_floats(const float *a, const float *b, uint32_t count)
{
    return memcmp(a, b, 3 * sizeof *a * count) == 0;
}

static void check_q16(const json_t *vector)
{
    float positions[3 * COMPRESSED_MAX], expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX];
    float told[3], error[3];
    uint32_t count = count_of(vector);
    struct bytes bytes = vector_hex(vector, "hex");
    uint8_t *written = malloc(codec_q16_bound(count));
    assert_non_null(written);
    vector_floats(vector, "positions", positions);
    vector_floats(vector, "decoded", expected);
    vector_floats(vector, "error", told);
    CHECK(vector, codec_q16_encode(positions, count, written) == bytes.size);
    CHECK(vector, memcmp(written, bytes.data, 4) == 0);
    CHECK(vector, codec_q16_decode(bytes.data, bytes.size, count, out) == CODEC_OK);
    codec_q16_error(bytes.data, error);
    CHECK(vector, memcmp(error, told, sizeof error) == 0);
    for (uint32_t i = 0; i < 3 * count; i++) {
        bool is_nan = isnan(expected[i]) && isnan(out[i]);
        CHECK(vector, is_nan || memcmp(&out[i], &expected[i], sizeof out[i]) == 0);
    }
    free(written);
    free(bytes.data);
}

// Bytes that our encoder would not write.
static void check_q16_read(const json_t *vector)
{
    float expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX], told[3], error[3];
    uint32_t count = count_of(vector);
    struct bytes bytes = vector_hex(vector, "hex");
    vector_floats(vector, "decoded", expected);
    vector_floats(vector, "error", told);
    CHECK(vector, codec_q16_decode(bytes.data, bytes.size, count, out) == CODEC_OK);
    CHECK(vector, same_floats(out, expected, count));
    codec_q16_error(bytes.data, error);
    CHECK(vector, memcmp(error, told, sizeof error) == 0);
    free(bytes.data);
}

// None of them has room for what its count says, which may be very much.
static void check_q16_refused(const json_t *vector)
{
    float out[3] = {1, 2, 3};
    const float untouched[3] = {1, 2, 3};
    struct bytes bytes = vector_hex(vector, "hex");
    uint32_t count = (uint32_t)vector_u64(vector, "count");
    CHECK(vector, codec_q16_decode(bytes.data, bytes.size, count, out) == CODEC_INVALID);
    CHECK(vector, memcmp(out, untouched, sizeof out) == 0);
    free(bytes.data);
}

static struct codec_plan *plan_of(const json_t *vector)
{
    const json_t *elements = json_object_get(vector, "elements");
    uint32_t indices[4 * COMPRESSED_MAX], corners = (uint32_t)vector_u64(vector, "corners");
    CHECK(vector, json_array_size(elements) <= 4 * COMPRESSED_MAX);
    for (size_t i = 0; i < json_array_size(elements); i++) {
        indices[i] = (uint32_t)json_integer_value(json_array_get(elements, i));
    }
    struct codec_plan *plan;
    size_t element_count = corners > 0 ? json_array_size(elements) / corners : 0;
    CHECK(vector, codec_plan_create(count_of(vector), corners, indices, element_count, &plan) == CODEC_OK);
    return plan;
}

static void check_plan(const json_t *vector)
{
    struct codec_plan *plan = plan_of(vector);
    const json_t *vertices = json_object_get(vector, "vertices"), *from = json_object_get(vector, "from");
    CHECK(vector, json_array_size(vertices) == plan->count && json_array_size(from) == plan->count);
    for (uint32_t place = 0; place < plan->count; place++) {
        CHECK(vector, json_integer_value(json_array_get(vertices, place)) == plan->vertex[place]);
        for (size_t i = 0; i < PLAN_FROM; i++) {
            const json_t *expected = json_array_get(json_array_get(from, place), i);
            CHECK(vector, json_integer_value(expected) == plan->from[place][i]);
        }
    }
    codec_plan_destroy(plan);
}

static void check_tiles(const json_t *vector)
{
    const json_t *elements = json_object_get(vector, "elements"),
                 *expected = json_object_get(vector, "tiles");
    uint32_t indices[4 * COMPRESSED_MAX], corners = (uint32_t)vector_u64(vector, "corners");
    const size_t index_count = json_array_size(elements);
    CHECK(vector, index_count <= 4 * COMPRESSED_MAX);
    for (size_t i = 0; i < index_count; i++) {
        indices[i] = (uint32_t)json_integer_value(json_array_get(elements, i));
    }
    struct codec_tiles *tiles;
    CHECK(vector, codec_tiles_cut((uint32_t)vector_u64(vector, "most"), count_of(vector), corners, indices,
                                  corners > 0 ? index_count / corners : 0, true, &tiles) == CODEC_OK);
    CHECK(vector, json_array_size(expected) == codec_tiles_count(tiles));
    for (uint32_t tile = 0; tile < codec_tiles_count(tiles); tile++) {
        uint32_t count;
        const uint32_t *vertices = codec_tile_vertices(tiles, tile, &count);
        const json_t *told = json_array_get(expected, tile);
        CHECK(vector, json_array_size(told) == count);
        CHECK(vector, codec_plan_count(codec_tile_plan(tiles, tile)) == count);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(vector, vertices[i] == (uint32_t)json_integer_value(json_array_get(told, i)));
        }
    }
    codec_tiles_destroy(tiles);
}

static void check_delta(const json_t *vector)
{
    struct codec_plan *plan = plan_of(vector);
    struct codec_encoder *encoder = codec_encoder_create(plan);
    struct codec_decoder *decoder = codec_decoder_create(plan);
    uint8_t *written = malloc(codec_delta_bound(plan->count));
    assert_true(encoder != NULL && decoder != NULL && written != NULL);
    float tolerance = (float)json_number(json_object_get(vector, "tolerance"));
    const json_t *chunks = json_object_get(vector, "chunks");
    CHECK(vector, json_array_size(chunks) > 0);
    for (size_t i = 0; i < json_array_size(chunks); i++) {
        const json_t *chunk = json_array_get(chunks, i);
        float positions[3 * COMPRESSED_MAX], expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX];
        struct bytes bytes = vector_hex(chunk, "hex");
        size_t size =
            vector_floats(chunk, "positions", positions) == NULL
                ? codec_delta_key(encoder, written)
                : codec_delta_encode(encoder, positions, vector_u64(chunk, "moment"), tolerance, written);
        // A NaN has many forms, and JSON tells none of them.
        CHECK(vector, size == bytes.size && (written[0] == 0 || memcmp(written, bytes.data, size) == 0));
        CHECK(vector, codec_delta_decode(decoder, bytes.data, bytes.size, out) == CODEC_OK);
        vector_floats(chunk, "decoded", expected);
        CHECK(vector, written[0] == 0 || same_floats(out, expected, plan->count));
        free(bytes.data);
    }
    free(written);
    codec_decoder_destroy(decoder);
    codec_encoder_destroy(encoder);
    codec_plan_destroy(plan);
}

static enum codec_status decode_hex(struct codec_decoder *decoder, const char *hex, float *out)
{
    json_t *holder = json_pack("{s:s}", "hex", hex);
    assert_non_null(holder);
    struct bytes bytes = vector_hex(holder, "hex");
    enum codec_status status = codec_delta_decode(decoder, bytes.data, bytes.size, out);
    free(bytes.data);
    json_decref(holder);
    return status;
}

static void check_read(const json_t *vector)
{
    struct codec_plan *plan = plan_of(vector);
    struct codec_decoder *decoder = codec_decoder_create(plan);
    assert_non_null(decoder);
    const json_t *chunks = json_object_get(vector, "chunks");
    CHECK(vector, json_array_size(chunks) > 0);
    for (size_t i = 0; i < json_array_size(chunks); i++) {
        const json_t *chunk = json_array_get(chunks, i);
        float expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX];
        vector_floats(chunk, "decoded", expected);
        CHECK(vector, decode_hex(decoder, vector_text(chunk, "hex"), out) == CODEC_OK);
        CHECK(vector, same_floats(out, expected, plan->count));
        uint64_t moment;
        if (codec_delta_moment(decoder, &moment)) {
            CHECK(vector, moment == vector_u64(chunk, "moment"));
        }
    }
    codec_decoder_destroy(decoder);
    codec_plan_destroy(plan);
}

static void check_refused(const json_t *vector)
{
    struct codec_plan *plan;
    float out[3 * 25];
    assert_int_equal(codec_plan_create(25, 0, NULL, 0, &plan), CODEC_OK);
    struct codec_decoder *decoder = codec_decoder_create(plan);
    assert_non_null(decoder);
    const json_t *before = json_object_get(vector, "before");
    for (size_t i = 0; i < json_array_size(before); i++) {
        const char *hex = json_string_value(json_array_get(before, i));
        CHECK(vector, decode_hex(decoder, hex, out) == CODEC_OK);
    }
    CHECK(vector, decode_hex(decoder, vector_text(vector, "hex"), out) != CODEC_OK);
    codec_decoder_destroy(decoder);
    codec_plan_destroy(plan);
}

static void positions_are_made_small_and_read(void **state)
{
    (void)state;
    vectors_each("compressed.json", "q16", check_q16);
    vectors_each("compressed.json", "q16_read", check_q16_read);
    vectors_each("compressed.json", "q16_refused", check_q16_refused);
    vectors_each("compressed.json", "plans", check_plan);
    vectors_each("compressed.json", "tiles", check_tiles);
    vectors_each("compressed.json", "deltas", check_delta);
    vectors_each("compressed.json", "read", check_read);
    vectors_each("compressed.json", "refused", check_refused);
}

// ---------------------------------------------------------------------------------------------------------

#ifdef WITH_LIBWEFT
static void put_key(msgpack_packer *packer, const char *key)
{
    msgpack_pack_str_with_body(packer, key, strlen(key));
}

static void put_value(msgpack_packer *packer, const char *key, const json_t *value)
{
    put_key(packer, key);
    value_pack(value, packer);
}

static void put_zeros(msgpack_packer *packer, const char *key, size_t count)
{
    put_key(packer, key);
    msgpack_pack_array(packer, count);
    for (size_t i = 0; i < count; i++) {
        msgpack_pack_int(packer, 0);
    }
}

// What body.get says of a body, as far as a decoder looks: where it was is nothing to it.
static void learn(struct weft_decoder *decoder, const json_t *body)
{
    static const char *const kinds[] = {"points", NULL, "rope", "cloth", "soft"};
    static const char *const lists[] = {"triangles", NULL, "edges", "triangles", "tets"};
    const uint64_t corners = vector_u64(body, "corners");
    const json_t *skin = json_object_get(body, "skin");
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_zone zone;
    struct weft_error error;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, skin ? 6 : 5);
    put_value(&packer, "body", json_object_get(body, "body"));
    put_key(&packer, "kind");
    put_key(&packer, kinds[corners]);
    put_value(&packer, "particles", json_object_get(body, "count"));
    put_zeros(&packer, "positions", 3 * vector_u64(body, "count"));
    put_value(&packer, lists[corners], json_object_get(body, "elements"));
    if (skin) {
        put_key(&packer, "skin");
        msgpack_pack_map(&packer, 2);
        put_zeros(&packer, "particles", 4 * vector_u64(skin, "count"));
        put_value(&packer, "triangles", json_object_get(skin, "elements"));
    }
    const msgpack_object root = bytes_unpack((struct bytes){(uint8_t *)buffer.data, buffer.size}, &zone);
    if (!weft_decoder_body(decoder, &root, &error)) {
        fail_msg("body.get of %d: %s", (int)vector_u64(body, "body"), error.text);
    }
    msgpack_zone_destroy(&zone);
    msgpack_sbuffer_destroy(&buffer);
}

static void check_decoded(const json_t *vector, const json_t *expected, const struct weft_frame_body *body)
{
    const float *got = body->skin ? body->skin : body->positions;
    const json_t *numbers = json_object_get(expected, body->skin ? "skin" : "positions");
    CHECK(vector, body->missing == WEFT_MISSING_NOTHING && got != NULL);
    CHECK(vector, vector_u64(expected, "body") == body->body);
    CHECK(vector, json_array_size(numbers) == 3 * (size_t)body->count);
    for (uint32_t i = 0; i < 3 * body->count; i++) {
        CHECK(vector, got[i] == (float)json_number(json_array_get(numbers, i)));
    }
}

static void check_compressed_frame(const json_t *stream, const json_t *vector, struct weft_decoder *decoder)
{
    struct bytes bytes = vector_hex(vector, "hex");
    const json_t *decoded = json_object_get(vector, "decoded");
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(bytes, &zone);
    struct protocol_message message;
    struct protocol_error error;
    struct weft_error failure;
    struct weft_frame frame;
    struct weft_frame_body body;
    size_t count = 0;
    int got;
    CHECK(stream, protocol_message_parse(&root, &message, &error));
    CHECK(stream, message.params->via.array.size == 1);
    CHECK(stream, weft_frame_init(&frame, message.params->via.array.ptr, &zone, &failure));
    weft_frame_use(&frame, decoder);
    while ((got = weft_frame_next(&frame, &body, &failure)) == 1) {
        check_decoded(stream, json_array_get(decoded, count++), &body);
    }
    CHECK(stream, got == 0 && count == json_array_size(decoded));
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void compressed_frames_are_read(void **state)
{
    (void)state;
    json_t *root = vectors_load("compressed_frames.json");
    const json_t *bodies = json_object_get(root, "bodies"), *streams = json_object_get(root, "streams");
    assert_true(json_array_size(streams) > 0);
    for (size_t s = 0; s < json_array_size(streams); s++) {
        const json_t *stream = json_array_get(streams, s), *messages = json_object_get(stream, "messages");
        struct weft_decoder *decoder = weft_decoder_create();
        for (size_t b = 0; b < json_array_size(bodies); b++) {
            learn(decoder, json_array_get(bodies, b));
        }
        CHECK(stream, json_array_size(messages) > 0);
        for (size_t m = 0; m < json_array_size(messages); m++) {
            check_compressed_frame(stream, json_array_get(messages, m), decoder);
        }
        weft_decoder_destroy(decoder);
    }
    json_decref(root);
}

static json_t *cloth_of(uint64_t side)
{
    json_t *elements = json_array();
    for (uint64_t a = 0; a < side * (side - 1); a++) {
        const uint64_t square[6] = {a, a + 1, a + side, a + 1, a + side + 1, a + side};
        for (int i = 0; a % side < side - 1 && i < 6; i++) {
            json_array_append_new(elements, json_integer((json_int_t)square[i]));
        }
    }
    return json_pack("{s:s, s:i, s:I, s:i, s:o}", "name", "a cloth", "body", 1, "count",
                     (json_int_t)(side * side), "corners", 3, "elements", elements);
}

static void check_tiled_message(const json_t *stream, const json_t *vector, struct weft_decoder *decoder)
{
    const json_t *decoded = json_object_get(vector, "decoded");
    const uint64_t side = vector_u64(stream, "side"), every = vector_u64(stream, "every");
    const float **at = calloc(side * side, sizeof(const float *));
    struct bytes bytes = vector_hex(vector, "hex");
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(bytes, &zone);
    struct weft_error error;
    struct weft_frame frame;
    struct weft_frame_body body;
    CHECK(stream, weft_frame_init(&frame, root.via.array.ptr[2].via.array.ptr, &zone, &error));
    weft_frame_use(&frame, decoder);
    while (weft_frame_next(&frame, &body, &error) == 1) {
        CHECK(stream, body.missing == WEFT_MISSING_NOTHING && body.vertices);
        for (uint32_t i = 0; i < body.count; i++) {
            at[body.vertices[i]] = body.positions + 3 * (size_t)i;
        }
    }
    for (uint64_t v = 0; v < side * side; v += every) {
        const json_t *row = json_array_get(decoded, v / every);
        CHECK(stream, json_is_null(row) == !at[v]);
        for (uint32_t axis = 0; at[v] && axis < 3; axis++) {
            CHECK(stream, at[v][axis] == (float)json_number(json_array_get(row, axis)));
        }
    }
    msgpack_zone_destroy(&zone);
    free(bytes.data);
    free((void *)at);
}

static void check_tiled(const json_t *stream)
{
    const json_t *messages = json_object_get(stream, "messages");
    struct weft_decoder *decoder = weft_decoder_create();
    json_t *cloth = cloth_of(vector_u64(stream, "side"));
    learn(decoder, cloth);
    json_decref(cloth);
    CHECK(stream, json_array_size(messages) > 0);
    for (size_t m = 0; m < json_array_size(messages); m++) {
        check_tiled_message(stream, json_array_get(messages, m), decoder);
    }
    weft_decoder_destroy(decoder);
}

static void tiles_of_large_bodies_are_read(void **state)
{
    (void)state;
    vectors_each("compressed_frames.json", "tiled", check_tiled);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_made_small_and_read),
#ifdef WITH_LIBWEFT
        cmocka_unit_test(compressed_frames_are_read),
        cmocka_unit_test(tiles_of_large_bodies_are_read),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
