// Lists what is special about a method, apart from its function (apply.c).
#ifndef WEFT_WORLD_METHOD_H
#define WEFT_WORLD_METHOD_H

#include "world/world.h"

struct world_method {
    // Prepares what needs no world, after the parameters are decoded. Any thread. False with *error: refused.
    bool (*prepare)(struct world_request *request, const struct document_constants *constants,
                    struct protocol_error *error);
    bool ends_step;  // it is applied during its own session's step, and ends that step
    bool ends_world; // a broken world takes it too, and members are not told of it as an edit
};

extern const struct world_method world_methods[PROTOCOL_METHOD_COUNT];

#endif
