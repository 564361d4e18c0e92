// Packs and reads messages. All numbers are little-endian.
//
//     0  magic u32 | kind u8 | 0 u8 ×3 | epoch u64 | position u64 | chain u64 | before u64 | body … | link u64
//
// For entries, the number of parts is in the place of the three zero bytes.
#include "store/nats_message.h"

#include "store/chain.h"

#include <string.h>

static const uint32_t magic = 0x31746677; // "wft1"

enum { PARTS_MAX = 0xffffff };

static uint8_t *put(uint8_t *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
    return out + bytes;
}

static uint64_t take(const uint8_t **in, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)(*in)[i] << (8 * i);
    }
    *in += bytes;
    return value;
}

static uint64_t link_of(struct base_hash *hash, uint32_t list, uint64_t sequence, const uint8_t *bytes,
                        size_t size)
{
    base_hash_reset(hash);
    base_hash_u32(hash, list);
    base_hash_u64(hash, sequence);
    base_hash_bytes(hash, bytes, size);
    return base_hash_digest(hash);
}

uint64_t store_nats_message_seal(struct base_hash *hash, uint32_t list, uint64_t sequence,
                                 const struct store_nats_head *head, uint8_t *bytes, size_t body_size)
{
    uint8_t *out = put(bytes, magic, 4);
    out = put(out, head->kind, 1);
    out = put(out, head->parts, 3);
    out = put(out, head->epoch, 8);
    out = put(out, head->position, 8);
    out = put(out, head->chain, 8);
    (void)put(out, head->before, 8);
    const uint64_t link = link_of(hash, list, sequence, bytes, STORE_NATS_HEAD_SIZE + body_size);
    (void)put(bytes + STORE_NATS_HEAD_SIZE + body_size, link, STORE_NATS_LINK_SIZE);
    return link;
}

bool store_nats_message_read(struct base_hash *hash, uint32_t list, uint64_t sequence, const uint8_t *bytes,
                             size_t size, struct store_nats_head *out)
{
    *out = (struct store_nats_head){0};
    if (size < STORE_NATS_HEAD_SIZE + STORE_NATS_LINK_SIZE) {
        return false;
    }
    const uint8_t *in = bytes, *end = bytes + size - STORE_NATS_LINK_SIZE;
    const uint32_t told = (uint32_t)take(&in, 4);
    const uint8_t kind = (uint8_t)take(&in, 1);
    out->parts = (uint32_t)take(&in, 3);
    out->epoch = take(&in, 8);
    out->position = take(&in, 8);
    out->chain = take(&in, 8);
    out->before = take(&in, 8);
    out->body = in;
    out->body_size = size - STORE_NATS_HEAD_SIZE - STORE_NATS_LINK_SIZE;
    out->link = take(&end, STORE_NATS_LINK_SIZE);
    if (told != magic || kind < STORE_NATS_ENTRIES || kind > STORE_NATS_IMAGE ||
        (out->parts > 0 && kind != STORE_NATS_ENTRIES)) {
        return false;
    }
    out->kind = (enum store_nats_kind)kind;
    return out->link == link_of(hash, list, sequence, bytes, size - STORE_NATS_LINK_SIZE);
}

// ---------------------------------------------------------------------------------------------------------
// Entries

size_t store_nats_entries_size(const struct store_entry *entries, uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += STORE_NATS_ENTRY_HEAD + entries[i].size;
    }
    return size;
}

void store_nats_entries_head(uint8_t out[STORE_NATS_ENTRIES_HEAD], uint64_t chain_before, uint32_t count)
{
    out = put(out, chain_before, 8);
    (void)put(out, count, 4);
}

uint8_t *store_nats_entry_pack(uint8_t *out, const struct store_entry *entry)
{
    out = put(out, entry->tick, 8);
    out = put(out, entry->at, 8);
    out = put(out, entry->kind, 1);
    out = put(out, entry->size, 4);
    if (entry->size > 0) {
        memcpy(out, entry->bytes, entry->size);
    }
    return out + entry->size;
}

bool store_nats_entries_begin(struct store_nats_entries *entries, uint64_t position, const uint8_t *body,
                              size_t size)
{
    *entries = (struct store_nats_entries){0};
    if (size < STORE_NATS_ENTRIES_HEAD) {
        return false;
    }
    entries->at = body;
    entries->end = body + size;
    entries->chain = take(&entries->at, 8);
    entries->left = (uint32_t)take(&entries->at, 4);
    entries->position = position - entries->left + 1;
    return entries->left > 0 && entries->left <= position &&
           entries->left <= (size - STORE_NATS_ENTRIES_HEAD) / STORE_NATS_ENTRY_HEAD;
}

bool store_nats_entries_next(struct store_nats_entries *entries, struct base_hash *hash, uint32_t list,
                             struct store_entry *out)
{
    *out = (struct store_entry){.position = entries->position};
    if (entries->left == 0 || entries->end - entries->at < STORE_NATS_ENTRY_HEAD) {
        return false;
    }
    out->tick = take(&entries->at, 8);
    out->at = take(&entries->at, 8);
    out->kind = (uint8_t)take(&entries->at, 1);
    out->size = (size_t)take(&entries->at, 4);
    if (out->size > (size_t)(entries->end - entries->at)) {
        return false;
    }
    out->bytes = entries->at;
    entries->at += out->size;
    entries->left--;
    entries->position++;
    entries->chain = store_chain(hash, entries->chain, list, out);
    return true;
}

bool store_nats_entries_ended(const struct store_nats_entries *entries)
{
    return entries->left == 0 && entries->at == entries->end;
}

// ---------------------------------------------------------------------------------------------------------
// Images

void store_nats_piece_head(uint8_t out[STORE_NATS_PIECE_HEAD], const struct store_nats_piece *piece)
{
    out = put(out, piece->position, 8);
    out = put(out, piece->index, 4);
    (void)put(out, piece->size, 4);
}

bool store_nats_piece_read(const uint8_t *body, size_t size, struct store_nats_piece *out)
{
    *out = (struct store_nats_piece){0};
    if (size < STORE_NATS_PIECE_HEAD) {
        return false;
    }
    const uint8_t *in = body;
    out->position = take(&in, 8);
    out->index = (uint32_t)take(&in, 4);
    out->size = (uint32_t)take(&in, 4);
    out->packed = in;
    out->packed_size = size - STORE_NATS_PIECE_HEAD;
    return out->size > 0 && out->size <= STORE_NATS_PIECE_BYTES;
}

void store_nats_image_pack(uint8_t out[STORE_NATS_IMAGE_SIZE], const struct store_nats_image *image)
{
    out = put(out, image->image.position, 8);
    out = put(out, image->image.tick, 8);
    out = put(out, image->image.hash, 8);
    out = put(out, image->image.maker, 4);
    out = put(out, image->image.at, 8);
    out = put(out, image->size, 8);
    out = put(out, image->sum, 8);
    out = put(out, image->chain, 8);
    out = put(out, image->pieces, 4);
    out = put(out, image->first, 8);
    out = put(out, image->from, 8);
    (void)put(out, 0, 4);
}

bool store_nats_image_read(const uint8_t *body, size_t size, struct store_nats_image *out)
{
    *out = (struct store_nats_image){0};
    if (size != STORE_NATS_IMAGE_SIZE) {
        return false;
    }
    const uint8_t *in = body;
    out->image.position = take(&in, 8);
    out->image.tick = take(&in, 8);
    out->image.hash = take(&in, 8);
    out->image.maker = (uint32_t)take(&in, 4);
    out->image.at = take(&in, 8);
    out->size = take(&in, 8);
    out->sum = take(&in, 8);
    out->chain = take(&in, 8);
    out->pieces = (uint32_t)take(&in, 4);
    out->first = take(&in, 8);
    out->from = take(&in, 8);
    return out->image.position <= INT64_MAX && out->size <= (uint64_t)out->pieces * STORE_NATS_PIECE_BYTES &&
           out->from > 0 && out->from <= out->first;
}

bool store_nats_owner_read(const uint8_t *body, size_t size, char out[STORE_NATS_OWNER_SIZE])
{
    out[0] = 0;
    if (size >= STORE_NATS_OWNER_SIZE) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        out[i] = body[i] >= ' ' && body[i] <= '~' ? (char)body[i] : '?';
    }
    out[size] = 0;
    return true;
}
