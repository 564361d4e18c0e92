// Makes MessagePack from JSON with single quotes, such as {'kind': 'rope', 'positions': [0, 0.5, 0]}. A number with a
// point or an exponent becomes a double, any other an integer. @ stands for bytes that are packed already.
//
// So a test gives a method's parameters as one readable line.
#ifndef WEFT_TESTS_NOTATION_H
#define WEFT_TESTS_NOTATION_H

#include <msgpack.h>

// Packs one value. The text must be valid: a mistake in it ends the program. packed holds the bytes for @, and may be
// NULL if the text has no @.
void notation_pack(msgpack_sbuffer *out, const char *text, const msgpack_sbuffer *packed);

#endif
