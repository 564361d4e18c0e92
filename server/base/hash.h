// Streaming 64-bit hash (XXH3) of little-endian values: the same on every machine.
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct base_hash;

struct base_hash *base_hash_create(void); // NULL if memory runs out
void base_hash_destroy(struct base_hash *hash);
void base_hash_reset(struct base_hash *hash); // as if nothing had been fed yet
void base_hash_bytes(struct base_hash *hash, const void *data, size_t size);
void base_hash_u32(struct base_hash *hash, uint32_t value);
void base_hash_u64(struct base_hash *hash, uint64_t value);
void base_hash_f32(struct base_hash *hash, float value); // its bits
void base_hash_f64(struct base_hash *hash, double value);
uint64_t base_hash_digest(struct base_hash *hash); // hash of all values so far; more may follow

#endif
