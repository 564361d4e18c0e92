// Maps of named fields ⇄ generated structs, driven by the tables that generate.py makes from api.json.
//
// A generated struct begins with `uint64_t has`: a bit for each field that the peer sent (PROTOCOL_HAS_<STRUCT>_<FIELD> in
// generated/api.h; the bit's number is the field's position in api.json). Fields that were not sent hold their documented
// default, or zero if they have none. Encoding writes fields whose table entry is `optional` only if their bit is set, and
// all others always.
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

// Decodes map (NULL: no fields) into *out (type->size bytes). Strings and arrays in *out are views into the message; items of
// lists are allocated in zone. nil counts as absent. Integers are accepted for floats, and floats that hold an integer for
// integers.
//
// False, with the field's path in *error, for unknown and repeated fields, missing required ones, wrong types, numbers that
// are not finite or out of range, arrays of a wrong length, and unfit names (protocol_name_flaw); MEMORY if memory runs
// out. Nothing in *out may be used then.
bool protocol_decode(const struct protocol_struct *type, const msgpack_object *map, msgpack_zone *zone,
                     void *out, struct protocol_error *error);

// Like protocol_decode, but the map's field `name` must be absent, even if it is required. Records omit "world" this way.
bool protocol_decode_without(const struct protocol_struct *type, const char *name, const msgpack_object *map,
                             msgpack_zone *zone, void *out, struct protocol_error *error);

// Decodes the results of a batch of edits. The struct of each result depends on the edit's method, so protocol_decode leaves
// them unread (struct protocol_call). False with *error if one is malformed, or their numbers differ.
bool protocol_answers_read(const struct protocol_list *calls, const struct protocol_list *answers,
                           msgpack_zone *zone, struct protocol_error *error);

// Decodes the field `name` alone into its place in *out. The field must be there. Of the other fields only the names are
// checked, so the time is bounded by the number of fields in the struct, whatever the map holds.
bool protocol_decode_field(const struct protocol_struct *type, const char *name, const msgpack_object *map,
                           msgpack_zone *zone, void *out, struct protocol_error *error);

// Packs the struct as a map. If a write fails the packer's buffer knows (protocol_bytes).
void protocol_encode(const struct protocol_struct *type, const void *in, enum protocol_arrays_mode mode,
                     msgpack_packer *packer);

// The same without the field of that name, if there is one.
void protocol_encode_without(const struct protocol_struct *type, const char *name, const void *in,
                             enum protocol_arrays_mode mode, msgpack_packer *packer);

// Like protocol_encode, but leaves out number arrays of more than limit bytes, counted as typed arrays whatever the mode.
// Packs the dotted names of those into `omitted`, one string each, and returns their number. The caller packs the array's
// head before them.
uint32_t protocol_encode_bounded(const struct protocol_struct *type, const void *in,
                                 enum protocol_arrays_mode mode, size_t limit, msgpack_packer *packer,
                                 msgpack_packer *omitted);

#endif
