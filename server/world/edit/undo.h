// Handles edit.undo and edit.redo: finds the edit that is meant, whether it may be taken back, and what to
// do. Also keeps what each edit leaves for them. Simulation thread.
#ifndef WEFT_WORLD_UNDO_H
#define WEFT_WORLD_UNDO_H

#include "past/past.h"
#include "world/answer/call.h"

// Fills in the parameters of a request of either method, so that they say all that is going to be done.
// False: refused.
bool world_undo_find(struct world_call *call);
// Makes the step that an edit leaves for undo, after it was applied and before it is recorded. Its inverse
// lies in the world's scratch[1].
void world_undo_step(struct world_call *call, const struct document_edit *edit, struct past_step *out);

#endif
