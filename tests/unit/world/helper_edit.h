// Edits of a document without a world, and what takes them back as a record.
#ifndef WEFT_TESTS_HELPER_EDIT_H
#define WEFT_TESTS_HELPER_EDIT_H

#include "helper_program.h"
#include "helper_world.h"

// The bytes of parameters without the world.
struct protocol_bytes helper_edit_packed(const struct protocol_struct *type, const void *params);
// Applies one input; what comes out lives in the zone. False if it is refused, which leaves no trace.
bool helper_edit_apply(struct document *document, enum protocol_method method, const void *params,
                       msgpack_zone *zone, struct document_edit *edit);
bool helper_edit_input(struct document *document, const struct program_input *given, msgpack_zone *zone,
                       struct document_edit *edit);
// Applies the record of an inverse, whose bytes are read again, and fills `edit` with what takes that back.
bool helper_edit_take_back(struct document *document, const struct protocol_edit_restore_params *inverse,
                           msgpack_zone *zone, struct document_edit *edit);
struct document *helper_edit_copy(const struct document *document);
// All that a document says: names, skins and looks are no part of the hash. The second frees `before`.
struct protocol_bytes helper_edit_told(const struct document *document);
void helper_edit_assert_told(const struct document *document, struct protocol_bytes *before,
                             const char *what);

#endif
