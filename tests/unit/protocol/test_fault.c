// A fault has what it was given, and its text is UTF-8 that fits, whatever goes into it.
#include "protocol/fault/fault.h"

#include "protocol/error.h"
#include "protocol/utf8/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_fault_has_its_code_field_and_text(void **state)
{
    (void)state;
    struct fault fault = {0};
    assert_false(fault_set(&fault, FAULT_LIMIT, "count", "count: %d; at most %d", 7, 5));
    assert_int_equal(fault.code, FAULT_LIMIT);
    assert_string_equal(fault.field, "count");
    assert_string_equal(fault.text, "count: 7; at most 5");
    assert_int_equal(fault_code_set(&fault, FAULT_BUSY, NULL, "%s", "later"), FAULT_BUSY);
    assert_int_equal(fault.code, FAULT_BUSY);
    assert_null(fault.field);
    assert_string_equal(fault.text, "later");
}

static void nobody_has_to_be_told(void **state)
{
    (void)state;
    assert_false(fault_set(NULL, FAULT_MEMORY, NULL, "%s", "text"));
    assert_int_equal(fault_code_set(NULL, FAULT_MEMORY, NULL, "%s", "text"), FAULT_MEMORY);
}

static void a_text_can_be_put_around_the_one_before(void **state)
{
    (void)state;
    struct fault fault;
    (void)fault_set(&fault, FAULT_DAMAGED, NULL, "line %d", 3);
    (void)fault_set(&fault, fault.code, fault.field, "%s, %s: it ends", "file", fault.text);
    assert_string_equal(fault.text, "file, line 3: it ends");
}

// Characters of two to four bytes, from each place on: the end falls on each byte of them.
static void a_long_text_ends_with_a_whole_character(void **state)
{
    (void)state;
    static const char *const characters[] = {"é", "€", "🙂"};
    for (size_t c = 0; c < 3; c++) {
        for (size_t before = 0; before < 4; before++) {
            char text[2 * FAULT_TEXT_SIZE];
            size_t size = before;
            memset(text, 'x', before);
            while (size < sizeof text - 5) {
                memcpy(text + size, characters[c], strlen(characters[c]));
                size += strlen(characters[c]);
            }
            text[size] = '\0';
            struct fault fault;
            (void)fault_set(&fault, FAULT_INVALID, NULL, "%s", text);
            const size_t end = strlen(fault.text), most = FAULT_TEXT_SIZE - 1, dots = strlen("…");
            assert_true(end <= most && end > most - 4);
            assert_true(protocol_utf8_valid(fault.text, end));
            assert_memory_equal(fault.text + end - dots, "…", dots);
            assert_memory_equal(fault.text, text, end - dots);
        }
    }
}

static void a_text_that_just_fits_is_whole(void **state)
{
    (void)state;
    char text[FAULT_TEXT_SIZE];
    struct fault fault;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)fault_set(&fault, FAULT_INVALID, NULL, "%s", text);
    assert_string_equal(fault.text, text);
}

static void what_a_terminal_would_obey_is_replaced(void **state)
{
    (void)state;
    struct fault fault;
    (void)fault_set(&fault, FAULT_INVALID, NULL, "%s",
                    "a\033[2Jb\nc\xff"
                    "d");
    assert_string_equal(fault.text, "a?[2Jb?c?d");
}

static void each_code_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (int code = 0; code < FAULT_CODE_COUNT; code++) {
        assert_true(fault_word((enum fault_code)code)[0] != '\0');
        for (int other = 0; other < code; other++) {
            assert_string_not_equal(fault_word((enum fault_code)code), fault_word((enum fault_code)other));
        }
    }
    assert_string_equal(fault_word(FAULT_IO), "FILE");
}

static void an_error_of_the_wire_says_what_the_fault_said(void **state)
{
    (void)state;
    static const struct {
        enum fault_code fault;
        enum protocol_code code;
    } codes[] = {
        {FAULT_INVALID, PROTOCOL_CODE_INVALID},   {FAULT_NOT_FOUND, PROTOCOL_CODE_NOT_FOUND},
        {FAULT_CONFLICT, PROTOCOL_CODE_CONFLICT}, {FAULT_LIMIT, PROTOCOL_CODE_LIMIT},
        {FAULT_MEMORY, PROTOCOL_CODE_MEMORY},     {FAULT_DAMAGED, PROTOCOL_CODE_INTERNAL},
        {FAULT_IO, PROTOCOL_CODE_INTERNAL},
    };
    struct fault fault;
    struct protocol_error error;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        (void)fault_set(&fault, codes[i].fault, "thickness", "must be at least 0.001 m");
        protocol_error_fault(&error, &fault);
        assert_int_equal(error.code, codes[i].code);
        assert_string_equal(error.field, "thickness");
        assert_string_equal(error.text, "thickness: must be at least 0.001 m");
    }
    (void)fault_set(&fault, FAULT_INVALID, "thickness", "thickness is 0 m");
    protocol_error_fault(&error, &fault);
    assert_string_equal(error.text, "thickness is 0 m");
    (void)fault_set(&fault, FAULT_MEMORY, NULL, "not enough memory");
    protocol_error_fault(&error, &fault);
    assert_string_equal(error.field, "");
    assert_string_equal(error.text, "not enough memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_has_its_code_field_and_text),
        cmocka_unit_test(nobody_has_to_be_told),
        cmocka_unit_test(a_text_can_be_put_around_the_one_before),
        cmocka_unit_test(a_long_text_ends_with_a_whole_character),
        cmocka_unit_test(a_text_that_just_fits_is_whole),
        cmocka_unit_test(what_a_terminal_would_obey_is_replaced),
        cmocka_unit_test(each_code_has_a_word_of_its_own),
        cmocka_unit_test(an_error_of_the_wire_says_what_the_fault_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
