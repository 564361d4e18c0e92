// MessagePack under way: a growing array that msgpack-c packs into.
//
// msgpack-c's packers give their callers no way to hear of a failed write, so the failure is kept here and
// asked for once, when all is packed.
#include "world/world_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_KEPT_MAX = 1 << 20 };

void world_bytes_clear(struct world_bytes *bytes)
{
    if (bytes->capacity > BYTES_KEPT_MAX) {
        world_bytes_deinit(bytes);
    }
    bytes->size = 0;
    bytes->failed = false;
}

void world_bytes_deinit(struct world_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct world_bytes){0};
}

int world_bytes_write(void *context, const char *data, size_t size)
{
    struct world_bytes *bytes = context;
    if (bytes->failed) {
        return -1;
    }
    if (size > bytes->capacity - bytes->size) {
        size_t capacity = bytes->capacity < 256 ? 512 : bytes->capacity;
        while (capacity - bytes->size < size) {
            if (capacity > SIZE_MAX / 2) {
                bytes->failed = true;
                return -1;
            }
            capacity *= 2;
        }
        uint8_t *grown = realloc(bytes->data, capacity);
        if (!grown) {
            bytes->failed = true;
            return -1;
        }
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (size > 0) {
        memcpy(bytes->data + bytes->size, data, size);
    }
    bytes->size += size;
    return 0;
}

struct base_buffer *world_bytes_share(const struct world_bytes *bytes, struct base_budget *budget)
{
    if (bytes->failed) {
        return NULL;
    }
    struct base_buffer *buffer = base_buffer_create(bytes->size, budget);
    if (buffer && bytes->size > 0) {
        memcpy(buffer->data, bytes->data, bytes->size);
    }
    return buffer;
}
