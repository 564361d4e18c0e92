// Fields of a generated struct by name: those that an edit sets, and that what takes it back restores.
//
//     restore_body:  friction        stretch.compliance        bend.plastic.rate
//                    own             of[stretch]               under[bend]
//
// A set is made from the tables of api.json (protocol/types.h), so a field that is added there is a field here. Maps may be two deep:
// a map of the struct has at most one map in it that sets look into.
#ifndef WEFT_DOCUMENT_FIELDS_H
#define WEFT_DOCUMENT_FIELDS_H

#include "protocol/types.h"

#include <msgpack.h>

enum { DOCUMENT_FIELDS_MAX = 32 };

struct document_fields {
    uint64_t own;                        // bits of `has`
    uint32_t of[DOCUMENT_FIELDS_MAX];    // bits of the map that this field is; 0: all of it
    uint32_t under[DOCUMENT_FIELDS_MAX]; // bits of the map within that map; 0: all of it
};

// The bit of the map that a map of the struct has in it; 0: none.
uint32_t document_fields_inner(const struct protocol_struct *type, uint32_t field);
// Adds fields of the map that the field of this bit (own) is. of 0: all of the field.
void document_fields_add(const struct protocol_struct *type, struct document_fields *fields, uint64_t own,
                         uint32_t of, uint32_t under);
// Adds the fields of `type` that are given in `in`, a struct of another type: those of the same names. A map that is given without
// any field adds nothing.
void document_fields_given(const struct protocol_struct *from, const void *in,
                           const struct protocol_struct *type, struct document_fields *fields);
// Adds the fields of maps that differ in two structs. maps: bits of the maps to compare.
void document_fields_changed(const struct protocol_struct *type, uint64_t maps, const void *before,
                             const void *after, struct document_fields *fields);
// Adds fields that are only restored together with one that has changed.
void document_fields_link(const struct protocol_struct *type, const struct document_fields *changed,
                          struct document_fields *fields);

// The fields that a struct says it restores: those of `has` without `but`, and of its maps those that text names, if it names some.
// False if text names what is no field, or no field of a map that is there.
bool document_fields_read(const struct protocol_struct *type, uint64_t has,
                          const struct protocol_string *text, struct document_fields *fields);
// The names of all fields of maps that are not restored whole, for document_fields_read. Empty: there are none. data NULL: no memory.
struct protocol_string document_fields_text(const struct protocol_struct *type,
                                            const struct document_fields *fields, msgpack_zone *zone);
// Writes names for people: "friction, stretch.compliance".
void document_fields_names(const struct protocol_struct *type, const struct document_fields *fields,
                           char *out, size_t size);

// Clears what is not in the set from the maps of a struct.
void document_fields_cut(const struct protocol_struct *type, const struct document_fields *fields, void *out);
// Overwrites fields of the maps of *out with those of `in`: present or absent there, they are the same then. A map that is in the
// set whole gets its defaults where `in` does not give a field.
void document_fields_merge(const struct protocol_struct *type, const struct document_fields *fields,
                           const void *in, void *out);

#endif
