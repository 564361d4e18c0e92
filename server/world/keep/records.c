// Keeps the last records of a world, for clients that follow it (world.records).
//
// The store may have older records: dispatch/past/records.c reads them. Nothing is lost silently: if neither has a
// record, a request for it is told so.
#include "world/keep/records.h"

#include "protocol/bytes.h"
#include "protocol/generated/api.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 65536 };

static void drop_first(struct world_records *records)
{
    struct world_record *first = &records->items[records->first % records->capacity];
    records->bytes -= first->size;
    free(first->bytes);
    records->first++;
}

void world_records_deinit(struct world_records *records)
{
    while (records->first < records->next) {
        drop_first(records);
    }
    free(records->items);
    *records = (struct world_records){0};
}

static bool reserve(struct world_records *records)
{
    const uint64_t count = records->next - records->first;
    if (count < records->capacity) {
        return true;
    }
    if (count == KEPT_MAX) {
        drop_first(records);
        return true;
    }
    const uint32_t capacity = records->capacity > 0 ? 2 * records->capacity : 64;
    struct world_record *grown = malloc(capacity * sizeof *grown);
    if (!grown) {
        return false;
    }
    for (uint64_t i = records->first; records->capacity > 0 && i < records->next; i++) {
        grown[i % capacity] = records->items[i % records->capacity];
    }
    free(records->items);
    records->items = grown;
    records->capacity = capacity;
    return true;
}

void world_records_keep(struct world_records *records, const struct protocol_bytes *bytes)
{
    uint8_t *copy = !bytes->failed && bytes->size <= PROTOCOL_LIMIT_RECORD_BYTES ? malloc(bytes->size) : NULL;
    const bool kept = copy && reserve(records);
    while (records->first < records->next &&
           (!kept || records->bytes + bytes->size > PROTOCOL_LIMIT_RECORD_BYTES)) {
        drop_first(records);
    }
    if (kept) {
        memcpy(copy, bytes->data, bytes->size);
        records->items[records->next % records->capacity] = (struct world_record){copy, bytes->size};
        records->bytes += bytes->size;
    } else {
        free(copy);
        records->first++;
    }
    records->next++;
}

bool world_records_pack(const struct world_records *records, uint64_t first, uint32_t count,
                        struct protocol_bytes *out)
{
    msgpack_packer packer;
    protocol_bytes_clear(out);
    msgpack_packer_init(&packer, out, protocol_bytes_write);
    msgpack_pack_array(&packer, count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct world_record *record = &records->items[i % records->capacity];
        msgpack_pack_bin(&packer, record->size);
        msgpack_pack_bin_body(&packer, record->bytes, record->size);
    }
    return !out->failed;
}
