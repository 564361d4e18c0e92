// Computes the checksums that tie stored things together. `hash` is scratch.
#ifndef WEFT_STORE_CHAIN_H
#define WEFT_STORE_CHAIN_H

#include "base/hash.h"
#include "store/store.h"

// Returns the chain's value before a list's first entry after this position.
uint64_t store_chain_begin(struct base_hash *hash, uint32_t list, uint64_t position);
// Returns the chain's value at an entry; `before` is the value at the entry before it.
uint64_t store_chain(struct base_hash *hash, uint64_t before, uint32_t list, const struct store_entry *entry);

// The fields of an image's row that its seal covers.
struct store_seal {
    uint64_t size, sum, chain, piece_end;
    const uint8_t *runs;
    size_t runs_size;
};
uint64_t store_seal(struct base_hash *hash, uint32_t list, const struct store_image *image,
                    const struct store_seal *row);

#endif
