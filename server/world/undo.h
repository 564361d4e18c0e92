// edit.undo and edit.redo: which edit is meant, whether it may be, and what that comes to; and what each edit leaves for them.
#ifndef WEFT_WORLD_UNDO_H
#define WEFT_WORLD_UNDO_H

#include "past/past.h"
#include "world/call.h"

// Of a request of either: fills in its parameters, so that they say all that is going to be done. False: refused.
bool world_undo_find(struct world_call *call);
// What an edit that was applied, and is not recorded yet, leaves for them. Its back lies in the world's scratch[1].
void world_undo_step(struct world_call *call, const struct document_edit *edit, struct past_step *out);

#endif
