// Parameters: the bytes that the builder makes, and what it refuses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <weft.h>

static void assert_bytes(const struct weft_params *params, const char *expected, size_t size)
{
    assert_null(params->fault);
    assert_int_equal(params->buffer.size, size);
    assert_memory_equal(params->buffer.data, expected, size);
}

static void no_entries_make_an_empty_map(void **state)
{
    (void)state;
    struct weft_params params;
    weft_params_init(&params);
    assert_bytes(&params, "\xdf\0\0\0\0", 5);
    weft_params_deinit(&params);
}

static void entries_are_counted_and_in_order(void **state)
{
    (void)state;
    struct weft_params params;
    weft_params_init(&params);
    weft_params_string(&params, "a", "xy");
    weft_params_u64(&params, "b", 300);
    weft_params_i64(&params, "c", -1);
    weft_params_bool(&params, "d", true);
    weft_params_nil(&params, "e");
    weft_params_f64(&params, "f", 1.0);
    static const char expected[] = "\xdf\0\0\0\x06"
                                   "\xa1"
                                   "a\xa2xy"
                                   "\xa1"
                                   "b\xcd\x01\x2c"
                                   "\xa1"
                                   "c\xff"
                                   "\xa1"
                                   "d\xc3"
                                   "\xa1"
                                   "e\xc0"
                                   "\xa1"
                                   "f\xcb\x3f\xf0\0\0\0\0\0\0";
    assert_bytes(&params, expected, sizeof expected - 1);
    weft_params_deinit(&params);
}

static void maps_and_lists_nest_and_count_their_own(void **state)
{
    (void)state;
    struct weft_params params;
    weft_params_init(&params);
    weft_params_map_begin(&params, "m");
    weft_params_u64(&params, "x", 1);
    weft_params_list_begin(&params, "l");
    weft_params_u64(&params, NULL, 2);
    weft_params_u64(&params, NULL, 3);
    weft_params_list_end(&params);
    weft_params_map_end(&params);
    weft_params_u64(&params, "z", 4);
    static const char expected[] = "\xdf\0\0\0\x02"
                                   "\xa1m\xdf\0\0\0\x02"
                                   "\xa1x\x01"
                                   "\xa1l\xdd\0\0\0\x02\x02\x03"
                                   "\xa1z\x04";
    assert_bytes(&params, expected, sizeof expected - 1);
    weft_params_deinit(&params);
}

static void arrays_are_typed_and_little_endian(void **state)
{
    (void)state;
    struct weft_params params;
    const float f32[1] = {1.0f};
    const uint32_t u32[2] = {1, 0x01020304};
    const double f64[1] = {1.0};
    weft_params_init(&params);
    weft_params_f32_array(&params, "f", f32, 1);
    weft_params_u32_array(&params, "u", u32, 2);
    weft_params_f64_array(&params, "d", f64, 1);
    weft_params_u32_array(&params, "e", NULL, 0);
    static const char expected[] = "\xdf\0\0\0\x04"
                                   "\xa1"
                                   "f\xd6\x17\0\0\x80\x3f"
                                   "\xa1u\xd7\x16\x01\0\0\0\x04\x03\x02\x01"
                                   "\xa1"
                                   "d\xd7\x18\0\0\0\0\0\0\xf0\x3f"
                                   "\xa1"
                                   "e\xc7\0\x16";
    assert_bytes(&params, expected, sizeof expected - 1);
    weft_params_deinit(&params);
}

static void a_number_is_an_id_and_other_text_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_id;
    } cases[] = {{"1", true},   {"4294967295", true}, {"4294967296", false},
                 {"0", false},  {"", false},          {"99999999999", false},
                 {"1a", false}, {"-1", false},        {"flag", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct weft_params params;
        msgpack_unpacked unpacked;
        size_t offset = 0;
        weft_params_init(&params);
        weft_params_ref(&params, "world", cases[i].text);
        msgpack_unpacked_init(&unpacked);
        assert_int_equal(msgpack_unpack_next(&unpacked, params.buffer.data, params.buffer.size, &offset),
                         MSGPACK_UNPACK_SUCCESS);
        const msgpack_object *value = weft_get(&unpacked.data, "world");
        if (cases[i].is_id) {
            assert_int_equal(value->type, MSGPACK_OBJECT_POSITIVE_INTEGER);
        } else {
            assert_true(weft_string_is(value, cases[i].text));
        }
        msgpack_unpacked_destroy(&unpacked);
        weft_params_deinit(&params);
    }
}

static void values_of_messages_and_packed_bytes_go_in_as_they_are(void **state)
{
    (void)state;
    struct weft_params params;
    const msgpack_object value = {.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via.u64 = 7};
    weft_params_init(&params);
    weft_params_object(&params, "a", &value);
    weft_params_raw(&params, "b", "\x92\x01\x02", 3);
    assert_bytes(&params,
                 "\xdf\0\0\0\x02\xa1"
                 "a\x07\xa1"
                 "b\x92\x01\x02",
                 13);
    weft_params_deinit(&params);
}

static void mistakes_stick_until_cleared(void **state)
{
    (void)state;
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, NULL, 1);
    assert_non_null(params.fault);
    const char *first = params.fault;
    weft_params_list_end(&params);
    weft_params_u64(&params, "a", 1);
    assert_ptr_equal(params.fault, first);
    weft_params_clear(&params);
    assert_bytes(&params, "\xdf\0\0\0\0", 5);

    weft_params_list_begin(&params, "l");
    weft_params_u64(&params, "k", 1);
    assert_non_null(params.fault);
    weft_params_clear(&params);
    weft_params_list_begin(&params, "l");
    weft_params_map_end(&params);
    assert_non_null(params.fault);
    weft_params_clear(&params);
    weft_params_map_end(&params);
    assert_non_null(params.fault);
    weft_params_clear(&params);
    weft_params_string(&params, "s", NULL);
    assert_non_null(params.fault);
    weft_params_clear(&params);
    weft_params_f32_array(&params, "a", NULL, 1);
    assert_non_null(params.fault);
    weft_params_clear(&params);
    for (int i = 0; i < WEFT_PARAMS_DEPTH_MAX; i++) {
        weft_params_map_begin(&params, "m");
    }
    assert_non_null(params.fault);
    weft_params_deinit(&params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_entries_make_an_empty_map),
        cmocka_unit_test(entries_are_counted_and_in_order),
        cmocka_unit_test(maps_and_lists_nest_and_count_their_own),
        cmocka_unit_test(arrays_are_typed_and_little_endian),
        cmocka_unit_test(a_number_is_an_id_and_other_text_a_name),
        cmocka_unit_test(values_of_messages_and_packed_bytes_go_in_as_they_are),
        cmocka_unit_test(mistakes_stick_until_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
