// The rows of the table of options are whole, and what is made of them has all of them.
#include "options_internal.h"

#include "dispatch/dispatch.h"
#include "protocol/generated/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <msgpack.h>

#include <string.h>

static bool is_number(const struct option_row *row)
{
    return row->kind == OPTION_IS_COUNT || row->kind == OPTION_IS_AMOUNT;
}

static void rows_are_whole(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        char out[OPTIONS_TAKES_SIZE];
        assert_non_null(row->name);
        assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(row->name));
        assert_non_null(row->help);
        assert_int_equal(row->argument == NULL, row->kind == OPTION_IS_FLAG);
        assert_true(options_takes(row, out)[0] != '\0');
        assert_true(is_number(row) == (row->max > 0) && row->min <= row->max);
        assert_true(row->kind != OPTION_IS_COUNT || row->max <= UINT32_MAX);
        assert_true(row->otherwise != NULL || (row->count >= row->min && row->count <= row->max));
        for (int other = 0; other < option; other++) {
            assert_string_not_equal(row->name, options_table[other].name);
            assert_true(row->at >= options_table[other].at + options_table[other].size);
        }
    }
    assert_non_null(options_table[0].heading);
}

// The texts are for three kinds of pages.
static void texts_can_be_marked_up(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        const char *const texts[] = {row->help, row->more, row->otherwise, row->heading};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            int ticks = 0;
            for (const char *c = texts[i]; c != NULL && *c != '\0'; c++) {
                ticks += *c == '`';
                if (strchr("|<>\\\n", *c) != NULL) {
                    fail_msg("--%s: '%c' means something in a page", row->name, *c);
                }
            }
            assert_int_equal(ticks % 2, 0);
        }
        assert_true(row->help[strlen(row->help) - 1] != '.');
        assert_true(row->more == NULL || row->more[strlen(row->more) - 1] == '.');
    }
}

// The table and the dispatcher have the same limits, and their defaults are those of api.json.
static void limits_are_those_of_the_protocol(void **state)
{
    (void)state;
#define LIMIT(type, name) #name,
    static const char *const told[] = {DISPATCH_LIMITS(LIMIT)};
    enum { TOLD = sizeof told / sizeof told[0] };
    size_t found = 0;
    msgpack_unpacked all;
    msgpack_unpacked_init(&all);
    assert_int_equal(msgpack_unpack_next(&all, protocol_api_limits.data, protocol_api_limits.size, NULL),
                     MSGPACK_UNPACK_SUCCESS);
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        const struct msgpack_object_kv *entry = NULL;
        bool is_told = false;
        if (row->limit == NULL) {
            continue;
        }
        for (uint32_t i = 0; i < all.data.via.map.size; i++) {
            const struct msgpack_object_kv *one = &all.data.via.map.ptr[i];
            if (one->key.via.str.size == strlen(row->limit) &&
                memcmp(one->key.via.str.ptr, row->limit, strlen(row->limit)) == 0) {
                entry = one;
            }
        }
        for (size_t i = 0; i < TOLD; i++) {
            is_told = is_told || strcmp(told[i], row->limit) == 0;
        }
        if (entry == NULL || entry->val.via.u64 != row->count || !is_told) {
            fail_msg("--%s: limit %s", row->name, row->limit);
        }
        found++;
    }
    assert_int_equal(found, TOLD);
    msgpack_unpacked_destroy(&all);
}

static void help_has_all_of_them(void **state)
{
    (void)state;
    static char help[1 << 16];
    FILE *out = fmemopen(help, sizeof help, "w");
    assert_non_null(out);
    options_help(out);
    assert_int_equal(fclose(out), 0);
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        char line[100];
        snprintf(line, sizeof line, "\n  --%s%s%s ", row->name, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        if (strstr(help, line) == NULL) {
            fail_msg("%s is not in --help", line);
        }
    }
    for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_in_range(strcspn(line, "\n"), 0, 110);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(texts_can_be_marked_up),
        cmocka_unit_test(limits_are_those_of_the_protocol),
        cmocka_unit_test(help_has_all_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
