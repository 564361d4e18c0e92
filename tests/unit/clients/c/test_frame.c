// Frames: what a good one gives, and that no bytes make the iterator reach past them.
#include "helper_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <weft.h>

// Unpacks a whole notification and takes its map.
static const msgpack_object *map_of(const char *bytes, size_t size, msgpack_zone *zone, msgpack_object *root)
{
    size_t offset = 0;
    if (msgpack_unpack(bytes, size, &offset, zone, root) != MSGPACK_UNPACK_SUCCESS) {
        return NULL;
    }
    return weft_at(weft_at(root, 2), 0);
}

static void a_frame_gives_its_fields_and_bodies(void **state)
{
    (void)state;
    msgpack_sbuffer bytes;
    msgpack_zone zone;
    msgpack_object root;
    struct weft_frame frame;
    struct weft_frame_body body;
    struct weft_error error;
    msgpack_sbuffer_init(&bytes);
    assert_true(msgpack_zone_init(&zone, 1024));
    peer_pack_frame(&bytes, 9, 5);
    assert_true(weft_frame_init(&frame, map_of(bytes.data, bytes.size, &zone, &root), &zone, &error));
    assert_int_equal(frame.seq, 9);
    assert_int_equal(frame.stream, 1);
    assert_int_equal(frame.parts, 1);
    assert_true(frame.time == 0.5);
    assert_true(frame.epoch == UINT64_C(1) << 40);
    assert_null(frame.measures);
    assert_int_equal(frame.body_count, 1);
    assert_int_equal(weft_frame_next(&frame, &body, &error), 1);
    assert_int_equal(body.body, 1);
    assert_int_equal(body.count, 5);
    for (uint32_t i = 0; i < 15; i++) {
        assert_true(body.positions[i] == (float)i);
    }
    assert_null(body.velocities);
    assert_null(body.positions64);
    assert_null(body.normals);
    assert_int_equal(weft_frame_next(&frame, &body, &error), 0);
    assert_int_equal(weft_frame_next(&frame, &body, &error), 0);
    msgpack_zone_destroy(&zone);
    msgpack_sbuffer_destroy(&bytes);
}

// Builds a frame with one chunk whose count and array can be chosen.
static void pack_chunk(msgpack_sbuffer *out, uint64_t first, uint64_t count, const char *array,
                       size_t array_floats)
{
    msgpack_packer p;
    float *floats = calloc(array_floats + 1, sizeof *floats);
    msgpack_packer_init(&p, out, msgpack_sbuffer_write);
    peer_pack_frame(out, 1, 0);
    // The last chunk of the frame above is 4 entries: cut it off and write another.
    const char *at = NULL;
    for (size_t i = 0; i + 7 < out->size; i++) {
        if (memcmp(out->data + i,
                   "\xa6"
                   "bodies\x91",
                   8) == 0) {
            at = out->data + i + 8;
        }
    }
    assert_non_null(at);
    out->size = (size_t)(at - out->data);
    msgpack_pack_map(&p, 4);
    msgpack_pack_str_with_body(&p, "body", 4);
    msgpack_pack_uint32(&p, 1);
    msgpack_pack_str_with_body(&p, "first", 5);
    msgpack_pack_uint64(&p, first);
    msgpack_pack_str_with_body(&p, "count", 5);
    msgpack_pack_uint64(&p, count);
    msgpack_pack_str_with_body(&p, array, strlen(array));
    msgpack_pack_ext_with_body(&p, floats, array_floats * sizeof *floats, 0x17);
    free(floats);
}

static void chunks_that_claim_more_than_they_hold_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint64_t first, count;
        const char *array;
        size_t floats;
        int expected;
    } cases[] = {
        {0, 2, "positions", 6, 1},
        {0, 2, "positions", 5, -1},
        {0, 2, "positions", 7, -1},
        {0, 0, "positions", 0, 1},
        {0, 1431655766, "positions", 2, -1}, // 3 count is 2 modulo 2^32
        {0, UINT32_MAX, "positions", 3, -1},
        {UINT32_MAX, 1, "positions", 3, -1},
        {0, UINT64_C(1) << 32, "positions", 0, -1},
        {UINT64_C(1) << 40, 1, "positions", 3, -1},
        {0, 1, "velocities", 2, -1},
        {0, 1, "normals", 4, -1},
        {0, 1, "positions64", 1, -1},
        {5, 2, "skin", 6, 1},
        {5, 2, "skin", 3, -1},
        {0, 2, "rotations", 8, 1},
        {0, 2, "rotations", 6, -1},
        {0, 1073741825, "rotations", 4, -1}, // 4 count is 4 modulo 2^32
        {0, 1, "rotations64", 3, -1},
        {0, 1, "unheard_of", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        msgpack_sbuffer bytes;
        msgpack_zone zone;
        msgpack_object root;
        struct weft_frame frame;
        struct weft_frame_body body;
        struct weft_error error;
        msgpack_sbuffer_init(&bytes);
        assert_true(msgpack_zone_init(&zone, 1024));
        pack_chunk(&bytes, cases[i].first, cases[i].count, cases[i].array, cases[i].floats);
        assert_true(weft_frame_init(&frame, map_of(bytes.data, bytes.size, &zone, &root), &zone, &error));
        assert_int_equal(weft_frame_next(&frame, &body, &error), cases[i].expected);
        // Nothing is believed after a lie.
        assert_int_equal(weft_frame_next(&frame, &body, &error), 0);
        msgpack_zone_destroy(&zone);
        msgpack_sbuffer_destroy(&bytes);
    }
}

static void heads_of_the_wrong_shape_are_refused(void **state)
{
    (void)state;
    struct weft_frame frame;
    struct weft_error error;
    const msgpack_object number = {.type = MSGPACK_OBJECT_POSITIVE_INTEGER};
    assert_false(weft_frame_init(&frame, NULL, NULL, &error));
    assert_false(weft_frame_init(&frame, &number, NULL, &error));
    assert_string_equal(error.code, "PROTOCOL");
    // Each field that is left out, by spoiling the first letter of its name.
    static const char *const fields[] = {"stream",  "seq",      "dropped", "world", "tick",
                                         "substep", "revision", "part",    "parts", "bodies"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        msgpack_sbuffer bytes;
        msgpack_zone zone;
        msgpack_object root;
        msgpack_sbuffer_init(&bytes);
        assert_true(msgpack_zone_init(&zone, 1024));
        peer_pack_frame(&bytes, 1, 1);
        char key[16];
        const size_t length = strlen(fields[i]);
        key[0] = (char)(0xa0 | length);
        memcpy(key + 1, fields[i], length);
        bool spoiled = false;
        for (size_t at = 15; at + length < bytes.size && !spoiled; at++) {
            if (memcmp(bytes.data + at, key, length + 1) == 0) {
                bytes.data[at + 1] = 'Z';
                spoiled = true;
            }
        }
        assert_true(spoiled);
        assert_false(weft_frame_init(&frame, map_of(bytes.data, bytes.size, &zone, &root), &zone, &error));
        assert_string_equal(error.code, "PROTOCOL");
        msgpack_zone_destroy(&zone);
        msgpack_sbuffer_destroy(&bytes);
    }
}

static void spoiled_frames_never_reach_past_their_bytes(void **state)
{
    (void)state;
    msgpack_sbuffer good;
    uint64_t seed = 7;
    double sum = 0;
    msgpack_sbuffer_init(&good);
    peer_pack_frame(&good, 3, 4);
    for (size_t at = 0; at < good.size; at++) {
        for (int variant = 0; variant < 24; variant++) {
            msgpack_zone zone;
            msgpack_object root;
            struct weft_frame frame;
            struct weft_frame_body body;
            char *copy = malloc(good.size);
            memcpy(copy, good.data, good.size);
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            copy[at] = (char)(seed >> 33);
            // Lengths that ask msgpack-c for memory are the scanner's business, not this test's.
            const unsigned char spoiled = (unsigned char)copy[at];
            if (spoiled < 0xdc || spoiled > 0xdf) {
                assert_true(msgpack_zone_init(&zone, 1024));
                if (weft_frame_init(&frame, map_of(copy, good.size, &zone, &root), &zone, NULL)) {
                    while (weft_frame_next(&frame, &body, NULL) == 1) {
                        for (size_t i = 0; body.positions && i < 3 * (size_t)body.count; i++) {
                            sum += (double)body.positions[i] > 0;
                        }
                    }
                }
                msgpack_zone_destroy(&zone);
            }
            free(copy);
        }
    }
    assert_true(sum > 0);
    msgpack_sbuffer_destroy(&good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_gives_its_fields_and_bodies),
        cmocka_unit_test(chunks_that_claim_more_than_they_hold_are_refused),
        cmocka_unit_test(heads_of_the_wrong_shape_are_refused),
        cmocka_unit_test(spoiled_frames_never_reach_past_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
