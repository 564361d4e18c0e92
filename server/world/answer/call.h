// Answers or refuses one request, and holds what the functions of methods share. Simulation thread. Requests are made by
// world_request_create (world.h).
#ifndef WEFT_WORLD_CALL_H
#define WEFT_WORLD_CALL_H

#include "document/document.h"
#include "world/world.h"

// Says what is special about a method, apart from its function (apply.c). Most methods have nothing special, and no row.
struct world_method {
    // Prepares what needs no world, after the parameters are decoded. Any thread. False with *error: refused.
    bool (*prepare)(struct world_request *request, const struct document_constants *constants,
                    struct protocol_error *error);
    bool ends_step; // it is applied even while a step of its own session runs, and ends that step
    // It ends the world: a broken world accepts it too, and members are not told of it as an edit.
    bool ends_world;
};

extern const struct world_method world_methods[PROTOCOL_METHOD_COUNT];

struct world_call {
    struct world *world;
    struct world_request *request;
    void *params; // struct of the method's parameters, generated from api.json
    struct protocol_error error;
    bool answered; // a reply was pushed
    bool deferred; // the handler keeps the request and answers it later
};

// Refuses a request with this error. The request is still the caller's.
void world_answer_error(struct world *world, struct world_request *request,
                        const struct protocol_error *error);

// Whether there is room for an answer of `size` bytes. Only a query is ever refused, because it has changed
// nothing. False with *error.
bool world_reply_allowed(const struct world_request *request, size_t size, struct protocol_error *error);
// Sends a packed answer that the caller has made, for the result that it holds. Takes the reply; the request
// stays the caller's.
void world_answer_made(struct world *world, struct world_request *request, struct base_buffer *reply,
                       const void *result);

// Answers the request. A handler calls one function of this group, once.
void world_answer(struct world_call *call, const void *result);
// Repeats an answer that was given before. The request's claim is released.
void world_answer_again(struct world_call *call, const void *result);
// Answers with the result of an edit that was made, and tells members of the edit (event.h).
void world_accept(struct world_call *call, const struct document_edit *edit);
// Refuse the request. They always return false.
bool world_refuse(struct world_call *call, enum protocol_code code, const char *field, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));
bool world_refuse_fault(struct world_call *call, const struct fault *fault);
bool world_refuse_memory(struct world_call *call);

// Allocates memory that lives as long as the request. NULL: there is none, and the request is refused.
void *world_call_alloc(struct world_call *call, size_t count, size_t item_size);
// Finds the body that a request names. False: there is none, and the request is refused.
bool world_call_body(struct world_call *call, const struct protocol_ref *ref, uint32_t *body);

// Refuses a request because the world's grace is over (time/clock.h) or its document is broken. Always returns false.
bool world_refuse_broken(struct world_call *call);

#endif
