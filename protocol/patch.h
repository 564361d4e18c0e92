// The difference between two byte strings of one length. Records that follow each other in a drag differ in a few numbers only,
// so patches halve a stream of them.
//
//     C1  { same  changed  bytes × changed } …
//
// `same` bytes are as in the earlier one, at the same place; then `changed` bytes stand here. Counts are LEB128: seven bits a
// byte, the lowest first, the top bit where more follow. C1 begins no MessagePack value, so a patch is told from a record.
#ifndef WEFT_PROTOCOL_PATCH_H
#define WEFT_PROTOCOL_PATCH_H

#include "protocol/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_PATCH = 0xC1 };

// Behind what is in out.
void protocol_patch_make(const uint8_t *before, const uint8_t *after, size_t size,
                         struct protocol_bytes *out);
// after: size bytes, written whole. False if it is no patch of so many bytes.
bool protocol_patch_apply(const uint8_t *patch, size_t patch_size, const uint8_t *before, size_t size,
                          uint8_t *after);

#endif
