// JSON in and out.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"

// The JSON of a MessagePack value.
static void assert_json(const char *packed, size_t size, const char *expected)
{
    msgpack_unpacked unpacked;
    size_t offset = 0, text_size;
    char *text;
    msgpack_unpacked_init(&unpacked);
    assert_int_equal(msgpack_unpack_next(&unpacked, packed, size, &offset), MSGPACK_UNPACK_SUCCESS);
    FILE *out = open_memstream(&text, &text_size);
    cli_json_write(out, &unpacked.data, false);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    msgpack_unpacked_destroy(&unpacked);
}

#define ASSERT_JSON(packed, expected) assert_json(packed, sizeof(packed) - 1, expected)

static void every_kind_of_value_has_a_json(void **state)
{
    (void)state;
    ASSERT_JSON("\xc0", "null");
    ASSERT_JSON("\x93\xc3\xc2\x05", "[true,false,5]");
    ASSERT_JSON("\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615");
    ASSERT_JSON("\xd3\x80\0\0\0\0\0\0\0", "-9223372036854775808");
    ASSERT_JSON("\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a", "0.1");
    ASSERT_JSON("\xca\x3d\xcc\xcc\xcd", "0.1");
    ASSERT_JSON("\xcb\x7f\xf0\0\0\0\0\0\0", "null");
    ASSERT_JSON("\x82\xa1"
                "a\x90\xa1"
                "b\x80",
                "{\"a\":[],\"b\":{}}");
    ASSERT_JSON("\x81\x07\x01", "{\"7\":1}");
    ASSERT_JSON("\xc4\x03\x01\xab\xff", "\"01abff\"");
    // Typed arrays: f32 in the shortest form that is the same float, u8, f64 with what JSON lacks.
    ASSERT_JSON("\xd7\x17\xcd\xcc\xcc\x3d\0\0\x80\x3f", "[0.1,1]");
    ASSERT_JSON("\xd5\x12\x01\xff", "[1,255]");
    ASSERT_JSON("\xd7\x18\0\0\0\0\0\0\xf8\x7f", "[null]");
    ASSERT_JSON("\xd5\x55\x01\xff", "\"01ff\"");
}

static void text_is_escaped_and_always_utf8(void **state)
{
    (void)state;
    ASSERT_JSON("\xa5\"\\\n\t\x7f", "\"\\\"\\\\\\n\\u0009\\u007f\"");
    ASSERT_JSON("\xa3\xff"
                "a\xc3",
                "\"\\ufffda\\ufffd\"");
    ASSERT_JSON("\xa2\xc3\xbc", "\"\xc3\xbc\"");
    ASSERT_JSON("\xa2\xc2\x9b", "\"\\u009b\"");
    ASSERT_JSON("\xa3\xe2\x80\xae", "\"\\u202e\"");
    ASSERT_JSON("\xa3\xe2\x81\xa9", "\"\\u2069\"");
    ASSERT_JSON("\xa2\xd8\x9c", "\"\\u061c\"");
    ASSERT_JSON("\xa4\xf0\x9f\x8e\x88", "\"\xf0\x9f\x8e\x88\"");
    ASSERT_JSON("\xa3\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
}

static void numbers_read_back_as_they_were(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        double value;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &seed, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        cli_number_text(value, false, text, sizeof text);
        assert_true(strtod(text, NULL) == value);
        float small;
        const uint32_t half = (uint32_t)(seed >> 32);
        memcpy(&small, &half, sizeof small);
        if (!isfinite(small)) {
            continue;
        }
        cli_number_text((double)small, true, text, sizeof text);
        assert_true(strtof(text, NULL) == small);
        assert_true(strlen(text) <= 16);
    }
}

static void json_becomes_parameters(void **state)
{
    (void)state;
    struct weft_params params;
    char why[256];
    static const char text[] = "{\"a\":1,\"b\":[true,null,-2.5,\"x\"],\"c\":{\"d\":[]}}";
    weft_params_init(&params);
    assert_true(cli_json_params(text, strlen(text), &params, why, sizeof why));
    static const char expected[] = "\xdf\0\0\0\x03\xa1"
                                   "a\x01\xa1"
                                   "b\xdd\0\0\0\x04\xc3\xc0\xcb\xc0\x04\0\0\0\0\0\0\xa1x\xa1"
                                   "c\xdf\0\0\0\x01\xa1"
                                   "d\xdd\0\0\0\0";
    assert_null(params.fault);
    assert_int_equal(params.buffer.size, sizeof expected - 1);
    assert_memory_equal(params.buffer.data, expected, sizeof expected - 1);
    weft_params_deinit(&params);
}

static void bad_json_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "not JSON"},
        {"{", "line 1"},
        {"{\"a\":1}\n}", "line 2"},
        {"[1]", "object"},
        {"3", "not JSON"},
        {"{\"a\":NaN}", "line 1"},
        {"{\"a\":1,\"a\":2}", "duplicate"},
        {"{\"a\":\"\\u0000\"}", "not JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct weft_params params;
        char why[256] = "";
        weft_params_init(&params);
        assert_false(cli_json_params(cases[i].text, strlen(cases[i].text), &params, why, sizeof why));
        assert_non_null(strstr(why, cases[i].why));
        weft_params_deinit(&params);
    }
    // Nested as deep as jansson reads at all.
    enum { DEPTH = 1500 };
    char *deep = malloc(DEPTH * 6 + 1);
    size_t size = 0;
    for (int i = 0; i < DEPTH; i++) {
        size += (size_t)sprintf(deep + size, "{\"a\":");
    }
    deep[size++] = '1';
    for (int i = 0; i < DEPTH; i++) {
        deep[size++] = '}';
    }
    struct weft_params params;
    char why[256] = "";
    weft_params_init(&params);
    assert_false(cli_json_params(deep, size, &params, why, sizeof why));
    assert_non_null(strstr(why, "deep"));
    weft_params_deinit(&params);
    free(deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_has_a_json),
        cmocka_unit_test(text_is_escaped_and_always_utf8),
        cmocka_unit_test(numbers_read_back_as_they_were),
        cmocka_unit_test(json_becomes_parameters),
        cmocka_unit_test(bad_json_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
