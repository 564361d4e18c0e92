// The difference between two byte strings of one length. Successive records of a drag differ in a few numbers only, so
// patches halve a stream of them.
//
//     C1  { same  changed  bytes × changed } …
//
// The next `same` bytes are those of the earlier string at the same offset. After them come `changed` bytes, which the patch
// holds. Both numbers are LEB128: seven bits a byte, the lowest first; the top bit is set if more bytes follow. No
// MessagePack value begins with C1, so a reader can tell a patch from a record.
#ifndef WEFT_PROTOCOL_PATCH_H
#define WEFT_PROTOCOL_PATCH_H

#include "protocol/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_PATCH = 0xC1 };

// Appends the patch that turns before into after, both of `size` bytes, to *out.
void protocol_patch_make(const uint8_t *before, const uint8_t *after, size_t size,
                         struct protocol_bytes *out);
// Writes the later string to after; before and after have `size` bytes. False if the bytes are not a patch for this size;
// after is then of no use.
bool protocol_patch_apply(const uint8_t *patch, size_t patch_size, const uint8_t *before, size_t size,
                          uint8_t *after);

#endif
