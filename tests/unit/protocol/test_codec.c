// Chunks of frames: aligned in every mode, and holding what was put in.
#include "protocol/codec/codec.h"

#include "helper_value.h"
#include "protocol/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTICLES = 9 };

// Arrays of chunks of particles, and the skin, which is the only array of its chunks.
enum { SKIN = 6, NAMES };
static const char *const names[NAMES] = {"positions", "positions64", "velocities", "normals",
                                         "rotations", "rotations64", "skin"};

static void fill(float *floats, double *doubles)
{
    for (int i = 0; i < 4 * PARTICLES; i++) {
        floats[i] = (float)i * 0.1f - 1;
        doubles[i] = i / 3.0 + 1e-12;
    }
}

static void expect_array(const msgpack_object *map, const char *name, const uint8_t *start,
                         const float *floats, const double *doubles, uint32_t count)
{
    const msgpack_object *object = value_at(map, name);
    struct protocol_array array;
    assert_non_null(object);
    assert_true(
        protocol_array_from(object, doubles != NULL ? PROTOCOL_ARRAY_F64 : PROTOCOL_ARRAY_F32, &array));
    assert_int_equal(array.count, count);
    if (array.type != PROTOCOL_ARRAY_PLAIN && count > 0) {
        assert_int_equal(((const uint8_t *)array.data - start) % 8, 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_true(protocol_array_f64_at(&array, i) == (doubles != NULL ? doubles[i] : (double)floats[i]));
    }
}

static void expect_padding(const msgpack_object *map)
{
    char seen[32] = "";
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *key = &map->via.map.ptr[i].key, *padding = &map->via.map.ptr[i].val;
        if (key->via.str.ptr[0] != '_') {
            continue;
        }
        assert_int_equal(key->via.str.size, 2);
        assert_int_equal(padding->type, MSGPACK_OBJECT_BIN);
        assert_true(padding->via.bin.size <= 7);
        for (uint32_t j = 0; j < padding->via.bin.size; j++) {
            assert_int_equal(padding->via.bin.ptr[j], 0);
        }
        assert_null(strchr(seen, key->via.str.ptr[1])); // names are distinct
        strncat(seen, key->via.str.ptr + 1, 1);
    }
}

static void every_chunk_is_a_whole_aligned_map_of_what_was_put_in(void **state)
{
    (void)state;
    float floats[NAMES][4 * PARTICLES];
    double doubles[NAMES][4 * PARTICLES];
    for (int i = 0; i < NAMES; i++) {
        fill(floats[i], doubles[i]);
        floats[i][0] += (float)i;
        doubles[i][0] += i;
    }
    for (uint32_t count = 0; count <= PARTICLES; count++) {
        for (int wanted = 0; wanted <= 1 << SKIN; wanted++) {
            for (int mode = PROTOCOL_ARRAYS_EXT; mode <= PROTOCOL_ARRAYS_PLAIN; mode++) {
                struct codec_chunk chunk = {.body = 7 + count, .first = 4000000000u, .count = count};
                chunk.positions = (wanted & 1) != 0 ? floats[0] : NULL;
                chunk.positions64 = (wanted & 2) != 0 ? doubles[1] : NULL;
                chunk.velocities = (wanted & 4) != 0 ? floats[2] : NULL;
                chunk.normals = (wanted & 8) != 0 ? floats[3] : NULL;
                chunk.rotations = (wanted & 16) != 0 ? floats[4] : NULL;
                chunk.rotations64 = (wanted & 32) != 0 ? doubles[5] : NULL;
                chunk.skin = (wanted & 1 << SKIN) != 0 ? floats[SKIN] : NULL;
                size_t size = codec_size_f32(&chunk, (enum protocol_arrays_mode)mode);
                assert_int_equal(size % 8, 0);
                uint8_t *out = malloc(size); // exactly: a byte too many is seen by a sanitizer
                assert_non_null(out);
                assert_int_equal(codec_encode_f32(&chunk, (enum protocol_arrays_mode)mode, out), size);
                struct value value;
                value_init_bytes(&value, out, size);
                const msgpack_object *map = &value.object;
                assert_int_equal(value_at(map, "body")->via.u64, 7 + count);
                assert_int_equal(value_at(map, "first")->via.u64, 4000000000u);
                assert_int_equal(value_at(map, "count")->via.u64, count);
                for (int field = 0; field < NAMES; field++) {
                    if ((wanted & 1 << field) == 0) {
                        assert_null(value_at(map, names[field]));
                        continue;
                    }
                    const bool wide = field == 1 || field == 5;
                    expect_array(map, names[field], value.bytes.data, floats[field],
                                 wide ? doubles[field] : NULL, (field == 4 || field == 5 ? 4 : 3) * count);
                }
                expect_padding(map);
                value_deinit(&value);
                free(out);
            }
        }
    }
}

static void elements_of_plain_arrays_begin_at_multiples_of_eight_too(void **state)
{
    (void)state;
    const float positions[] = {1, 2, 3};
    const struct codec_chunk chunk = {.body = 1, .count = 1, .positions = positions};
    uint8_t out[256];
    size_t size = codec_size_f32(&chunk, PROTOCOL_ARRAYS_PLAIN);
    assert_true(size <= sizeof out);
    codec_encode_f32(&chunk, PROTOCOL_ARRAYS_PLAIN, out);
    const uint8_t head[] = {0xDD, 0, 0, 0, 3, 0xCA, 0x3F, 0x80};
    size_t at = 0;
    while (memcmp(out + at, head, sizeof head) != 0) {
        at++;
        assert_true(at + sizeof head <= size);
    }
    assert_int_equal((at + 5) % 8, 0);
}

static void a_chunk_is_as_documented_to_the_byte(void **state)
{
    (void)state;
    const float positions[] = {1, -2, 0.5f};
    const struct codec_chunk chunk = {.body = 1, .first = 2, .count = 1, .positions = positions};
    uint8_t out[256];
    struct bytes expected =
        bytes_from_hex("86 a4626f6479 ce00000001 a56669727374 ce00000002 a5636f756e74 ce00000001"
                       "a25f61 c402 0000" // 33 bytes before it; the payload at 56
                       "a9706f736974696f6e73 c9 0000000c 17 0000803f 000000c0 0000003f"
                       "a25f62 c407 00000000000000");
    assert_int_equal(codec_size_f32(&chunk, PROTOCOL_ARRAYS_EXT), expected.size);
    codec_encode_f32(&chunk, PROTOCOL_ARRAYS_EXT, out);
    assert_memory_equal(out, expected.data, expected.size);
    free(expected.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_is_a_whole_aligned_map_of_what_was_put_in),
        cmocka_unit_test(elements_of_plain_arrays_begin_at_multiples_of_eight_too),
        cmocka_unit_test(a_chunk_is_as_documented_to_the_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
