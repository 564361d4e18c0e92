// Keeps the last inputs of the document for clients that follow it. Simulation thread.
#ifndef WEFT_WORLD_RECORDS_H
#define WEFT_WORLD_RECORDS_H

#include "protocol/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_record {
    uint8_t *bytes; // in canonical form
    size_t size;
};

// Records with the sequences first + 1 … next.
struct world_records {
    struct world_record *items; // a ring: sequence s is at (s - 1) % capacity
    uint32_t capacity;
    uint64_t first, next;
    size_t bytes;
};

void world_records_deinit(struct world_records *records);
// Keeps a copy of packed bytes as the last record. Without room or memory for it none is kept at all, so that
// there is no gap.
void world_records_keep(struct world_records *records, const struct protocol_bytes *bytes);
// Packs the list of `count` records after the sequence `first`, which must all be kept. False if memory runs
// out.
bool world_records_pack(const struct world_records *records, uint64_t first, uint32_t count,
                        struct protocol_bytes *out);

#endif
