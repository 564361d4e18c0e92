// One MessagePack value from bytes that may come from anywhere, as from a file.
#ifndef WEFT_PROTOCOL_UNPACK_H
#define WEFT_PROTOCOL_UNPACK_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

// The scanner goes first, as for bytes from a socket: it bounds what may be unpacked. Views into the bytes. False if they are
// not one value and nothing else, if it is deeper or wider than a message may be, or without memory.
bool protocol_unpack(const void *bytes, size_t size, msgpack_zone *zone, msgpack_object *out);

#endif
