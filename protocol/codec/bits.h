// Bits, the lowest first, and numbers in them.
#ifndef WEFT_PROTOCOL_CODEC_BITS_H
#define WEFT_PROTOCOL_CODEC_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bits are read as they lie in memory");

// Writes to memory that is large enough for all, and for 8 bytes more.
struct bit_writer {
    uint8_t *out;
    uint64_t held;
    uint32_t held_count; // < 8 between calls
};

static inline void bits_put(struct bit_writer *writer, uint32_t value, uint32_t count) // count <= 32
{
    writer->held |= (uint64_t)value << writer->held_count;
    writer->held_count += count;
    for (; writer->held_count >= 8; writer->held_count -= 8) {
        *writer->out++ = (uint8_t)writer->held;
        writer->held >>= 8;
    }
}

static inline void bits_end(struct bit_writer *writer)
{
    if (writer->held_count > 0) {
        *writer->out++ = (uint8_t)writer->held;
    }
    writer->held = 0;
    writer->held_count = 0;
}

// Elias' gamma code of a value of at least 1: as many zeros as there are bits below its highest, a one, those bits.
static inline void bits_put_gamma(struct bit_writer *writer, uint32_t value)
{
    uint32_t below = 31 - (uint32_t)__builtin_clz(value);
    bits_put(writer, 1U << below, below + 1);
    bits_put(writer, value - (1U << below), below);
}

// Past its end it reads zeros, and says so.
struct bit_reader {
    const uint8_t *data;
    size_t size, at; // at: in bits
    bool is_past;
};

static inline uint32_t bits_take(struct bit_reader *reader, uint32_t count) // count <= 32
{
    uint64_t value = 0;
    size_t byte = reader->at / 8, end = (reader->at + count + 7) / 8;
    if (end > reader->size) {
        reader->is_past = true;
        return 0;
    }
    if (reader->size - byte >= sizeof value) {
        memcpy(&value, reader->data + byte, sizeof value);
    } else {
        memcpy(&value, reader->data + byte, end - byte);
    }
    value >>= reader->at % 8;
    reader->at += count;
    return (uint32_t)(value & ((1ULL << count) - 1));
}

static inline uint32_t bits_take_gamma(struct bit_reader *reader, uint32_t below_max) // 0: none such
{
    uint32_t below = 0;
    while (bits_take(reader, 1) == 0) {
        if (reader->is_past || ++below > below_max) {
            return 0;
        }
    }
    return (1U << below) + bits_take(reader, below);
}

// All of them, but for what the last byte has too many.
static inline bool bits_are_used(const struct bit_reader *reader)
{
    return !reader->is_past && (reader->at + 7) / 8 == reader->size;
}

// Numbers of whole bytes: seven bits each, the lowest first, the eighth set where more follow.
static inline uint8_t *number_put(uint8_t *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        *out++ = (uint8_t)(value | 0x80);
    }
    *out++ = (uint8_t)value;
    return out;
}

// False where it does not end before `end`, or is more than 64 bits.
static inline bool number_take(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (uint32_t shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        if (shift == 63 && byte > 1) {
            return false;
        }
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

#endif
