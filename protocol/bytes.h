// MessagePack under way: bytes that grow as msgpack-c packs into them.
//
// msgpack-c's packers give their callers no way to hear of a failed write, so a failure is kept here, and asked for once,
// when all is packed. What follows it is ignored.
#ifndef WEFT_PROTOCOL_BYTES_H
#define WEFT_PROTOCOL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct protocol_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
};

int protocol_bytes_write(void *bytes, const char *data, size_t size); // for msgpack_packer_init
void protocol_bytes_clear(struct protocol_bytes *bytes);              // keeps a moderate capacity
void protocol_bytes_deinit(struct protocol_bytes *bytes);

#endif
