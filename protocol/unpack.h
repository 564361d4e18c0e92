// Unpacks one MessagePack value from bytes that are not trusted, such as those of a file.
#ifndef WEFT_PROTOCOL_UNPACK_H
#define WEFT_PROTOCOL_UNPACK_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

// *out points into the bytes and into zone, so both must outlive it. protocol_scan looks at the bytes first, and bounds the
// memory. False if they are not exactly one value, if it is deeper or has more nodes than a message may, or memory runs out.
bool protocol_unpack(const void *bytes, size_t size, msgpack_zone *zone, msgpack_object *out);

#endif
