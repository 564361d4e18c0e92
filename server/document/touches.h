// Touches of an edit (touches.c), for edit.c and edit_undo.c.
#ifndef WEFT_DOCUMENT_TOUCHES_H
#define WEFT_DOCUMENT_TOUCHES_H

#include "document/scope.h"

// Once the edit of that scope is done, of which that is the inverse; NULL: there is none. In the zone. False without memory.
bool document_touches_of(const struct document *document, const struct document_scope *scope,
                         const struct protocol_edit_restore_params *inverse, msgpack_zone *zone,
                         struct document_touches *out);
// Gathers the touches of all edits of a batch. They are lost if those of one edit are. False if memory runs out.
bool document_touches_gather(msgpack_zone *zone, const struct document_edit *parts, uint32_t count,
                             struct document_touches *out);

// back.c: what takes back a number of edits that were made one after another, and what they concerned. False: refused.
bool document_back_gather(struct document_edit *whole, const struct document_edit *parts, uint32_t count);

#endif
