// Edits in a list, each with its method, and what they were answered: the structs depend on the methods.
#include "protocol/decode.h"
#include "protocol/error.h"
#include "protocol/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Items of all lists in one list of calls: each takes far more here than it did to send.
enum { ITEMS_MAX = 65536 };

static bool holds_calls(const struct protocol_struct *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (type->fields[f].type == PROTOCOL_TYPE_CALLS) {
            return true;
        }
    }
    return false;
}

// Edits and no lists of them: so nothing nests.
static bool take_method(const struct protocol_decoder *decoder, const struct protocol_place *place,
                        const msgpack_object *value, enum protocol_method *out)
{
    char text[PROTOCOL_FIELD_MAX], name[PROTOCOL_FIELD_MAX];
    protocol_text_object(value, text, sizeof text);
    snprintf(name, sizeof name, "%s[%" PRIu32 "]", place->field->name, place->index);
    if (value->type != MSGPACK_OBJECT_STR ||
        !protocol_method_find((struct protocol_string){value->via.str.ptr, value->via.str.size}, out)) {
        return protocol_refuse(decoder, place->up, name, text, "there is no method %s", text);
    }
    const struct protocol_method_info *method = &protocol_methods[*out];
    return (method->class_ == PROTOCOL_CLASS_EDIT && !holds_calls(method->params)) ||
           protocol_refuse(decoder, place->up, name, text,
                           "%s cannot stand here; edits can, but no batches of them", text);
}

static bool take_call(const struct protocol_decoder *decoder, const struct protocol_place *place,
                      const msgpack_object *value, uint32_t *items_left, struct protocol_call *out)
{
    const struct protocol_decoder inner = {.zone = decoder->zone,
                                           .error = decoder->error,
                                           .left_out = "world",
                                           .left_at = place,
                                           .items_left = items_left,
                                           .take_map = decoder->take_map};
    const uint32_t size = value->type == MSGPACK_OBJECT_ARRAY ? value->via.array.size : 0;
    enum protocol_method method;
    if (size != 2 || value->via.array.ptr[1].type != MSGPACK_OBJECT_MAP) {
        char text[PROTOCOL_FIELD_MAX], name[PROTOCOL_FIELD_MAX];
        protocol_text_object(value, text, sizeof text);
        snprintf(name, sizeof name, "%s[%" PRIu32 "]", place->field->name, place->index);
        return protocol_refuse(decoder, place->up, name, text,
                               "%s; must be an array of a method and the map of its parameters", text);
    }
    if (!take_method(decoder, place, &value->via.array.ptr[0], &method)) {
        return false;
    }
    const struct protocol_struct *type = protocol_methods[method].params;
    void *params = msgpack_zone_malloc(decoder->zone, type->size);
    if (!params) {
        return protocol_refuse_memory(decoder);
    }
    *out = (struct protocol_call){.method = (int)method, .value = params};
    return decoder->take_map(&inner, place, type, &value->via.array.ptr[1], false, params);
}

static struct protocol_call *list_alloc(const struct protocol_decoder *decoder, uint32_t count,
                                        struct protocol_list *out)
{
    struct protocol_call *items = msgpack_zone_malloc(decoder->zone, ((size_t)count + 1) * sizeof *items);
    *out = (struct protocol_list){.items = items, .count = count};
    if (!items) {
        protocol_refuse_memory(decoder);
    }
    return items;
}

bool protocol_take_calls(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_list *out)
{
    if (value->type != MSGPACK_OBJECT_ARRAY) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    const uint32_t count = value->via.array.size;
    if (!protocol_check_most(decoder, place, field, count)) {
        return false;
    }
    uint32_t items_left = ITEMS_MAX;
    struct protocol_call *items = list_alloc(decoder, count, out);
    for (uint32_t i = 0; items && i < count; i++) {
        const struct protocol_place inner = {.up = place, .field = field, .in_list = true, .index = i};
        if (!take_call(decoder, &inner, &value->via.array.ptr[i], &items_left, &items[i])) {
            return false;
        }
    }
    return items != NULL;
}

bool protocol_take_answers(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value,
                           struct protocol_list *out)
{
    if (value->type != MSGPACK_OBJECT_ARRAY) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    struct protocol_call *items = list_alloc(decoder, value->via.array.size, out);
    for (uint32_t i = 0; items && i < value->via.array.size; i++) {
        items[i] = (struct protocol_call){.method = -1, .unread = &value->via.array.ptr[i]};
    }
    return items != NULL;
}
