// Durable lists: of each list its entries, one after another, and now and then an image of what they come to. Bytes are
// opaque here; what is in them, and what makes them, is the caller's business.
//
//     any thread     create, append, image, bin ──queue──▶ the store's thread: all that waits in one transaction
//                                                              │ fsync
//                    on_commit(list, position)  ◀──────────────┘
//     any thread     a reader of its own: entries from a position, images, lists
//
// The position of an entry is how many the list had with it: 1, 2, … without gaps. Who appends says which one it expects
// to write, and under which epoch of the list: two writers cannot both be right. An image stands at a position: it holds
// what all entries up to there came to. A list is there from when its first image is durable; entries wait for that.
//
// What is read is what was written: entries carry a checksum that is chained to the one before, images and their pieces
// one of their own. What does not fit is told as damaged, with where, and never given out.
//
// Backends: memory (nothing outlives the process; what is appended counts as durable at once), SQLite (a folder; WAL,
// synchronous = FULL, one connection that writes, on one thread), NATS (streams of brokers, which several servers share, and
// a folder beside them, which is what is read).
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_buffer;
struct store;
struct store_reader;

enum {
    STORE_LABEL_SIZE = 65,
    STORE_TEXT_SIZE = 512,
    STORE_ENTRY_EXTRA = 64, // bytes that an entry takes besides its own, about
};

enum store_status {
    STORE_OK,
    STORE_NONE,    // there is no such list, entry or image
    STORE_DAMAGED, // what is there is not what was written
    STORE_BUSY,    // another process has the folder
    STORE_VERSION, // made by a later version
    STORE_MEMORY,
    STORE_IO, // the system says so: the text has its words
};

struct store_error {
    enum store_status status;
    uint32_t list;     // 0: none in particular
    uint64_t position; // the same
    bool passing;      // with IO, of brokers: they may come to it by themselves, so it is worth asking again
    char text[STORE_TEXT_SIZE];
};

// ---------------------------------------------------------------------------------------------------------
// Life

// What makes entries durable where there are brokers: they alone, or the folder as well.
enum store_acks { STORE_ACKS_BOTH, STORE_ACKS_BROKERS };

struct store_options {
    const char *folder; // made if it is not there; NULL: in memory
    const char
        *brokers; // nats://… or tls://…, which decide what is in a list; the folder follows them. NULL: none
    const char *check;       // how they are asked whether they sync: nats://… of a system user, or "none"
    const char *authorities; // file (PEM) of who vouches for brokers, with tls://…; NULL: those of the system
    const char *certificate,
        *key; // files (PEM) by which they know who connects, with tls://…; both or neither
    const char *credentials,
        *check_credentials; // files of users of brokers and check; NULL: the addresses say who it is
    enum store_acks acks;   // with brokers
    uint32_t patience_ms;   // that brokers are waited for which are not up yet, or choose who leads
    bool follows;   // of a folder beside brokers, which decide: a list whose end is missing is no damage
    bool read_only; // for tools: takes no lock, writes nothing; the folder may be in use
    // How much of a list's past is kept, UINT64_MAX: all of it. What is older goes, up to an image. Only the time that
    // the store was open counts here and in bin_seconds: nothing goes because somebody has set the wall clock.
    uint64_t keep_seconds;
    uint64_t keep_bytes;  // the same, of all lists together; what they need to be opened is kept beyond it
    uint64_t bin_seconds; // how long a list that was thrown away may be had back
    uint64_t (*clock_ns)(void); // counts that time, and never goes back; NULL: the system's monotonic clock
    uint64_t reserve_bytes;     // of the disk, for what waits when that is full
    // Store's thread, or the caller's of store_append where nothing has to become durable; must not block, and must not
    // call the store.
    void (*on_commit)(void *context, uint32_t list, uint64_t position); // entries up to it are durable
    // The disk is full. What waits, and what is appended yet, becomes durable within the reserve and no further; all else
    // waits until there is room again, the reserve's too. Told a second time if the reserve was too small (store_pending:
    // stuck). Or brokers take nothing: all waits until they do. text names what failed.
    void (*on_full)(void *context, bool full, const char *text);
    // Something of the list's was refused: another writer has it (its epoch, its position). It becomes durable no more.
    void (*on_lost)(void *context, uint32_t list, const char *text);
    // What was written may not be there, and nobody can say: an fsync failed. Nothing can be promised from here on; the
    // process ends after this returns, without a commit.
    void (*on_failure)(void *context, const char *text);
    void *context;
};

// NULL with *error: BUSY (another process holds the folder's lock), VERSION, DAMAGED, IO, MEMORY.
struct store *store_open(const struct store_options *options, struct store_error *error);
// All that waits is committed, for as long as that makes headway; then the threads end. NULL is allowed.
void store_close(struct store *store);
const char *store_kind(const struct store *store); // "memory", "sqlite", "nats"
bool store_lasts(const struct store *store);       // false: what it holds ends with the process
uint32_t store_last_list(struct store *store);     // the greatest id that a list ever had here
// For a new list: an id that none ever had, nor will have; each call gives another. 0: there is none now.
uint32_t store_list_id(struct store *store);
uint64_t store_bytes(struct store *store); // that it takes, about

// ---------------------------------------------------------------------------------------------------------
// Writing. Any thread, but one at a time for a list. Nothing here waits for a disk. False: no memory, nothing was taken.

struct store_image {
    uint64_t position; // entries that it holds
    uint64_t tick;     // a number that grows with the position, to look it up by
    uint64_t hash;     // of what is in it, by who made it
    uint32_t maker;    // which version of that
    uint64_t at;       // wall clock, s since 1970
};

struct store_entry {
    uint64_t position;
    uint64_t tick;
    uint8_t kind; // the caller's
    uint64_t at;  // wall clock, s since 1970
    const uint8_t *bytes;
    size_t size;
};

// A new list, with the image that it begins with (at position 0). A reference of the bytes is taken. Its epoch is 1.
bool store_create(struct store *store, uint32_t list, const char *label, const struct store_image *image,
                  struct base_buffer *bytes);
// Entries behind one another, one at least: all of them are taken, and become durable, or none is. Their bytes are copied;
// entries[0].position is the one expected. Ticks do not go back.
bool store_append(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
                  uint32_t count);
// A reference of the bytes is taken. Taken apart and packed on a thread of its own, so that entries do not wait for it.
// Entries up to its position have been appended. Left out where there is one at that position, or a later one.
bool store_image_add(struct store *store, uint32_t list, const struct store_image *image,
                     struct base_buffer *bytes);
bool store_label(struct store *store, uint32_t list, const char *label);
bool store_bin(struct store *store, uint32_t list);   // thrown away; gone for good after bin_seconds
bool store_unbin(struct store *store, uint32_t list); // had back
// Whoever writes the list from now on does so under a later epoch, which is given; what an earlier one still appends is
// refused, also that of another server. 0 with *error. Waits until that is durable. What the list has is known only then: with
// brokers another server may have written until now.
uint64_t store_take_over(struct store *store, uint32_t list, struct store_error *error);

// What brokers have of a list that another server writes comes into the folder, so that little is left for store_take_over.
// Waits for them; nothing to do where there are none.
enum store_status store_fetch(struct store *store, uint32_t list, struct store_error *error);
// What other servers threw away or had back comes into the folder, so that it is found there. Waits for brokers; nothing to do
// where there are none.
enum store_status store_fetch_bin(struct store *store, struct store_error *error);
// This server writes it no more, and what was appended is durable: another may have it. Waits for that.
enum store_status store_let_go(struct store *store, uint32_t list, struct store_error *error);

struct store_pending {
    uint64_t durable; // position up to which entries are
    size_t bytes;     // of entries that are not yet
    // Of entries after an image, with STORE_ENTRY_EXTRA for each: how many may come before the next image, so that enough of
    // the past can go for keep_bytes. UINT64_MAX: any.
    uint64_t image_bytes;
    uint64_t since_ns; // monotonic: when the first of them was appended; 0: none waits
    bool full;         // the disk is, or brokers take nothing
    bool stuck; // the disk is full, and the reserve is used up: nobody knows when entries become durable
    bool away;  // brokers take nothing
    bool lost;  // somebody else writes the list: nothing becomes durable any more
};
// What of a list is on its way. Any thread; cheap.
void store_pending(struct store *store, uint32_t list, struct store_pending *out);

struct store_brokers {
    bool connected;
    uint32_t in_flight;     // messages that are not acknowledged, as of a moment ago
    uint64_t waiting_bytes; // of entries that are not durable yet
    uint64_t refused;       // messages; brokers said why
    uint64_t taken,
        lost;            // lists that were taken over, and that another server took, or that are kept no more
    uint64_t durable;    // appends that became durable
    uint64_t durable_ns; // from the append until then, of these together
    uint64_t durable_ns_max;
};
// How it stands with brokers, and what happened since the store was opened. False: there are none. Any thread; cheap.
bool store_brokers(struct store *store, struct store_brokers *out);

// ---------------------------------------------------------------------------------------------------------
// Reading: only what is durable. A reader is used by one thread at a time; each has its own.

struct store_reader *store_reader_open(struct store *store, struct store_error *error);
void store_reader_close(struct store_reader *reader); // NULL is allowed

struct store_list {
    uint32_t list;
    uint64_t epoch;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t created_at, binned_at; // s since 1970
    uint64_t binned_for;            // s that the store was open since it was thrown away
    uint64_t first, last;           // entries first + 1 … last are there
    uint64_t first_tick, last_tick; // of the oldest image, and of the last entry
    uint64_t images;
    uint64_t bytes; // of entries and images, about
    bool lost; // what was durable of it is missing: it is told by store_verify_end, and cannot be taken over
    uint64_t durable; // the same: up to which position it was
};

// All lists by id, binned ones included; *out is malloc'd.
enum store_status store_lists(struct store_reader *reader, struct store_list **out, uint32_t *count,
                              struct store_error *error);
enum store_status store_list_find(struct store_reader *reader, uint32_t list, struct store_list *out,
                                  struct store_error *error);

// Entries after a position, in order, each checked against the one before; at most so many, and about so many bytes (one at
// least). They live in the reader until its next call. *count 0: there are no more.
enum store_status store_read(struct store_reader *reader, uint32_t list, uint64_t after, uint32_t entries_max,
                             size_t bytes_max, const struct store_entry **out, uint32_t *count,
                             struct store_error *error);
// The position of the last entry whose tick is at most that; 0: none.
enum store_status store_position_at(struct store_reader *reader, uint32_t list, uint64_t tick,
                                    uint64_t *position, struct store_error *error);
// The newest image whose tick and position are at most those. NONE: there is none.
enum store_status store_image_before(struct store_reader *reader, uint32_t list, uint64_t tick,
                                     uint64_t position, struct store_image *out, struct store_error *error);
// All images of a list, by position; *out is malloc'd.
enum store_status store_images(struct store_reader *reader, uint32_t list, struct store_image **out,
                               uint32_t *count, struct store_error *error);
// The bytes of an image; *out is malloc'd.
enum store_status store_image_read(struct store_reader *reader, uint32_t list, uint64_t position,
                                   uint8_t **out, size_t *size, struct store_error *error);

// ---------------------------------------------------------------------------------------------------------
// Tools

// Looks at everything: each damage is told (list 0: of the folder itself). False if the folder cannot even be read.
bool store_verify(struct store_reader *reader,
                  void (*on_damage)(void *context, const struct store_error *damage), void *context,
                  struct store_error *error);
// The same of what was durable and is not there at all: the end of the log, and what the folder's mark names. Quick.
bool store_verify_end(struct store_reader *reader,
                      void (*on_damage)(void *context, const struct store_error *damage), void *context,
                      struct store_error *error);
// A copy of all that is durable into another folder, which must be empty or not there; the store may be in use.
// on_progress (may be NULL) is told parts of parts.
enum store_status store_backup(struct store_reader *reader, const char *folder,
                               void (*on_progress)(void *context, uint64_t done, uint64_t of), void *context,
                               struct store_error *error);

#endif
