// Finds the world of a message by a glance at one field.
#include "dispatch/route/route.h"

#include "host/registry.h"
#include "host/session.h"
#include "protocol/error.h"
#include "protocol/message.h"
#include "protocol/utf8/utf8.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct dispatch_route_method dispatch_route_methods[PROTOCOL_METHOD_COUNT] = {
    [PROTOCOL_METHOD_SERVER_INFO] = {.only_answers = true},
    [PROTOCOL_METHOD_SERVER_PING] = {.only_answers = true},
    [PROTOCOL_METHOD_SERVER_STATS] = {.only_answers = true},
    [PROTOCOL_METHOD_SERVER_LIST] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_HISTORY] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_BIN] = {.only_answers = true},
    [PROTOCOL_METHOD_EDIT_LOG] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_LIST] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_LEAVE] = {.closes_view = true},
    [PROTOCOL_METHOD_WORLD_DELETE] = {.closes = true},
    // The deletion may wait for a long step of the same session, which nothing else could cut short.
    [PROTOCOL_METHOD_WORLD_PAUSE] = {.finds_closing = true},
};

static bool is_string(const msgpack_object *value, const char *text)
{
    size_t size = strlen(text);
    return value->type == MSGPACK_OBJECT_STR && value->via.str.size == size &&
           memcmp(value->via.str.ptr, text, size) == 0;
}

enum { GLANCE_MAX = 64 }; // no method takes more fields

static const msgpack_object *field_of(const msgpack_object *map, const char *name)
{
    for (uint32_t i = 0; map && i < map->via.map.size && i < GLANCE_MAX; i++) {
        if (is_string(&map->via.map.ptr[i].key, name)) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

// A glance at one field, before all of them are decoded (which may be for a worker, and wants the world's
// constants). Any spelling of a number or name that this does not know is left to the decoder.
static bool glance(const msgpack_object *value, struct protocol_ref *ref)
{
    *ref = (struct protocol_ref){0};
    if (!value) {
        return false;
    }
    if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER && value->via.u64 >= 1 &&
        value->via.u64 <= UINT32_MAX) {
        ref->id = (uint32_t)value->via.u64;
        return true;
    }
    if (value->type == MSGPACK_OBJECT_STR && value->via.str.size > 0) {
        ref->name = (struct protocol_string){value->via.str.ptr, value->via.str.size};
        return true;
    }
    return false;
}

// The same through the decoder: for its error, or for what it accepts besides. Of that one field, since the others may
// take long.
static bool decode_ref(struct world_packet *packet, enum protocol_method method, const msgpack_object *map,
                       const char *name, struct protocol_ref *ref, struct protocol_error *error)
{
    *ref = (struct protocol_ref){0};
    const struct protocol_struct *type = protocol_methods[method].params;
    uint8_t *params = msgpack_zone_malloc(&packet->zone, type->size);
    if (!params) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the parameters");
        return false;
    }
    memset(params, 0, type->size);
    if (!protocol_decode_field(type, name, map, &packet->zone, params, error)) {
        return false;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, name) != 0) {
            continue;
        }
        if (type->fields[i].type == PROTOCOL_TYPE_REF) {
            memcpy(ref, params + type->fields[i].offset, sizeof *ref);
        } else {
            memcpy(&ref->id, params + type->fields[i].offset, sizeof ref->id);
        }
    }
    return true;
}

struct host_world *dispatch_route_find(const struct host_registry *registry, enum protocol_method method,
                                       const struct protocol_ref *ref)
{
    struct host_world *world = host_registry_find(registry, ref);
    if (!world && dispatch_route_methods[method].finds_closing) {
        world = host_registry_find_closing(registry, ref);
    }
    return world;
}

// Or a stream instead, which is of one.
bool dispatch_route_names_world(enum protocol_method method)
{
    const struct protocol_struct *type = protocol_methods[method].params;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, "world") == 0) {
            return true;
        }
    }
    return false;
}

// world.restore takes an id alone: a name is not looked for, so that it says nothing of a world that has it.
static bool takes_names(enum protocol_method method)
{
    const struct protocol_struct *type = protocol_methods[method].params;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, "world") == 0) {
            return type->fields[i].type == PROTOCOL_TYPE_REF;
        }
    }
    return false;
}

bool dispatch_route_peek_world(struct world_packet *packet, enum protocol_method method,
                               struct protocol_ref *ref, struct protocol_error *error)
{
    const msgpack_object *map;
    return protocol_message_fields(packet->message.params, &map, error) &&
           ((glance(field_of(map, "world"), ref) && (ref->id != 0 || takes_names(method))) ||
            decode_ref(packet, method, map, "world", ref, error));
}

static bool names_stream(enum protocol_method method)
{
    const struct protocol_struct *type = protocol_methods[method].params;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, "stream") == 0) {
            return true;
        }
    }
    return false;
}

uint32_t dispatch_route_peek_stream(struct world_packet *packet, enum protocol_method method)
{
    const msgpack_object *map;
    struct protocol_ref ref;
    struct protocol_error error = {0};
    if (!names_stream(method) || !protocol_message_fields(packet->message.params, &map, &error)) {
        return 0;
    }
    if (glance(field_of(map, "stream"), &ref) && ref.id != 0) {
        return ref.id;
    }
    return decode_ref(packet, method, map, "stream", &ref, &error) ? ref.id : 0;
}

void dispatch_route_no_world(struct protocol_error *error, const struct protocol_ref *ref)
{
    char what[PROTOCOL_FIELD_MAX];
    if (ref->id != 0) {
        snprintf(what, sizeof what, "%" PRIu32, ref->id);
    } else {
        snprintf(what, sizeof what, "\"%.*s\"", (int)(ref->name.size < 80 ? ref->name.size : 80),
                 ref->name.size == 0 ? "" : ref->name.data);
    }
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world", "no world %s; world.list lists them", what);
    snprintf(error->value, sizeof error->value, "%s", what);
    // The glance took the name as it came.
    protocol_utf8_clean(error->value, strlen(error->value));
}

bool dispatch_route(const struct host_session *session, struct world_packet *packet,
                    enum protocol_method method, struct protocol_ref *ref, struct protocol_error *error)
{
    const bool by_stream = !dispatch_route_names_world(method);
    const char *name = by_stream ? "stream" : "world";
    const msgpack_object *map;
    if (!protocol_message_fields(packet->message.params, &map, error)) {
        return false;
    }
    const bool seen = glance(field_of(map, name), ref) && (!by_stream || ref->id != 0);
    if (!seen && !decode_ref(packet, method, map, name, ref, error)) {
        return false;
    }
    if (!by_stream) {
        return true;
    }
    const uint32_t stream = ref->id;
    ref->id = host_session_stream_world(session, stream);
    if (ref->id != 0) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "stream", "no stream %" PRIu32 " in this session",
                       stream);
    snprintf(error->value, sizeof error->value, "%" PRIu32, stream);
    return false;
}
