// XXH3-64 over a byte stream. Numbers are fed as little-endian bytes, whatever the machine's order is, so the
// digest depends on the values and their order alone.
#include "base/hash.h"

#include "base/assert.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// Numbers are gathered before they are fed: a call for each would cost more than hashing it.
enum { GATHERED = 1024 };

struct base_hash {
    XXH3_state_t *state; // its own allocation: it must lie on 64 bytes
    size_t used;
    uint8_t gathered[GATHERED];
};

struct base_hash *base_hash_create(void)
{
    struct base_hash *hash = malloc(sizeof *hash);
    if (!hash) {
        return NULL;
    }
    hash->state = XXH3_createState();
    if (!hash->state) {
        free(hash);
        return NULL;
    }
    base_hash_reset(hash);
    return hash;
}

void base_hash_reset(struct base_hash *hash)
{
    XXH_errorcode status = XXH3_64bits_reset(hash->state);
    BASE_ASSERT(status == XXH_OK);
    hash->used = 0;
}

static void feed(struct base_hash *hash, const void *data, size_t size)
{
    if (size > 0) {
        XXH_errorcode status = XXH3_64bits_update(hash->state, data, size);
        BASE_ASSERT(status == XXH_OK);
    }
}

static void flush(struct base_hash *hash)
{
    feed(hash, hash->gathered, hash->used);
    hash->used = 0;
}

// Room for a number.
static uint8_t *room(struct base_hash *hash, size_t size)
{
    if (hash->used + size > GATHERED) {
        flush(hash);
    }
    uint8_t *at = hash->gathered + hash->used;
    hash->used += size;
    return at;
}

void base_hash_destroy(struct base_hash *hash)
{
    if (hash) {
        XXH3_freeState(hash->state);
        free(hash);
    }
}

void base_hash_bytes(struct base_hash *hash, const void *data, size_t size)
{
    flush(hash);
    feed(hash, data, size);
}

void base_hash_u32(struct base_hash *hash, uint32_t value)
{
    uint8_t *bytes = room(hash, sizeof value);
    for (unsigned i = 0; i < sizeof value; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

void base_hash_u64(struct base_hash *hash, uint64_t value)
{
    uint8_t *bytes = room(hash, sizeof value);
    for (unsigned i = 0; i < sizeof value; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

void base_hash_f32(struct base_hash *hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    base_hash_u32(hash, bits);
}

void base_hash_f64(struct base_hash *hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    base_hash_u64(hash, bits);
}

uint64_t base_hash_digest(struct base_hash *hash)
{
    flush(hash);
    return XXH3_64bits_digest(hash->state);
}
