// Decoding: a map of named fields into the struct that a table describes.
//
//     defaults ─▶ each pair of the map: known? first? right type, range, length? ─▶ required ones all there?
//
// Invariants: nothing of *out is used if false is returned; every check that a table can express is made
// here, so that handlers look only at what depends on the world.
#include "protocol/params.h"

#include "protocol/assert.h"
#include "protocol/decode.h"
#include "protocol/error.h"
#include "protocol/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool take_map(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const struct protocol_struct *type, const msgpack_object *map, bool partial, void *out);

static bool items_take(const struct protocol_decoder *decoder, const struct protocol_place *place,
                       const struct protocol_field *field, uint32_t count)
{
    if (!decoder->items_left) {
        return true;
    }
    if (count <= *decoder->items_left) {
        *decoder->items_left -= count;
        return true;
    }
    char text[32];
    snprintf(text, sizeof text, "%" PRIu32, count);
    protocol_refuse(decoder, place, field->name, text,
                    "%s of them are more than one batch may hold; divide it", text);
    decoder->error->code = PROTOCOL_CODE_LIMIT;
    return false;
}

static bool take_list(const struct protocol_decoder *decoder, const struct protocol_place *place,
                      const struct protocol_field *field, const msgpack_object *value,
                      struct protocol_list *out)
{
    if (value->type != MSGPACK_OBJECT_ARRAY) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    uint32_t count = value->via.array.size;
    if (!protocol_check_most(decoder, place, field, count) || !items_take(decoder, place, field, count)) {
        return false;
    }
    uint8_t *items = count > 0 ? msgpack_zone_malloc(decoder->zone, count * field->of->size) : NULL;
    if (count > 0 && !items) {
        return protocol_refuse_memory(decoder);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct protocol_place inner = {.up = place, .field = field, .in_list = true, .index = i};
        if (value->via.array.ptr[i].type != MSGPACK_OBJECT_MAP) {
            return protocol_refuse_type(decoder, place, field, &value->via.array.ptr[i]);
        }
        if (!take_map(decoder, &inner, field->of, &value->via.array.ptr[i], false,
                      items + i * field->of->size)) {
            return false;
        }
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

static bool take_any(const struct protocol_decoder *decoder, const msgpack_object *value,
                     struct protocol_raw *out)
{
    bool is_taken = false;
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    if (msgpack_pack_object(&packer, *value) != 0) {
        goto cleanup;
    }
    void *data = msgpack_zone_malloc(decoder->zone, buffer.size);
    if (!data) {
        goto cleanup;
    }
    memcpy(data, buffer.data, buffer.size);
    *out = (struct protocol_raw){.data = data, .size = buffer.size};
    is_taken = true;
cleanup:
    msgpack_sbuffer_destroy(&buffer);
    return is_taken || protocol_refuse_memory(decoder);
}

static bool decode_field(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value, bool partial,
                         void *out)
{
    uint64_t integer = 0;
    uint32_t position = 0;
    switch (field->type) {
    case PROTOCOL_TYPE_BOOL:
        if (value->type != MSGPACK_OBJECT_BOOLEAN) {
            return protocol_refuse_type(decoder, place, field, value);
        }
        *(bool *)out = value->via.boolean;
        return true;
    case PROTOCOL_TYPE_U32:
        if (!protocol_take_integer(decoder, place, field, value, UINT32_MAX, &integer)) {
            return false;
        }
        *(uint32_t *)out = (uint32_t)integer;
        return true;
    case PROTOCOL_TYPE_U64:
        return protocol_take_integer(decoder, place, field, value, PROTOCOL_INTEGER_MAX, out);
    case PROTOCOL_TYPE_FLOAT:
        if (!protocol_object_is_number(value)) {
            return protocol_refuse_type(decoder, place, field, value);
        }
        *(double *)out = protocol_object_f64(value) + 0.0; // a minus zero becomes a zero
        return protocol_check_number(decoder, place, field, *(double *)out);
    case PROTOCOL_TYPE_STRING:
        return protocol_take_string(decoder, place, field, value, out);
    case PROTOCOL_TYPE_ENUM:
        if (!protocol_take_position(decoder, place, field, value, &position)) {
            return false;
        }
        *(int *)out = (int)position;
        return true;
    case PROTOCOL_TYPE_FLAGS:
        return protocol_take_flags(decoder, place, field, value, out);
    case PROTOCOL_TYPE_REF:
        return protocol_take_ref(decoder, place, field, value, out);
    case PROTOCOL_TYPE_VEC3:
        return protocol_take_vector(decoder, place, field, value, 3, out);
    case PROTOCOL_TYPE_VEC4:
        return protocol_take_vector(decoder, place, field, value, 4, out);
    case PROTOCOL_TYPE_NUMBERS:
    case PROTOCOL_TYPE_U32S:
    case PROTOCOL_TYPE_F32S:
    case PROTOCOL_TYPE_F64S:
        return protocol_take_array(decoder, place, field, value, out);
    case PROTOCOL_TYPE_MAP: {
        struct protocol_place inner = {.up = place, .field = field};
        if (value->type != MSGPACK_OBJECT_MAP) {
            return protocol_refuse_type(decoder, place, field, value);
        }
        return take_map(decoder, &inner, field->of, value, partial || field->partial, out);
    }
    case PROTOCOL_TYPE_LIST:
        return take_list(decoder, place, field, value, out);
    case PROTOCOL_TYPE_ANY:
        return take_any(decoder, value, out);
    case PROTOCOL_TYPE_CALLS:
        return protocol_take_calls(decoder, place, field, value, out);
    case PROTOCOL_TYPE_ANSWERS:
        return protocol_take_answers(decoder, place, field, value, out);
    }
    PROTOCOL_ASSERT(false);
    return false;
}

static void fill_default(const struct protocol_field *field, void *out)
{
    if (field->type == PROTOCOL_TYPE_MAP && !field->partial) {
        protocol_defaults(field->of, out);
    }
    if (!field->has_default) {
        return;
    }
    switch (field->type) {
    case PROTOCOL_TYPE_BOOL:
        *(bool *)out = field->defaults[0] != 0;
        break;
    case PROTOCOL_TYPE_U32:
    case PROTOCOL_TYPE_FLAGS:
        *(uint32_t *)out = (uint32_t)field->defaults[0];
        break;
    case PROTOCOL_TYPE_U64:
        *(uint64_t *)out = (uint64_t)field->defaults[0];
        break;
    case PROTOCOL_TYPE_FLOAT:
        *(double *)out = field->defaults[0];
        break;
    case PROTOCOL_TYPE_STRING:
        *(struct protocol_string *)out = (struct protocol_string){
            .data = field->default_string, .size = (uint32_t)strlen(field->default_string)};
        break;
    case PROTOCOL_TYPE_ENUM:
        *(int *)out = (int)field->defaults[0];
        break;
    case PROTOCOL_TYPE_VEC3:
        memcpy(out, field->defaults, 3 * sizeof *field->defaults);
        break;
    case PROTOCOL_TYPE_VEC4:
        memcpy(out, field->defaults, 4 * sizeof *field->defaults);
        break;
    default:
        PROTOCOL_ASSERT(false);
    }
}

void protocol_defaults(const struct protocol_struct *type, void *out)
{
    memset(out, 0, type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        fill_default(&type->fields[i], (uint8_t *)out + type->fields[i].offset);
    }
}

static bool find_field(const struct protocol_struct *type, const msgpack_object_str *name, uint32_t *position)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strlen(type->fields[i].name) == name->size &&
            memcmp(type->fields[i].name, name->ptr, name->size) == 0) {
            *position = i;
            return true;
        }
    }
    return false;
}

// Which field a pair of the map is; none may come twice.
static bool find_pair(const struct protocol_decoder *decoder, const struct protocol_place *place,
                      const struct protocol_struct *type, const msgpack_object_kv *pair, uint64_t *seen,
                      uint32_t *position)
{
    if (pair->key.type != MSGPACK_OBJECT_STR) {
        char text[PROTOCOL_FIELD_MAX];
        protocol_text_object(&pair->key, text, sizeof text);
        protocol_error_set(decoder->error, PROTOCOL_CODE_INVALID, NULL, "field name %s; must be a string",
                           text);
        return false;
    }
    if (!find_field(type, &pair->key.via.str, position)) {
        return protocol_refuse_unknown(decoder, place, type, &pair->key);
    }
    uint64_t bit = UINT64_C(1) << *position;
    if ((*seen & bit) != 0) {
        return protocol_refuse(decoder, place, type->fields[*position].name, NULL,
                               "given twice; give it once");
    }
    *seen |= bit;
    return true;
}

// One pair of the map. *seen collects what was there, *has what counts: nil does not.
static bool decode_pair(const struct protocol_decoder *decoder, const struct protocol_place *place,
                        const struct protocol_struct *type, const msgpack_object_kv *pair, bool partial,
                        void *out, uint64_t *seen, uint64_t *has)
{
    uint32_t position;
    if (!find_pair(decoder, place, type, pair, seen, &position)) {
        return false;
    }
    if (pair->val.type == MSGPACK_OBJECT_NIL) {
        return true;
    }
    const struct protocol_field *field = &type->fields[position];
    *has |= UINT64_C(1) << position;
    return decode_field(decoder, place, field, &pair->val, partial, (uint8_t *)out + field->offset);
}

static bool refuse_missing(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field)
{
    char expected[PROTOCOL_TEXT_MAX];
    protocol_text_expected(field, expected, sizeof expected);
    return protocol_refuse(decoder, place, field->name, NULL, "missing; must be %s", expected);
}

static bool take_map(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const struct protocol_struct *type, const msgpack_object *map, bool partial, void *out)
{
    if (partial) {
        memset(out, 0, type->size);
    } else {
        protocol_defaults(type, out);
    }
    uint64_t seen = 0, has = 0;
    for (uint32_t i = 0; map && i < map->via.map.size; i++) {
        if (!decode_pair(decoder, place, type, &map->via.map.ptr[i], partial, out, &seen, &has)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const bool is_left_out = decoder->left_out && place == decoder->left_at &&
                                 strcmp(type->fields[i].name, decoder->left_out) == 0;
        if (is_left_out && (seen & UINT64_C(1) << i) != 0) {
            return protocol_refuse(decoder, place, type->fields[i].name, NULL, "must be absent here");
        }
        if (type->fields[i].required && !is_left_out && (has & UINT64_C(1) << i) == 0) {
            return refuse_missing(decoder, place, &type->fields[i]);
        }
    }
    memcpy(out, &has, sizeof has);
    return true;
}

bool protocol_decode(const struct protocol_struct *type, const msgpack_object *map, msgpack_zone *zone,
                     void *out, struct protocol_error *error)
{
    return protocol_decode_without(type, NULL, map, zone, out, error);
}

bool protocol_decode_without(const struct protocol_struct *type, const char *name, const msgpack_object *map,
                             msgpack_zone *zone, void *out, struct protocol_error *error)
{
    struct protocol_place root = {0};
    struct protocol_decoder decoder = {
        .zone = zone, .error = error, .left_out = name, .left_at = &root, .take_map = take_map};
    if (map && map->type != MSGPACK_OBJECT_MAP) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, NULL, "%s takes a map of named fields", type->name);
        return false;
    }
    return take_map(&decoder, &root, type, map, false, out);
}

bool protocol_decode_field(const struct protocol_struct *type, const char *name, const msgpack_object *map,
                           msgpack_zone *zone, void *out, struct protocol_error *error)
{
    struct protocol_decoder decoder = {.zone = zone, .error = error, .take_map = take_map};
    struct protocol_place root = {0};
    const msgpack_object_str wanted = {.ptr = name, .size = (uint32_t)strlen(name)};
    const msgpack_object *value = NULL;
    uint32_t position = 0, other;
    uint64_t seen = 0;
    bool found = find_field(type, &wanted, &position);
    PROTOCOL_ASSERT(found);
    for (uint32_t i = 0; map && i < map->via.map.size; i++) { // ends at the first that is one too many
        if (!find_pair(&decoder, &root, type, &map->via.map.ptr[i], &seen, &other)) {
            return false;
        }
        value = other == position ? &map->via.map.ptr[i].val : value;
    }
    const struct protocol_field *field = &type->fields[position];
    if (!value || value->type == MSGPACK_OBJECT_NIL) {
        return refuse_missing(&decoder, &root, field);
    }
    return decode_field(&decoder, &root, field, value, false, (uint8_t *)out + field->offset);
}
