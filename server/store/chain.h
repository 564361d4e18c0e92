// Checksums that tie what is stored together.
#ifndef WEFT_STORE_CHAIN_H
#define WEFT_STORE_CHAIN_H

#include "base/hash.h"
#include "store/store.h"

// Before a list's first entry.
uint64_t store_chain_begin(struct base_hash *hash, uint32_t list, uint64_t position);
// Of an entry, over that of the one before.
uint64_t store_chain(struct base_hash *hash, uint64_t before, uint32_t list, const struct store_entry *entry);

// Of an image's row.
struct store_seal {
    uint64_t size, sum, chain, piece_end;
    const uint8_t *runs;
    size_t runs_size;
};
uint64_t store_seal(struct base_hash *hash, uint32_t list, const struct store_image *image,
                    const struct store_seal *row);

#endif
