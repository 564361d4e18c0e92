// UTF-8, strictly: no overlong forms, no surrogates, nothing past U+10FFFF.
#ifndef WEFT_PROTOCOL_UTF8_H
#define WEFT_PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Bytes of the character that begins at text, and its code; 0 where none does. There is a byte at least.
size_t protocol_utf8_character(const void *text, size_t size, uint32_t *code);

// Unicode's Cc, its line and paragraph separators, and what has the property Bidi_Control: it turns the direction of
// the text around it.
bool protocol_utf8_is_control(uint32_t code);

// White space, what has the property Default_Ignorable_Code_Point, marks of annotations, and a Braille cell without a dot.
bool protocol_utf8_is_invisible(uint32_t code);

// Bytes of the mark (EF BB BF) that some programs put before text: 3, or 0 where there is none.
static inline size_t protocol_utf8_mark(const char *data, size_t size)
{
    return size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool protocol_utf8_valid(const char *data, size_t size);

// Are there control characters in valid UTF-8?
bool protocol_utf8_has_control(const char *data, size_t size);

// Says why valid UTF-8 is unfit for a name that people tell things by, in words that follow the name. NULL: it is fit.
const char *protocol_name_flaw(const char *data, size_t size);

// Replaces each control character and each byte that is no UTF-8 with '?', in place and in the same size.
void protocol_utf8_clean(char *data, size_t size);

// Greatest size, at most limit, at which valid UTF-8 can be cut without breaking a character.
size_t protocol_utf8_cut(const char *data, size_t size, size_t limit);

#endif
