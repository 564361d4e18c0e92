// The part of jansson that scenes are read with: from text to values, and from values to their members. Only for the
// module; elsewhere the library does it. A test compares the two.
//
// All values of a text lie in blocks that the outermost one owns, and go with it. Until a list or an object has ended,
// its items wait on a stack.
#include "protocol/array/reserve.h"
#include "protocol/utf8/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 2048, BLOCK_BYTES = 1 << 18 };

struct block {
    struct block *next;
    max_align_t bytes[];
};

struct member {
    json_t *value;
    size_t place; // in the object
    size_t key_size;
    char key[]; // ends with a zero byte
};

struct container {
    json_t json;
    struct block *blocks; // of the outermost one
    size_t count;
    void **items; // json_t, or struct member
};

struct string {
    json_t json;
    size_t size;
    char text[]; // ends with a zero byte
};

struct number {
    json_t json;
    union {
        json_int_t integer;
        double real;
    };
};

struct parser {
    const char *begin, *at, *end;
    struct block *blocks;
    size_t block_used, block_size;
    void **stack;
    size_t height, capacity;
    int depth;
    json_error_t *error;
};

static json_t the_true = {.type = JSON_TRUE, .refcount = SIZE_MAX};
static json_t the_false = {.type = JSON_FALSE, .refcount = SIZE_MAX};
static json_t the_null = {.type = JSON_NULL, .refcount = SIZE_MAX};

// ---------------------------------------------------------------------------------------------------------
// Memory and errors

// The first reason stands. Lines and columns count from 1, columns in characters.
static void *refuse(struct parser *parser, const char *why)
{
    json_error_t *error = parser->error;
    if (error->text[0] != '\0') {
        return NULL;
    }
    error->line = error->column = 1;
    for (const char *c = parser->begin; c < parser->at; c++) {
        error->column += ((unsigned char)*c & 0xc0) != 0x80;
        if (*c == '\n') {
            error->line++;
            error->column = 1;
        }
    }
    error->position = (int)(parser->at - parser->begin);
    snprintf(error->text, sizeof error->text, "%s", why);
    return NULL;
}

static void *take(struct parser *parser, size_t size)
{
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!parser->blocks || size > parser->block_size - parser->block_used) {
        const size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        struct block *block = malloc(sizeof *block + room);
        if (!block) {
            return refuse(parser, "out of memory");
        }
        block->next = parser->blocks;
        parser->blocks = block;
        parser->block_used = 0;
        parser->block_size = room;
    }
    void *given = (char *)parser->blocks->bytes + parser->block_used;
    parser->block_used += size;
    return given;
}

static void free_blocks(struct block *block)
{
    while (block) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

static bool push(struct parser *parser, void *item)
{
    if (!array_reserve(&parser->stack, &parser->capacity, parser->height + 1)) {
        return refuse(parser, "out of memory") != NULL;
    }
    parser->stack[parser->height++] = item;
    return item != NULL;
}

// A list or an object of what has been pushed since `first`.
static json_t *contain(struct parser *parser, json_type type, size_t first)
{
    struct container *container = take(parser, sizeof *container);
    const size_t count = parser->height - first;
    void **items = container ? take(parser, count * sizeof *items) : NULL;
    if (!items) {
        return NULL;
    }
    *container = (struct container){.json = {.type = type, .refcount = 1}, .count = count, .items = items};
    if (count > 0) {
        memcpy(items, parser->stack + first, count * sizeof *items);
    }
    parser->height = first;
    return &container->json;
}

// ---------------------------------------------------------------------------------------------------------
// Text to values

static json_t *read_value(struct parser *parser);

// Passes a byte that is one of these. A zero byte is none of them.
static bool pass_one(struct parser *parser, const char *any)
{
    const bool is = parser->at < parser->end && *parser->at != '\0' && strchr(any, *parser->at);
    parser->at += is ? 1 : 0;
    return is;
}

// The next byte that is no white space; 0 at the end.
static char peek(struct parser *parser)
{
    while (pass_one(parser, " \t\n\r")) {
    }
    return parser->at < parser->end ? *parser->at : '\0';
}

// Four hexadecimal digits; -1: there are none.
static int32_t read_hex(struct parser *parser)
{
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = parser->at;
        if (pass_one(parser, "0123456789")) {
            code = 16 * code + (*digit - '0');
        } else if (pass_one(parser, "abcdef")) {
            code = 16 * code + (*digit - 'a' + 10);
        } else if (pass_one(parser, "ABCDEF")) {
            code = 16 * code + (*digit - 'A' + 10);
        } else {
            return -1;
        }
    }
    return code;
}

// Reads the digits behind \u, and the second half of a pair.
static bool read_code(struct parser *parser, char **out)
{
    int32_t code = read_hex(parser);
    if (code >= 0xd800 && code < 0xdc00 && parser->end - parser->at >= 2 &&
        memcmp(parser->at, "\\u", 2) == 0) {
        parser->at += 2;
        const int32_t low = read_hex(parser);
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
    }
    if (code <= 0 || (code >= 0xd800 && code < 0xe000)) {
        return refuse(parser, code == 0 ? "\\u0000 is not allowed" : "invalid Unicode escape") != NULL;
    }
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *(*out)++ = (char)(more == 0 ? code : (0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
    for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) {
        *(*out)++ = (char)(0x80 | (code >> shift & 0x3f));
    }
    return true;
}

static bool read_escape(struct parser *parser, char **out)
{
    static const char names[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
    const char c = parser->at < parser->end ? *parser->at : '\0';
    const char *name = c != '\0' ? strchr(names, c) : NULL;
    parser->at++;
    if (c == 'u') {
        return read_code(parser, out);
    }
    if (!name) {
        return refuse(parser, "invalid escape") != NULL;
    }
    *(*out)++ = codes[name - names];
    return true;
}

// Past the quote that begins it. A text is no longer than it is written. `head` bytes stand before it.
static char *read_text(struct parser *parser, size_t head, size_t *size)
{
    const char *close = parser->at;
    while (close < parser->end && *close != '"') {
        close += *close == '\\' ? 2 : 1;
    }
    if (close >= parser->end) {
        parser->at = parser->end;
        return refuse(parser, "a text has no end");
    }
    char *item = take(parser, head + (size_t)(close - parser->at) + 1);
    if (!item) {
        return NULL;
    }
    char *out = item + head;
    while (parser->at < close) {
        const char c = *parser->at++;
        if ((unsigned char)c < 0x20) {
            return refuse(parser, "a control character must be escaped");
        }
        if (c != '\\') {
            *out++ = c;
        } else if (!read_escape(parser, &out)) {
            return NULL;
        }
    }
    *out = '\0';
    *size = (size_t)(out - item) - head;
    parser->at = close + 1;
    return protocol_utf8_valid(item + head, *size) ? item : refuse(parser, "a text is not UTF-8");
}

static json_t *read_string(struct parser *parser)
{
    size_t size = 0;
    struct string *string = (void *)read_text(parser, offsetof(struct string, text), &size);
    if (!string) {
        return NULL;
    }
    string->json = (json_t){.type = JSON_STRING, .refcount = 1};
    string->size = size;
    return &string->json;
}

static size_t pass_digits(struct parser *parser)
{
    const char *from = parser->at;
    while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9') {
        parser->at++;
    }
    return (size_t)(parser->at - from);
}

static json_t *read_number(struct parser *parser)
{
    const char *from = parser->at;
    bool whole = true;
    pass_one(parser, "-");
    bool right = pass_one(parser, "0") || pass_digits(parser) > 0;
    if (right && pass_one(parser, ".")) {
        whole = false;
        right = pass_digits(parser) > 0;
    }
    if (right && pass_one(parser, "eE")) {
        whole = false;
        pass_one(parser, "+-");
        right = pass_digits(parser) > 0;
    }
    // A text that ends with a number has a list that is not closed.
    if (!right || parser->at == parser->end) {
        return refuse(parser, "invalid number");
    }
    // The text has no zero at its end, where strtod would stop at the latest.
    const size_t size = (size_t)(parser->at - from);
    char few[64], *digits = size < sizeof few ? few : take(parser, size + 1);
    struct number *number = take(parser, sizeof *number);
    if (!number || !digits) {
        return NULL;
    }
    memcpy(digits, from, size);
    digits[size] = '\0';
    number->json = (json_t){.type = whole ? JSON_INTEGER : JSON_REAL, .refcount = 1};
    errno = 0;
    if (whole) {
        number->integer = strtoll(digits, NULL, 10);
    } else {
        number->real = strtod(digits, NULL);
    }
    if (whole ? errno == ERANGE : isinf(number->real)) {
        return refuse(parser, "a number is too large");
    }
    return &number->json;
}

static int by_key(const void *a, const void *b)
{
    const struct member *one = *(void *const *)a, *other = *(void *const *)b;
    return strcmp(one->key, other->key);
}

static bool is_repeated(struct parser *parser, size_t first)
{
    const size_t count = parser->height - first;
    void **sorted = count > 1 ? malloc(count * sizeof *sorted) : NULL;
    bool repeated = false;
    if (!sorted) {
        return count > 1 && !refuse(parser, "out of memory");
    }
    memcpy(sorted, parser->stack + first, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 1; i < count; i++) {
        repeated = repeated || by_key(&sorted[i - 1], &sorted[i]) == 0;
    }
    free(sorted);
    return repeated;
}

static bool read_member(struct parser *parser, size_t first)
{
    size_t size = 0;
    if (peek(parser) != '"') {
        return refuse(parser, "a name in quotes must stand here") != NULL;
    }
    parser->at++;
    struct member *member = (void *)read_text(parser, offsetof(struct member, key), &size);
    if (member && peek(parser) != ':') {
        member = refuse(parser, "':' must stand here");
    }
    if (!member) {
        return false;
    }
    parser->at++;
    member->place = parser->height - first;
    member->key_size = size;
    return push(parser, member) && (member->value = read_value(parser));
}

// Past the bracket that begins it.
static json_t *read_container(struct parser *parser, json_type type)
{
    const char close = type == JSON_OBJECT ? '}' : ']';
    const size_t first = parser->height;
    if (++parser->depth > DEPTH_MAX) {
        return refuse(parser, "it is nested too deep");
    }
    for (bool more = peek(parser) != close; more;) {
        if (type == JSON_OBJECT ? !read_member(parser, first) : !push(parser, read_value(parser))) {
            return NULL;
        }
        const char next = peek(parser);
        more = next == ',';
        if (!more && next != close) {
            return refuse(parser,
                          type == JSON_OBJECT ? "',' or '}' must stand here" : "',' or ']' must stand here");
        }
        parser->at += more ? 1 : 0;
    }
    parser->at++;
    parser->depth--;
    if (type == JSON_OBJECT && is_repeated(parser, first)) {
        return refuse(parser, "an object has one name twice");
    }
    return contain(parser, type, first);
}

static json_t *read_word(struct parser *parser)
{
    static const struct {
        const char *word;
        json_t *value;
    } words[] = {{"true", &the_true}, {"false", &the_false}, {"null", &the_null}};
    size_t size = 0;
    while (parser->at + size < parser->end && parser->at[size] >= 'a' && parser->at[size] <= 'z') {
        size++;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (size == strlen(words[i].word) && memcmp(words[i].word, parser->at, size) == 0) {
            parser->at += size;
            return words[i].value;
        }
    }
    return refuse(parser, parser->at == parser->end ? "the text ends early" : "a value must stand here");
}

static json_t *read_value(struct parser *parser)
{
    const char c = peek(parser);
    if (c == '{' || c == '[') {
        parser->at++;
        return read_container(parser, c == '{' ? JSON_OBJECT : JSON_ARRAY);
    }
    if (c == '"') {
        parser->at++;
        return read_string(parser);
    }
    return c == '-' || (c >= '0' && c <= '9') ? read_number(parser) : read_word(parser);
}

// Always with JSON_REJECT_DUPLICATES, and without any other flag.
json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error)
{
    struct parser parser = {.begin = text, .at = text, .end = text + size, .error = error};
    (void)flags;
    *error = (json_error_t){0};
    const char c = peek(&parser);
    json_t *root = c == '{' || c == '[' ? read_value(&parser) : refuse(&parser, "'[' or '{' must stand here");
    if (root && (peek(&parser) != '\0' || parser.at != parser.end)) {
        root = refuse(&parser, "the text must end here");
    }
    free(parser.stack);
    if (!root) {
        free_blocks(parser.blocks);
        return NULL;
    }
    ((struct container *)root)->blocks = parser.blocks;
    return root;
}

void json_delete(json_t *root)
{
    free_blocks(((struct container *)root)->blocks);
}

// ---------------------------------------------------------------------------------------------------------
// Values to members

static const struct container *container_of(const json_t *json, json_type type)
{
    static const struct container none;
    return json && json->type == type ? (const struct container *)json : &none;
}

size_t json_array_size(const json_t *array)
{
    return container_of(array, JSON_ARRAY)->count;
}

json_t *json_array_get(const json_t *array, size_t index)
{
    const struct container *list = container_of(array, JSON_ARRAY);
    return index < list->count ? list->items[index] : NULL;
}

size_t json_object_size(const json_t *object)
{
    return container_of(object, JSON_OBJECT)->count;
}

json_t *json_object_get(const json_t *object, const char *key)
{
    const struct container *map = container_of(object, JSON_OBJECT);
    for (size_t i = 0; i < map->count; i++) {
        const struct member *member = map->items[i];
        if (strcmp(member->key, key) == 0) {
            return member->value;
        }
    }
    return NULL;
}

void *json_object_iter(json_t *object)
{
    const struct container *map = container_of(object, JSON_OBJECT);
    return map->count > 0 ? map->items[0] : NULL;
}

void *json_object_iter_next(json_t *object, void *iter)
{
    const struct container *map = container_of(object, JSON_OBJECT);
    const size_t next = ((const struct member *)iter)->place + 1;
    return next < map->count ? map->items[next] : NULL;
}

void *json_object_key_to_iter(const char *key)
{
    return key ? (char *)(uintptr_t)key - offsetof(struct member, key) : NULL;
}

const char *json_object_iter_key(void *iter)
{
    return iter ? ((const struct member *)iter)->key : NULL;
}

json_t *json_object_iter_value(void *iter)
{
    return iter ? ((const struct member *)iter)->value : NULL;
}

const char *json_string_value(const json_t *string)
{
    return json_is_string(string) ? ((const struct string *)string)->text : NULL;
}

size_t json_string_length(const json_t *string)
{
    return json_is_string(string) ? ((const struct string *)string)->size : 0;
}

json_int_t json_integer_value(const json_t *integer)
{
    return json_is_integer(integer) ? ((const struct number *)integer)->integer : 0;
}

double json_real_value(const json_t *real)
{
    return json_is_real(real) ? ((const struct number *)real)->real : 0;
}

double json_number_value(const json_t *json)
{
    return json_is_integer(json) ? (double)json_integer_value(json) : json_real_value(json);
}
