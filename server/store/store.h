// Keeps durable lists. A list has entries, one after another, and now and then an image of what they add up
// to. Bytes are opaque here: their meaning is the caller's business.
//
//     any thread     create, append, image, bin ──queue──▶ the store's thread: all that waits in one transaction
//                                                              │ fsync
//                    on_commit(list, position)  ◀──────────────┘
//     any thread     a reader of its own: entries from a position, images, lists
//
// The position of an entry is its number in the list: 1, 2, … without gaps. A caller that appends says which
// position it expects to write, and under which epoch of the list, because two writers cannot both be right.
// An image has a position: it holds the result of all entries up to there. A list exists as soon as its first
// image is durable; entries wait for that.
//
// What is read is what was written: each entry carries a checksum that is chained to the one before, and
// images and pieces have their own. Bytes that do not fit are reported as damaged, with their place, and
// never returned.
//
// Backends: memory (nothing outlives the process; what is appended counts as durable at once), SQLite (a
// folder; WAL, synchronous = FULL, one connection that writes, on one thread), NATS (streams of brokers,
// which several servers share, and a folder beside them, which is what is read).
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include "base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_buffer;
struct store;
struct store_reader;

enum {
    STORE_LABEL_SIZE = 65,
    STORE_ENTRY_EXTRA = 64, // bytes that an entry takes besides its own, about
};

// Why the store could not do something, and where.
struct store_error {
    struct fault fault; // NOT_FOUND, DAMAGED, BUSY, VERSION, MEMORY or IO
    uint32_t list;      // 0: no list in particular
    uint64_t position;  // 0: no position in particular
    bool passing;       // with IO from brokers: the error may pass by itself, so it is worth asking again
};

// ---------------------------------------------------------------------------------------------------------
// Life

// Which writes make an entry durable, with brokers: both the brokers' and the folder's, or the brokers' alone.
enum store_acks { STORE_ACKS_BOTH, STORE_ACKS_BROKERS };

struct store_options {
    const char *folder; // made if it is not there; NULL: in memory
    // nats://… or tls://… Brokers decide what is in a list, and the folder follows them. NULL: none.
    const char *brokers;
    const char *check; // how brokers are asked whether they sync: nats://… of a system user, or "none"
    // File (PEM) of the authorities that vouch for brokers, with tls://…; NULL: those of the system.
    const char *authorities;
    // Files (PEM) by which brokers know this server, with tls://…; both or neither.
    const char *certificate, *key;
    // Files of users of brokers and check; NULL: the addresses have the user.
    const char *credentials, *check_credentials;
    enum store_acks acks; // with brokers
    uint32_t patience_ms; // how long to wait for brokers that are not up yet, or choose a leader, in ms
    bool follows;   // for a folder beside brokers, which decide: a list whose end is missing is no damage
    bool read_only; // for tools: takes no lock, writes nothing; the folder may be in use
    // Seconds of a list's past that are kept; UINT64_MAX: all. Older entries are deleted, up to an image.
    // Only the time during which the store was open counts here and in bin_seconds: nothing is deleted
    // because somebody has set the wall clock.
    uint64_t keep_seconds;
    // Bytes that are kept, of all lists together. What they need to be opened is kept beyond it.
    uint64_t keep_bytes;
    uint64_t bin_seconds;       // how long a list stays in the bin, from which it can be restored
    uint64_t (*clock_ns)(void); // monotonic clock that counts that time; NULL: the system's
    uint64_t reserve_bytes;     // bytes of the disk that are held for what waits when it is full
    // These are called by the store's thread. on_commit may also be called by the thread that calls
    // store_append, if nothing has to become durable. They must not block, and must not call the store.

    // Entries up to this position are durable.
    void (*on_commit)(void *context, uint32_t list, uint64_t position);
    // The disk is full. What waits, and what is appended from now on, becomes durable within the reserve and
    // no further. All else waits until there is room again, also for the reserve. Called a second time if the
    // reserve was too small (store_pending: stuck). With brokers: they take nothing, and all waits until they
    // do. `text` names what failed.
    void (*on_full)(void *context, bool full, const char *text);
    // Something of the list was refused: another server writes it (its epoch, its position). It will never
    // become durable.
    void (*on_lost)(void *context, uint32_t list, const char *text);
    // An fsync failed: what was written may not be there, and nobody can tell. Nothing can be promised from
    // here on. The process ends after this returns, without a commit.
    void (*on_failure)(void *context, const char *text);
    void *context;
};

// Opens a store. NULL with *error: BUSY (another process holds the folder's lock), VERSION, DAMAGED, IO,
// MEMORY.
struct store *store_open(const struct store_options *options, struct store_error *error);
// Commits all that waits, as long as that makes headway. Then ends the threads. NULL is allowed.
void store_close(struct store *store);
const char *store_kind(const struct store *store); // returns "memory", "sqlite" or "nats"
bool store_lasts(const struct store *store);       // false: what it holds ends with the process
uint32_t store_last_list(struct store *store);     // returns the greatest id that a list ever had here
// Returns an id for a new list, which no list ever had or will have. Each call returns another. 0: there is
// none now.
uint32_t store_list_id(struct store *store);
uint64_t store_bytes(struct store *store); // returns the bytes that it takes, about

// ---------------------------------------------------------------------------------------------------------
// Writing. Any thread, but one at a time for a list. Nothing here waits for a disk, except where stated.
// False: memory ran out, and nothing was taken.

struct store_image {
    uint64_t position; // number of entries that it holds
    uint64_t tick;     // number that grows with the position, to look it up by
    uint64_t hash;     // hash of its content, by its maker
    uint32_t maker;    // version of its maker
    uint64_t at;       // wall clock, in seconds since 1970
};

struct store_entry {
    uint64_t position;
    uint64_t tick;
    uint8_t kind; // for the caller's use
    uint64_t at;  // wall clock, in seconds since 1970
    const uint8_t *bytes;
    size_t size;
};

// Makes a list with the image that it begins with, at position 0. Takes a reference to the bytes. The list's
// epoch is 1.
bool store_create(struct store *store, uint32_t list, const char *label, const struct store_image *image,
                  struct base_buffer *bytes);
// Appends entries that follow one another, at least one. All of them are taken and become durable, or none.
// Their bytes are copied. entries[0].position is the expected one. Ticks must not go back.
bool store_append(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
                  uint32_t count);
// Adds an image, and takes a reference to its bytes. It is cut and packed on a thread of its own, so that
// entries do not wait for it. Entries up to its position must have been appended. It is left out if the list
// has one at that position, or a later one.
bool store_image_add(struct store *store, uint32_t list, const struct store_image *image,
                     struct base_buffer *bytes);
// Sets the label, by which people know the list.
bool store_label(struct store *store, uint32_t list, const char *label);
// Moves the list to the bin. It is deleted for good after bin_seconds.
bool store_bin(struct store *store, uint32_t list);
bool store_unbin(struct store *store, uint32_t list); // takes the list out of the bin
// Makes this server the writer of the list under a later epoch, and returns the epoch. What an earlier epoch
// still appends is refused, also from another server. 0 with *error. Waits until that is durable. Only then
// is it known what the list has: with brokers, another server may have written until now.
uint64_t store_take_over(struct store *store, uint32_t list, struct store_error *error);

// Reads what brokers have of a list that another server writes into the folder, so that little is left for
// store_take_over. Waits for brokers. Does nothing without brokers.
enum fault_code store_fetch(struct store *store, uint32_t list, struct store_error *error);
// Reads what other servers binned and restored into the folder, so that it is found there. Waits for brokers.
// Does nothing without brokers.
enum fault_code store_fetch_bin(struct store *store, struct store_error *error);
// Stops writing the list, so that another server may have it. Waits until what was appended is durable.
enum fault_code store_let_go(struct store *store, uint32_t list, struct store_error *error);

struct store_pending {
    uint64_t durable; // position up to which entries are durable
    size_t bytes;     // bytes of entries that are not durable yet
    // Bytes of entries, with STORE_ENTRY_EXTRA for each, that may follow an image before the next image, so
    // that enough of the past can be deleted for keep_bytes. UINT64_MAX: any number.
    uint64_t image_bytes;
    uint64_t since_ns; // monotonic time when the oldest entry that waits was appended; 0: none waits
    bool full;         // the disk is full, or brokers take nothing
    bool stuck; // the disk is full and the reserve is used up: it is unknown when entries become durable
    bool away;  // brokers take nothing
    bool lost;  // another server writes the list: nothing becomes durable any more
};
// Tells how much of a list waits. Any thread; cheap.
void store_pending(struct store *store, uint32_t list, struct store_pending *out);

struct store_brokers {
    bool connected;
    uint32_t in_flight;     // messages that are not acknowledged, as of a moment ago
    uint64_t waiting_bytes; // bytes of entries that are not durable yet
    uint64_t refused;       // messages that brokers refused
    uint64_t taken,
        lost; // lists that were taken over; lists that another server took, or that are no longer kept
    uint64_t durable;    // appends that became durable
    uint64_t durable_ns; // sum of the times from these appends until they were durable
    uint64_t durable_ns_max;
};
// Gives the state of the connection to brokers, and counts since the store was opened. False if there are no
// brokers. Any thread; cheap.
bool store_brokers(struct store *store, struct store_brokers *out);

// ---------------------------------------------------------------------------------------------------------
// Reading: only what is durable. One thread at a time uses a reader. Each thread has its own.

// Opens a reader. NULL with *error. Any thread.
struct store_reader *store_reader_open(struct store *store, struct store_error *error);
void store_reader_close(struct store_reader *reader); // NULL is allowed

struct store_list {
    uint32_t list;
    uint64_t epoch;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t created_at, binned_at; // seconds since 1970
    uint64_t binned_for;            // seconds that the store was open since the list was binned
    uint64_t first, last;           // entries first + 1 … last are there
    uint64_t first_tick, last_tick; // ticks of the oldest image, and of the last entry
    uint64_t images;
    uint64_t bytes; // bytes of entries and images, about
    // Entries that were durable are missing. store_verify_end reports it, and the list cannot be taken over.
    bool lost;
    uint64_t durable; // with `lost`: position up to which it was durable
};

// Reads all lists by ascending id, binned ones included; *out is malloc'd.
enum fault_code store_lists(struct store_reader *reader, struct store_list **out, uint32_t *count,
                            struct store_error *error);
// Reads one list. NOT_FOUND: there is none.
enum fault_code store_list_find(struct store_reader *reader, uint32_t list, struct store_list *out,
                                struct store_error *error);

// Reads entries after a position, in order, each checked against the one before: at most entries_max, and
// about bytes_max bytes, but at least one. They live in the reader until its next call. *count 0: there are
// no more.
enum fault_code store_read(struct store_reader *reader, uint32_t list, uint64_t after, uint32_t entries_max,
                           size_t bytes_max, const struct store_entry **out, uint32_t *count,
                           struct store_error *error);
// Finds the position of the last entry whose tick is at most `tick`; 0: none.
enum fault_code store_position_at(struct store_reader *reader, uint32_t list, uint64_t tick,
                                  uint64_t *position, struct store_error *error);
// Finds the newest image whose tick and position are at most these. NOT_FOUND: there is none.
enum fault_code store_image_before(struct store_reader *reader, uint32_t list, uint64_t tick,
                                   uint64_t position, struct store_image *out, struct store_error *error);
// Reads all images of a list, by ascending position; *out is malloc'd.
enum fault_code store_images(struct store_reader *reader, uint32_t list, struct store_image **out,
                             uint32_t *count, struct store_error *error);
// Reads the bytes of an image; *out is malloc'd.
enum fault_code store_image_read(struct store_reader *reader, uint32_t list, uint64_t position, uint8_t **out,
                                 size_t *size, struct store_error *error);

// ---------------------------------------------------------------------------------------------------------
// Tools

// Checks everything, and reports each damage (list 0: the folder itself). False if the folder cannot even be
// read.
bool store_verify(struct store_reader *reader,
                  void (*on_damage)(void *context, const struct store_error *damage), void *context,
                  struct store_error *error);
// Checks for what was durable and is missing: the end of the log, and what the folder's mark names. Quick.
bool store_verify_end(struct store_reader *reader,
                      void (*on_damage)(void *context, const struct store_error *damage), void *context,
                      struct store_error *error);
// Copies all that is durable into another folder, which must be empty or not there. The store may be in use.
// on_progress may be NULL; it is told the pages done, of so many.
enum fault_code store_backup(struct store_reader *reader, const char *folder,
                             void (*on_progress)(void *context, uint64_t done, uint64_t of), void *context,
                             struct store_error *error);

#endif
