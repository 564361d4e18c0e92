// Arrays of numbers: every encoding gives the same numbers; every mode is written to the byte.
#include "protocol/array.h"

#include "helper_value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_numbers(const char *text, enum protocol_array_type bin_type, enum protocol_array_type type,
                           const double *numbers, uint32_t count)
{
    struct value value;
    struct protocol_array array;
    double wide[8];
    float narrow[8];
    value_init(&value, text);
    assert_true(protocol_array_from(&value.object, bin_type, &array));
    assert_int_equal(array.type, type);
    assert_int_equal(array.count, count);
    protocol_array_copy_f64(&array, wide);
    protocol_array_copy_f32(&array, narrow);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(protocol_array_f64_at(&array, i) == numbers[i]);
        assert_true(wide[i] == numbers[i]);
        assert_true(narrow[i] == (float)numbers[i]);
    }
    value_deinit(&value);
}

static void every_encoding_gives_the_same_numbers(void **state)
{
    (void)state;
    const double plus[] = {0, 1, 100}, minus[] = {-1, 0, 127}, half[] = {0.5, -2, 1024};
    expect_numbers("u8[0 1 100]", 0x17, PROTOCOL_ARRAY_U8, plus, 3);
    expect_numbers("u16[0 1 100]", 0x17, PROTOCOL_ARRAY_U16, plus, 3);
    expect_numbers("u32[0 1 100]", 0x17, PROTOCOL_ARRAY_U32, plus, 3);
    expect_numbers("i8[-1 0 127]", 0x17, PROTOCOL_ARRAY_I8, minus, 3);
    expect_numbers("i16[-1 0 127]", 0x17, PROTOCOL_ARRAY_I16, minus, 3);
    expect_numbers("i32[-1 0 127]", 0x17, PROTOCOL_ARRAY_I32, minus, 3);
    expect_numbers("f32[0.5 -2 1024]", 0x17, PROTOCOL_ARRAY_F32, half, 3);
    expect_numbers("f64[0.5 -2 1024]", 0x17, PROTOCOL_ARRAY_F64, half, 3);
    expect_numbers("[0.5, -2, 1024]", 0x17, PROTOCOL_ARRAY_PLAIN, half, 3);
    expect_numbers("bin\"0000003f 000000c0 00008044\"", 0x17, PROTOCOL_ARRAY_F32, half, 3);
    expect_numbers("str\"0000003f 000000c0 00008044\"", 0x17, PROTOCOL_ARRAY_F32, half, 3);
    expect_numbers("bin\"00000000 01000000 64000000\"", 0x16, PROTOCOL_ARRAY_U32, plus, 3);
    expect_numbers("[]", 0x17, PROTOCOL_ARRAY_PLAIN, NULL, 0);
    expect_numbers("f32[]", 0x17, PROTOCOL_ARRAY_F32, NULL, 0);
    expect_numbers("bin\"\"", 0x17, PROTOCOL_ARRAY_F32, NULL, 0);
}

static void what_is_no_array_of_numbers_is_not_taken_for_one(void **state)
{
    (void)state;
    static const char *const others[] = {"nil",
                                         "true",
                                         "1",
                                         "1.5",
                                         "{}",
                                         "[1, \"2\"]",
                                         "[nil]",
                                         "[[1]]",
                                         "bin\"000000\"",
                                         "str\"00000000 00\"",
                                         "ext17\"000000\"",
                                         "ext18\"00000000\"",
                                         "ext13\"00\"",
                                         "ext10\"00\"",
                                         "ext19\"00000000\"",
                                         "ext1a\"00000000\"",
                                         "ext00\"00\"",
                                         "extff\"00\""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct value value;
        struct protocol_array array;
        value_init(&value, others[i]);
        if (protocol_array_from(&value.object, PROTOCOL_ARRAY_F32, &array)) {
            fail_msg("taken: %s", others[i]);
        }
        value_deinit(&value);
    }
}

static void elements_are_read_wherever_they_lie(void **state)
{
    (void)state;
    // Each longer name in front moves the payload by a byte.
    static const char *const shifts[] = {"[\"\", f64[1.5 2.5]]", "[\"a\", f64[1.5 2.5]]",
                                         "[\"ab\", f64[1.5 2.5]]", "[\"abc\", f64[1.5 2.5]]",
                                         "[\"abcd\", f64[1.5 2.5]]"};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        struct value value;
        struct protocol_array array;
        value_init(&value, shifts[i]);
        assert_true(protocol_array_from(&value.object.via.array.ptr[1], PROTOCOL_ARRAY_F32, &array));
        assert_true(protocol_array_f64_at(&array, 0) == 1.5 && protocol_array_f64_at(&array, 1) == 2.5);
        value_deinit(&value);
    }
}

static void expect_u32s(const char *text, bool good, uint32_t bad_index)
{
    struct value value;
    struct protocol_array array;
    uint32_t out[8], bad = UINT32_MAX;
    value_init(&value, text);
    assert_true(protocol_array_from(&value.object, PROTOCOL_ARRAY_U32, &array));
    assert_int_equal(protocol_array_copy_u32(&array, out, &bad), good);
    for (uint32_t i = 0; good && i < array.count; i++) {
        assert_true(out[i] == protocol_array_f64_at(&array, i));
    }
    if (!good) {
        assert_int_equal(bad, bad_index);
    }
    value_deinit(&value);
}

static void integers_are_taken_from_every_encoding_and_nothing_else(void **state)
{
    (void)state;
    expect_u32s("[0, 1, 4294967295]", true, 0);
    expect_u32s("[0.0, 1.0, 4294967295.0]", true, 0);
    expect_u32s("u32[0 1 4294967295]", true, 0);
    expect_u32s("u16[0 65535]", true, 0);
    expect_u32s("u8[0 255]", true, 0);
    expect_u32s("i8[0 127]", true, 0);
    expect_u32s("f64[0 4294967295]", true, 0);
    expect_u32s("f32[0 16777216]", true, 0);
    expect_u32s("bin\"ffffffff\"", true, 0);
    expect_u32s("[0, 4294967296]", false, 1);
    expect_u32s("[18446744073709551615]", false, 0);
    expect_u32s("[0, -1]", false, 1);
    expect_u32s("[0, 0.5]", false, 1);
    expect_u32s("[NaN]", false, 0);
    expect_u32s("i8[0 0 -1]", false, 2);
    expect_u32s("i16[-1]", false, 0);
    expect_u32s("i32[5 -1]", false, 1);
    expect_u32s("f32[1 inf]", false, 1);
    expect_u32s("f64[1 2 nan]", false, 2);
    expect_u32s("f64[4294967296]", false, 0);
}

static void out_of_the_range_of_float_is_infinity(void **state)
{
    (void)state;
    struct value value;
    struct protocol_array array;
    float out[4];
    value_init(&value, "f64[1e300 -1e300 3.4028234e38 nan]");
    assert_true(protocol_array_from(&value.object, PROTOCOL_ARRAY_F32, &array));
    protocol_array_copy_f32(&array, out);
    assert_true(isinf(out[0]) && out[0] > 0 && isinf(out[1]) && out[1] < 0);
    assert_true(isfinite(out[2]) && isnan(out[3]));
    value_deinit(&value);
}

static void expect_packed(enum protocol_arrays_mode mode, enum protocol_array_type type, const void *items,
                          uint32_t count, const char *hex)
{
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    protocol_array_pack(&packer, mode, type, items, count);
    struct bytes expected = bytes_from_hex(hex);
    assert_int_equal(buffer.size, expected.size);
    assert_memory_equal(buffer.data, expected.data, expected.size);
    free(expected.data);
    msgpack_sbuffer_destroy(&buffer);
}

static void each_mode_is_written_to_the_byte(void **state)
{
    (void)state;
    const float floats[] = {1, -2, 0.5f};
    const double doubles[] = {1.5};
    const uint32_t integers[] = {1, 300, 4294967295u};
    const int8_t small[] = {-1, 2};
    expect_packed(PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_F32, floats, 3, "c7 0c 17 0000803f 000000c0 0000003f");
    expect_packed(PROTOCOL_ARRAYS_BIN, PROTOCOL_ARRAY_F32, floats, 3, "c4 0c 0000803f 000000c0 0000003f");
    expect_packed(PROTOCOL_ARRAYS_PLAIN, PROTOCOL_ARRAY_F32, floats, 3,
                  "93 ca3f800000 cac0000000 ca3f000000");
    expect_packed(PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_F64, doubles, 1, "d7 18 000000000000f83f");
    expect_packed(PROTOCOL_ARRAYS_BIN, PROTOCOL_ARRAY_F64, doubles, 1, "c4 08 000000000000f83f");
    expect_packed(PROTOCOL_ARRAYS_PLAIN, PROTOCOL_ARRAY_F64, doubles, 1, "91 cb3ff8000000000000");
    expect_packed(PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, integers, 3,
                  "c7 0c 16 01000000 2c010000 ffffffff");
    expect_packed(PROTOCOL_ARRAYS_PLAIN, PROTOCOL_ARRAY_U32, integers, 3, "93 01 cd012c ceffffffff");
    expect_packed(PROTOCOL_ARRAYS_PLAIN, PROTOCOL_ARRAY_I8, small, 2, "92 ff 02");
    expect_packed(PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_F32, NULL, 0, "c7 00 17");
    expect_packed(PROTOCOL_ARRAYS_BIN, PROTOCOL_ARRAY_F32, NULL, 0, "c4 00");
    expect_packed(PROTOCOL_ARRAYS_PLAIN, PROTOCOL_ARRAY_F32, NULL, 0, "90");
}

static void items_have_the_sizes_of_their_names(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 0, 0};
    for (int i = 0; i < 10; i++) {
        assert_int_equal(protocol_array_item_size((enum protocol_array_type)(0x11 + i)), sizes[i]);
    }
    assert_int_equal(protocol_array_item_size((enum protocol_array_type)0), 0);
    assert_int_equal(protocol_array_item_size((enum protocol_array_type)0x80), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_gives_the_same_numbers),
        cmocka_unit_test(what_is_no_array_of_numbers_is_not_taken_for_one),
        cmocka_unit_test(elements_are_read_wherever_they_lie),
        cmocka_unit_test(integers_are_taken_from_every_encoding_and_nothing_else),
        cmocka_unit_test(out_of_the_range_of_float_is_infinity),
        cmocka_unit_test(each_mode_is_written_to_the_byte),
        cmocka_unit_test(items_have_the_sizes_of_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
