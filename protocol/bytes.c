#include "protocol/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 512, CAPACITY_KEPT_MAX = 1 << 20 };

void protocol_bytes_clear(struct protocol_bytes *bytes)
{
    if (bytes->capacity > CAPACITY_KEPT_MAX) {
        protocol_bytes_deinit(bytes);
    }
    bytes->size = 0;
    bytes->failed = false;
}

void protocol_bytes_deinit(struct protocol_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct protocol_bytes){0};
}

static bool grow(struct protocol_bytes *bytes, size_t size)
{
    size_t capacity = bytes->capacity > 0 ? bytes->capacity : CAPACITY_FIRST;
    while (capacity - bytes->size < size) {
        if (capacity > SIZE_MAX / 2) {
            return false;
        }
        capacity *= 2;
    }
    uint8_t *grown = realloc(bytes->data, capacity);
    if (grown == NULL) {
        return false;
    }
    bytes->data = grown;
    bytes->capacity = capacity;
    return true;
}

int protocol_bytes_write(void *context, const char *data, size_t size)
{
    struct protocol_bytes *bytes = context;
    if (bytes->failed || (size > bytes->capacity - bytes->size && !grow(bytes, size))) {
        bytes->failed = true;
        return -1;
    }
    if (size > 0) {
        memcpy(bytes->data + bytes->size, data, size);
    }
    bytes->size += size;
    return 0;
}
