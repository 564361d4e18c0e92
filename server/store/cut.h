// Cuts bytes at places that depend on their content alone, so that an insertion, removal or change moves only
// the cuts near it. See Xia et al., FastCDC (2016): a gear hash of the last bytes, and two masks for pieces
// near a wanted size.
#ifndef WEFT_STORE_CUT_H
#define WEFT_STORE_CUT_H

#include <stddef.h>
#include <stdint.h>

enum { STORE_PIECE_MIN = 16384, STORE_PIECE = 65536, STORE_PIECE_MAX = 262144 };

// Returns the size of the next piece. It is all bytes if they are few.
size_t store_cut(const uint8_t *bytes, size_t size);

#endif
