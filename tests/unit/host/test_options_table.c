// Every option of the table, by every way in: a good value is kept and changes no other option, the ends of its range are good and
// what lies beyond them is not, a missing value is noticed, the last of two flags counts.
#include "options_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum way { BY_WORD, BY_TWO_WORDS, BY_VARIABLE, BY_LINE, BY_LINE_WITH_UNDERSCORES, WAYS };
enum { WORDS = 40, WORD_SIZE = OPTIONS_FOLDER_SIZE + 100 };

// For each kind two good values, with what they come to unless they are text, and a wrong one. Numbers are made from their range.
static const struct sample {
    const char *good, *other;
    uint64_t good_is, other_is;
    const char *bad;
} samples[] = {
    [OPTION_IS_FLAG] = {"true", "no", 1, 0, "maybe"},
    [OPTION_IS_AGE] = {"2d", "0s", 172800, 0, "1w"},
    [OPTION_IS_KEEP] = {"2h,3M", "all", 7200, UINT64_MAX, "3x"},
    [OPTION_IS_ADDRESS] = {"127.0.0.2:1", "[::1]:65535", 0, 0, "127.0.0.1:65536"},
    [OPTION_IS_ADDRESS_OR_NONE] = {"127.0.0.2:1", "none", 0, 0, "localhost:1"},
    [OPTION_IS_FOLDER] = {"one", "/two/three", 0, 0, ""},
    [OPTION_IS_FILE] = {"one", "/two/three", 0, 0, ""},
    [OPTION_IS_PEM] = {"one", "/two/three", 0, 0, ""},
    [OPTION_IS_SCENE] = {"flag", "scene.json", 0, 0, ""},
    [OPTION_IS_ORIGINS] = {"https://a.example", "http://a,http://b:1", 0, 0, "evil"},
    [OPTION_IS_HOSTS] = {"a.example", "a,b", 0, 0, "a:80"},
    [OPTION_IS_BROKERS] = {"tls://u:p@one,two:1/three", "tls://one", 0, 0, "none"},
    [OPTION_IS_BROKERS_OR_NONE] = {"tls://u:p@one", "none", 0, 0, "all"},
    [OPTION_IS_NAME] = {"ann", "ben", 0, 0, "a*"},
    [OPTION_IS_HOST] = {"a.example", "a:1,b:2", 0, 0, "a*"},
    [OPTION_IS_ACKS] = {"brokers", "both", 1, 0, "folder"},
    [OPTION_IS_ISA] = {"scalar", "scalar", SIM_ISA_SCALAR, SIM_ISA_SCALAR, "abacus"},
    [OPTION_IS_LEVEL] = {"debug", "error", BASE_LOG_DEBUG, BASE_LOG_ERROR, "loud"},
};

// With these beside it, each option may have any good value.
static const char *const company[][2] = {
    {"data", "d"},    {"access", "a"},    {"store", "tls://a"},  {"store-check", "none"}, {"tls-cert", "c"},
    {"tls-key", "k"}, {"insecure", "on"}, {"store-cert", "s.c"}, {"store-key", "s.k"},
};
enum { COMPANY = sizeof company / sizeof company[0] };

static struct options options, before;
static char text[OPTIONS_TEXT_SIZE], words[WORDS][WORD_SIZE];
static char path[64], read_path[64]; // the file of options, and an empty one
static FILE *file;                   // that of options, while it is written
static int count;                    // of words

static void forget(void)
{
    char variable[OPTIONS_VARIABLE_SIZE];
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        unsetenv(options_variable(&options_table[option], variable));
    }
    count = 1;
    strcpy(words[0], "weftd");
    file = NULL;
}

static int setup(void **state)
{
    (void)state;
    strcpy(path, "/tmp/weft-options-XXXXXX");
    strcpy(read_path, "/tmp/weft-options-XXXXXX");
    const int made = mkstemp(path), empty = mkstemp(read_path);
    if (made < 0 || empty < 0) {
        return -1;
    }
    close(made);
    close(empty);
    forget();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    forget();
    return unlink(path) + unlink(read_path);
}

__attribute__((format(printf, 1, 2))) static void add_word(const char *format, ...)
{
    va_list arguments;
    assert_true(count < WORDS);
    va_start(arguments, format);
    assert_in_range(vsnprintf(words[count++], WORD_SIZE, format, arguments), 0, WORD_SIZE - 1);
    va_end(arguments);
}

static void add(enum way way, const char *name, const char *value)
{
    char variable[OPTIONS_VARIABLE_SIZE];
    if (way == BY_VARIABLE) {
        const struct option_row row = {.name = name};
        setenv(options_variable(&row, variable), value, 1);
    } else if (way >= BY_LINE) {
        if (file == NULL) {
            file = fopen(path, "w");
            assert_non_null(file);
            fprintf(file, "[server]\n");
            add_word("--config=%s", path);
        }
        for (const char *c = name; *c != '\0'; c++) {
            fputc(*c == '-' && way == BY_LINE_WITH_UNDERSCORES ? '_' : *c, file);
        }
        fprintf(file, " = %s\n", value);
    } else if (way == BY_TWO_WORDS) {
        add_word("--%s", name);
        add_word("%s", value);
    } else {
        add_word("--%s=%s", name, value);
    }
}

// Leaves out the option itself; NULL leaves out none.
static void add_company(enum way way, const struct option_row *row)
{
    for (int i = 0; i < COMPANY; i++) {
        if (row == NULL || strcmp(company[i][0], row->name) != 0) {
            add(way == BY_TWO_WORDS ? BY_WORD : way, company[i][0], company[i][1]);
        }
    }
}

static enum options_outcome read_all(void)
{
    char *argv[WORDS + 1] = {NULL};
    for (int i = 0; i < count; i++) {
        argv[i] = words[i];
    }
    if (file != NULL) {
        assert_int_equal(fclose(file), 0);
    }
    const enum options_outcome outcome = options_read(count, argv, &options, text);
    forget();
    return outcome;
}

static bool has_way(const struct option_row *row, enum way way)
{
    return !(row->kind == OPTION_IS_FLAG && way == BY_TWO_WORDS) &&
           !(row == &options_table[OPTION_config] && way >= BY_LINE);
}

static const void *member(const struct options *from, const struct option_row *row)
{
    return (const char *)from + row->at;
}

static uint64_t number_of(const struct option_row *row)
{
    uint32_t number;
    uint64_t long_number;
    if (row->size == 1) {
        return *(const uint8_t *)member(&options, row);
    }
    memcpy(&number, member(&options, row), sizeof number);
    if (row->size == sizeof number) {
        return number;
    }
    memcpy(&long_number, member(&options, row), sizeof long_number);
    return long_number;
}

static bool is_number(const struct option_row *row)
{
    return row->kind == OPTION_IS_COUNT || row->kind == OPTION_IS_AMOUNT;
}

static bool is_text(const struct option_row *row)
{
    return !is_number(row) && row->size > sizeof(uint64_t);
}

// A good value, with what it comes to; `other` is another one.
static const char *good_value(const struct option_row *row, bool other, uint64_t *is)
{
    static char number[2][32];
    const struct sample *sample = &samples[row->kind];
    *is = other ? sample->other_is : sample->good_is;
    if (row == &options_table[OPTION_config]) {
        return read_path;
    }
    if (is_number(row)) {
        *is = other ? row->max : row->min;
        snprintf(number[other], sizeof number[other], "%" PRIu64, *is);
        return number[other];
    }
    assert_non_null(sample->good);
    return other ? sample->other : sample->good;
}

static void assert_holds(const struct option_row *row, const char *value, uint64_t is)
{
    const bool none = row->kind == OPTION_IS_ADDRESS_OR_NONE && strcmp(value, "none") == 0;
    if (is_text(row)) {
        assert_string_equal(member(&options, row), none ? "" : value);
    } else {
        assert_true(number_of(row) == is);
    }
}

static void assert_outcome(enum options_outcome outcome, const struct option_row *row, const char *value)
{
    if (outcome != OPTIONS_RUN) {
        fail_msg("--%s \"%.100s\": %s", row->name, value, text);
    }
}

static void assert_others_are_as_before(const struct option_row *row)
{
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *other = &options_table[option];
        if (other != row && option != OPTION_config &&
            memcmp(member(&options, other), member(&before, other), other->size) != 0) {
            fail_msg("--%s changed --%s", row->name, other->name);
        }
    }
    if (row != &options_table[OPTION_keep_seconds]) {
        assert_true(options.keep_bytes == before.keep_bytes);
    }
    if (row != &options_table[OPTION_http]) {
        assert_int_equal(options.http_asked, before.http_asked);
    }
    if (row != &options_table[OPTION_sessions_max]) {
        assert_int_equal(options.sessions_asked, before.sessions_asked);
    }
    if (row != &options_table[OPTION_sessions_per_address_max]) {
        assert_int_equal(options.sessions_per_address_asked, before.sessions_per_address_asked);
    }
}

// The error names the place, the value unless it may be secret, and what would be right.
static void assert_wrong(enum way way, const struct option_row *row, const char *value)
{
    char expected[OPTIONS_TEXT_SIZE], takes[OPTIONS_TAKES_SIZE], variable[OPTIONS_VARIABLE_SIZE];
    const bool secret = row->kind == OPTION_IS_BROKERS || row->kind == OPTION_IS_BROKERS_OR_NONE;
    add_company(way, row);
    add(way, row->name, value);
    assert_int_equal(read_all(), OPTIONS_WRONG);
    snprintf(expected, sizeof expected, secret ? "%s: it takes %s" : "%s: \"%.100s\" is wrong: it takes %s",
             way == BY_VARIABLE ? options_variable(row, variable) : row->name,
             secret ? options_takes(row, takes) : value, options_takes(row, takes));
    if (strstr(text, expected) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", expected, text);
    }
    if (way == BY_LINE && strstr(text, path) != text) {
        fail_msg("\"%s\" does not begin with %s", text, path);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void defaults_hold_without_any_source(void **state)
{
    (void)state;
    static const char zeros[OPTIONS_FOLDER_SIZE];
    assert_int_equal(read_all(), OPTIONS_RUN);
    before = options;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        if (option == OPTION_threads || option == OPTION_isa) {
            continue; // the machine's
        }
        if (is_number(row)) {
            assert_true(number_of(row) == row->count);
        } else if (row->text == NULL) {
            assert_memory_equal(member(&options, row), zeros, row->size);
        } else {
            add(BY_WORD, row->name, row->text);
            assert_int_equal(read_all(), OPTIONS_RUN);
            assert_memory_equal(member(&options, row), member(&before, row), row->size);
        }
    }
    assert_true(before.threads >= 1 && before.threads <= OPTIONS_THREADS_MAX);
    assert_true(sim_isa_available(before.isa));
    assert_false(before.http_asked || before.sessions_asked || before.sessions_per_address_asked);
}

static void each_way_sets_the_option_and_no_other(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        for (int i = 0; i < WAYS * 2; i++) {
            const enum way way = (enum way)(i / 2);
            uint64_t is;
            const char *value = good_value(row, i % 2 != 0, &is);
            if (!has_way(row, way)) {
                continue;
            }
            add_company(way, NULL);
            assert_outcome(read_all(), row, "");
            before = options;
            add_company(way, row);
            add(way, row->name, value);
            assert_outcome(read_all(), row, value);
            assert_holds(row, value, is);
            assert_others_are_as_before(row);
        }
    }
}

static void what_is_wrong_is_named_by_each_way(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        for (int way = 0; way <= BY_LINE; way++) {
            char beyond[32];
            if (!has_way(row, (enum way)way)) {
                continue;
            }
            if (!is_number(row)) {
                if (samples[row->kind].bad[0] != '\0' || way != BY_VARIABLE) { // which is none if it is empty
                    assert_wrong((enum way)way, row, samples[row->kind].bad);
                }
                continue;
            }
            snprintf(beyond, sizeof beyond, "%" PRIu64, row->max + 1);
            assert_wrong((enum way)way, row, beyond);
            snprintf(beyond, sizeof beyond, "%" PRId64, (int64_t)row->min - 1);
            assert_wrong((enum way)way, row, beyond);
            assert_wrong((enum way)way, row, "many");
        }
    }
}

// One byte more than there is room for is refused, not cut.
static void text_may_be_as_long_as_there_is_room(void **state)
{
    (void)state;
    char longest[WORD_SIZE];
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        const bool brokers = row->kind == OPTION_IS_BROKERS || row->kind == OPTION_IS_BROKERS_OR_NONE;
        const bool any = row->kind == OPTION_IS_FOLDER || row->kind == OPTION_IS_FILE ||
                         row->kind == OPTION_IS_PEM || row->kind == OPTION_IS_SCENE ||
                         row->kind == OPTION_IS_NAME || row->kind == OPTION_IS_HOST;
        if (!is_text(row)) {
            continue;
        }
        memset(longest, 'x', row->size);
        longest[row->size] = '\0';
        if (brokers) {
            memcpy(longest, "nats://", 7);
        }
        assert_wrong(BY_WORD, row, longest);
        longest[row->size - 1] = '\0';
        if ((any && option != OPTION_config) || brokers) {
            add_company(BY_WORD, row);
            if (brokers) {
                add(BY_WORD, "store", "tls://a"), add(BY_WORD, "store-check", "tls://a");
            }
            add(BY_WORD, row->name, longest);
            assert_outcome(read_all(), row, longest);
            assert_string_equal(member(&options, row), longest);
        }
    }
}

static void a_missing_value_is_noticed(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        char expected[100];
        add_company(BY_WORD, row);
        add_word("--%s", row->name);
        if (row->kind == OPTION_IS_FLAG) {
            assert_outcome(read_all(), row, "");
            assert_true(number_of(row) == 1);
        } else {
            assert_int_equal(read_all(), OPTIONS_WRONG);
            snprintf(expected, sizeof expected, "--%s: it needs a value; weftd --help says which", row->name);
            assert_string_equal(text, expected);
        }
        assert_wrong(BY_WORD, row, "");
        if (has_way(row, BY_LINE)) {
            assert_wrong(BY_LINE, row, "");
        }
        add(BY_VARIABLE, row->name, "");
        assert_outcome(read_all(), row, "");
    }
}

static void the_last_of_two_flags_counts_and_the_file_takes_one(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        char expected[200];
        uint64_t is, other_is;
        const char *value = good_value(row, false, &is), *other = good_value(row, true, &other_is);
        add_company(BY_WORD, row);
        add(BY_WORD, row->name, value);
        add(BY_WORD, row->name, other);
        assert_outcome(read_all(), row, other);
        assert_holds(row, other, other_is);
        if (!has_way(row, BY_LINE)) {
            continue;
        }
        add(BY_LINE, row->name, value);
        add(BY_LINE, row->name, other);
        assert_int_equal(read_all(), OPTIONS_WRONG);
        snprintf(expected, sizeof expected, "%s:3: %s: it was given in line 2 already", path, row->name);
        assert_string_equal(text, expected);
    }
}

// A wrong one of them is an error even if another counts.
static void flags_count_before_the_environment_and_that_before_the_file(void **state)
{
    (void)state;
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        uint64_t is, other_is;
        const char *value = good_value(row, false, &is), *other = good_value(row, true, &other_is);
        if (has_way(row, BY_LINE)) {
            add_company(BY_LINE, row);
            add(BY_LINE, row->name, value);
            add(BY_VARIABLE, row->name, other);
            assert_outcome(read_all(), row, other);
            assert_holds(row, other, other_is);
        }
        add_company(BY_WORD, row);
        add(BY_VARIABLE, row->name, value);
        add(BY_WORD, row->name, other);
        assert_outcome(read_all(), row, other);
        assert_holds(row, other, other_is);
        if (!is_number(row) && samples[row->kind].bad[0] == '\0') {
            continue;
        }
        add_company(BY_WORD, row);
        add(BY_WORD, row->name, other);
        add(BY_VARIABLE, row->name, is_number(row) ? "many" : samples[row->kind].bad);
        assert_int_equal(read_all(), OPTIONS_WRONG);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(defaults_hold_without_any_source),
        TEST(each_way_sets_the_option_and_no_other),
        TEST(what_is_wrong_is_named_by_each_way),
        TEST(text_may_be_as_long_as_there_is_room),
        TEST(a_missing_value_is_noticed),
        TEST(the_last_of_two_flags_counts_and_the_file_takes_one),
        TEST(flags_count_before_the_environment_and_that_before_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
