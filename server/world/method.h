// What is particular about a method besides its function (apply.c).
#ifndef WEFT_WORLD_METHOD_H
#define WEFT_WORLD_METHOD_H

#include "world/world.h"

struct world_method {
    // What needs no world, on any thread, once its parameters are decoded. False with *error: refused.
    bool (*prepare)(struct world_request *request, const struct document_constants *constants,
                    struct protocol_error *error);
    bool ends_step;  // passes the step of its own session, and ends it
    bool ends_world; // is taken by one that is broken, and tells nobody else of an edit
};

extern const struct world_method world_methods[PROTOCOL_METHOD_COUNT];

#endif
