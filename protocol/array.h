// Arrays of numbers as peers send them: MessagePack ext types ("typed arrays": 0x11 i8, 0x12 u8, 0x13 i16, 0x14 u16, 0x15 i32,
// 0x16 u32, 0x17 f32, 0x18 f64, little-endian), bin, str from libraries that have no bin, and plain arrays of numbers.
#ifndef WEFT_PROTOCOL_ARRAY_H
#define WEFT_PROTOCOL_ARRAY_H

#include "protocol/types.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

enum protocol_array_type {
    PROTOCOL_ARRAY_I8 = 0x11,
    PROTOCOL_ARRAY_U8,
    PROTOCOL_ARRAY_I16,
    PROTOCOL_ARRAY_U16,
    PROTOCOL_ARRAY_I32,
    PROTOCOL_ARRAY_U32,
    PROTOCOL_ARRAY_F32,
    PROTOCOL_ARRAY_F64,
    PROTOCOL_ARRAY_PLAIN, // data points to count msgpack_objects, all of them numbers
    PROTOCOL_ARRAY_SCALAR, // data points to one msgpack_object, a number that was sent without an array around it
};

// A view; the message owns the bytes. data need not be aligned.
struct protocol_array {
    enum protocol_array_type type;
    uint32_t count;
    const void *data;
};

uint32_t protocol_array_item_size(enum protocol_array_type type); // bytes; 0 for PLAIN and SCALAR

// Whether the array is one number. If a field is `scalar` (types.h), that number holds for all elements.
static inline bool protocol_array_is_one(const struct protocol_array *array)
{
    return array->count == 1;
}

// Makes a view of value, with the elements of bin and str read as bin_type. False if value is not an array of numbers, or its
// size is not a multiple of an element's.
bool protocol_array_from(const msgpack_object *value, enum protocol_array_type bin_type,
                         struct protocol_array *array);

double protocol_array_f64_at(const struct protocol_array *array, uint32_t index);
// These write all elements to out[count]. copy_f32 rounds to nearest, and beyond float's range to infinity.
void protocol_array_copy_f64(const struct protocol_array *array, double *out);
void protocol_array_copy_f32(const struct protocol_array *array, float *out);
// False if an element is not an integer in 0 ... 2^32 - 1. *bad is then its index, and out is partly written.
bool protocol_array_copy_u32(const struct protocol_array *array, uint32_t *out, uint32_t *bad);

// Packs an array of native values in the encoding that a session chose. type is none of PLAIN and SCALAR; at most 4 GiB.
void protocol_array_pack(msgpack_packer *packer, enum protocol_arrays_mode mode,
                         enum protocol_array_type type, const void *items, uint32_t count);

#endif
