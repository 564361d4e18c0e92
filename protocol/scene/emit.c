// Writes the part of a scene that is the document's own, as MessagePack. The table says the type of a field, so that numbers become
// typed arrays, and names of files become their contents. The decoder sees all of it, and says whether a value fits.
#include "protocol/scene/internal.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 12 };

static bool is_numbers(const struct protocol_field *field)
{
    return field && (field->type == PROTOCOL_TYPE_NUMBERS || field->type == PROTOCOL_TYPE_U32S ||
                     field->type == PROTOCOL_TYPE_F32S || field->type == PROTOCOL_TYPE_F64S ||
                     field->type == PROTOCOL_TYPE_VEC3 || field->type == PROTOCOL_TYPE_VEC4);
}

static bool emit_numbers(struct scene_reader *reader, const struct protocol_field *field, const json_t *value,
                         msgpack_packer *packer)
{
    double *numbers;
    size_t count;
    bool integers, vector = field->type == PROTOCOL_TYPE_VEC3 || field->type == PROTOCOL_TYPE_VEC4;
    if (vector && (!json_is_array(value) || json_is_array(json_array_get(value, 0)))) {
        return scene_refuse(reader, "must be a list of %u numbers",
                            field->type == PROTOCOL_TYPE_VEC3 ? 3U : 4U);
    }
    if (!json_is_array(value) && !json_is_string(value)) {
        return scene_refuse(reader, "must be a list of numbers, or the name of a .npy file%s",
                            field->scalar ? ", or one number" : "");
    }
    // A field with values for corners of triangles may have one row for each corner.
    const uint32_t columns =
        field->multiple > 3 && field->multiple % 3 == 0 ? field->multiple / 3 : field->multiple;
    if (!scene_numbers(reader, value, columns, &numbers, &count, &integers)) {
        return false;
    }
    scene_pack_numbers(packer, numbers, count, integers && count > 0);
    free(numbers);
    return true;
}

static bool emit_list(struct scene_reader *reader, const struct protocol_field *field, const json_t *list,
                      msgpack_packer *packer)
{
    bool done = true;
    size_t index;
    json_t *item;
    msgpack_pack_array(packer, json_array_size(list));
    json_array_foreach(list, index, item)
    {
        size_t before = scene_enter(reader, "[%zu]", index);
        done = done && scene_emit(reader, field && field->of ? field : NULL, item, packer);
        scene_leave(reader, before);
    }
    return done;
}

static bool emit_object(struct scene_reader *reader, const struct protocol_field *field, const json_t *object,
                        msgpack_packer *packer)
{
    const struct protocol_struct *type = field ? field->of : NULL;
    bool done = true;
    const char *name;
    json_t *value;
    msgpack_pack_map(packer, json_object_size(object));
    json_object_foreach((json_t *)object, name, value)
    {
        size_t before = scene_enter(reader, "%.60s", name);
        scene_pack_string(packer, name);
        done = done && scene_emit(reader, type ? scene_field(type, name) : NULL, value, packer);
        scene_leave(reader, before);
    }
    return done;
}

bool scene_emit(struct scene_reader *reader, const struct protocol_field *field, const json_t *value,
                msgpack_packer *packer)
{
    size_t depth = 0;
    for (const char *at = reader->place; *at != '\0'; at++) {
        depth += *at == '.' || *at == '[';
    }
    if (depth > DEPTH_MAX || strlen(reader->place) + 1 >= sizeof reader->place) {
        return scene_refuse(reader, "is nested too deep");
    }
    if (is_numbers(field) && !json_is_null(value) && !(field->scalar && json_is_number(value))) {
        return emit_numbers(reader, field, value, packer);
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return emit_object(reader, field, value, packer);
    case JSON_ARRAY:
        return emit_list(reader, field, value, packer);
    case JSON_STRING:
        msgpack_pack_str_with_body(packer, json_string_value(value), json_string_length(value));
        return true;
    case JSON_INTEGER:
        msgpack_pack_int64(packer, json_integer_value(value));
        return true;
    case JSON_REAL:
        msgpack_pack_double(packer, json_real_value(value));
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        json_is_true(value) ? msgpack_pack_true(packer) : msgpack_pack_false(packer);
        return true;
    case JSON_NULL:
        msgpack_pack_nil(packer);
        return true;
    }
    return true;
}

static bool is_named(const char *name, const char *const *names)
{
    for (; names && *names; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

bool scene_emit_members(struct scene_reader *reader, const struct protocol_struct *type, const json_t *object,
                        const char *const *but, struct scene_map *map)
{
    bool done = true;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        if (!done || is_named(name, but)) {
            continue;
        }
        size_t before = scene_enter(reader, "%.60s", name);
        scene_map_key(map, name);
        done = scene_emit(reader, scene_field(type, name), value, &map->packer);
        scene_leave(reader, before);
    }
    return done;
}
