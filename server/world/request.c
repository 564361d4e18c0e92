// From a message to a request that a world can apply.
//
// Runs on the loop thread, or on a worker where the message is large: it touches no world. The struct of
// parameters and its views live in the packet, which moves along.
#include "world/world_internal.h"

#include "base/assert.h"

#include <stdlib.h>

void world_packet_destroy(struct world_packet *packet)
{
    if (packet) {
        msgpack_zone_destroy(&packet->zone);
        free(packet->bytes);
        free(packet);
    }
}

void world_request_destroy(struct world_request *request)
{
    if (request) {
        sim_body_plan_destroy(request->prepared);
        world_skin_destroy(request->skin);
        world_event_destroy(request->reply);
        world_packet_destroy(request->packet);
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

struct world_request *world_request_create(struct world_packet *packet, enum protocol_method method,
                                           const struct world_asker *asker,
                                           const struct world_constants *constants,
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
    if (method == PROTOCOL_METHOD_BODY_ADD) {
        struct world_skin *skin = NULL;
        request->prepared = world_body_prepare(request->params, constants, &skin, error);
        request->skin = skin;
        if (!request->prepared) {
            goto refused;
        }
    }
    return request;
refused:
    world_request_destroy(request);
    return NULL;
}
