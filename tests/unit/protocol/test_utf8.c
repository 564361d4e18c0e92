// Which bytes are a character: each way to write each number in one to four bytes, and the ends of text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol/utf8/utf8.h"

static void put(uint8_t out[4], uint32_t code, size_t length)
{
    static const uint8_t heads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 0; code >>= 6) {
        out[i] = (uint8_t)(i > 0 ? 0x80 | (code & 0x3F) : heads[length] | code);
    }
}

static bool is_shortest(uint32_t code, size_t length)
{
    return length == (code < 0x80 ? 1U : code < 0x800 ? 2U : code < 0x10000 ? 3U : 4U);
}

static void each_number_is_read_as_it_is_written_shortest(void **state)
{
    (void)state;
    static const uint32_t ends[] = {0, 0x80, 0x800, 0x10000, 0x200000};
    for (size_t length = 1; length <= 4; length++) {
        for (uint32_t code = 0; code < ends[length]; code++) {
            uint8_t text[4];
            uint32_t read = 0;
            const bool is_character =
                is_shortest(code, length) && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
            put(text, code, length);
            assert_int_equal(protocol_utf8_character(text, length, &read), is_character ? length : 0);
            if (is_character) {
                assert_int_equal(read, code);
            }
        }
    }
}

static void what_is_cut_or_out_of_place_is_no_character(void **state)
{
    (void)state;
    static const uint8_t euro[] = {0xE2, 0x82, 0xAC, 'x'};
    static const uint8_t broken[] = {0xE2, 0x82, 'x'};
    uint32_t code;
    assert_int_equal(protocol_utf8_character(euro, 4, &code), 3);
    assert_int_equal(code, 0x20AC);
    assert_int_equal(protocol_utf8_character(euro, 2, &code), 0);
    assert_int_equal(protocol_utf8_character(euro + 1, 3, &code), 0);
    assert_int_equal(protocol_utf8_character(broken, 3, &code), 0);
    for (uint32_t first = 0xF8; first <= 0xFF; first++) {
        const uint8_t five[] = {(uint8_t)first, 0x88, 0x80, 0x80, 0x80};
        assert_int_equal(protocol_utf8_character(five, sizeof five, &code), 0);
    }
}

static void what_acts_on_a_terminal_is_a_control(void **state)
{
    (void)state;
    static const uint32_t controls[] = {0,      0x1F,   0x7F,   0x80,   0x9F,   0x61C,
                                        0x200E, 0x200F, 0x2028, 0x202E, 0x2066, 0x2069};
    static const uint32_t others[] = {0x20,   0x7E,   0xA0,   0x61B,  0x200D,
                                      0x2010, 0x2027, 0x202F, 0x2065, 0x206A};
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        assert_true(protocol_utf8_is_control(controls[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(protocol_utf8_is_control(others[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_is_read_as_it_is_written_shortest),
        cmocka_unit_test(what_is_cut_or_out_of_place_is_no_character),
        cmocka_unit_test(what_acts_on_a_terminal_is_a_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
