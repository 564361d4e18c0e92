// MessagePack out of JSON with single quotes, as {'kind': 'rope', 'positions': [0, 0.5, 0]}: a number with a point or an exponent is a
// double, another is an integer. @ stands for bytes that are packed already.
#ifndef WEFT_SIMULATOR_NOTATION_H
#define WEFT_SIMULATOR_NOTATION_H

#include <msgpack.h>

// One value. The text has to be right.
void notation_pack(msgpack_sbuffer *out, const char *text, const msgpack_sbuffer *packed);

#endif
