// Messages of a list's stream. The first byte says what the rest is:
//
//     0  a message as it comes: no message, but for one in 2^64
//     1  kind, parts, epoch, position, then a body: the message is sealed, read, and its body taken apart
//     2  lengths of entries: packed, and read as they were, with one chain
#include "fuzz.h"

#include "store/chain.h"
#include "store/nats_message.h"

#include <string.h>

enum { LIST = 7, SEQUENCE = 9, ENTRIES_MAX = 64 };

static void take_apart(struct base_hash *hash, const struct store_nats_head *head)
{
    struct store_nats_entries entries;
    struct store_entry entry;
    struct store_nats_piece piece;
    struct store_nats_image image;
    char owner[STORE_NATS_OWNER_SIZE];
    size_t bytes = 0;
    if (store_nats_entries_begin(&entries, head->position, head->body, head->body_size)) {
        uint64_t position = entries.position;
        while (store_nats_entries_next(&entries, hash, LIST, &entry)) {
            FUZZ_ASSERT(entry.position == position && position <= head->position);
            position++;
            bytes += entry.size;
        }
        FUZZ_ASSERT(bytes <= head->body_size);
        FUZZ_ASSERT(!store_nats_entries_ended(&entries) || position == head->position + 1);
    }
    if (store_nats_piece_read(head->body, head->body_size, &piece)) {
        FUZZ_ASSERT(piece.size <= STORE_NATS_PIECE_BYTES && piece.packed_size < head->body_size);
    }
    if (store_nats_image_read(head->body, head->body_size, &image)) {
        uint8_t again[STORE_NATS_IMAGE_SIZE];
        store_nats_image_pack(again, &image);
        FUZZ_ASSERT(memcmp(again, head->body, STORE_NATS_IMAGE_SIZE - 4) == 0);
    }
    if (store_nats_owner_read(head->body, head->body_size, owner)) {
        FUZZ_ASSERT(strlen(owner) == head->body_size);
    }
}

static void seal_and_read(struct base_hash *hash, const uint8_t *data, size_t size)
{
    if (size < 4) {
        return;
    }
    const size_t body_size = size - 4;
    const struct store_nats_head head = {
        (enum store_nats_kind)data[0], data[1], data[2], data[3], 5, 6, 0, NULL, 0};
    uint8_t *bytes = malloc(STORE_NATS_HEAD_SIZE + body_size + STORE_NATS_LINK_SIZE);
    FUZZ_ASSERT(bytes != NULL);
    memcpy(bytes + STORE_NATS_HEAD_SIZE, data + 4, body_size);
    const uint64_t link = store_nats_message_seal(hash, LIST, SEQUENCE, &head, bytes, body_size);
    struct store_nats_head read;
    const bool right = head.kind >= STORE_NATS_ENTRIES && head.kind <= STORE_NATS_IMAGE &&
                       (head.parts == 0 || head.kind == STORE_NATS_ENTRIES);
    const size_t whole = STORE_NATS_HEAD_SIZE + body_size + STORE_NATS_LINK_SIZE;
    FUZZ_ASSERT(store_nats_message_read(hash, LIST, SEQUENCE, bytes, whole, &read) == right);
    if (right) {
        FUZZ_ASSERT(read.link == link && read.parts == head.parts && read.epoch == head.epoch &&
                    read.position == head.position && read.chain == 5 && read.before == 6 &&
                    read.body_size == body_size);
        take_apart(hash, &read);
        FUZZ_ASSERT(!store_nats_message_read(hash, LIST, SEQUENCE + 1, bytes, whole, &read));
        FUZZ_ASSERT(!store_nats_message_read(hash, LIST + 1, SEQUENCE, bytes, whole, &read));
        bytes[(size_t)data[3] % whole] ^= 0x10;
        FUZZ_ASSERT(!store_nats_message_read(hash, LIST, SEQUENCE, bytes, whole, &read));
    }
    free(bytes);
}

static void there_and_back(struct base_hash *hash, const uint8_t *data, size_t size)
{
    struct store_entry entries[ENTRIES_MAX] = {0}, read;
    uint32_t count = 0;
    size_t at = 0;
    while (count < ENTRIES_MAX && at < size) {
        const size_t length = data[at] < size - at ? data[at] : size - at - 1;
        entries[count] = (struct store_entry){100 + count, at, data[at], length, data + at + 1, length};
        at += 1 + length;
        count++;
    }
    if (count == 0) {
        return;
    }
    const size_t body_size = STORE_NATS_ENTRIES_HEAD + store_nats_entries_size(entries, count);
    uint8_t *body = malloc(body_size), *out = body + STORE_NATS_ENTRIES_HEAD;
    FUZZ_ASSERT(body != NULL);
    uint64_t chain = 3;
    store_nats_entries_head(body, chain, count);
    for (uint32_t i = 0; i < count; i++) {
        out = store_nats_entry_pack(out, &entries[i]);
        chain = store_chain(hash, chain, LIST, &entries[i]);
    }
    FUZZ_ASSERT(out == body + body_size);
    struct store_nats_entries taken;
    FUZZ_ASSERT(store_nats_entries_begin(&taken, 100 + count - 1, body, body_size));
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_ASSERT(store_nats_entries_next(&taken, hash, LIST, &read));
        FUZZ_ASSERT(read.position == entries[i].position && read.tick == entries[i].tick &&
                    read.at == entries[i].at && read.kind == entries[i].kind && read.size == entries[i].size);
        FUZZ_ASSERT(read.size == 0 || memcmp(read.bytes, entries[i].bytes, read.size) == 0);
    }
    FUZZ_ASSERT(store_nats_entries_ended(&taken) && taken.chain == chain);
    free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_hash *hash = base_hash_create();
    struct store_nats_head head;
    FUZZ_ASSERT(hash != NULL);
    if (size > 0 && data[0] == 0) {
        (void)store_nats_message_read(hash, LIST, SEQUENCE, data + 1, size - 1, &head);
    } else if (size > 0 && data[0] == 1) {
        seal_and_read(hash, data + 1, size - 1);
    } else if (size > 0) {
        there_and_back(hash, data + 1, size - 1);
    }
    base_hash_destroy(hash);
    return 0;
}
