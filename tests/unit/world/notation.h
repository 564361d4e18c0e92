// MessagePack out of JSON with single quotes, as {'kind': 'rope', 'positions': [0, 0.5, 0]}: a number with a point or an exponent is a
// double, another is an integer. @ stands for bytes that are packed already.
#ifndef WEFT_TESTS_NOTATION_H
#define WEFT_TESTS_NOTATION_H

#include <msgpack.h>

// Packs one value. The text has to be right. packed may be NULL if there is no @ in it.
void notation_pack(msgpack_sbuffer *out, const char *text, const msgpack_sbuffer *packed);

#endif
