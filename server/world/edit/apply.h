// Declares one function for each method (apply_*.c), and the functions that several of them share. Simulation
// thread.
#ifndef WEFT_WORLD_APPLY_H
#define WEFT_WORLD_APPLY_H

#include "past/past.h"
#include "world/answer/call.h"
#include "world/people/people.h"

void world_apply(struct world *world, struct world_request *request); // applies a request and takes it

// Checks and changes the document. False: the edit is refused, and call->error says why.
bool world_change(struct world_call *call, struct document_edit *edit);
void world_apply_edit(struct world_call *call); // applies any method of class edit
// Ends a grab whose session is gone. This is an input of the document like any other.
void world_grab_drop(struct world *world, const struct world_holder *holder);

// edit.undo and edit.redo (undo.c).
//
// Finds the edit that a request of either method means, checks whether it may be undone or redone, and completes the parameters
// with all steps that will be made. False: refused.
bool world_undo_find(struct world_call *call);
// Turns the refusal of an undo whose values are not valid beside later ones into a CONFLICT that names both fields.
void world_undo_explain(struct world_call *call);
// Makes the step of undo for an edit that was applied and is not recorded yet. Its inverse lies in the world's scratch[1].
void world_undo_step(struct world_call *call, const struct document_edit *edit, struct past_step *out);

// Fills the answer of world.get (apply_world.c).
void world_get_fill(const struct world *world, struct protocol_world_get_result *out);

#define WORLD_DECLARE_SERVER(ident)
#define WORLD_DECLARE_QUERY(ident) void world_apply_##ident(struct world_call *call);
#define WORLD_DECLARE_EDIT(ident)
#define WORLD_DECLARE_INPUT(ident) WORLD_DECLARE_QUERY(ident)
#define WORLD_DECLARE_CONTROL(ident) WORLD_DECLARE_QUERY(ident)
#define WORLD_DECLARE(class, ident, name) WORLD_DECLARE_##class(ident)
PROTOCOL_METHODS(WORLD_DECLARE)

#endif
