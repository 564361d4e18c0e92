#include "store/chain.h"

uint64_t store_chain_begin(struct base_hash *hash, uint32_t list, uint64_t position)
{
    base_hash_reset(hash);
    base_hash_u32(hash, list);
    base_hash_u64(hash, position);
    return base_hash_digest(hash);
}

uint64_t store_chain(struct base_hash *hash, uint64_t before, uint32_t list, const struct store_entry *entry)
{
    base_hash_reset(hash);
    base_hash_u64(hash, before);
    base_hash_u32(hash, list);
    base_hash_u64(hash, entry->position);
    base_hash_u64(hash, entry->tick);
    base_hash_u32(hash, entry->kind);
    base_hash_u64(hash, entry->at);
    base_hash_u64(hash, entry->size);
    base_hash_bytes(hash, entry->bytes, entry->size);
    return base_hash_digest(hash);
}

uint64_t store_seal(struct base_hash *hash, uint32_t list, const struct store_image *image,
                    const struct store_seal *row)
{
    base_hash_reset(hash);
    base_hash_u32(hash, list);
    base_hash_u64(hash, image->position);
    base_hash_u64(hash, image->tick);
    base_hash_u64(hash, image->hash);
    base_hash_u32(hash, image->maker);
    base_hash_u64(hash, image->at);
    base_hash_u64(hash, row->size);
    base_hash_u64(hash, row->sum);
    base_hash_u64(hash, row->chain);
    base_hash_u64(hash, row->piece_end);
    base_hash_bytes(hash, row->runs, row->runs_size);
    return base_hash_digest(hash);
}
