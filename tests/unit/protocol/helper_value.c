// A recursive descent over the text; a mistake in it fails the test.
#include "helper_value.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct parser {
    const char *at;
    msgpack_packer packer;
};

static void skip_space(struct parser *parser)
{
    while (isspace((unsigned char)*parser->at) || *parser->at == ',' || *parser->at == ':') {
        parser->at++;
    }
}

static bool take(struct parser *parser, const char *word)
{
    skip_space(parser);
    size_t size = strlen(word);
    if (strncmp(parser->at, word, size) != 0) {
        return false;
    }
    parser->at += size;
    return true;
}

struct bytes bytes_from_hex(const char *hex)
{
    struct bytes bytes = {.data = malloc(strlen(hex) / 2 + 1)};
    assert_non_null(bytes.data);
    while (*hex != 0) {
        if (*hex == ' ') {
            hex++;
            continue;
        }
        char pair[] = {hex[0], hex[1], 0};
        char *end;
        bytes.data[bytes.size++] = (uint8_t)strtoul(pair, &end, 16);
        assert_ptr_equal(end, pair + 2);
        hex += 2;
    }
    return bytes;
}

// Up to the closing quote, which is passed.
static char *take_quoted(struct parser *parser)
{
    const char *end = strchr(parser->at, '"');
    assert_non_null(end);
    char *text = strndup(parser->at, (size_t)(end - parser->at));
    parser->at = end + 1;
    return text;
}

static void pack_value(struct parser *parser);

static size_t count_values(struct parser *parser, const char *close)
{
    struct parser ahead = {.at = parser->at};
    msgpack_sbuffer ignored;
    msgpack_sbuffer_init(&ignored);
    msgpack_packer_init(&ahead.packer, &ignored, msgpack_sbuffer_write);
    size_t count = 0;
    while (!take(&ahead, close)) {
        pack_value(&ahead);
        count++;
    }
    msgpack_sbuffer_destroy(&ignored);
    return count;
}

static void pack_values(struct parser *parser, const char *close)
{
    while (!take(parser, close)) {
        pack_value(parser);
    }
}

static bool pack_bytes(struct parser *parser)
{
    bool is_bin = take(parser, "bin\""), is_str = !is_bin && take(parser, "str\"");
    int type = 0;
    if (!is_bin && !is_str) {
        if (!take(parser, "ext")) {
            return false;
        }
        char *end;
        type = (int)strtol(parser->at, &end, 16);
        assert_int_equal(*end, '"');
        parser->at = end + 1;
    }
    char *hex = take_quoted(parser);
    struct bytes bytes = bytes_from_hex(hex);
    if (is_bin) {
        msgpack_pack_bin_with_body(&parser->packer, bytes.data, bytes.size);
    } else if (is_str) {
        msgpack_pack_str_with_body(&parser->packer, bytes.data, bytes.size);
    } else {
        msgpack_pack_ext_with_body(&parser->packer, bytes.data, bytes.size, (int8_t)type);
    }
    free(bytes.data);
    free(hex);
    return true;
}

static size_t put_item(int type, double number, uint8_t *out)
{
    switch (type) {
    case 0x11:
    case 0x12:
        out[0] = (uint8_t)(int)number;
        return 1;
    case 0x13:
    case 0x14: {
        uint16_t item = (uint16_t)(int)number;
        memcpy(out, &item, sizeof item);
        return sizeof item;
    }
    case 0x15:
    case 0x16: {
        uint32_t item = (uint32_t)(int64_t)number;
        memcpy(out, &item, sizeof item);
        return sizeof item;
    }
    case 0x17: {
        float item = (float)number;
        memcpy(out, &item, sizeof item);
        return sizeof item;
    }
    default:
        memcpy(out, &number, sizeof number);
        return sizeof number;
    }
}

static bool pack_typed(struct parser *parser)
{
    static const char *const names[] = {"i8[", "u8[", "i16[", "u16[", "i32[", "u32[", "f32[", "f64["};
    for (int i = 0; i < 8; i++) {
        if (!take(parser, names[i])) {
            continue;
        }
        uint8_t data[1024];
        size_t size = 0;
        while (!take(parser, "]")) {
            char *end;
            double number = strtod(parser->at, &end);
            assert_true(end != parser->at && size + 8 <= sizeof data);
            parser->at = end;
            size += put_item(0x11 + i, number, data + size);
        }
        msgpack_pack_ext_with_body(&parser->packer, data, size, (int8_t)(0x11 + i));
        return true;
    }
    return false;
}

static void pack_number(struct parser *parser)
{
    char *end;
    double number = strtod(parser->at, &end);
    assert_true(end != parser->at);
    size_t digits = strspn(parser->at, "-0123456789");
    if (parser->at + digits != end) {
        msgpack_pack_double(&parser->packer, number);
    } else if (*parser->at == '-') {
        msgpack_pack_int64(&parser->packer, strtoll(parser->at, NULL, 10));
    } else {
        msgpack_pack_uint64(&parser->packer, strtoull(parser->at, NULL, 10));
    }
    parser->at = end;
}

static void pack_value(struct parser *parser)
{
    msgpack_packer *packer = &parser->packer;
    if (take(parser, "nil")) {
        msgpack_pack_nil(packer);
    } else if (take(parser, "true")) {
        msgpack_pack_true(packer);
    } else if (take(parser, "false")) {
        msgpack_pack_false(packer);
    } else if (take(parser, "[")) {
        msgpack_pack_array(packer, count_values(parser, "]"));
        pack_values(parser, "]");
    } else if (take(parser, "{")) {
        msgpack_pack_map(packer, count_values(parser, "}") / 2);
        pack_values(parser, "}");
    } else if (take(parser, "\"")) {
        char *text = take_quoted(parser);
        msgpack_pack_str_with_body(packer, text, strlen(text));
        free(text);
    } else if (!pack_bytes(parser) && !pack_typed(parser)) {
        pack_number(parser);
    }
}

struct bytes value_bytes(const char *text)
{
    struct parser parser = {.at = text};
    msgpack_sbuffer buffer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&parser.packer, &buffer, msgpack_sbuffer_write);
    pack_value(&parser);
    skip_space(&parser);
    assert_int_equal(*parser.at, 0);
    struct bytes bytes = {.data = malloc(buffer.size), .size = buffer.size};
    assert_non_null(bytes.data);
    memcpy(bytes.data, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    return bytes;
}

static void unpack(struct value *value)
{
    size_t at = 0;
    assert_true(msgpack_zone_init(&value->zone, 8192));
    msgpack_unpack_return status =
        msgpack_unpack((const char *)value->bytes.data, value->bytes.size, &at, &value->zone, &value->object);
    assert_int_equal(status, MSGPACK_UNPACK_SUCCESS);
}

void value_init(struct value *value, const char *text)
{
    value->bytes = value_bytes(text);
    unpack(value);
}

void value_init_bytes(struct value *value, const void *data, size_t size)
{
    value->bytes = (struct bytes){.data = malloc(size), .size = size};
    assert_non_null(value->bytes.data);
    memcpy(value->bytes.data, data, size);
    unpack(value);
}

void value_deinit(struct value *value)
{
    msgpack_zone_destroy(&value->zone);
    free(value->bytes.data);
}

const msgpack_object *value_at(const msgpack_object *map, const char *key)
{
    assert_int_equal(map->type, MSGPACK_OBJECT_MAP);
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *name = &map->via.map.ptr[i].key;
        if (name->via.str.size == strlen(key) && memcmp(name->via.str.ptr, key, strlen(key)) == 0) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}
