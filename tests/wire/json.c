// jansson's values beside msgpack-c's.
#include "json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

json_t *vectors_load(const char *file)
{
    json_error_t error;
    json_t *root = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        fail_msg("%s:%d: %s", file, error.line, error.text);
    }
    return root;
}

const char *vector_name(const json_t *vector)
{
    const char *name = json_string_value(json_object_get(vector, "name"));
    return name == NULL ? "(no name)" : name;
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef", *place = strchr(digits, c);
    assert_true(place != NULL && c != 0);
    return (int)(place - digits);
}

struct bytes vector_hex(const json_t *vector, const char *key)
{
    const char *hex = json_string_value(json_object_get(vector, key));
    if (hex == NULL || strlen(hex) % 2 != 0) {
        fail_msg("%s: %s is no hexadecimal", vector_name(vector), key);
        return (struct bytes){0};
    }
    struct bytes bytes = {.data = malloc(strlen(hex) / 2 + 1), .size = strlen(hex) / 2};
    assert_non_null(bytes.data);
    for (size_t i = 0; i < bytes.size; i++) {
        bytes.data[i] = (uint8_t)(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
    }
    return bytes;
}

uint64_t vector_u64(const json_t *vector, const char *key)
{
    const json_t *value = json_object_get(vector, key);
    if (!json_is_integer(value)) {
        fail_msg("%s: %s is no integer", vector_name(vector), key);
    }
    return (uint64_t)json_integer_value(value);
}

double json_number(const json_t *value)
{
    if (!json_is_string(value)) {
        assert_true(json_is_number(value));
        return json_number_value(value);
    }
    const char *text = json_string_value(value);
    if (strcmp(text, "NaN") == 0) {
        return NAN;
    }
    return strcmp(text, "inf") == 0 ? INFINITY : -INFINITY;
}

msgpack_object bytes_unpack(struct bytes bytes, msgpack_zone *zone)
{
    msgpack_object object;
    size_t end = 0;
    assert_true(msgpack_zone_init(zone, 8192));
    assert_int_equal(msgpack_unpack((const char *)bytes.data, bytes.size, &end, zone, &object),
                     MSGPACK_UNPACK_SUCCESS);
    return object;
}

const msgpack_object *object_at(const msgpack_object *map, const char *key)
{
    assert_int_equal(map->type, MSGPACK_OBJECT_MAP);
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *name = &map->via.map.ptr[i].key;
        if (name->type == MSGPACK_OBJECT_STR && name->via.str.size == strlen(key) &&
            memcmp(name->via.str.ptr, key, strlen(key)) == 0) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

static bool number_equals(const msgpack_object *object, const json_t *value)
{
    switch (object->type) {
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        return (double)object->via.u64 == json_number(value);
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        return (double)object->via.i64 == json_number(value);
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        return object->via.f64 == json_number(value);
    default:
        return false;
    }
}

// An ext of little-endian u32.
static bool words_equal(const msgpack_object *object, const json_t *value)
{
    const json_t *numbers = json_object_get(value, "numbers");
    bool equal = object->type == MSGPACK_OBJECT_EXT &&
                 object->via.ext.type == json_integer_value(json_object_get(value, "ext")) &&
                 object->via.ext.size == 4 * json_array_size(numbers);
    for (size_t i = 0; equal && i < json_array_size(numbers); i++) {
        const uint8_t *word = (const uint8_t *)object->via.ext.ptr + 4 * i;
        json_int_t number = json_integer_value(json_array_get(numbers, i));
        for (int byte = 0; byte < 4; byte++) {
            equal = equal && word[byte] == (number >> 8 * byte & 0xff);
        }
    }
    return equal;
}

bool object_equals(const msgpack_object *object, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_NULL:
        return object->type == MSGPACK_OBJECT_NIL;
    case JSON_TRUE:
    case JSON_FALSE:
        return object->type == MSGPACK_OBJECT_BOOLEAN && object->via.boolean == json_is_true(value);
    case JSON_INTEGER:
    case JSON_REAL:
        return number_equals(object, value);
    case JSON_STRING:
        return object->type == MSGPACK_OBJECT_STR && object->via.str.size == json_string_length(value) &&
               memcmp(object->via.str.ptr, json_string_value(value), object->via.str.size) == 0;
    case JSON_ARRAY: {
        bool equal = object->type == MSGPACK_OBJECT_ARRAY && object->via.array.size == json_array_size(value);
        for (uint32_t i = 0; equal && i < object->via.array.size; i++) {
            equal = object_equals(&object->via.array.ptr[i], json_array_get(value, i));
        }
        return equal;
    }
    case JSON_OBJECT:
        break;
    }
    if (json_object_size(value) == 2 && json_is_array(json_object_get(value, "numbers"))) {
        return words_equal(object, value);
    }
    bool equal = object->type == MSGPACK_OBJECT_MAP && object->via.map.size == json_object_size(value);
    const char *key;
    json_t *inner;
    json_object_foreach((json_t *)value, key, inner)
    {
        const msgpack_object *found = equal ? object_at(object, key) : NULL;
        equal = found != NULL && object_equals(found, inner);
    }
    return equal;
}

void value_pack(const json_t *value, msgpack_packer *packer)
{
    switch (json_typeof(value)) {
    case JSON_NULL:
        msgpack_pack_nil(packer);
        return;
    case JSON_TRUE:
        msgpack_pack_true(packer);
        return;
    case JSON_FALSE:
        msgpack_pack_false(packer);
        return;
    case JSON_INTEGER:
        msgpack_pack_int64(packer, json_integer_value(value));
        return;
    case JSON_REAL:
        msgpack_pack_double(packer, json_real_value(value));
        return;
    case JSON_STRING:
        msgpack_pack_str_with_body(packer, json_string_value(value), json_string_length(value));
        return;
    case JSON_ARRAY:
        msgpack_pack_array(packer, json_array_size(value));
        for (size_t i = 0; i < json_array_size(value); i++) {
            value_pack(json_array_get(value, i), packer);
        }
        return;
    case JSON_OBJECT:
        break;
    }
    const char *key;
    json_t *inner;
    msgpack_pack_map(packer, json_object_size(value));
    json_object_foreach((json_t *)value, key, inner)
    {
        msgpack_pack_str_with_body(packer, key, strlen(key));
        value_pack(inner, packer);
    }
}

void vectors_each(const char *file, const char *list, void (*check)(const json_t *vector))
{
    json_t *root = vectors_load(file);
    const json_t *vectors = json_object_get(root, list);
    assert_true(json_array_size(vectors) > 0);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        check(json_array_get(vectors, i));
    }
    json_decref(root);
}

const char *vector_text(const json_t *vector, const char *key)
{
    return json_string_value(json_object_get(vector, key));
}

const float *vector_floats(const json_t *chunk, const char *name, float *out)
{
    const json_t *numbers = json_object_get(chunk, name);
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        out[i] = (float)json_number(json_array_get(numbers, i));
    }
    return numbers == NULL ? NULL : out;
}
