// One request: what functions of methods answer with, refuse with and share.
#ifndef WEFT_WORLD_CALL_H
#define WEFT_WORLD_CALL_H

#include "document/document.h"
#include "world/world.h"

struct world_call {
    struct world *world;
    struct world_request *request;
    void *params; // generated struct of the method
    struct protocol_error error;
    bool answered; // a reply was pushed
    bool deferred; // somebody else keeps the request and answers later
};

void world_answer_error(struct world *world, struct world_request *request,
                        const struct protocol_error *error);

// Whether an answer of that size has room; for queries, which may be refused once it is known. False with *error.
bool world_reply_allowed(const struct world_request *request, size_t size, struct protocol_error *error);
// An answer that somebody else packed, of this result; takes it. The request is still the caller's.
void world_answer_made(struct world *world, struct world_request *request, struct base_buffer *reply,
                       const void *result);

// A handler does one of these, once.
void world_answer(struct world_call *call, const void *result);
// An answer that was given before: what the request claims is not its own.
void world_answer_again(struct world_call *call, const void *result);
// What records come to, and world.edited where it is an edit (notice.c).
void world_accept(struct world_call *call, const struct document_edit *edit);
// Always false.
bool world_refuse(struct world_call *call, enum protocol_code code, const char *field, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));
bool world_refuse_fault(struct world_call *call, const struct sim_fault *fault);
bool world_refuse_memory(struct world_call *call);

void *world_call_alloc(struct world_call *call, size_t count, size_t item_size); // lives as long as the
                                                                                 // request; NULL: refused
bool world_call_body(struct world_call *call, const struct protocol_ref *ref,
                     uint32_t *body); // false: refused

#endif
