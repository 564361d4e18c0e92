// The backend on SQLite, and which thread does what:
//
//     any thread        queue.c    takes what is appended into its list's queue
//     the packer        pack.c     cuts an image, leaves out the pieces that the one before it had, packs the others
//     the store's       commit.c   writes all entries that wait and a portion of pieces in one transaction
//                                  (write.c); then does a checkpoint or a portion of compaction (compact.c),
//                                  if one is due
//     any thread        read.c     readers with connections of their own
//
// Only the store's thread has the connection that writes.
#ifndef WEFT_STORE_SQLITE_H
#define WEFT_STORE_SQLITE_H

#include "base/buffer.h"
#include "base/hash.h"
#include "base/thread.h"
#include "store/backend.h"
#include "store/cut.h"
#include "store/db.h"
#include "store/folder.h"
#include "store/lost.h"
#include "store/pieces.h"
#include "store/seen.h"

#include <stdatomic.h>

// Opens the store. vfs is the table of file operations; NULL: the system's.
struct store *store_sqlite_open(const struct store_options *options, const char *vfs,
                                struct store_error *error);

enum {
    STORE_SQLITE_BATCH_LISTS = 256,         // lists in one transaction
    STORE_SQLITE_BATCH_BYTES = 8388608,     // bytes of entries in one transaction, if there are many
    STORE_SQLITE_BATCH_ENTRIES = 16384,     // entries in one transaction, if there are many
    STORE_SQLITE_PORTION_BYTES = 262144,    // bytes of packed pieces in one transaction
    STORE_SQLITE_PORTIONS_WAITING = 4194304 // bytes of pieces that are packed ahead
};

struct store_sqlite_entry {
    struct store_sqlite_entry *next;
    uint64_t position, tick, at, appended_ns;
    size_t size;
    uint8_t kind;
    bool goes_on; // is not durable without the next entry
    uint8_t bytes[];
};

// The images of a list, from its oldest to its newest.
struct store_sqlite_images {
    uint64_t count;
    uint64_t oldest, next;           // positions
    uint64_t oldest_at;              // seconds since 1970
    uint64_t oldest_seen, next_seen; // seconds that the store had seen when they came
    uint64_t newest;
};

struct store_sqlite_list {
    uint32_t list;
    // Fields under the store's mutex.
    uint64_t epoch;
    uint64_t last, durable; // positions
    uint64_t image_last;    // position of the newest image that was given
    struct store_sqlite_entry *head, *tail;
    size_t bytes;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t created_at, binned_at;
    uint64_t binned_seen;      // seconds that the store had seen when the list was binned
    uint64_t changes, written; // changes of the row that were made, and that are durable
    bool there;                // its row is there
    bool damaged;              // its end cannot be read, or is missing: nothing is added to it or removed
    bool gone;                 // deleted for good
    bool forget;               // All of it is to be deleted at once. Then its id may come again.
    uint32_t hurried;          // number of its images for which a caller waits
    bool packing;              // a packer has one of its images in hand
    struct store_sqlite_list *forgotten; // next in the store's list of forgotten ones
    bool due;                            // in the line of lists that have something to be written
    struct store_sqlite_list *due_next;
    bool lost; // something was refused, and has not been told yet
    char lost_text[160];
    // Fields of the store's thread.
    uint64_t chain;                    // chain's value at the entry `durable`
    uint64_t entry_bytes, piece_bytes; // bytes that were ever written to it
    struct store_sqlite_images images;
    bool stuck;                     // what should be deleted cannot be read, and stays
    bool purging;                   // its row is to be deleted
    bool sweep;                     // its row is deleted, and its other rows are to be
    bool trim_entries, trim_pieces; // there may be some from before its oldest image
    uint64_t trimmed;               // pieces up to this one have been looked at
    // Fields of the packers, one of which has the list at a time: pieces of the newest image.
    struct store_pieces pieces;
    bool pieces_known;
};

struct store_sqlite_image {
    struct store_sqlite_image *next;
    struct store_sqlite_list *list;
    bool creates;
    bool hurried;                 // a caller waits for it
    char label[STORE_LABEL_SIZE]; // label of the new list
    // The list goes on from another place. `chain` is the chain's value at the image's position.
    bool chained;
    uint64_t chain;
    struct store_image image;
    uint64_t seen; // seconds that the store had seen when it came
    struct base_buffer *bytes;
    uint64_t size;
    // Set by a packer:
    uint64_t sum;
    uint8_t *runs; // runs of its pieces' numbers
    size_t runs_size;
    uint64_t piece_end;
    uint64_t packed; // bytes of all its pieces as they are stored
};

struct store_sqlite_piece {
    uint64_t piece;
    uint8_t key[STORE_KEY_SIZE];
    size_t size, packed;
    uint8_t *bytes;
};

// Pieces that are written together. The last portion of an image has the image.
struct store_sqlite_portion {
    struct store_sqlite_portion *next;
    struct store_sqlite_list *list;
    struct store_sqlite_image *image; // NULL: more of the image comes
    size_t bytes;
    uint32_t count;
    struct store_sqlite_piece pieces[];
};

enum { STORE_SQLITE_COMPACT_STATEMENTS = 11, STORE_SQLITE_READ_STATEMENTS = 13 };

enum store_sqlite_statement {
    STORE_SQLITE_BEGIN,
    STORE_SQLITE_COMMIT,
    STORE_SQLITE_ROLLBACK,
    STORE_SQLITE_ENTRY,
    STORE_SQLITE_LIST,
    STORE_SQLITE_LIST_UPDATE,
    STORE_SQLITE_LAST_LIST,
    STORE_SQLITE_COMMITS,
    STORE_SQLITE_SEEN,
    STORE_SQLITE_IMAGE,
    STORE_SQLITE_PIECE,
    STORE_SQLITE_CHAIN,
    STORE_SQLITE_STATEMENTS
};

// A list in a transaction.
struct store_sqlite_item {
    struct store_sqlite_list *list;
    struct store_sqlite_entry *to; // last entry that is taken; NULL: none
    uint64_t changes;              // value of the list's `changes`
    uint64_t epoch;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t binned_at, binned_seen;
    // Results for when it is durable.
    uint64_t chain, position, bytes, entries;
};

struct sqlite_store {
    struct store store;
    struct store_options options; // without the folder's name
    struct store_folder folder;
    uint8_t key[STORE_KEY_SIZE];
    struct store_seen seen;
    struct store_sqlite_lost *lost; // what was lost when it was opened; NULL: not looked for
    bool running;                   // its threads run
    struct base_thread thread, packer, hurried_packer;

    struct base_mutex mutex;
    struct base_cond work;            // wakes the store's thread
    struct base_cond images;          // wakes the packers
    struct base_cond progress;        // wakes threads that wait for a list
    struct store_sqlite_list **lists; // by ascending id
    size_t list_count, list_room;
    struct store_sqlite_list *forgotten; // lists that a thread may still hold
    bool forgets;                        // a list is to be forgotten
    struct store_sqlite_list *due, *due_last;
    struct store_sqlite_image *image, *image_last;       // to be packed
    struct store_sqlite_portion *portion, *portion_last; // packed, to be written
    size_t portion_bytes;
    int packing; // number of packers that have an image in hand
    uint32_t last_list;
    bool full, failed, closing;
    bool stuck; // full, and what waits found no room in the reserve either
    bool told_stuck;
    char trouble[FAULT_TEXT_SIZE];
    atomic_uint_fast64_t bytes;

    // Fields of the store's thread.
    sqlite3 *db;
    sqlite3_stmt *statements[STORE_SQLITE_STATEMENTS];
    struct base_hash *hash;
    struct store_mark mark;
    uint64_t commits;
    uint64_t owed;         // bytes that should be deleted, because others were written while too much is kept
    uint64_t seen_written; // seconds seen, as the database says
    bool checkpoint_due;
    uint32_t log_pages;
    struct store_sqlite_item *items;
    uint32_t item_count;
    uint64_t compacted_ns;
    uint64_t room_sought_ns; // when it last tried for room, while the disk is full
    bool incomplete;         // compaction has more to do at once
    bool shrinks;            // free pages are being given back
    sqlite3_stmt *compact[STORE_SQLITE_COMPACT_STATEMENTS];

    atomic_uint_fast64_t next_piece;
    sqlite3 *pack_db; // belongs to the packers
};

// From queue.c.
struct store_sqlite_list *store_sqlite_find(struct sqlite_store *s,
                                            uint32_t list); // NULL: there is none. Under the mutex.
// Adds a list under its id. False if memory runs out.
bool store_sqlite_list_insert(struct sqlite_store *s, struct store_sqlite_list *list);
void store_sqlite_due(struct sqlite_store *s, struct store_sqlite_list *list); // under the mutex
void store_sqlite_image_free(struct store_sqlite_image *image);
void store_sqlite_portion_free(struct store_sqlite_portion *portion);
void store_sqlite_list_empty(struct store_sqlite_list *list); // drops what waits of a list
bool store_sqlite_create(struct store *store, uint32_t list, const char *label,
                         const struct store_image *image, struct base_buffer *bytes);
// Makes a list that is already elsewhere, from an image on. `chain` is the chain's value at the image's
// position.
bool store_sqlite_adopt(struct store *store, uint32_t list, const char *label, uint64_t created_at,
                        const struct store_image *image, uint64_t chain, struct base_buffer *bytes);
bool store_sqlite_append(struct store *store, uint32_t list, uint64_t epoch,
                         const struct store_entry *entries, uint32_t count);
bool store_sqlite_image_add(struct store *store, uint32_t list, const struct store_image *image,
                            struct base_buffer *bytes);
// Does the same as store_sqlite_image_add for a caller that waits for the image.
bool store_sqlite_image_hurry(struct store *store, uint32_t list, const struct store_image *image,
                              struct base_buffer *bytes);
bool store_sqlite_label(struct store *store, uint32_t list, const char *label);
bool store_sqlite_bin(struct store *store, uint32_t list, bool binned);
// Sets the bin as another server has written it: binned_at is in seconds since 1970; 0: restored. If the list
// has been in the bin since that time, its time there goes on.
bool store_sqlite_bin_at(struct store *store, uint32_t list, uint64_t binned_at);
uint64_t store_sqlite_take_over(struct store *store, uint32_t list, struct store_error *error);
// Returns the seconds that the store had seen when the list was binned at that time. If it does not know of
// that, the seconds that it has seen by now.
uint64_t store_sqlite_binned_seen(struct store *store, uint32_t list, uint64_t binned_at);
const struct store_seen *store_sqlite_seen(const struct store *store);
bool store_sqlite_drop(struct store *store,
                       uint32_t list); // Deletes all of a list soon. Its id may come again.
// Does the same, and waits for it, two minutes at most.
enum fault_code store_sqlite_forget(struct store *store, uint32_t list, struct store_error *error);
void store_sqlite_pending(struct store *store, uint32_t list, struct store_pending *out);

// From load.c: what is known of lists when the store is opened.
enum fault_code store_sqlite_load(struct sqlite_store *s, struct store_error *error);
// Reads what there is of images of a list. Returns an SQLite result code.
int store_sqlite_images_load(sqlite3 *db, uint32_t list, struct store_sqlite_images *out);
// Returns a list that is not there, to say so of it. Under the mutex.
struct store_sqlite_list *store_sqlite_nowhere(struct sqlite_store *s, uint32_t list);

// From write.c: gathers what a transaction takes, under the mutex, and runs the transaction. Returns an
// SQLite result code.
enum fault_code store_sqlite_write_prepare(struct sqlite_store *s, struct store_error *error);
void store_sqlite_gather(struct sqlite_store *s);
struct store_sqlite_portion *
store_sqlite_next_portion(struct sqlite_store *s); // NULL: none can be written now
int store_sqlite_write(struct sqlite_store *s, const struct store_sqlite_portion *portion);
// For a list that the image creates.
uint64_t store_sqlite_chain_begin(struct sqlite_store *s, const struct store_sqlite_image *image);

// From pack.c and commit.c: threads, with the store as their context.
void store_sqlite_pack_hurried_run(void *store); // packs images for which a caller waits
void store_sqlite_pack_run(void *store);         // packs the others
void store_sqlite_commit_run(void *store);
// From compact.c: does one portion, if any is due. Returns an SQLite result code. *did: something was done.
int store_sqlite_compact(struct sqlite_store *s, bool *did);
int store_sqlite_compact_note(struct sqlite_store *s); // writes down how much time was seen
enum fault_code store_sqlite_compact_prepare(struct sqlite_store *s, struct store_error *error);
void store_sqlite_compact_finish(struct sqlite_store *s);

// From read.c, verify.c and backup.c.
struct sqlite_reader {
    struct store_reader reader;
    struct sqlite_store *store;
    sqlite3 *db;
    uint8_t key[STORE_KEY_SIZE];
    struct base_hash *hash;
    sqlite3_stmt *statements[STORE_SQLITE_READ_STATEMENTS];
    struct store_entry *entries; // entries of the last store_read; their bytes are in `bytes`
    uint32_t entry_room;
    uint8_t *bytes;
    size_t bytes_room;
};
struct store_reader *store_sqlite_reader_open(struct store *store, struct store_error *error);
void store_sqlite_reader_close(struct store_reader *reader);
// Reads the seconds that the store had seen when the first image at that position or a later one came. The
// image at the position itself is as old, or older.
enum fault_code store_sqlite_image_seen(struct store_reader *reader, uint32_t list, uint64_t position,
                                        uint64_t *seen, struct store_error *error);
// Reads the chain's value at a position that has an entry or an image.
enum fault_code store_sqlite_chain(struct store_reader *reader, uint32_t list, uint64_t position,
                                   uint64_t *chain, struct store_error *error);
enum fault_code store_sqlite_lists(struct store_reader *reader, struct store_list **out, uint32_t *count,
                                   struct store_error *error);
enum fault_code store_sqlite_list_find(struct store_reader *reader, uint32_t list, struct store_list *out,
                                       struct store_error *error);
enum fault_code store_sqlite_read(struct store_reader *reader, uint32_t list, uint64_t after,
                                  uint32_t entries_max, size_t bytes_max, const struct store_entry **out,
                                  uint32_t *count, struct store_error *error);
enum fault_code store_sqlite_position_at(struct store_reader *reader, uint32_t list, uint64_t tick,
                                         uint64_t *position, struct store_error *error);
enum fault_code store_sqlite_image_before(struct store_reader *reader, uint32_t list, uint64_t tick,
                                          uint64_t position, struct store_image *out,
                                          struct store_error *error);
enum fault_code store_sqlite_images(struct store_reader *reader, uint32_t list, struct store_image **out,
                                    uint32_t *count, struct store_error *error);
enum fault_code store_sqlite_image_read(struct store_reader *reader, uint32_t list, uint64_t position,
                                        uint8_t **out, size_t *size, struct store_error *error);
bool store_sqlite_verify_end(struct store_reader *reader,
                             void (*on_damage)(void *context, const struct store_error *damage),
                             void *context, struct store_error *error);
bool store_sqlite_verify(struct store_reader *reader,
                         void (*on_damage)(void *context, const struct store_error *damage), void *context,
                         struct store_error *error);
enum fault_code store_sqlite_backup(struct store_reader *reader, const char *folder,
                                    void (*on_progress)(void *context, uint64_t done, uint64_t of),
                                    void *context, struct store_error *error);

#endif
