// Private to the files of this folder.
#ifndef WEFT_PROTOCOL_INTERNAL_H
#define WEFT_PROTOCOL_INTERNAL_H

#include "protocol/array.h"
#include "protocol/types.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The greatest integer on the wire: up to here a double, which is all that JavaScript has, holds every integer.
#define PROTOCOL_INTEGER_MAX ((UINT64_C(1) << 53) - 1)

// True if all elements are finite and in lo ... hi (lo itself excluded if exclusive); else *bad is the first
// that is not.
bool protocol_array_in_range(const struct protocol_array *array, double lo, double hi, bool exclusive,
                             uint32_t *bad);
// True if all elements are integers in 0 ... 2^32 - 1; else *bad is the first that is not.
bool protocol_array_is_u32(const struct protocol_array *array, uint32_t *bad);

// The element type in which a field of this type is sent. NUMBERS are sent as f32 if the array is f32, else as f64.
enum protocol_array_type protocol_array_outgoing(enum protocol_type type, const struct protocol_array *array);
// Packs the array with its elements converted to type: F32, F64 or U32.
void protocol_array_pack_as(msgpack_packer *packer, enum protocol_arrays_mode mode,
                            enum protocol_array_type type, const struct protocol_array *array);

bool protocol_object_is_number(const msgpack_object *value);
double protocol_object_f64(const msgpack_object *value); // value must be a number

// Text for errors; each writes at most size bytes with the terminating zero.
// The shortest text that reads back as value; NaN and infinity by name.
void protocol_text_number(double value, char *out, size_t size);
// Any value as people write it, cut to size.
void protocol_text_object(const msgpack_object *value, char *out, size_t size);
// A phrase for what a field takes: "an integer from 1 to 1000".
void protocol_text_expected(const struct protocol_field *field, char *out, size_t size);

#endif
