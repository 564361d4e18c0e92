// Cuts bytes where their content says so, so that what is inserted, removed or changed moves no cut but those near it.
// Xia et al., FastCDC (2016): a gear hash of the last bytes, and two masks, for pieces near a size.
#ifndef WEFT_STORE_CUT_H
#define WEFT_STORE_CUT_H

#include <stddef.h>
#include <stdint.h>

enum { STORE_PIECE_MIN = 16384, STORE_PIECE = 65536, STORE_PIECE_MAX = 262144 };

// How many of the bytes are the next piece: all of them if they are few.
size_t store_cut(const uint8_t *bytes, size_t size);

#endif
