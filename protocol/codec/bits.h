// Streams of bits, the lowest of each byte first, and two codes for numbers.
#ifndef WEFT_PROTOCOL_CODEC_BITS_H
#define WEFT_PROTOCOL_CODEC_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bits are read as they lie in memory");

// Writes to the caller's memory, which must have room for all bits. Nothing is checked.
struct bit_writer {
    uint8_t *out;        // the next byte
    uint64_t held;       // bits that do not fill a byte yet
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

// Writes the last byte, filled up with zeros.
static inline void bits_end(struct bit_writer *writer)
{
    if (writer->held_count > 0) {
        *writer->out++ = (uint8_t)writer->held;
    }
    writer->held = 0;
    writer->held_count = 0;
}

// Writes Elias' gamma code of a value of at least 1: as many zeros as it has bits below its highest, a one, and those bits.
static inline void bits_put_gamma(struct bit_writer *writer, uint32_t value)
{
    uint32_t below = 31 - (uint32_t)__builtin_clz(value);
    bits_put(writer, 1U << below, below + 1);
    bits_put(writer, value - (1U << below), below);
}

// A read that would go past the end returns 0 and sets is_past.
struct bit_reader {
    const uint8_t *data;
    size_t size, at; // bytes; bits read so far
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

// Reads a gamma code. 0 if more than below_max zeros come first or the data ends.
static inline uint32_t bits_take_gamma(struct bit_reader *reader, uint32_t below_max)
{
    uint32_t below = 0;
    while (bits_take(reader, 1) == 0) {
        if (reader->is_past || ++below > below_max) {
            return 0;
        }
    }
    return (1U << below) + bits_take(reader, below);
}

// Whether all bytes were read, except for up to seven bits of the last one.
static inline bool bits_are_used(const struct bit_reader *reader)
{
    return !reader->is_past && (reader->at + 7) / 8 == reader->size;
}

// Writes value as LEB128: seven bits a byte, the lowest first; the eighth is set if more bytes follow. At most 10 bytes.
// Returns the end.
static inline uint8_t *number_put(uint8_t *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        *out++ = (uint8_t)(value | 0x80);
    }
    *out++ = (uint8_t)value;
    return out;
}

// Reads LEB128 and moves *at past it. False if it does not end before `end`, or has more than 64 bits.
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
