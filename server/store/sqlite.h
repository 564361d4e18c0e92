// The backend on SQLite: who does what on which thread.
//
//     any thread        queue.c    takes what is appended into its list's queue
//     the packer        pack.c     cuts an image, leaves out the pieces that the one before it had, packs the others
//     the store's       commit.c   all that waits of entries and a portion of pieces in one transaction (write.c); then a
//                                  checkpoint or a portion of compaction (compact.c), if one is due
//     any thread        read.c     readers with connections of their own
//
// The store's thread alone has the connection that writes.
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

// vfs: the table of file operations; NULL: the system's.
struct store *store_sqlite_open(const struct store_options *options, const char *vfs,
                                struct store_error *error);

enum {
    SQ_BATCH_LISTS = 256,         // in one transaction
    SQ_BATCH_BYTES = 8388608,     // of entries, where they are many
    SQ_BATCH_ENTRIES = 16384,     // the same
    SQ_PORTION_BYTES = 262144,    // of packed pieces in one transaction
    SQ_PORTIONS_WAITING = 4194304 // bytes of pieces that are packed ahead
};

struct sq_entry {
    struct sq_entry *next;
    uint64_t position, tick, at, appended_ns;
    size_t size;
    uint8_t kind;
    bool goes_on; // is not durable without the next
    uint8_t bytes[];
};

// What there is of images of a list, from its oldest to its newest.
struct sq_images {
    uint64_t count;
    uint64_t oldest, next;           // positions
    uint64_t oldest_at;              // s since 1970
    uint64_t oldest_seen, next_seen; // s that the store had seen when they came
    uint64_t newest;
};

struct sq_list {
    uint32_t list;
    // Under the store's mutex.
    uint64_t epoch;
    uint64_t last, durable; // positions
    uint64_t image_last;    // position of the newest image that was given
    struct sq_entry *head, *tail;
    size_t bytes;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t created_at, binned_at;
    uint64_t binned_seen;      // s that the store had seen when it was thrown away
    uint64_t changes, written; // of the row: made, and durable
    bool there;                // its row is
    bool damaged;     // its end cannot be read, or is missing: nothing is added to it, nothing removed
    bool gone;        // for good
    bool forget;      // all of it is to go at once, and then its id may come again
    uint32_t hurried; // images of it for which somebody waits
    bool packing;     // a packer has one of it in its hands
    struct sq_list *forgotten; // the next of the store's
    bool due;                  // in the line of those that have something to be written
    struct sq_list *due_next;
    bool lost; // something was refused, and is to be told
    char lost_text[160];
    // The store's thread's own.
    uint64_t chain;                    // of the entry `durable`
    uint64_t entry_bytes, piece_bytes; // that were ever written
    struct sq_images images;
    bool stuck;                     // what should go cannot be read, and stays
    bool purging;                   // its row is to go
    bool sweep;                     // its row is gone, and the others are to go
    bool trim_entries, trim_pieces; // there may be some from before its oldest image
    uint64_t trimmed;               // pieces up to this one have been looked at
    // The packers' own, of which one at a time has it: pieces of the newest image.
    struct store_pieces pieces;
    bool pieces_known;
};

struct sq_image {
    struct sq_image *next;
    struct sq_list *list;
    bool creates;
    bool hurried;                 // somebody waits for it
    char label[STORE_LABEL_SIZE]; // of the new list
    bool chained;                 // it goes on from another place: chain is that of the entry at its position
    uint64_t chain;
    struct store_image image;
    uint64_t seen; // s that the store had seen when it came
    struct base_buffer *bytes;
    uint64_t size;
    // From a packer on.
    uint64_t sum;
    uint8_t *runs; // of numbers of pieces
    size_t runs_size;
    uint64_t piece_end;
    uint64_t packed; // bytes of all its pieces as they are stored
};

struct sq_piece {
    uint64_t piece;
    uint8_t key[STORE_KEY_SIZE];
    size_t size, packed;
    uint8_t *bytes;
};

// Pieces that are written together; the last portion of an image has the image.
struct sq_portion {
    struct sq_portion *next;
    struct sq_list *list;
    struct sq_image *image; // NULL: more of it comes
    size_t bytes;
    uint32_t count;
    struct sq_piece pieces[];
};

enum { SQ_COMPACT_STATEMENTS = 11, SQ_READ_STATEMENTS = 13 };

enum sq_statement {
    SQ_BEGIN,
    SQ_COMMIT,
    SQ_ROLLBACK,
    SQ_ENTRY,
    SQ_LIST,
    SQ_LIST_UPDATE,
    SQ_LAST_LIST,
    SQ_COMMITS,
    SQ_SEEN,
    SQ_IMAGE,
    SQ_PIECE,
    SQ_CHAIN,
    SQ_STATEMENTS
};

// A list in a transaction.
struct sq_item {
    struct sq_list *list;
    struct sq_entry *to; // the last entry that is taken; NULL: none
    uint64_t changes;    // of its row
    uint64_t epoch;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t binned_at, binned_seen;
    // What comes of it, when it is durable.
    uint64_t chain, position, bytes, entries;
};

struct sqlite_store {
    struct store store;
    struct store_options options; // without the folder's name
    struct store_folder folder;
    uint8_t key[STORE_KEY_SIZE];
    struct store_seen seen;
    struct sq_lost *lost; // as it was opened; NULL: not looked for
    bool running;         // its threads are
    struct base_thread thread, packer, hurried_packer;

    struct base_mutex mutex;
    struct base_cond work;     // for the store's thread
    struct base_cond images;   // for the packers
    struct base_cond progress; // for who waits for a list
    struct sq_list **lists;    // by id
    size_t list_count, list_room;
    struct sq_list *forgotten; // that somebody may still hold
    bool forgets;              // there is one to be forgotten
    struct sq_list *due, *due_last;
    struct sq_image *image, *image_last;       // to be packed
    struct sq_portion *portion, *portion_last; // packed
    size_t portion_bytes;
    int packing; // packers that have an image in their hands
    uint32_t last_list;
    bool full, failed, closing;
    bool stuck; // full, and what waits found no room in the reserve either
    bool told_stuck;
    char trouble[STORE_TEXT_SIZE];
    atomic_uint_fast64_t bytes;

    // The store's thread's own.
    sqlite3 *db;
    sqlite3_stmt *statements[SQ_STATEMENTS];
    struct base_hash *hash;
    struct store_mark mark;
    uint64_t commits;
    uint64_t owed;         // bytes that should go, because others were written while too much is kept
    uint64_t seen_written; // s: what the database says of them
    bool checkpoint_due;
    uint32_t log_pages;
    struct sq_item *items;
    uint32_t item_count;
    uint64_t compacted_ns;
    uint64_t room_sought_ns; // when it last was, while the disk is full
    bool incomplete;         // compaction has more to do at once
    bool shrinks;            // pages that are free are given back
    sqlite3_stmt *compact[SQ_COMPACT_STATEMENTS];

    atomic_uint_fast64_t next_piece;
    sqlite3 *pack_db; // the packers' own
};

// queue.c
struct sq_list *sq_find(struct sqlite_store *s, uint32_t list); // under the mutex; NULL: there is none
bool sq_list_insert(struct sqlite_store *s, struct sq_list *list);
void sq_due(struct sqlite_store *s, struct sq_list *list); // under the mutex
void sq_image_free(struct sq_image *image);
void sq_portion_free(struct sq_portion *portion);
void sq_list_empty(struct sq_list *list); // what waits of it goes
bool sq_create(struct store *store, uint32_t list, const char *label, const struct store_image *image,
               struct base_buffer *bytes);
// A list that is elsewhere already, from an image on; chain is that of the entry at its position.
bool sq_adopt(struct store *store, uint32_t list, const char *label, uint64_t created_at,
              const struct store_image *image, uint64_t chain, struct base_buffer *bytes);
bool sq_append(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
               uint32_t count);
bool sq_image_add(struct store *store, uint32_t list, const struct store_image *image,
                  struct base_buffer *bytes);
// The same, and somebody waits for it.
bool sq_image_hurry(struct store *store, uint32_t list, const struct store_image *image,
                    struct base_buffer *bytes);
bool sq_label(struct store *store, uint32_t list, const char *label);
bool sq_bin(struct store *store, uint32_t list, bool binned);
// The same, thrown away at a time that others have written down (s since 1970); 0: had back. If it has been in the bin since
// then, its time there goes on.
bool sq_bin_at(struct store *store, uint32_t list, uint64_t binned_at);
uint64_t sq_take_over(struct store *store, uint32_t list, struct store_error *error);
// s that the store had seen when the list was thrown away at that time; what it has seen by now, if it does not know of that.
uint64_t sq_binned_seen(struct store *store, uint32_t list, uint64_t binned_at);
const struct store_seen *sq_seen(const struct store *store);
bool sq_drop(struct store *store, uint32_t list); // all of a list goes, soon; its id may come again
// The same, and waits for it, two minutes at most.
enum store_status sq_forget(struct store *store, uint32_t list, struct store_error *error);
void sq_pending(struct store *store, uint32_t list, struct store_pending *out);

// load.c: what is known of lists when it is opened
enum store_status sq_load(struct sqlite_store *s, struct store_error *error);
int sq_images_load(sqlite3 *db, uint32_t list, struct sq_images *out);
struct sq_list *sq_nowhere(struct sqlite_store *s, uint32_t list); // under the mutex: one that is not there

// write.c: what a transaction takes, under the mutex, and the transaction; an SQLite result code
enum store_status sq_write_prepare(struct sqlite_store *s, struct store_error *error);
void sq_gather(struct sqlite_store *s);
struct sq_portion *sq_next_portion(struct sqlite_store *s); // NULL: none can be written now
int sq_write(struct sqlite_store *s, const struct sq_portion *portion);
uint64_t sq_chain_begin(struct sqlite_store *s, const struct sq_image *image); // of a list that it creates

// pack.c, commit.c: threads, with the store as their context
void sq_pack_hurried_run(void *store); // lists with images for which somebody waits
void sq_pack_run(void *store);         // the others
void sq_commit_run(void *store);
// compact.c: one portion, if any is due; an SQLite result code. *did: something was.
int sq_compact(struct sqlite_store *s, bool *did);
int sq_compact_note(struct sqlite_store *s); // writes down how much time was seen
enum store_status sq_compact_prepare(struct sqlite_store *s, struct store_error *error);
void sq_compact_finish(struct sqlite_store *s);

// read.c, verify.c, backup.c
struct sqlite_reader {
    struct store_reader reader;
    struct sqlite_store *store;
    sqlite3 *db;
    uint8_t key[STORE_KEY_SIZE];
    struct base_hash *hash;
    sqlite3_stmt *statements[SQ_READ_STATEMENTS];
    struct store_entry *entries; // of the last store_read; their bytes lie in `bytes`
    uint32_t entry_room;
    uint8_t *bytes;
    size_t bytes_room;
};
struct store_reader *sq_reader_open(struct store *store, struct store_error *error);
void sq_reader_close(struct store_reader *reader);
// s that the store had seen when the first image at that position or a later one came: the one at it is as old, or older.
enum store_status sq_image_seen(struct store_reader *reader, uint32_t list, uint64_t position, uint64_t *seen,
                                struct store_error *error);
// The chain's value at a position where there is an entry or an image.
enum store_status sq_chain(struct store_reader *reader, uint32_t list, uint64_t position, uint64_t *chain,
                           struct store_error *error);
enum store_status sq_lists(struct store_reader *reader, struct store_list **out, uint32_t *count,
                           struct store_error *error);
enum store_status sq_list_find(struct store_reader *reader, uint32_t list, struct store_list *out,
                               struct store_error *error);
enum store_status sq_read(struct store_reader *reader, uint32_t list, uint64_t after, uint32_t entries_max,
                          size_t bytes_max, const struct store_entry **out, uint32_t *count,
                          struct store_error *error);
enum store_status sq_position_at(struct store_reader *reader, uint32_t list, uint64_t tick,
                                 uint64_t *position, struct store_error *error);
enum store_status sq_image_before(struct store_reader *reader, uint32_t list, uint64_t tick,
                                  uint64_t position, struct store_image *out, struct store_error *error);
enum store_status sq_images(struct store_reader *reader, uint32_t list, struct store_image **out,
                            uint32_t *count, struct store_error *error);
enum store_status sq_image_read(struct store_reader *reader, uint32_t list, uint64_t position, uint8_t **out,
                                size_t *size, struct store_error *error);
bool sq_verify_end(struct store_reader *reader,
                   void (*on_damage)(void *context, const struct store_error *damage), void *context,
                   struct store_error *error);
bool sq_verify(struct store_reader *reader,
               void (*on_damage)(void *context, const struct store_error *damage), void *context,
               struct store_error *error);
enum store_status sq_backup(struct store_reader *reader, const char *folder,
                            void (*on_progress)(void *context, uint64_t done, uint64_t of), void *context,
                            struct store_error *error);

#endif
