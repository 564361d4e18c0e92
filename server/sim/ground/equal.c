// Records that are the same, in time that no choice of records can stretch.
//
// A table by hash finds them at once, unless somebody made records that collide: once looks into the table are more
// than a few a record, sorting takes over.

#include "sim/ground/ground.h"
#include "sim/state/state.h"

#include <stdlib.h>

enum { LOOKS_A_RECORD = 8 };

struct records {
    const uint8_t *bytes;
    uint32_t words; // of each
};

static uint32_t word_at(const struct records *records, uint32_t i, uint32_t k)
{
    uint32_t word;
    memcpy(&word, records->bytes + ((size_t)i * records->words + k) * sizeof word, sizeof word);
    return word;
}

static bool same(const struct records *records, uint32_t a, uint32_t b)
{
    size_t size = records->words * sizeof(uint32_t);
    return memcmp(records->bytes + a * size, records->bytes + b * size, size) == 0;
}

static size_t hash_of(const struct records *records, uint32_t i)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < records->words; k++) {
        hash = (hash ^ word_at(records, i, k)) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (size_t)hash;
}

// Open addressing, at most half full. False where looks have run out.
static bool by_hash(const struct records *records, uint32_t count, uint32_t *table, size_t size,
                    uint32_t *first)
{
    uint64_t looks = LOOKS_A_RECORD * ((uint64_t)count + 1);
    memset(table, 0xff, size * sizeof *table);
    for (uint32_t i = 0; i < count; i++) {
        size_t place = hash_of(records, i) & (size - 1);
        while (table[place] != UINT32_MAX && !same(records, table[place], i)) {
            place = (place + 1) & (size - 1);
            if (looks-- == 0) {
                return false;
            }
        }
        if (table[place] == UINT32_MAX) {
            table[place] = i;
        }
        first[i] = table[place];
    }
    return true;
}

// Word after word, the last one first; equal records keep their order.
static bool by_order(const struct records *records, uint32_t count, uint32_t *first)
{
    const size_t room = count > 0 ? count : 1;
    uint64_t *keys = malloc(room * sizeof *keys);
    uint32_t *order = malloc(room * sizeof *order);
    bool done = keys && order;
    for (uint32_t i = 0; done && i < count; i++) {
        order[i] = i;
    }
    for (uint32_t k = records->words; done && k > 0; k--) {
        for (uint32_t i = 0; i < count; i++) {
            keys[i] = word_at(records, order[i], k - 1);
        }
        done = sim_sort(keys, order, count);
    }
    for (uint32_t i = 0, begin = 0; done && i < count; i++) {
        begin = same(records, order[begin], order[i]) ? begin : i;
        first[order[i]] = order[begin];
    }
    free(keys);
    free(order);
    return done;
}

bool sim_first_equal(const void *bytes, size_t record_size, uint32_t count, uint32_t *first)
{
    struct records records = {bytes, (uint32_t)(record_size / sizeof(uint32_t))};
    size_t size = 16;
    while (size < 2 * (uint64_t)count) {
        size *= 2;
    }
    uint32_t *table = malloc(size * sizeof *table);
    bool done = table && by_hash(&records, count, table, size, first);
    bool collide = table && !done;
    free(table);
    return done || (collide && by_order(&records, count, first));
}
