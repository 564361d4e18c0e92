// What stands in the stream of a list: messages that are each tied to the one before. docs/reference/store.md has the bytes.
//
// Pure functions of bytes: nothing is asked of a broker here.
#ifndef WEFT_STORE_NATS_MESSAGE_H
#define WEFT_STORE_NATS_MESSAGE_H

#include "base/hash.h"
#include "store/store.h"

enum {
    NT_HEAD_SIZE = 40, // before the body
    NT_LINK_SIZE = 8,  // behind it
    NT_ENTRIES_HEAD = 12,
    NT_ENTRY_HEAD = 21,
    NT_PIECE_HEAD = 16,
    NT_IMAGE_SIZE = 84,
    NT_OWNER_SIZE = 128,
    NT_PIECE_BYTES = 262144 // of an image in one piece, before it is packed
};

// What the entries of one message may come to with all its parts, and an image with all its pieces.
#define NT_ENTRIES_BYTES (UINT64_C(1) << 30)
#define NT_IMAGE_BYTES (UINT64_C(1) << 33)

enum nt_kind {
    NT_ENTRIES = 1, // appended together, or several times
    NT_PART,  // the begin of entries that are too long for one message; counts with the entries that follow
    NT_EPOCH, // who writes from here on
    NT_PIECE, // of an image
    NT_IMAGE  // makes its pieces count
};

// Before the body of each.
struct nt_head {
    enum nt_kind kind;
    uint32_t parts;    // of entries: messages directly before this one that begin its body
    uint64_t epoch;    // under which it was written
    uint64_t position; // entries that the list has with it
    uint64_t chain;    // of the entry at that position
    uint64_t before;   // link of the message before
    // Of what was read:
    uint64_t link;
    const uint8_t *body;
    size_t body_size;
};

// Writes the head; the body stands behind it already. Gives the link, which it writes behind the body.
uint64_t nt_message_seal(struct base_hash *hash, uint32_t list, uint64_t sequence, const struct nt_head *head,
                         uint8_t *bytes, size_t body_size);
// False: these bytes are no message of that list at that place in its stream.
bool nt_message_read(struct base_hash *hash, uint32_t list, uint64_t sequence, const uint8_t *bytes,
                     size_t size, struct nt_head *out);

// Bodies ------------------------------------------------------------------------------------------------------

size_t nt_entries_size(const struct store_entry *entries, uint32_t count); // without the head of them all
void nt_entries_head(uint8_t out[NT_ENTRIES_HEAD], uint64_t chain_before, uint32_t count);
uint8_t *nt_entry_pack(uint8_t *out, const struct store_entry *entry); // gives where the next one goes

// Entries of a body, one after another.
struct nt_entries {
    uint64_t chain;    // of the entry before the next
    uint64_t position; // of the next
    uint32_t left;
    const uint8_t *at, *end;
};
bool nt_entries_begin(struct nt_entries *entries, uint64_t position, const uint8_t *body, size_t size);
// False: it is cut off. Chains it.
bool nt_entries_next(struct nt_entries *entries, struct base_hash *hash, uint32_t list,
                     struct store_entry *out);
bool nt_entries_ended(const struct nt_entries *entries); // all were taken, and nothing stands behind them

struct nt_piece {
    uint64_t position; // of the image
    uint32_t index, size;
    const uint8_t *packed;
    size_t packed_size;
};
void nt_piece_head(uint8_t out[NT_PIECE_HEAD], const struct nt_piece *piece);
bool nt_piece_read(const uint8_t *body, size_t size, struct nt_piece *out);

struct nt_image {
    struct store_image image;
    uint64_t size, sum; // of its bytes
    uint64_t chain;     // of the entry at its position
    uint32_t pieces;
    uint64_t first; // sequence of its first piece
    uint64_t from;  // who reads from this sequence on has it and all entries after it
};
void nt_image_pack(uint8_t out[NT_IMAGE_SIZE], const struct nt_image *image);
bool nt_image_read(const uint8_t *body, size_t size, struct nt_image *out);

// Who took a list over, for people: printable ASCII.
bool nt_owner_read(const uint8_t *body, size_t size, char out[NT_OWNER_SIZE]);

#endif
