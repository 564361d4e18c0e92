// Maps of MessagePack whose entries are counted as they come.
#include "protocol/scene/internal.h"

#include <string.h>

void scene_map_init(struct scene_map *map)
{
    *map = (struct scene_map){0};
    msgpack_packer_init(&map->packer, &map->bytes, protocol_bytes_write);
}

void scene_map_deinit(struct scene_map *map)
{
    protocol_bytes_deinit(&map->bytes);
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

void scene_map_end(const struct scene_map *map, struct protocol_bytes *out)
{
    msgpack_packer packer;
    msgpack_packer_init(&packer, out, protocol_bytes_write);
    msgpack_pack_map(&packer, map->count);
    out->failed = out->failed || map->bytes.failed;
    protocol_bytes_write(out, (const char *)map->bytes.data, map->bytes.size);
}
