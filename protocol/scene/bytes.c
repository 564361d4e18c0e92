// MessagePack under way: bytes that grow, and maps whose entries are counted as they come.
#include "protocol/scene/internal.h"

#include <stdlib.h>
#include <string.h>

int scene_bytes_write(void *context, const char *data, size_t size)
{
    struct scene_bytes *bytes = context;
    if (bytes->failed || size == 0) {
        return 0;
    }
    if (size > bytes->capacity - bytes->size) {
        size_t capacity = bytes->capacity > 0 ? bytes->capacity : 1024;
        while (capacity - bytes->size < size) {
            if (capacity > SIZE_MAX / 4) {
                bytes->failed = true;
                return 0;
            }
            capacity *= 2;
        }
        uint8_t *grown = realloc(bytes->data, capacity);
        if (grown == NULL) {
            bytes->failed = true;
            return 0;
        }
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return 0;
}

void scene_bytes_deinit(struct scene_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct scene_bytes){0};
}

void scene_map_init(struct scene_map *map)
{
    *map = (struct scene_map){0};
    msgpack_packer_init(&map->packer, &map->bytes, scene_bytes_write);
}

void scene_map_deinit(struct scene_map *map)
{
    scene_bytes_deinit(&map->bytes);
}

void scene_pack_string(msgpack_packer *packer, const char *text)
{
    msgpack_pack_str_with_body(packer, text, strlen(text));
}

void scene_map_key(struct scene_map *map, const char *key)
{
    map->count++;
    scene_pack_string(&map->packer, key);
}

void scene_map_end(const struct scene_map *map, struct scene_bytes *out)
{
    msgpack_packer packer;
    msgpack_packer_init(&packer, out, scene_bytes_write);
    msgpack_pack_map(&packer, map->count);
    out->failed = out->failed || map->bytes.failed;
    scene_bytes_write(out, (const char *)map->bytes.data, map->bytes.size);
}
