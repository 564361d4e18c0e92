#include "protocol/bytes.h"

#include "protocol/array/reserve.h"

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
    const size_t least = bytes->size + size;
    return array_reserve(&bytes->data, &bytes->capacity, least > CAPACITY_FIRST ? least : CAPACITY_FIRST);
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
