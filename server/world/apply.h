// One function a method (apply_*.c), and those that are shared among them.
#ifndef WEFT_WORLD_APPLY_H
#define WEFT_WORLD_APPLY_H

#include "world/call.h"
#include "world/people.h"

void world_apply(struct world *world, struct world_request *request); // takes the request

// Asks the document; false: refused.
bool world_change(struct world_call *call, struct document_edit *edit);
void world_apply_edit(struct world_call *call); // every method of class edit
// Ends a grab whose session is gone: an input of the document like any other.
void world_grab_drop(struct world *world, const struct world_holder *holder);

// What world.get answers with (apply_world.c).
void world_get_fill(const struct world *world, struct protocol_world_get_result *out);

#define WORLD_DECLARE_SERVER(ident)
#define WORLD_DECLARE_QUERY(ident) void world_apply_##ident(struct world_call *call);
#define WORLD_DECLARE_EDIT(ident)
#define WORLD_DECLARE_INPUT(ident) WORLD_DECLARE_QUERY(ident)
#define WORLD_DECLARE_CONTROL(ident) WORLD_DECLARE_QUERY(ident)
#define WORLD_DECLARE(class, ident, name) WORLD_DECLARE_##class(ident)
PROTOCOL_METHODS(WORLD_DECLARE)

#endif
