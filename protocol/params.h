// Maps of named fields ⇄ generated structs, driven by the tables that generate.py makes from api.json.
//
// A generated struct begins with `uint64_t has`, a bit for each field that the peer sent (bit number =
// position in api.json, PROTOCOL_HAS_<STRUCT>_<FIELD> in generated/api.h). Fields that were not sent hold
// their documented default, or zero where there is none. When encoding, fields marked optional or without
// default are written only if their bit is set; all others always.
#ifndef WEFT_PROTOCOL_PARAMS_H
#define WEFT_PROTOCOL_PARAMS_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/types.h"

struct protocol_error;

// Fills *out (type->size bytes) as if a peer had sent no fields: no bits, documented defaults, else zero.
void protocol_defaults(const struct protocol_struct *type, void *out);

// Fills *out (type->size bytes). map may be NULL: no fields. Views point into the message; lists and nested
// structs are allocated in zone. Refuses, naming the field: unknown and repeated fields, missing required
// ones, wrong types, numbers that are not finite or out of range, arrays of a wrong length, names that are
// no UTF-8 or too long. nil counts as absent. Integers are accepted for floats, and floats that hold an
// integer for integers.
bool protocol_decode(const struct protocol_struct *type, const msgpack_object *map, msgpack_zone *zone,
                     void *out, struct protocol_error *error);

// The same where the field of that name is left out, which may be required otherwise; it stays zero.
bool protocol_decode_without(const struct protocol_struct *type, const char *name, const msgpack_object *map,
                             msgpack_zone *zone, void *out, struct protocol_error *error);

// The results of edits, which were decoded with the struct that holds them as what they came as, as the structs of those edits'
// methods. False with *error: some is none, or they are not as many.
bool protocol_answers_read(const struct protocol_list *calls, const struct protocol_list *answers,
                           msgpack_zone *zone, struct protocol_error *error);

// The one field alone, into its place in *out, with what is wrong with the names of the others: for a glance that takes
// no longer than the struct has fields, whatever the map holds.
bool protocol_decode_field(const struct protocol_struct *type, const char *name, const msgpack_object *map,
                           msgpack_zone *zone, void *out, struct protocol_error *error);

// Writes the struct as a map.
void protocol_encode(const struct protocol_struct *type, const void *in, enum protocol_arrays_mode mode,
                     msgpack_packer *packer);

// The same without the field of that name, if there is one.
void protocol_encode_without(const struct protocol_struct *type, const char *name, const void *in,
                             enum protocol_arrays_mode mode, msgpack_packer *packer);

// The same without bulk arrays of more than limit bytes, measured as typed arrays whatever the mode; the
// dotted names of those are packed into omitted (elements only, the caller knows the head) and counted.
uint32_t protocol_encode_bounded(const struct protocol_struct *type, const void *in,
                                 enum protocol_arrays_mode mode, size_t limit, msgpack_packer *packer,
                                 msgpack_packer *omitted);

#endif
