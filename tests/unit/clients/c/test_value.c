// Values from a server: look-ups that take anything, and views of arrays in every form they come in.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <weft.h>

struct value {
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_zone zone;
    msgpack_object object;
};

static msgpack_packer *begin(struct value *value)
{
    msgpack_sbuffer_init(&value->bytes);
    msgpack_packer_init(&value->packer, &value->bytes, msgpack_sbuffer_write);
    return &value->packer;
}

static const msgpack_object *end(struct value *value)
{
    size_t offset = 0;
    assert_true(msgpack_zone_init(&value->zone, 1024));
    assert_int_equal(
        msgpack_unpack(value->bytes.data, value->bytes.size, &offset, &value->zone, &value->object),
        MSGPACK_UNPACK_SUCCESS);
    return &value->object;
}

static void drop(struct value *value)
{
    msgpack_zone_destroy(&value->zone);
    msgpack_sbuffer_destroy(&value->bytes);
}

static void look_ups_take_null_and_wrong_types(void **state)
{
    (void)state;
    char text[8] = "before";
    size_t size = 5;
    struct weft_view view;
    const msgpack_object number = {.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via.u64 = 3};
    assert_null(weft_get(NULL, "a"));
    assert_null(weft_get(&number, "a"));
    assert_null(weft_at(NULL, 0));
    assert_null(weft_at(&number, 0));
    assert_int_equal(weft_count(NULL), 0);
    assert_int_equal(weft_count(&number), 0);
    assert_int_equal(weft_u64(NULL, 7), 7);
    assert_true(weft_f64(NULL, 0.5) == 0.5);
    assert_true(weft_bool(&number, true));
    assert_null(weft_string(&number, &size));
    assert_int_equal(size, 0);
    assert_string_equal(weft_string_copy(NULL, text, sizeof text), "");
    assert_false(weft_string_is(NULL, ""));
    assert_false(weft_view_f32(NULL, &view));
    assert_false(weft_view_f32(&number, &view));
    assert_int_equal(view.count, 0);
    weft_view_deinit(&view);
}

static void numbers_convert_where_nothing_is_lost(void **state)
{
    (void)state;
    const msgpack_object whole = {.type = MSGPACK_OBJECT_FLOAT64, .via.f64 = 12};
    const msgpack_object half = {.type = MSGPACK_OBJECT_FLOAT64, .via.f64 = 12.5};
    const msgpack_object minus = {.type = MSGPACK_OBJECT_NEGATIVE_INTEGER, .via.i64 = -2};
    const msgpack_object huge = {.type = MSGPACK_OBJECT_FLOAT64, .via.f64 = 1e300};
    const msgpack_object nan = {.type = MSGPACK_OBJECT_FLOAT64, .via.f64 = (double)NAN};
    assert_int_equal(weft_u64(&whole, 0), 12);
    assert_int_equal(weft_u64(&half, 99), 99);
    assert_int_equal(weft_u64(&minus, 99), 99);
    assert_int_equal(weft_u64(&huge, 99), 99);
    assert_int_equal(weft_u64(&nan, 99), 99);
    assert_true(weft_f64(&minus, 0) == -2);
}

static void text_is_cut_at_characters_and_made_fit_for_terminals(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        size_t from_size, room;
        const char *expected;
    } cases[] = {
        {"plain", 5, 64, "plain"},
        {"\033[2J\x07", 5, 64, "?[2J?"},
        {"gr\xc3\xbc\xc3\x9f", 6, 64, "gr\xc3\xbc\xc3\x9f"},
        {"gr\xc3\xbc\xc3\x9f", 6, 6, "gr\xc3\xbc"},
        {"a\xff\xfe", 3, 64, "a??"},
        {"\xed\xa0\x80", 3, 64, "???"},
        {"\xc2\x9b"
         "1m",
         4, 64, "?1m"},
        {"x\xe2\x80\xaey", 5, 64, "x?y"},
        {"x\xe2\x80\x8ey", 5, 64, "x?y"},
        {"x\xd8\x9cy", 4, 64, "x?y"},
        {"cut\xe2\x82", 5, 64, "cut??"},
        {"nul\0l", 5, 64, "nul?l"},
        {"none", 4, 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64];
        const msgpack_object value = {
            .type = MSGPACK_OBJECT_STR,
            .via.str = {.ptr = cases[i].from, .size = (uint32_t)cases[i].from_size}};
        assert_string_equal(weft_string_copy(&value, out, cases[i].room), cases[i].expected);
    }
}

static void views_point_into_the_message_where_it_lies_right(void **state)
{
    (void)state;
    _Alignas(8) const float items[2] = {1.5f, -2};
    const msgpack_object ext = {.type = MSGPACK_OBJECT_EXT,
                                .via.ext = {.type = 0x17, .size = 8, .ptr = (const char *)items}};
    const msgpack_object bin = {.type = MSGPACK_OBJECT_BIN,
                                .via.bin = {.size = 8, .ptr = (const char *)items}};
    struct weft_view view;
    assert_true(weft_view_f32(&ext, &view));
    assert_int_equal(view.count, 2);
    assert_ptr_equal(view.f32, items);
    assert_null(view.copy);
    weft_view_deinit(&view);
    assert_true(weft_view_f32(&bin, &view));
    assert_ptr_equal(view.f32, items);
    weft_view_deinit(&view);
    assert_true(weft_view_u32(&bin, &view));
    assert_int_equal(view.count, 2);
    weft_view_deinit(&view);
    assert_true(weft_view_f64(&bin, &view));
    assert_int_equal(view.count, 1);
    weft_view_deinit(&view);
}

static void misaligned_arrays_are_copied(void **state)
{
    (void)state;
    _Alignas(8) char bytes[32] = {0};
    const double items[2] = {0.25, -3};
    for (size_t shift = 1; shift < 8; shift++) {
        struct weft_view view;
        memcpy(bytes + shift, items, sizeof items);
        const msgpack_object ext = {.type = MSGPACK_OBJECT_EXT,
                                    .via.ext = {.type = 0x18, .size = 16, .ptr = bytes + shift}};
        assert_true(weft_view_f64(&ext, &view));
        assert_non_null(view.copy);
        assert_memory_equal(view.f64, items, sizeof items);
        weft_view_deinit(&view);
    }
}

static void every_element_type_converts(void **state)
{
    (void)state;
    static const struct {
        int8_t type;
        const char *bytes;
        uint32_t size;
        double expected;
    } cases[] = {
        {0x11, "\xfe", 1, -2},
        {0x12, "\xfe", 1, 254},
        {0x13, "\xfe\xff", 2, -2},
        {0x14, "\xfe\xff", 2, 65534},
        {0x15, "\xfe\xff\xff\xff", 4, -2},
        {0x16, "\xfe\xff\xff\xff", 4, 4294967294.0},
        {0x17, "\0\0\0\x3f", 4, 0.5},
        {0x18, "\0\0\0\0\0\0\xe0\x3f", 8, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const msgpack_object ext = {
            .type = MSGPACK_OBJECT_EXT,
            .via.ext = {.type = cases[i].type, .size = cases[i].size, .ptr = cases[i].bytes}};
        struct weft_view view;
        assert_true(weft_view_f64(&ext, &view));
        assert_int_equal(view.count, 1);
        assert_true(view.f64[0] == cases[i].expected);
        weft_view_deinit(&view);
        const bool fits = cases[i].expected >= 0 && floor(cases[i].expected) == cases[i].expected;
        assert_int_equal(weft_view_u32(&ext, &view), fits);
        weft_view_deinit(&view);
    }
}

static void plain_lists_are_arrays_if_all_are_numbers(void **state)
{
    (void)state;
    struct value value;
    struct weft_view view;
    msgpack_packer *p = begin(&value);
    msgpack_pack_array(p, 3);
    msgpack_pack_int(p, -1);
    msgpack_pack_float(p, 0.5f);
    msgpack_pack_uint64(p, 7);
    const msgpack_object *list = end(&value);
    assert_true(weft_view_f32(list, &view));
    assert_int_equal(view.count, 3);
    assert_true(view.f32[0] == -1 && view.f32[1] == 0.5f && view.f32[2] == 7);
    weft_view_deinit(&view);
    assert_false(weft_view_u32(list, &view));
    drop(&value);

    p = begin(&value);
    msgpack_pack_array(p, 2);
    msgpack_pack_int(p, 1);
    msgpack_pack_nil(p);
    assert_false(weft_view_f64(end(&value), &view));
    assert_null(view.copy);
    drop(&value);
}

static void broken_arrays_are_refused(void **state)
{
    (void)state;
    struct weft_view view;
    const msgpack_object cut = {.type = MSGPACK_OBJECT_EXT,
                                .via.ext = {.type = 0x17, .size = 7, .ptr = "1234567"}};
    const msgpack_object other = {.type = MSGPACK_OBJECT_EXT,
                                  .via.ext = {.type = 0x19, .size = 4, .ptr = "1234"}};
    const msgpack_object text = {.type = MSGPACK_OBJECT_STR, .via.str = {.size = 4, .ptr = "1234"}};
    const msgpack_object none = {.type = MSGPACK_OBJECT_EXT,
                                 .via.ext = {.type = 0x17, .size = 0, .ptr = NULL}};
    assert_false(weft_view_f32(&cut, &view));
    assert_false(weft_view_f32(&other, &view));
    assert_false(weft_view_f32(&text, &view));
    assert_true(weft_view_f32(&none, &view));
    assert_int_equal(view.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_ups_take_null_and_wrong_types),
        cmocka_unit_test(numbers_convert_where_nothing_is_lost),
        cmocka_unit_test(text_is_cut_at_characters_and_made_fit_for_terminals),
        cmocka_unit_test(views_point_into_the_message_where_it_lies_right),
        cmocka_unit_test(misaligned_arrays_are_copied),
        cmocka_unit_test(every_element_type_converts),
        cmocka_unit_test(plain_lists_are_arrays_if_all_are_numbers),
        cmocka_unit_test(broken_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
