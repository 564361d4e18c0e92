// Makes MessagePack from JSON with single quotes, such as {'kind': 'rope', 'positions': [0, 0.5, 0]}. A number with a
// point or an exponent becomes a double, any other an integer. @ stands for bytes that are packed already.
#ifndef WEFT_TESTS_NOTATION_H
#define WEFT_TESTS_NOTATION_H

#include <msgpack.h>

// So a test can give a method's parameters as one readable line. The text is trusted: it comes from the test itself.
//
// Packs one value. The text must be valid. packed may be NULL if there is no @ in it.
void notation_pack(msgpack_sbuffer *out, const char *text, const msgpack_sbuffer *packed);

#endif
