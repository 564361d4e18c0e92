// Puts messages into the stream of a list that the caller owns, one after the other, on the caller's thread.
// Each waits for its answer.
#include "store/nats.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum store_nats_answer store_nats_put(struct store_nats_writing *writing, enum store_nats_kind kind,
                                      uint32_t parts, const uint8_t *body, size_t size,
                                      struct store_error *error)
{
    struct store_nats_list *list = writing->list;
    uint8_t *bytes = malloc(STORE_NATS_HEAD_SIZE + size + STORE_NATS_LINK_SIZE);
    if (!bytes) {
        store_fail(error, FAULT_MEMORY, list->list, 0, "no memory for a message");
        return STORE_NATS_SILENT;
    }
    memcpy(bytes + STORE_NATS_HEAD_SIZE, body, size);
    const struct store_nats_head head = {
        kind, parts, writing->epoch, list->position, list->chain, list->link, 0, NULL, 0};
    const uint64_t link =
        store_nats_message_seal(writing->hash, list->list, list->sequence + 1, &head, bytes, size);
    const enum store_nats_answer answer =
        store_nats_link_put(writing->s->link, list->list, kind, list->sequence + 1, bytes,
                            STORE_NATS_HEAD_SIZE + size + STORE_NATS_LINK_SIZE, error);
    if (answer == STORE_NATS_DONE) {
        list->sequence++;
        list->link = link;
    }
    free(bytes);
    return answer;
}

enum store_nats_answer store_nats_put_entries(struct store_nats_writing *writing,
                                              const struct store_entry *entries, uint32_t count,
                                              uint64_t chain_after, struct store_error *error)
{
    struct store_nats_list *list = writing->list;
    const size_t size = STORE_NATS_ENTRIES_HEAD + store_nats_entries_size(entries, count),
                 most = store_nats_link_body_max(writing->s->link);
    uint8_t *body = malloc(size), *out = body ? body + STORE_NATS_ENTRIES_HEAD : NULL;
    enum store_nats_answer answer = body ? STORE_NATS_DONE : STORE_NATS_SILENT;
    if (!body) {
        store_fail(error, FAULT_MEMORY, list->list, 0, "no memory for a message");
        return STORE_NATS_SILENT;
    }
    store_nats_entries_head(body, list->chain, count);
    for (uint32_t i = 0; i < count; i++) {
        out = store_nats_entry_pack(out, &entries[i]);
    }
    uint32_t parts = 0;
    size_t at = 0;
    for (; size - at > most && answer == STORE_NATS_DONE; at += most, parts++) {
        answer = store_nats_put(writing, STORE_NATS_PART, 0, body + at, most, error);
    }
    if (answer == STORE_NATS_DONE) {
        list->position = entries[count - 1].position;
        list->chain = chain_after;
        answer = store_nats_put(writing, STORE_NATS_ENTRIES, parts, body + at, size - at, error);
    }
    free(body);
    return answer;
}

static enum store_nats_answer put_piece(struct store_nats_writing *writing, const struct store_image *image,
                                        uint32_t index, const uint8_t *bytes, size_t size,
                                        struct store_error *error)
{
    const size_t bound = ZSTD_compressBound(size);
    uint8_t *body = malloc(STORE_NATS_PIECE_HEAD + bound);
    const size_t packed = body ? ZSTD_compress(body + STORE_NATS_PIECE_HEAD, bound, bytes, size, 1) : 0;
    enum store_nats_answer answer = STORE_NATS_SILENT;
    if (!body || ZSTD_isError(packed)) {
        store_fail(error, FAULT_MEMORY, writing->list->list, 0, "no memory for an image");
    } else {
        store_nats_piece_head(body,
                              &(struct store_nats_piece){image->position, index, (uint32_t)size, NULL, 0});
        answer = store_nats_put(writing, STORE_NATS_PIECE, 0, body, STORE_NATS_PIECE_HEAD + packed, error);
    }
    free(body);
    return answer;
}

enum store_nats_answer store_nats_put_image(struct store_nats_writing *writing,
                                            const struct store_image *image, const uint8_t *bytes,
                                            size_t size, struct store_error *error)
{
    const struct store_nats_list *list = writing->list;
    uint8_t body[STORE_NATS_IMAGE_SIZE];
    enum store_nats_answer answer = STORE_NATS_DONE;
    base_hash_reset(writing->hash);
    base_hash_bytes(writing->hash, bytes, size);
    struct store_nats_image head = {
        .image = *image,
        .size = size,
        .sum = base_hash_digest(writing->hash),
        .chain = list->chain,
        .first = list->sequence + 1,
        .from = list->sequence + 1,
    };
    for (size_t at = 0; at < size && answer == STORE_NATS_DONE; at += STORE_NATS_PIECE_BYTES) {
        const size_t piece = size - at < STORE_NATS_PIECE_BYTES ? size - at : STORE_NATS_PIECE_BYTES;
        answer = put_piece(writing, image, head.pieces++, bytes + at, piece, error);
    }
    if (answer == STORE_NATS_DONE) {
        store_nats_image_pack(body, &head);
        answer = store_nats_put(writing, STORE_NATS_IMAGE, 0, body, sizeof body, error);
    }
    return answer;
}
