// Puts messages into the stream of a list that the caller owns, one after the other, on the caller's thread.
// Each waits for its answer.
#include "store/nats.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum nt_answer nt_put(struct nt_writing *writing, enum nt_kind kind, uint32_t parts, const uint8_t *body,
                      size_t size, struct store_error *error)
{
    struct nt_list *list = writing->list;
    uint8_t *bytes = malloc(NT_HEAD_SIZE + size + NT_LINK_SIZE);
    if (!bytes) {
        store_fail(error, STORE_MEMORY, list->list, 0, "no memory for a message");
        return NT_SILENT;
    }
    memcpy(bytes + NT_HEAD_SIZE, body, size);
    const struct nt_head head = {kind, parts, writing->epoch, list->position, list->chain, list->link, 0,
                                 NULL, 0};
    const uint64_t link = nt_message_seal(writing->hash, list->list, list->sequence + 1, &head, bytes, size);
    const enum nt_answer answer = nt_link_put(writing->s->link, list->list, kind, list->sequence + 1, bytes,
                                              NT_HEAD_SIZE + size + NT_LINK_SIZE, error);
    if (answer == NT_DONE) {
        list->sequence++;
        list->link = link;
    }
    free(bytes);
    return answer;
}

enum nt_answer nt_put_entries(struct nt_writing *writing, const struct store_entry *entries, uint32_t count,
                              uint64_t chain_after, struct store_error *error)
{
    struct nt_list *list = writing->list;
    const size_t size = NT_ENTRIES_HEAD + nt_entries_size(entries, count),
                 most = nt_link_body_max(writing->s->link);
    uint8_t *body = malloc(size), *out = body ? body + NT_ENTRIES_HEAD : NULL;
    enum nt_answer answer = body ? NT_DONE : NT_SILENT;
    if (!body) {
        store_fail(error, STORE_MEMORY, list->list, 0, "no memory for a message");
        return NT_SILENT;
    }
    nt_entries_head(body, list->chain, count);
    for (uint32_t i = 0; i < count; i++) {
        out = nt_entry_pack(out, &entries[i]);
    }
    uint32_t parts = 0;
    size_t at = 0;
    for (; size - at > most && answer == NT_DONE; at += most, parts++) {
        answer = nt_put(writing, NT_PART, 0, body + at, most, error);
    }
    if (answer == NT_DONE) {
        list->position = entries[count - 1].position;
        list->chain = chain_after;
        answer = nt_put(writing, NT_ENTRIES, parts, body + at, size - at, error);
    }
    free(body);
    return answer;
}

static enum nt_answer put_piece(struct nt_writing *writing, const struct store_image *image, uint32_t index,
                                const uint8_t *bytes, size_t size, struct store_error *error)
{
    const size_t bound = ZSTD_compressBound(size);
    uint8_t *body = malloc(NT_PIECE_HEAD + bound);
    const size_t packed = body ? ZSTD_compress(body + NT_PIECE_HEAD, bound, bytes, size, 1) : 0;
    enum nt_answer answer = NT_SILENT;
    if (!body || ZSTD_isError(packed)) {
        store_fail(error, STORE_MEMORY, writing->list->list, 0, "no memory for an image");
    } else {
        nt_piece_head(body, &(struct nt_piece){image->position, index, (uint32_t)size, NULL, 0});
        answer = nt_put(writing, NT_PIECE, 0, body, NT_PIECE_HEAD + packed, error);
    }
    free(body);
    return answer;
}

enum nt_answer nt_put_image(struct nt_writing *writing, const struct store_image *image, const uint8_t *bytes,
                            size_t size, struct store_error *error)
{
    const struct nt_list *list = writing->list;
    uint8_t body[NT_IMAGE_SIZE];
    enum nt_answer answer = NT_DONE;
    base_hash_reset(writing->hash);
    base_hash_bytes(writing->hash, bytes, size);
    struct nt_image head = {
        .image = *image,
        .size = size,
        .sum = base_hash_digest(writing->hash),
        .chain = list->chain,
        .first = list->sequence + 1,
        .from = list->sequence + 1,
    };
    for (size_t at = 0; at < size && answer == NT_DONE; at += NT_PIECE_BYTES) {
        const size_t piece = size - at < NT_PIECE_BYTES ? size - at : NT_PIECE_BYTES;
        answer = put_piece(writing, image, head.pieces++, bytes + at, piece, error);
    }
    if (answer == NT_DONE) {
        nt_image_pack(body, &head);
        answer = nt_put(writing, NT_IMAGE, 0, body, sizeof body, error);
    }
    return answer;
}
