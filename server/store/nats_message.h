// Packs and reads the messages in the stream of a list. Each is tied to the one before.
// docs/reference/store.md has the bytes.
//
// These are pure functions of bytes: no broker is asked here.
#ifndef WEFT_STORE_NATS_MESSAGE_H
#define WEFT_STORE_NATS_MESSAGE_H

#include "base/hash.h"
#include "store/store.h"

enum {
    STORE_NATS_HEAD_SIZE = 40, // bytes before the body
    STORE_NATS_LINK_SIZE = 8,  // bytes after the body
    STORE_NATS_ENTRIES_HEAD = 12,
    STORE_NATS_ENTRY_HEAD = 21,
    STORE_NATS_PIECE_HEAD = 16,
    STORE_NATS_IMAGE_SIZE = 84,
    STORE_NATS_OWNER_SIZE = 128,
    STORE_NATS_PIECE_BYTES = 262144 // bytes of an image in one piece, before it is packed
};

// Most bytes of the entries of one message with all its parts, and of an image with all its pieces.
#define STORE_NATS_ENTRIES_BYTES (UINT64_C(1) << 30)
#define STORE_NATS_IMAGE_BYTES (UINT64_C(1) << 33)

enum store_nats_kind {
    STORE_NATS_ENTRIES = 1, // entries that were appended in one or several calls
    // The beginning of entries that are too long for one message. It counts with the entries that follow.
    STORE_NATS_PART,
    STORE_NATS_EPOCH, // names the server that writes from here on
    STORE_NATS_PIECE, // a piece of an image
    STORE_NATS_IMAGE  // makes its pieces count
};

// The fields before the body of each message.
struct store_nats_head {
    enum store_nats_kind kind;
    uint32_t parts;    // for entries: number of messages directly before this one that begin its body
    uint64_t epoch;    // epoch under which it was written
    uint64_t position; // number of entries that the list has with it
    uint64_t chain;    // chain's value of the entry at that position
    uint64_t before;   // link of the message before
    // Set when a message is read:
    uint64_t link;
    const uint8_t *body;
    size_t body_size;
};

// Writes the head before a body that is in place, and the link after it. Returns the link.
uint64_t store_nats_message_seal(struct base_hash *hash, uint32_t list, uint64_t sequence,
                                 const struct store_nats_head *head, uint8_t *bytes, size_t body_size);
// Reads a message. False: these bytes are no message of that list at that place in its stream.
bool store_nats_message_read(struct base_hash *hash, uint32_t list, uint64_t sequence, const uint8_t *bytes,
                             size_t size, struct store_nats_head *out);

// Bodies
// -----------------------------------------------------------------------------------------------------

// Returns the bytes of the entries, without the body's head.
size_t store_nats_entries_size(const struct store_entry *entries, uint32_t count);
void store_nats_entries_head(uint8_t out[STORE_NATS_ENTRIES_HEAD], uint64_t chain_before, uint32_t count);
uint8_t *store_nats_entry_pack(uint8_t *out,
                               const struct store_entry *entry); // returns where the next entry goes

// Reads the entries of a body one after another.
struct store_nats_entries {
    uint64_t chain;    // chain's value of the entry before the next
    uint64_t position; // position of the next entry
    uint32_t left;
    const uint8_t *at, *end;
};
bool store_nats_entries_begin(struct store_nats_entries *entries, uint64_t position, const uint8_t *body,
                              size_t size);
// Reads the next entry and chains it. False: it is cut off.
bool store_nats_entries_next(struct store_nats_entries *entries, struct base_hash *hash, uint32_t list,
                             struct store_entry *out);
bool store_nats_entries_ended(
    const struct store_nats_entries *entries); // whether all were read, and nothing follows them

struct store_nats_piece {
    uint64_t position; // position of the image
    uint32_t index, size;
    const uint8_t *packed;
    size_t packed_size;
};
void store_nats_piece_head(uint8_t out[STORE_NATS_PIECE_HEAD], const struct store_nats_piece *piece);
bool store_nats_piece_read(const uint8_t *body, size_t size, struct store_nats_piece *out);

struct store_nats_image {
    struct store_image image;
    uint64_t size, sum; // size and checksum of its bytes
    uint64_t chain;     // chain's value of the entry at its position
    uint32_t pieces;
    uint64_t first; // sequence of its first piece
    uint64_t from;  // messages from this sequence on have the image and all entries after it
};
void store_nats_image_pack(uint8_t out[STORE_NATS_IMAGE_SIZE], const struct store_nats_image *image);
bool store_nats_image_read(const uint8_t *body, size_t size, struct store_nats_image *out);

// Reads which server took a list over, in words for people: printable ASCII.
bool store_nats_owner_read(const uint8_t *body, size_t size, char out[STORE_NATS_OWNER_SIZE]);

#endif
