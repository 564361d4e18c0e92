// UTF-8, strictly (RFC 3629): no overlong forms, no surrogates, nothing past U+10FFFF. Texts need no terminating zero.
#ifndef WEFT_PROTOCOL_UTF8_H
#define WEFT_PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Reads the character at text: returns its size in bytes and sets *code to its code point. 0 if the bytes are not a
// character. size is at least 1.
size_t protocol_utf8_character(const void *text, size_t size, uint32_t *code);

// Whether code is a control character: Unicode's category Cc, a line or paragraph separator, or a character with the property
// Bidi_Control, which changes the direction of the text around it.
bool protocol_utf8_is_control(uint32_t code);

// Whether code shows nothing: white space, the property Default_Ignorable_Code_Point, interlinear annotation marks, and the
// Braille cell without dots.
bool protocol_utf8_is_invisible(uint32_t code);

// Size of the byte order mark (EF BB BF) that some programs put before text: 3 if there is one, else 0.
static inline size_t protocol_utf8_mark(const char *data, size_t size)
{
    return size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool protocol_utf8_valid(const char *data, size_t size);

bool protocol_utf8_has_control(const char *data, size_t size); // data is valid UTF-8

// Says why valid UTF-8 is unfit for a name: it has control characters, or nothing visible. The text continues a sentence that
// begins with the name. NULL if it is fit; an empty name is.
const char *protocol_name_flaw(const char *data, size_t size);

// Replaces every byte of a control character or of broken UTF-8 with '?', in place.
void protocol_utf8_clean(char *data, size_t size);

// Makes text that was written into `size` bytes fit for people: cleans it, and ends it in an ellipsis if it is not whole.
void protocol_utf8_finish(char *text, size_t size, bool whole);

// The greatest size, at most limit, to which valid UTF-8 can be cut without breaking a character.
size_t protocol_utf8_cut(const char *data, size_t size, size_t limit);

#endif
