// Makes requests out of messages, answers and refuses them, and holds what the functions of methods share. The request
// brings its reply event along, so answering needs memory only for the bytes of the answer.
//
// A request is made on the loop thread, or on a worker if the message is large, and no world is touched meanwhile. The
// struct of parameters and its views live in the packet, which moves along.
#include "world/answer/call.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/log.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/answer/account.h"
#include "world/answer/event.h"
#include "world/keep/durable.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Requests

static bool bodies_prepare(struct world_request *request, const struct document_constants *constants,
                           struct protocol_error *error)
{
    request->plans = document_prepare(request->method, request->params, constants, error);
    return request->plans != NULL;
}

const struct world_method world_methods[PROTOCOL_METHOD_COUNT] = {
    [PROTOCOL_METHOD_WORLD_DELETE] = {.ends_world = true},
    [PROTOCOL_METHOD_WORLD_PAUSE] = {.ends_step = true},
    [PROTOCOL_METHOD_BODY_ADD] = {.prepare = bodies_prepare},
    [PROTOCOL_METHOD_EDIT_RESTORE] = {.prepare = bodies_prepare},
    [PROTOCOL_METHOD_EDIT_BATCH] = {.prepare = bodies_prepare},
};

void world_packet_destroy(struct world_packet *packet)
{
    if (packet) {
        msgpack_zone_destroy(&packet->zone);
        free(packet->bytes);
        if (packet->budget) {
            base_budget_uncharge(packet->budget, packet->charged);
            base_budget_release(packet->budget);
        }
        free(packet);
    }
}

void world_request_destroy(struct world_request *request)
{
    if (request) {
        document_plans_destroy(request->plans);
        world_event_destroy(request->reply);
        world_packet_destroy(request->packet);
        world_account_unref(request->account);
        free(request);
    }
}

static bool params_decode(struct world_request *request, struct protocol_error *error)
{
    const struct protocol_struct *type = protocol_methods[request->method].params;
    const msgpack_object *map;
    if (!protocol_message_fields(request->packet->message.params, &map, error)) {
        return false;
    }
    request->params = msgpack_zone_malloc(&request->packet->zone, type->size);
    if (!request->params) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the parameters; nothing changed");
        return false;
    }
    return protocol_decode(type, map, &request->packet->zone, request->params, error);
}

// Counts the bytes of the values inside this one.
static size_t objects_bytes(const msgpack_object *object)
{
    size_t bytes = 0;
    if (object->type == MSGPACK_OBJECT_ARRAY) {
        for (uint32_t i = 0; i < object->via.array.size; i++) {
            bytes += sizeof *object + objects_bytes(&object->via.array.ptr[i]);
        }
    } else if (object->type == MSGPACK_OBJECT_MAP) {
        for (uint32_t i = 0; i < object->via.map.size; i++) {
            bytes += sizeof(msgpack_object_kv) + objects_bytes(&object->via.map.ptr[i].val);
        }
    }
    return bytes;
}

static size_t request_bytes(const struct world_request *request)
{
    const struct world_packet *packet = request->packet;
    const size_t least = 4096; // bytes of the request, its event and a chunk of the zone
    return least + packet->size + (packet->message.params ? objects_bytes(packet->message.params) : 0) +
           document_plans_bytes(request->plans);
}

struct world_request *world_request_create(struct world_packet *packet, enum protocol_method method,
                                           const struct world_asker *asker,
                                           const struct document_constants *constants,
                                           struct protocol_error *error)
{
    BASE_ASSERT(method < PROTOCOL_METHOD_COUNT && protocol_methods[method].class_ != PROTOCOL_CLASS_SERVER);
    struct world_request *request = calloc(1, sizeof *request);
    if (!request) {
        world_packet_destroy(packet);
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the request; nothing changed");
        return NULL;
    }
    request->asker = *asker;
    request->method = method;
    request->answer = packet->message.kind == PROTOCOL_REQUEST;
    request->msgid = request->answer ? packet->message.msgid : 0;
    request->packet = packet;
    request->reply = world_event_create(WORLD_REPLY);
    if (!request->reply) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the answer; nothing changed");
        goto refused;
    }
    if (!params_decode(request, error)) {
        goto refused;
    }
    if (world_methods[method].prepare && !world_methods[method].prepare(request, constants, error)) {
        goto refused;
    }
    request->bytes = request_bytes(request);
    return request;
refused:
    world_request_destroy(request);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Replies

static bool is_query(const struct world_request *request)
{
    return protocol_methods[request->method].class_ == PROTOCOL_CLASS_QUERY;
}

// A refusal tells the revision, so it waits at the gate too. While the store takes nothing it tells the
// durable revision.
static struct world_event *reply_take(const struct world *world, struct world_request *request, bool granted)
{
    struct world_event *event = request->reply;
    BASE_ASSERT(event);
    request->reply = NULL;
    event->kind = WORLD_REPLY;
    event->session = request->asker.session;
    event->method = request->method;
    event->claim = request->claim;
    event->granted = granted;
    event->unbound = granted ? is_query(request) : world_is_stuck(world->keep);
    return event;
}

void world_answer_error(struct world *world, struct world_request *request,
                        const struct protocol_error *error)
{
    struct world_event *event = reply_take(world, request, false);
    struct protocol_error told = *error;
    const uint64_t durable = event->unbound ? world_durable_revision(world) : told.revision;
    told.revision = told.revision > durable ? durable : told.revision;
    if (event->unbound || !request->answer) { // they may not be durable, or outlive the request
        told.changes = (struct protocol_list){0};
    }
    if (!request->answer) {
        event->kind = WORLD_FAULT;
        event->error = told;
    } else {
        struct protocol_bytes *bytes = &world->scratch[0];
        protocol_bytes_clear(bytes);
        msgpack_packer packer;
        msgpack_packer_init(&packer, bytes, protocol_bytes_write);
        protocol_pack_failure(&packer, request->msgid, &told, request->asker.errors, request->asker.user);
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

// A query that has changed nothing may still be refused when the length of its answer is known. One with a
// claim has changed something.
bool world_reply_allowed(const struct world_request *request, size_t size, struct protocol_error *error)
{
    if (!is_query(request) || request->claim.held || world_account_allows(request->account, size)) {
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
        // The request is done, and only its answer cannot be built. A small one says so.
        protocol_error_set(&error, PROTOCOL_CODE_INTERNAL, NULL, "done, but there is no memory to answer");
    }
    if (!reply) {
        reply = failure_pack(call, &error);
    }
    protocol_bytes_clear(bytes); // a long buffer is not kept for the next answer
    return reply;
}

void world_answer(struct world_call *call, const void *result)
{
    enum { RESULT_SIZE = 2048 };
    _Alignas(max_align_t) uint8_t marked[RESULT_SIZE];
    const enum protocol_method method = call->request->method;
    const size_t size = protocol_methods[method].result->size;
    uint32_t label_size = 0;
    BASE_ASSERT(!call->answered);
    call->answered = true;
    if (call->request->answer && is_query(call->request)) {
        BASE_ASSERT(size <= sizeof marked);
        memcpy(marked, result, size);
        world_durable_mark(call->world, method, marked);
        label_size = world_durable_label(call->world, method, marked);
        result = marked;
    }
    struct base_buffer *reply = call->request->answer ? reply_pack(call, result) : NULL;
    struct world_event *event = reply_take(call->world, call->request, true);
    event->label_size = reply ? label_size : 0;
    event->bytes[0] = reply;
    event->unanswerable = call->request->answer && !reply;
    world_push(call->world, event);
}

void world_answer_again(struct world_call *call, const void *result)
{
    BASE_ASSERT(!call->answered);
    call->answered = true;
    struct base_buffer *reply = call->request->answer ? reply_pack(call, result) : NULL;
    struct world_event *event = reply_take(call->world, call->request, false);
    event->unbound = false; // the first answer may not be durable yet
    event->bytes[0] = reply;
    event->unanswerable = call->request->answer && !reply;
    world_push(call->world, event);
}

void world_accept(struct world_call *call, const struct document_edit *edit)
{
    world_answer(call, edit->result);
    world_notice_edited(call, edit);
}

void world_answer_made(struct world *world, struct world_request *request, struct base_buffer *reply,
                       const void *result)
{
    struct world_event *event = reply_take(world, request, true);
    event->label_size = world_durable_label(world, request->method, result);
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

bool world_refuse_fault(struct world_call *call, const struct fault *fault)
{
    protocol_error_fault(&call->error, fault);
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

// ---------------------------------------------------------------------------------------------------------
// Work that nobody will see the result of

bool world_refuse_broken(struct world_call *call)
{
    const struct world *world = call->world;
    if (world_time_limited_by(world->time) == 0) {
        return world_refuse(call, PROTOCOL_CODE_SHUTDOWN, NULL, "the server is going down; %s is not taken",
                            protocol_methods[call->request->method].name);
    }
    return world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "world", "world \"%s\" (%u) is being deleted",
                        world->document->name, world->id);
}
