// What functions of methods answer with, refuse with and share. A reply is an event that the request brought
// along, so that answering needs no memory but that of the answer.
#include "world/call.h"

#include "base/assert.h"
#include "base/log.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/account.h"
#include "world/event.h"
#include "world/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------
// Replies

static struct world_event *reply_take(struct world_request *request, bool granted)
{
    struct world_event *event = request->reply;
    BASE_ASSERT(event);
    request->reply = NULL;
    event->kind = WORLD_REPLY;
    event->session = request->asker.session;
    event->method = request->method;
    event->claim = request->claim;
    event->granted = granted;
    event->unbound = !granted || protocol_methods[request->method].class_ == PROTOCOL_CLASS_QUERY;
    return event;
}

void world_answer_error(struct world *world, struct world_request *request,
                        const struct protocol_error *error)
{
    struct world_event *event = reply_take(request, false);
    if (!request->answer) {
        event->kind = WORLD_FAULT;
        event->error = *error;
    } else {
        struct protocol_bytes *bytes = &world->scratch[0];
        protocol_bytes_clear(bytes);
        msgpack_packer packer;
        msgpack_packer_init(&packer, bytes, protocol_bytes_write);
        protocol_pack_failure(&packer, request->msgid, error, request->asker.errors, request->asker.user);
        event->bytes[0] = world_share_bytes(bytes, world_account_budget(request->account));
        event->unanswerable = !event->bytes[0];
        if (!event->bytes[0]) {
            base_log(BASE_LOG_ERROR, "world %u: no memory for a reply to session %u", world->id,
                     request->asker.session);
        }
    }
    world_push(world, event);
}

static struct base_buffer *failure_pack(const struct world_call *call, const struct protocol_error *error)
{
    const struct world_request *request = call->request;
    struct protocol_bytes *bytes = &call->world->scratch[0];
    msgpack_packer packer;
    protocol_bytes_clear(bytes);
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    protocol_pack_failure(&packer, request->msgid, error, request->asker.errors, request->asker.user);
    return world_share_bytes(bytes, world_account_budget(request->account));
}

// A query may be refused after all, once it is known how long its answer is, where it has changed nothing: those that do
// have a claim.
bool world_reply_allowed(const struct world_request *request, size_t size, struct protocol_error *error)
{
    if (protocol_methods[request->method].class_ != PROTOCOL_CLASS_QUERY || request->claim.held ||
        world_account_allows(request->account, size)) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_BUSY, NULL,
                       "an answer of %zu bytes has no room beside those that sessions have not read (limit "
                       "answer_bytes = %" PRIu64 ")",
                       size, (uint64_t)PROTOCOL_LIMIT_ANSWER_BYTES);
    error->limit = (double)PROTOCOL_LIMIT_ANSWER_BYTES;
    return false;
}

static struct base_buffer *reply_pack(const struct world_call *call, const void *result)
{
    const struct world_request *request = call->request;
    struct protocol_bytes *bytes = &call->world->scratch[0];
    struct protocol_error error = {0};
    msgpack_packer packer;
    protocol_bytes_clear(bytes);
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    protocol_pack_result(&packer, request->msgid);
    protocol_encode(protocol_methods[request->method].result, result, request->asker.arrays, &packer);
    struct base_buffer *reply = NULL;
    if (world_reply_allowed(request, bytes->size, &error)) {
        reply = world_share_bytes(bytes, world_account_budget(request->account));
        // What was asked for is done, only the answer cannot be built: say so in one that is small.
        protocol_error_set(&error, PROTOCOL_CODE_INTERNAL, NULL, "done, but there is no memory to answer");
    }
    if (!reply) {
        reply = failure_pack(call, &error);
    }
    protocol_bytes_clear(bytes); // a long one is not kept until the next
    return reply;
}

void world_answer(struct world_call *call, const void *result)
{
    BASE_ASSERT(!call->answered);
    call->answered = true;
    struct base_buffer *reply = call->request->answer ? reply_pack(call, result) : NULL;
    struct world_event *event = reply_take(call->request, true);
    event->bytes[0] = reply;
    event->unanswerable = call->request->answer && !reply;
    world_push(call->world, event);
}

void world_answer_again(struct world_call *call, const void *result)
{
    BASE_ASSERT(!call->answered);
    call->answered = true;
    struct base_buffer *reply = call->request->answer ? reply_pack(call, result) : NULL;
    struct world_event *event = reply_take(call->request, false);
    event->unbound = false; // what it speaks of may not be durable yet
    event->bytes[0] = reply;
    event->unanswerable = call->request->answer && !reply;
    world_push(call->world, event);
}

void world_answer_made(struct world *world, struct world_request *request, struct base_buffer *reply)
{
    struct world_event *event = reply_take(request, true);
    event->bytes[0] = reply;
    world_push(world, event);
}

// ---------------------------------------------------------------------------------------------------------
// Refusals

bool world_refuse(struct world_call *call, enum protocol_code code, const char *field, const char *format,
                  ...)
{
    char text[PROTOCOL_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(&call->error, code, field, "%s", text);
    return false;
}

bool world_refuse_fault(struct world_call *call, const struct sim_fault *fault)
{
    document_error_fault(&call->error, fault);
    return false;
}

bool world_refuse_memory(struct world_call *call)
{
    return world_refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for %s; nothing changed",
                        protocol_methods[call->request->method].name);
}

// ---------------------------------------------------------------------------------------------------------
// What handlers share

void *world_call_alloc(struct world_call *call, size_t count, size_t item_size)
{
    size_t size;
    void *memory = NULL;
    if (!__builtin_mul_overflow(count, item_size, &size) && size < SIZE_MAX / 4) {
        memory = msgpack_zone_malloc(&call->request->packet->zone, size > 0 ? size : 1);
    }
    if (!memory) {
        world_refuse_memory(call);
    }
    return memory;
}

bool world_call_body(struct world_call *call, const struct protocol_ref *ref, uint32_t *body)
{
    const struct document_thing *thing =
        document_find(call->world->document, &call->world->document->bodies, ref, &call->error);
    *body = thing ? thing->id : 0;
    return thing != NULL;
}
