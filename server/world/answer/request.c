// Makes a request that a world can apply from a message.
//
// Runs on the loop thread, or on a worker if the message is large: it touches no world. The struct of
// parameters and its views live in the packet, which moves along.
#include "world/world.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "document/document.h"
#include "world/answer/event.h"
#include "world/answer/method.h"

#include <stdlib.h>

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
