// UTF-8, strictly: no overlong forms, no surrogates, nothing past U+10FFFF.
#ifndef WEFT_PROTOCOL_UTF8_H
#define WEFT_PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool protocol_utf8_valid(const char *data, size_t size);

// Are there control characters (C0, DEL, C1) in valid UTF-8?
bool protocol_utf8_has_control(const char *data, size_t size);

// Replaces each control character and each byte that is no UTF-8 with '?', in place and in the same size.
void protocol_utf8_clean(char *data, size_t size);

// Greatest size, at most limit, at which valid UTF-8 can be cut without breaking a character.
size_t protocol_utf8_cut(const char *data, size_t size, size_t limit);

#endif
