// Knows which pieces an image is made of: their keys, by which equal pieces are found again, and their
// numbers as runs.
#ifndef WEFT_STORE_PIECES_H
#define WEFT_STORE_PIECES_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_KEY_SIZE = 16 };

// Computes the key of a piece from its bytes: two hashes under the store's own key.
void store_piece_key(struct base_hash *hash, const uint8_t store_key[STORE_KEY_SIZE], const uint8_t *bytes,
                     size_t size, uint8_t out[STORE_KEY_SIZE]);

// A table from key to piece.
struct store_known {
    uint8_t key[STORE_KEY_SIZE];
    uint64_t piece;  // its number; 0: an empty place
    uint64_t packed; // bytes of the piece as it is stored
};
struct store_pieces {
    struct store_known *places; // a power of two of them
    size_t room, count;
};
void store_pieces_free(struct store_pieces *pieces);
const struct store_known *store_pieces_find(const struct store_pieces *pieces,
                                            const uint8_t key[STORE_KEY_SIZE]);
// False if memory runs out.
bool store_pieces_add(struct store_pieces *pieces, const struct store_known *known);

// Numbers in order, as pairs of varints: (difference to the end of the run before, zigzag; length).
struct store_runs {
    uint8_t *bytes;
    size_t size, room;
    uint64_t begin, length; // the run that is open; length 0: none
    uint64_t end;           // end of the run before it
};
bool store_runs_add(struct store_runs *runs, uint64_t piece); // false if memory runs out
// Writes the open run. False if memory runs out.
bool store_runs_finish(struct store_runs *runs);

struct store_run_reader {
    const uint8_t *at, *end;
    uint64_t next, left, before;
    bool wrong;
};
// Reads the next number. False at the end, or if the bytes are no runs (`wrong`).
bool store_runs_next(struct store_run_reader *reader, uint64_t *piece);

#endif
