// Arrays of numbers in all the encodings that a peer may choose, seen through one view.
//
// A view points into the message: nothing is copied until someone asks for native values, and elements are
// read with memcpy because a message aligns nothing. A plain array stays what msgpack-c made of it.
#include "protocol/array.h"

#include "protocol/assert.h"
#include "protocol/internal.h"

#include <float.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "typed arrays are read as they lie in memory");

// X(NAME, C type) for each typed array.
#define TYPED(X)     \
    X(I8, int8_t)    \
    X(U8, uint8_t)   \
    X(I16, int16_t)  \
    X(U16, uint16_t) \
    X(I32, int32_t)  \
    X(U32, uint32_t) \
    X(F32, float)    \
    X(F64, double)

enum { BLOCK = 256 };

uint32_t protocol_array_item_size(enum protocol_array_type type)
{
    switch (type) {
#define X(NAME, T)              \
    case PROTOCOL_ARRAY_##NAME: \
        return sizeof(T);
        TYPED(X)
#undef X
    case PROTOCOL_ARRAY_PLAIN:
    case PROTOCOL_ARRAY_SCALAR:
        break;
    }
    return 0;
}

bool protocol_object_is_number(const msgpack_object *value)
{
    return value->type == MSGPACK_OBJECT_POSITIVE_INTEGER || value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER ||
           value->type == MSGPACK_OBJECT_FLOAT32 || value->type == MSGPACK_OBJECT_FLOAT64;
}

double protocol_object_f64(const msgpack_object *value)
{
    if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        return (double)value->via.u64;
    }
    if (value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
        return (double)value->via.i64;
    }
    PROTOCOL_ASSERT(value->type == MSGPACK_OBJECT_FLOAT32 || value->type == MSGPACK_OBJECT_FLOAT64);
    return value->via.f64;
}

static bool view_bytes(enum protocol_array_type type, const char *data, uint32_t size,
                       struct protocol_array *array)
{
    uint32_t item_size = protocol_array_item_size(type);
    if (item_size == 0 || size % item_size != 0) {
        return false;
    }
    *array = (struct protocol_array){.type = type, .count = size / item_size, .data = data};
    return true;
}

bool protocol_array_from(const msgpack_object *value, enum protocol_array_type bin_type,
                         struct protocol_array *array)
{
    switch (value->type) {
    case MSGPACK_OBJECT_EXT:
        return view_bytes((enum protocol_array_type)(uint8_t)value->via.ext.type, value->via.ext.ptr,
                          value->via.ext.size, array);
    case MSGPACK_OBJECT_BIN:
        return view_bytes(bin_type, value->via.bin.ptr, value->via.bin.size, array);
    case MSGPACK_OBJECT_STR:
        return view_bytes(bin_type, value->via.str.ptr, value->via.str.size, array);
    case MSGPACK_OBJECT_ARRAY:
        for (uint32_t i = 0; i < value->via.array.size; i++) {
            if (!protocol_object_is_number(&value->via.array.ptr[i])) {
                return false;
            }
        }
        *array = (struct protocol_array){
            .type = PROTOCOL_ARRAY_PLAIN, .count = value->via.array.size, .data = value->via.array.ptr};
        return true;
    default:
        return false;
    }
}

// Elements first ... first + count - 1 as doubles.
static void read_f64(const struct protocol_array *array, uint32_t first, uint32_t count, double *out)
{
    switch (array->type) {
#define X(NAME, T)                                                                    \
    case PROTOCOL_ARRAY_##NAME: {                                                     \
        const uint8_t *in = (const uint8_t *)array->data + (size_t)first * sizeof(T); \
        for (uint32_t i = 0; i < count; i++) {                                        \
            T item;                                                                   \
            memcpy(&item, in + (size_t)i * sizeof item, sizeof item);                 \
            out[i] = (double)item;                                                    \
        }                                                                             \
        return;                                                                       \
    }
        TYPED(X)
#undef X
    case PROTOCOL_ARRAY_PLAIN:
    case PROTOCOL_ARRAY_SCALAR:
        for (uint32_t i = 0; i < count; i++) {
            out[i] = protocol_object_f64((const msgpack_object *)array->data + first + i);
        }
        return;
    }
    PROTOCOL_ASSERT(count == 0);
}

double protocol_array_f64_at(const struct protocol_array *array, uint32_t index)
{
    PROTOCOL_ASSERT(index < array->count);
    double item = 0;
    read_f64(array, index, 1, &item);
    return item;
}

void protocol_array_copy_f64(const struct protocol_array *array, double *out)
{
    read_f64(array, 0, array->count, out);
}

// Out of float's range is infinity, as a conversion of IEEE 754 rounds it; said here because C leaves it
// open.
static float narrow(double value)
{
    const double overflow = (double)FLT_MAX + 0x1p103; // half a unit past the greatest float
    if (value >= overflow) {
        return (float)__builtin_inf();
    }
    return value <= -overflow ? (float)-__builtin_inf() : (float)value;
}

void protocol_array_copy_f32(const struct protocol_array *array, float *out)
{
    if (array->type == PROTOCOL_ARRAY_F32) {
        if (array->count > 0) {
            memcpy(out, array->data, (size_t)array->count * sizeof *out);
        }
        return;
    }
    double block[BLOCK];
    for (uint32_t first = 0; first < array->count;) {
        uint32_t count = array->count - first < BLOCK ? array->count - first : BLOCK;
        read_f64(array, first, count, block);
        for (uint32_t i = 0; i < count; i++) {
            out[first + i] = narrow(block[i]);
        }
        first += count;
    }
}

static bool f64_is_u32(double value)
{
    return value >= 0 && value <= (double)UINT32_MAX && (double)(uint32_t)value == value;
}

bool protocol_array_copy_u32(const struct protocol_array *array, uint32_t *out, uint32_t *bad)
{
    if (array->type == PROTOCOL_ARRAY_U32) {
        if (array->count > 0) {
            memcpy(out, array->data, (size_t)array->count * sizeof *out);
        }
        return true;
    }
    // Doubles hold every u32, and every integer that is none of them stays out of range.
    double block[BLOCK];
    for (uint32_t first = 0; first < array->count;) {
        uint32_t count = array->count - first < BLOCK ? array->count - first : BLOCK;
        read_f64(array, first, count, block);
        for (uint32_t i = 0; i < count; i++) {
            if (!f64_is_u32(block[i])) {
                *bad = first + i;
                return false;
            }
            out[first + i] = (uint32_t)block[i];
        }
        first += count;
    }
    return true;
}

bool protocol_array_is_u32(const struct protocol_array *array, uint32_t *bad)
{
    if (array->type == PROTOCOL_ARRAY_U32 || array->type == PROTOCOL_ARRAY_U16 ||
        array->type == PROTOCOL_ARRAY_U8) {
        return true;
    }
    double block[BLOCK];
    for (uint32_t first = 0; first < array->count;) {
        uint32_t count = array->count - first < BLOCK ? array->count - first : BLOCK;
        read_f64(array, first, count, block);
        for (uint32_t i = 0; i < count; i++) {
            if (!f64_is_u32(block[i])) {
                *bad = first + i;
                return false;
            }
        }
        first += count;
    }
    return true;
}

bool protocol_array_in_range(const struct protocol_array *array, double lo, double hi, bool exclusive,
                             uint32_t *bad)
{
    // Infinite bounds would let infinities through.
    double least = lo < -DBL_MAX ? -DBL_MAX : lo, most = hi > DBL_MAX ? DBL_MAX : hi;
    double block[BLOCK];
    for (uint32_t first = 0; first < array->count;) {
        uint32_t count = array->count - first < BLOCK ? array->count - first : BLOCK;
        read_f64(array, first, count, block);
        // No early way out: the loop stays free of branches, and NaN fails both comparisons.
        unsigned outside = 0;
        for (uint32_t i = 0; i < count; i++) {
            outside |= (unsigned)!(block[i] >= least) | (unsigned)!(block[i] <= most) |
                       ((unsigned)exclusive & (unsigned)(block[i] == lo));
        }
        for (uint32_t i = 0; outside != 0 && i < count; i++) {
            if (!(block[i] >= least && block[i] <= most) || (exclusive && block[i] == lo)) {
                *bad = first + i;
                return false;
            }
        }
        first += count;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Out

static void pack_head(msgpack_packer *packer, enum protocol_arrays_mode mode, enum protocol_array_type type,
                      uint32_t count)
{
    size_t size = (size_t)count * protocol_array_item_size(type);
    PROTOCOL_ASSERT(size <= UINT32_MAX);
    switch (mode) {
    case PROTOCOL_ARRAYS_EXT:
        msgpack_pack_ext(packer, size, (int8_t)type);
        break;
    case PROTOCOL_ARRAYS_BIN:
        msgpack_pack_bin(packer, size);
        break;
    case PROTOCOL_ARRAYS_PLAIN:
        msgpack_pack_array(packer, count);
        break;
    }
}

static void pack_plain_items(msgpack_packer *packer, enum protocol_array_type type, const void *items,
                             uint32_t count)
{
    struct protocol_array array = {.type = type, .count = count, .data = items};
    for (uint32_t i = 0; i < count; i++) {
        double item = protocol_array_f64_at(&array, i);
        if (type == PROTOCOL_ARRAY_F64) {
            msgpack_pack_double(packer, item);
        } else if (type == PROTOCOL_ARRAY_F32) {
            msgpack_pack_float(packer, (float)item);
        } else {
            msgpack_pack_int64(packer, (int64_t)item);
        }
    }
}

static void pack_items(msgpack_packer *packer, enum protocol_arrays_mode mode, enum protocol_array_type type,
                       const void *items, uint32_t count)
{
    if (mode == PROTOCOL_ARRAYS_PLAIN) {
        pack_plain_items(packer, type, items, count);
    } else if (count > 0) {
        packer->callback(packer->data, items, (size_t)count * protocol_array_item_size(type));
    }
}

void protocol_array_pack(msgpack_packer *packer, enum protocol_arrays_mode mode,
                         enum protocol_array_type type, const void *items, uint32_t count)
{
    PROTOCOL_ASSERT(protocol_array_item_size(type) > 0);
    pack_head(packer, mode, type, count);
    pack_items(packer, mode, type, items, count);
}

enum protocol_array_type protocol_array_outgoing(enum protocol_type type, const struct protocol_array *array)
{
    switch (type) {
    case PROTOCOL_TYPE_U32S:
        return PROTOCOL_ARRAY_U32;
    case PROTOCOL_TYPE_F32S:
        return PROTOCOL_ARRAY_F32;
    case PROTOCOL_TYPE_NUMBERS:
        return array->type == PROTOCOL_ARRAY_F32 ? PROTOCOL_ARRAY_F32 : PROTOCOL_ARRAY_F64;
    default:
        PROTOCOL_ASSERT(type == PROTOCOL_TYPE_F64S);
        return PROTOCOL_ARRAY_F64;
    }
}

void protocol_array_pack_as(msgpack_packer *packer, enum protocol_arrays_mode mode,
                            enum protocol_array_type type, const struct protocol_array *array)
{
    if (array->type == type) {
        protocol_array_pack(packer, mode, type, array->data, array->count);
        return;
    }
    double wide[BLOCK];
    float narrowed[BLOCK];
    uint32_t integers[BLOCK];
    pack_head(packer, mode, type, array->count);
    for (uint32_t first = 0; first < array->count;) {
        uint32_t count = array->count - first < BLOCK ? array->count - first : BLOCK;
        read_f64(array, first, count, wide);
        const void *items = wide;
        if (type == PROTOCOL_ARRAY_F32) {
            for (uint32_t i = 0; i < count; i++) {
                narrowed[i] = narrow(wide[i]);
            }
            items = narrowed;
        } else if (type == PROTOCOL_ARRAY_U32) {
            for (uint32_t i = 0; i < count; i++) {
                PROTOCOL_ASSERT(f64_is_u32(wide[i]));
                integers[i] = (uint32_t)wide[i];
            }
            items = integers;
        }
        pack_items(packer, mode, type, items, count);
        first += count;
    }
}
