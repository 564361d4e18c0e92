#include "notation.h"

#include "base/assert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct notation {
    msgpack_packer packer;
    msgpack_sbuffer *out;
    const msgpack_sbuffer *packed; // what @ stands for
};

static const char *pass_blanks(const char *at)
{
    while (*at == ' ' || *at == ',' || *at == ':' || *at == '\n') {
        at++;
    }
    return at;
}

static const char *pack_value(struct notation *notation, const char *at);

// The head of a list needs the count, which is known behind it: room for the longest head is left, and what is not used is closed up.
static const char *pack_list(struct notation *notation, const char *at, char close)
{
    enum { HEAD = 3 };
    msgpack_sbuffer *out = notation->out;
    const size_t begin = out->size;
    size_t count = 0;
    msgpack_sbuffer_write(out, "\0\0\0", HEAD);
    for (at = pass_blanks(at); *at != close; at = pass_blanks(at)) {
        BASE_ASSERT(*at != '\0');
        at = pack_value(notation, at);
        count++;
    }
    const bool map = close == '}';
    count = map ? count / 2 : count;
    uint8_t *head = (uint8_t *)out->data + begin;
    BASE_ASSERT(count <= UINT16_MAX);
    if (count < 16) {
        head[0] = (uint8_t)((map ? 0x80 : 0x90) | count);
        memmove(head + 1, head + HEAD, out->size - begin - HEAD);
        out->size -= HEAD - 1;
    } else {
        head[0] = map ? 0xde : 0xdc;
        head[1] = (uint8_t)(count >> 8);
        head[2] = (uint8_t)count;
    }
    return at + 1;
}

static const char *pack_number(msgpack_packer *packer, const char *at)
{
    const char *digits = at + (*at == '-');
    uint64_t whole = 0;
    const char *end = digits;
    while (*end >= '0' && *end <= '9') {
        whole = whole * 10 + (uint64_t)(*end++ - '0');
    }
    if (*end != '.' && *end != 'e' && end > digits) {
        if (*at == '-') {
            msgpack_pack_int64(packer, -(int64_t)whole);
        } else {
            msgpack_pack_uint64(packer, whole);
        }
        return end;
    }
    char *behind;
    msgpack_pack_double(packer, strtod(at, &behind));
    BASE_ASSERT(behind > at);
    return behind;
}

static const char *pack_value(struct notation *notation, const char *at)
{
    msgpack_packer *packer = &notation->packer;
    at = pass_blanks(at);
    if (*at == '@') {
        msgpack_sbuffer_write(notation->out, notation->packed->data, notation->packed->size);
        return at + 1;
    }
    if (*at == '{') {
        return pack_list(notation, at + 1, '}');
    }
    if (*at == '[') {
        return pack_list(notation, at + 1, ']');
    }
    if (*at == '\'') {
        const char *end = strchr(at + 1, '\'');
        BASE_ASSERT(end != NULL);
        msgpack_pack_str_with_body(packer, at + 1, (size_t)(end - at - 1));
        return end + 1;
    }
    if (strncmp(at, "null", 4) == 0) {
        msgpack_pack_nil(packer);
        return at + 4;
    }
    if (strncmp(at, "true", 4) == 0) {
        msgpack_pack_true(packer);
        return at + 4;
    }
    if (strncmp(at, "false", 5) == 0) {
        msgpack_pack_false(packer);
        return at + 5;
    }
    return pack_number(packer, at);
}

void notation_pack(msgpack_sbuffer *out, const char *text, const msgpack_sbuffer *packed)
{
    struct notation notation = {.out = out, .packed = packed};
    msgpack_packer_init(&notation.packer, out, msgpack_sbuffer_write);
    (void)pack_value(&notation, text);
}
