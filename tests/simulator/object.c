// Reads fields of messages by key.
#include "simulator.h"

#include <string.h>

const msgpack_object *object_at(const msgpack_object *map, const char *key)
{
    const size_t size = strlen(key);
    if (map == NULL || map->type != MSGPACK_OBJECT_MAP) {
        return NULL;
    }
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object_kv *pair = &map->via.map.ptr[i];
        if (pair->key.type == MSGPACK_OBJECT_STR && pair->key.via.str.size == size &&
            memcmp(pair->key.via.str.ptr, key, size) == 0) {
            return &pair->val;
        }
    }
    return NULL;
}

uint64_t object_number(const msgpack_object *map, const char *key)
{
    const msgpack_object *value = object_at(map, key);
    return value != NULL && value->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? value->via.u64 : 0;
}

bool object_true(const msgpack_object *map, const char *key)
{
    const msgpack_object *value = object_at(map, key);
    return value != NULL && value->type == MSGPACK_OBJECT_BOOLEAN && value->via.boolean;
}

bool object_text(const msgpack_object *map, const char *key, char *out, size_t size)
{
    const msgpack_object *value = object_at(map, key);
    if (value == NULL || value->type != MSGPACK_OBJECT_STR || value->via.str.size >= size) {
        out[0] = '\0';
        return false;
    }
    memcpy(out, value->via.str.ptr, value->via.str.size);
    out[value->via.str.size] = '\0';
    return true;
}
