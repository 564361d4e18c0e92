// Chunks of frames: arrays as they are, or bytes of theirs that were made small.
//
//     8n  {body CE, first CE, count CE,
//          _a: bin 0…7 zeros, positions:  ext | bin | plain ─▶ payload at 8n …
//          _b: bin 0…7 zeros, velocities: …
//          _c: bin 0…7 zeros}                                             ─▶ ends at 8n
//
// One walk gives both the size and the bytes, so they cannot disagree: it writes where it has memory to
// write to, and only counts where it has none.
#include "protocol/codec/codec.h"

#include "protocol/assert.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "typed arrays are written as they lie in memory");

enum { EXT_F32 = 0x17, EXT_F64 = 0x18, ALIGNMENT = 8 };

struct writer {
    uint8_t *out; // NULL: count only
    size_t at;
    char padding_name; // of the next padding field
};

static void put(struct writer *writer, const void *data, size_t size)
{
    if (writer->out && size > 0) {
        memcpy(writer->out + writer->at, data, size);
    }
    writer->at += size;
}

static void put_u8(struct writer *writer, uint8_t value)
{
    put(writer, &value, 1);
}

static void put_u32(struct writer *writer, uint32_t value)
{
    uint32_t swapped = __builtin_bswap32(value);
    put(writer, &swapped, 4);
}

static void put_name(struct writer *writer, const char *name)
{
    put_u8(writer, (uint8_t)(0xA0 | strlen(name)));
    put(writer, name, strlen(name));
}

static void put_map(struct writer *writer, uint32_t pairs)
{
    if (pairs < 16) {
        put_u8(writer, (uint8_t)(0x80 | pairs));
        return;
    }
    put_u8(writer, 0xDE);
    put_u8(writer, (uint8_t)(pairs >> 8));
    put_u8(writer, (uint8_t)pairs);
}

static void put_number(struct writer *writer, const char *name, uint32_t value)
{
    put_name(writer, name);
    put_u8(writer, 0xCE);
    put_u32(writer, value);
}

// A padding field such that what lies `ahead` bytes behind it is aligned.
static void put_padding(struct writer *writer, size_t ahead)
{
    static const uint8_t zeros[ALIGNMENT] = {0};
    char name[] = {'_', writer->padding_name++, 0};
    put_name(writer, name);
    put_u8(writer, 0xC4);
    size_t zero_count = (ALIGNMENT - (writer->at + 1 + ahead) % ALIGNMENT) % ALIGNMENT;
    put_u8(writer, (uint8_t)zero_count);
    put(writer, zeros, zero_count);
}

static void put_plain(struct writer *writer, const void *items, size_t item_size, uint32_t item_count)
{
    if (!writer->out) {
        writer->at += (1 + item_size) * item_count;
        return;
    }
    const uint8_t *in = items;
    for (uint32_t i = 0; i < item_count; i++, in += item_size) {
        if (item_size == 4) {
            uint32_t bits;
            memcpy(&bits, in, sizeof bits);
            put_u8(writer, 0xCA);
            put_u32(writer, bits);
        } else {
            uint64_t bits;
            memcpy(&bits, in, sizeof bits);
            bits = __builtin_bswap64(bits);
            put_u8(writer, 0xCB);
            put(writer, &bits, sizeof bits);
        }
    }
}

static void put_array(struct writer *writer, const char *name, enum protocol_arrays_mode mode,
                      const void *items, size_t item_size, uint32_t item_count)
{
    if (!items) {
        return;
    }
    size_t head_size = mode == PROTOCOL_ARRAYS_EXT ? 6 : 5;
    uint32_t byte_count = (uint32_t)(item_size * item_count);
    put_padding(writer, 1 + strlen(name) + head_size);
    put_name(writer, name);
    switch (mode) {
    case PROTOCOL_ARRAYS_EXT:
        put_u8(writer, 0xC9);
        put_u32(writer, byte_count);
        put_u8(writer, item_size == 4 ? EXT_F32 : EXT_F64);
        put(writer, items, byte_count);
        break;
    case PROTOCOL_ARRAYS_BIN:
        put_u8(writer, 0xC6);
        put_u32(writer, byte_count);
        put(writer, items, byte_count);
        break;
    case PROTOCOL_ARRAYS_PLAIN:
        put_u8(writer, 0xDD);
        put_u32(writer, item_count);
        put_plain(writer, items, item_size, item_count);
        break;
    }
}

static size_t walk(const struct codec_chunk *chunk, enum protocol_arrays_mode mode, uint8_t *out)
{
    PROTOCOL_ASSERT(chunk->count <= UINT32_MAX / (4 * sizeof(double)));
    const struct {
        const char *name;
        const void *items;
        size_t item_size;
        uint32_t per; // numbers for each particle
    } arrays[] = {
        {"positions", chunk->positions, sizeof(float), 3},
        {"positions64", chunk->positions64, sizeof(double), 3},
        {"velocities", chunk->velocities, sizeof(float), 3},
        {"normals", chunk->normals, sizeof(float), 3},
        {"rotations", chunk->rotations, sizeof(float), 4},
        {"rotations64", chunk->rotations64, sizeof(double), 4},
        {"skin", chunk->skin, sizeof(float), 3},
    };
    const size_t array_count = sizeof arrays / sizeof *arrays;
    struct writer writer = {.padding_name = 'a'};
    writer.out = out;
    uint32_t present = 0;
    for (size_t a = 0; a < array_count; a++) {
        present += arrays[a].items != NULL;
    }
    const uint32_t pairs = 3 + 2 * present + 1;
    put_map(&writer, pairs);
    put_number(&writer, "body", chunk->body);
    put_number(&writer, "first", chunk->first);
    put_number(&writer, "count", chunk->count);
    for (size_t a = 0; a < array_count; a++) {
        put_array(&writer, arrays[a].name, mode, arrays[a].items, arrays[a].item_size,
                  arrays[a].per * chunk->count);
    }
    put_padding(&writer, 0);
    return writer.at;
}

size_t codec_size_f32(const struct codec_chunk *chunk, enum protocol_arrays_mode mode)
{
    return walk(chunk, mode, NULL);
}

size_t codec_encode_f32(const struct codec_chunk *chunk, enum protocol_arrays_mode mode, uint8_t *out)
{
    return walk(chunk, mode, out);
}

// {body, first, count, [elements_hash,] [tile, tiles,] _a, positions | skin: bin 32, _b}
static size_t walk_packed(const struct codec_packed *packed, uint8_t *out)
{
    const char *name = packed->skin ? "skin" : "positions";
    struct writer writer = {.padding_name = 'a'};
    writer.out = out;
    put_u8(&writer, (uint8_t)(0x80 | (6 + (packed->hashed ? 1 : 0) + (packed->tiles > 1 ? 2 : 0))));
    put_number(&writer, "body", packed->body);
    put_number(&writer, "first", 0);
    put_number(&writer, "count", packed->count);
    if (packed->hashed) {
        put_number(&writer, "elements_hash", packed->elements_hash);
    }
    if (packed->tiles > 1) {
        put_number(&writer, "tile", packed->tile);
        put_number(&writer, "tiles", packed->tiles);
    }
    put_padding(&writer, 1 + strlen(name) + 5);
    put_name(&writer, name);
    put_u8(&writer, 0xC6);
    put_u32(&writer, packed->size);
    put(&writer, packed->data, packed->size);
    put_padding(&writer, 0);
    return writer.at;
}

size_t codec_size_packed(const struct codec_packed *packed)
{
    return walk_packed(packed, NULL);
}

size_t codec_encode_packed(const struct codec_packed *packed, uint8_t *out)
{
    return walk_packed(packed, out);
}
