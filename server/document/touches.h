// What an edit concerned (touches.c), for edit.c and edit_undo.c.
#ifndef WEFT_DOCUMENT_TOUCHES_H
#define WEFT_DOCUMENT_TOUCHES_H

#include "document/scope.h"

// Once the edit of that scope is done, of which that is the inverse; NULL: there is none. In the zone. False without memory.
bool document_touches_of(const struct document *document, const struct document_scope *scope,
                         const struct protocol_edit_restore_params *inverse, msgpack_zone *zone,
                         struct document_touches *out);
// All of both. False without memory: then nothing of it is changed.
bool document_touches_join(msgpack_zone *zone, struct document_touches *all,
                           const struct document_touches *more);

#endif
