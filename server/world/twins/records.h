// Keeps the last inputs of the document for clients that follow it. Simulation thread.
#ifndef WEFT_WORLD_RECORDS_H
#define WEFT_WORLD_RECORDS_H

#include "past/past.h"
#include "protocol/bytes.h"
#include "world/world.h"

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
// Records an input that was applied. step may be NULL (journal.h). False: it cannot be kept.
bool world_record(struct world *world, const struct document_edit *edit, const struct world_asker *asker,
                  const struct past_step *step);
// Packs the list of `count` records after the sequence `first`, which must all be kept. False if memory runs
// out.
bool world_records_pack(const struct world_records *records, uint64_t first, uint32_t count,
                        struct protocol_bytes *out);

#endif
