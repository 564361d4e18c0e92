// Arrays of numbers: typed arrays (ext 0x11 i8, 0x12 u8, 0x13 i16, 0x14 u16, 0x15 i32, 0x16 u32, 0x17 f32,
// 0x18 f64, little-endian), bin, str bytes where bin is meant, and plain MessagePack arrays of numbers.
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
    PROTOCOL_ARRAY_PLAIN,  // data is a const msgpack_object *, checked to be all numbers
    PROTOCOL_ARRAY_SCALAR, // data is one msgpack_object that stands for an array of one
};

// A view; the bytes belong to the message. data need not be aligned.
struct protocol_array {
    enum protocol_array_type type;
    uint32_t count;
    const void *data;
};

uint32_t protocol_array_item_size(enum protocol_array_type type); // bytes; 0 for PLAIN and SCALAR

// If one number may stand for all elements (a field's `scalar`), so may an array of one.
static inline bool protocol_array_is_one(const struct protocol_array *array)
{
    return array->count == 1;
}

// Recognises value as an array of numbers. bin and str are taken as bin_type. False if it is none.
bool protocol_array_from(const msgpack_object *value, enum protocol_array_type bin_type,
                         struct protocol_array *array);

// One element, or all of them into out[count].
double protocol_array_f64_at(const struct protocol_array *array, uint32_t index);
void protocol_array_copy_f64(const struct protocol_array *array, double *out);
void protocol_array_copy_f32(const struct protocol_array *array, float *out);
// False if an element is not an integer in 0 ... 2^32 - 1; *bad is its index.
bool protocol_array_copy_u32(const struct protocol_array *array, uint32_t *out, uint32_t *bad);

// Writes an array of native values in the encoding a session chose.
void protocol_array_pack(msgpack_packer *packer, enum protocol_arrays_mode mode,
                         enum protocol_array_type type, const void *items, uint32_t count);

#endif
