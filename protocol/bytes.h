// A buffer that grows as msgpack-c packs into it.
//
// Callers of msgpack-c do not look at what each pack function returns. So a write that fails because memory runs out sets
// `failed`, later writes are ignored, and the caller looks at `failed` once, when all is packed.
#ifndef WEFT_PROTOCOL_BYTES_H
#define WEFT_PROTOCOL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Begins as all zero.
struct protocol_bytes {
    uint8_t *data; // malloc'd; NULL while nothing has been written
    size_t size, capacity;
    bool failed;
};

// Appends data. bytes is a struct protocol_bytes *: this is the callback for msgpack_packer_init. 0, or -1 if it failed.
int protocol_bytes_write(void *bytes, const char *data, size_t size);
void protocol_bytes_clear(struct protocol_bytes *bytes);  // empties it; keeps at most 1 MiB of memory
void protocol_bytes_deinit(struct protocol_bytes *bytes); // frees the memory; usable again afterwards

#endif
