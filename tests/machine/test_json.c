// The JSON that the module has in place of jansson's (clients/web/wasm/files/json.c, under other names here) against the library's
// own: of random texts, and of what is left of them when bytes are changed, cut off and put in, both make the same of it, or both
// refuse.
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

json_t *plain_loadb(const char *text, size_t size, size_t flags, json_error_t *error);
void plain_delete(json_t *root);
size_t plain_array_size(const json_t *array);
json_t *plain_array_get(const json_t *array, size_t index);
size_t plain_object_size(const json_t *object);
json_t *plain_object_get(const json_t *object, const char *key);
void *plain_object_iter(json_t *object);
void *plain_object_iter_next(json_t *object, void *iter);
const char *plain_object_iter_key(void *iter);
const char *plain_string_value(const json_t *string);
size_t plain_string_length(const json_t *string);
json_int_t plain_integer_value(const json_t *integer);
double plain_real_value(const json_t *real);

enum { TEXTS = 4000, MUTANTS = 8, DEPTH = 5, TEXT_MAX = 1 << 16 };

static uint64_t seed = 88172645463325252u;

static uint32_t below(uint32_t count)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed * UINT64_C(0x2545F4914F6CDD1D) >> 33) % count;
}

// ---------------------------------------------------------------------------------------------------------
// Equal: by type and by bits, members in their order

static bool same(json_t *plain, json_t *other);

static bool same_objects(json_t *plain, json_t *other)
{
    const char *key;
    json_t *value;
    void *iter = plain_object_iter(plain);
    bool equal = plain_object_size(plain) == json_object_size(other);
    json_object_foreach(other, key, value)
    {
        equal = equal && iter != NULL && strcmp(plain_object_iter_key(iter), key) == 0 &&
                same(plain_object_get(plain, key), value);
        iter = equal ? plain_object_iter_next(plain, iter) : NULL;
    }
    return equal && iter == NULL;
}

static bool same(json_t *plain, json_t *other)
{
    if (json_typeof(plain) != json_typeof(other)) {
        return false;
    }
    bool equal = true;
    switch (json_typeof(plain)) {
    case JSON_OBJECT:
        return same_objects(plain, other);
    case JSON_ARRAY:
        equal = plain_array_size(plain) == json_array_size(other);
        for (size_t i = 0; equal && i < json_array_size(other); i++) {
            equal = same(plain_array_get(plain, i), json_array_get(other, i));
        }
        return equal;
    case JSON_STRING:
        return plain_string_length(plain) == json_string_length(other) &&
               memcmp(plain_string_value(plain), json_string_value(other), json_string_length(other)) == 0;
    case JSON_INTEGER:
        return plain_integer_value(plain) == json_integer_value(other);
    case JSON_REAL: {
        const double a = plain_real_value(plain), b = json_real_value(other);
        return memcmp(&a, &b, sizeof a) == 0;
    }
    default:
        return true;
    }
}

// Whether it is JSON.
static bool check(const char *text, size_t size)
{
    json_error_t plain_error, error;
    // A copy of its own size, so that no byte behind it is read unseen.
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    json_t *plain = plain_loadb(copy, size, JSON_REJECT_DUPLICATES, &plain_error);
    json_t *other = json_loadb(copy, size, JSON_REJECT_DUPLICATES, &error);
    if ((plain == NULL) != (other == NULL) || (plain != NULL && !same(plain, other))) {
        print_error("%.*s\n%s / %s\n", (int)size, text, plain == NULL ? plain_error.text : "read",
                    other == NULL ? error.text : "read");
        fail();
    }
    if (plain == NULL) {
        assert_true(plain_error.text[0] != '\0' && plain_error.line >= 1 && plain_error.column >= 1);
    } else {
        plain_delete(plain);
    }
    json_decref(other);
    free(copy);
    return other != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Random texts

static size_t put(char *text, const char *words)
{
    const size_t size = strlen(words);
    memcpy(text, words, size);
    return size;
}

static const char *pick(const char *const *words, uint32_t count)
{
    return words[below(count)];
}
#define PICK(...)                            \
    pick((const char *const[]){__VA_ARGS__}, \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static size_t draw_value(char *text, int depth)
{
    size_t size = put(text, PICK("", "", " ", "\n", "\r\n\t"));
    const uint32_t kind = depth == 0 ? below(2) : below(depth < DEPTH ? 9 : 6);
    const uint32_t count = below(5);
    if (kind < 2 || kind > 5) {
        const bool object = kind % 2 == 0;
        text[size++] = object ? '{' : '[';
        for (uint32_t i = 0; i < count; i++) {
            size += put(text + size, i > 0 ? "," : "");
            if (object) {
                size +=
                    (size_t)sprintf(text + size, "\"%s%u\" :", PICK("a", "", "\\u0041", "\\n"), below(40));
            }
            size += draw_value(text + size, depth + 1);
        }
        size += put(text + size, object ? "}" : "]");
    } else if (kind == 2) {
        size += put(text + size, PICK("0", "-0", "-0.0", "17", "-9223372036854775808", "9223372036854775808",
                                      "1e5", "0.1", "1E-400", "2e308", "3.0000000000000004", "5e-324",
                                      "1.7976931348623157e308", "00", "1.", ".5", "1e", "-", "0x10", "+1"));
    } else if (kind == 3) {
        size += put(text + size, PICK("true", "false", "null", "nul", "True", "NaN"));
    } else {
        size += put(text + size, PICK("\"\"", "\"a b\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                      "\"\\u00e9\\u20AC\\uD83D\\uDE00\"", "\"\\ud800\"", "\"\\udc00\"",
                                      "\"\\u0000\"", "\"\\x\"", "\"é€😀\"", "\"\xff\"", "\"\xc0\x80\"",
                                      "\"\xed\xa0\x80\"", "\"\x01\"", "\"\\u12g4\""));
    }
    return size + put(text + size, PICK("", " "));
}

static void test_both_make_the_same_of_a_text(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    uint32_t good = 0, bad = 0;
    for (int i = 0; i < TEXTS; i++) {
        size_t size = draw_value(text, 0);
        const bool is_json = check(text, size);
        good += is_json;
        bad += !is_json;
        for (int m = 0; m < MUTANTS && size > 0; m++) {
            const size_t at = below((uint32_t)size);
            const uint32_t how = below(3);
            if (how == 0) {
                size = at;
            } else if (how == 1) {
                text[at] = "{}[],:\"\\0u-e. \n\x80\0t"[below(19)];
            } else {
                memmove(text + at + 1, text + at, size - at);
                size++;
            }
            check(text, size);
        }
    }
    assert_true(good > TEXTS / 20 && bad > TEXTS / 20);
}

static void test_depth_and_names_have_the_same_bounds(void **state)
{
    (void)state;
    enum { DEEP = 2048 };
    static char text[2 * DEEP + 8];
    for (size_t depth = DEEP - 1; depth <= DEEP + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_int_equal(check(text, 2 * depth), depth <= DEEP);
    }
    assert_false(check("{\"a\": 1, \"b\": 2, \"\\u0061\": 3}", 29));
    assert_true(check("{\"a\": 1, \"b\": {\"a\": 3}}", 23));
    assert_false(check("[1\0"
                       "5]",
                       5));
    assert_false(check("[1e\0"
                       "5]",
                       6));
    assert_false(check("", 0));
    assert_false(check("1", 1));
    assert_false(check("[1", 2));
    assert_false(check("[1] [", 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_make_the_same_of_a_text),
        cmocka_unit_test(test_depth_and_names_have_the_same_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
