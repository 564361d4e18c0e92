// The backend on NATS JetStream. A stream for each list decides what is in it. A folder beside the streams,
// with the backend on SQLite, has the same, and readers read that.
//
//     any thread         nats_queue.c   takes what is appended into its list's queue
//     the store's        nats_send.c    publishes what waits, each message with the sequence that it expects to get: the broker
//                                       notices if another server wrote meanwhile. One message of a list is under way at a time
//     the library's      nats_link.c    answers come
//     the store's        nats_send.c    what a broker has acknowledged goes into the folder's store
//     the folder's       nats_queue.c   tells what is durable there as well
//     a caller's         nats_take.c    takes a list over: reads the whole stream into the folder, then sends a message that
//                                       says under which epoch the list is written from here on
//     the same           nats_bin.c     learns what other servers binned and restored
//     the opener's       nats_carry.c   copies lists into streams that the folder had before there were brokers
//                        nats_wait.c    waits for brokers that are not up yet
//
// So the folder is never ahead of the stream: it holds the beginning of the stream, or a broker has lost
// something.
//
// One message of a list is under way at a time. With two, another server's epoch message could take the first
// one's place. The first would be refused, but the second would find just the sequence that it expects, and
// follow the epoch as if it belonged there. One message holds many entries.
//
// A message whose answer does not come, or is a refusal, may be in the stream or not. Then the list is
// unsure: what is at its place in the stream is compared with it, byte by byte. What is there counts as sent,
// what is missing is sent again, and if another server has written there, this server's writing of the list
// ends.
#ifndef WEFT_STORE_NATS_H
#define WEFT_STORE_NATS_H

#include "base/buffer.h"
#include "base/hash.h"
#include "base/thread.h"
#include "store/backend.h"
#include "store/nats_link.h"
#include "store/nats_message.h"
#include "store/seen.h"

// Opens the store. NULL with *error.
struct store *store_nats_open(const struct store_options *options, struct store_error *error);

enum {
    STORE_NATS_WINDOW = 2, // messages of a list that may be made: one is under way, the other waits
    // Messages below which another piece of an image is made, so that entries take turns with pieces.
    STORE_NATS_WINDOW_PIECES = 1,
    STORE_NATS_BATCH_BYTES = 262144, // bytes of entries in one message, if there are many entries
    STORE_NATS_POINTS_MAX = 65536,   // points of a list
    STORE_NATS_IDS = 64              // ids that are asked for at once
};

// Entries that were appended together, until they are durable.
struct store_nats_op {
    struct store_nats_op *next;
    uint64_t first, last; // positions
    uint64_t appended_ns;
    size_t bytes;
    uint32_t count;
    struct store_entry *entries; // With their bytes behind them. NULL: the folder's store has them.
};

struct store_nats_image_op {
    struct store_nats_image_op *next;
    bool creates;
    struct store_image image;
    struct base_buffer *bytes;
    // Fields for sending it.
    struct store_nats_image head;
    size_t sent;    // bytes of it that were sent
    uint64_t begun; // sequence before its first piece
};

// A message that is not acknowledged yet.
struct store_nats_sent {
    struct store_nats_sent *next;
    enum store_nats_kind kind;
    bool acknowledged;
    uint64_t sequence, position;
    uint64_t first_ns, sent_ns;        // when it was sent first, and last
    struct store_nats_op *ops;         // for entries: those in it, up to the one that ends at its position
    struct store_nats_image_op *image; // for the head of an image
    size_t size;
    uint8_t bytes[];
};

// A place for an image: a position after entries that were appended together.
struct store_nats_point {
    uint64_t position, chain;
    uint64_t sequence; // sequence of the message that has the entry at that position, or of its first part
};

// An image that the stream has.
struct store_nats_kept {
    uint64_t position;
    uint64_t seen; // seconds that the folder's store had seen when it came there
    uint64_t from; // messages before this sequence are not needed for it
};

enum store_nats_state {
    STORE_NATS_ELSEWHERE, // this server does not write it
    STORE_NATS_TAKING,    // it is being taken over: the caller of store_take_over owns all of it
    STORE_NATS_OURS,
    STORE_NATS_LOST // this server wrote it, and another does now
};

struct store_nats_list {
    uint32_t list;
    // Fields under the store's mutex.
    enum store_nats_state state;
    uint64_t epoch;
    uint64_t last, durable; // positions
    // Those that are not durable. unsent: the first that is in no message yet.
    struct store_nats_op *head, *unsent, *tail;
    size_t bytes; // bytes of these operations
    struct store_nats_image_op *image, *image_last;
    uint64_t image_position;   // position of the newest image that was given
    struct store_nats_row row; // as it is to be
    // Seconds that the folder's store had seen when it was binned, or when that became known.
    uint64_t binned_seen;
    uint64_t row_change; // value of the store's row_changes when brokers were last told of the row
    bool row_sending;    // brokers are being told of the row
    bool row_changed, creating;
    // New, and not yet known to brokers as a list: nothing of it counts as durable before it is.
    bool unlisted;
    bool wanted;  // to be taken over: it is given up when nothing of it waits
    bool blocked; // brokers have taken nothing of it for a while
    uint64_t created_ns;
    bool refused; // something was refused, and has not been told yet
    char refused_text[160];
    // Fields of the store's thread, or of the caller while the list is being taken over.
    uint64_t local_epoch;
    uint64_t sequence, link;  // of the last message that was made
    uint64_t position, chain; // of the last entry in a message
    struct store_nats_sent *sent, *sent_last;
    uint32_t sent_count, sent_pieces;
    bool unsure;
    uint64_t retry_ns, row_retry_ns;
    uint64_t gap_since_ns;               // since when acknowledged messages have been missing; 0: none are
    struct store_nats_image_op *sending; // image that is under way
    struct store_nats_point *points;     // by ascending position
    uint32_t point_count, point_room;
    struct store_nats_kept *kept; // by ascending position
    uint32_t kept_count, kept_room;
    uint64_t stream_bytes; // bytes of the stream when it was asked last
    bool stream_due;       // the stream is to be asked again, because an image came
};

struct store_nats_heard {
    uint32_t list;
    enum store_nats_answer answer;
    uint64_t sequence;
    char text[160];
};

// How long to wait for brokers while a store is opened.
struct store_nats_patience {
    uint64_t began_ns, until_ns;
    uint64_t told_ns; // when the log told of it last; 0: nothing had to be waited for
};

struct store_nats_store {
    struct store store;
    struct store_options options;
    struct store_nats_patience patience;
    struct store *local;
    const struct store_seen *seen; // seen time of the folder's store
    struct store_nats_link *link;
    struct base_thread thread;
    bool running;
    char owner[STORE_NATS_OWNER_SIZE];

    struct base_mutex mutex;
    struct base_cond work;          // wakes the store's thread
    struct base_cond progress;      // wakes threads that wait for the folder's store
    struct store_nats_list **lists; // by ascending id
    uint32_t list_count, list_room;
    struct store_nats_heard *heard; // answers from brokers
    uint32_t heard_count, heard_room;
    bool unheard; // memory ran out for an answer
    bool due, connected, torn, closing;
    uint64_t torn_ns;
    bool full, gone,
        // The folder's disk is full; no broker can be reached; the caller was told of one of these, or that a
        // list waits.
        told_full;
    char trouble[FAULT_TEXT_SIZE];
    uint64_t row_changes; // how often brokers were told of a row
    // The ids to be given next, and the first of the next lot. 0: there is none.
    uint32_t id, id_end, id_spare;
    bool ids_wanted;
    struct store_brokers counts;

    // Fields of the store's thread.
    struct base_hash *hash;
    struct ZSTD_CCtx_s *zstd;
    uint64_t tended_ns, headway_ns, ids_retry_ns;
};

// From nats_wait.c: waiting for brokers while a store is opened.
void store_nats_patience_begin(struct store_nats_patience *patience, uint32_t ms);
// Whether what failed is to be tried again. If so, it has slept for a moment, and told the log why.
bool store_nats_wait(struct store_nats_patience *patience, const struct store_error *error);
void store_nats_patience_end(
    const struct store_nats_patience *patience); // tells the log that waiting is over

// From nats_queue.c.
struct store_nats_list *store_nats_find(struct store_nats_store *s,
                                        uint32_t list); // NULL: there is none. Under the mutex.
struct store_nats_list *
store_nats_know(struct store_nats_store *s,
                uint32_t list); // Finds a list or makes it. NULL if memory runs out. Under the mutex.
void store_nats_label_set(struct store_nats_row *row, const char *label);
// Takes what brokers say of a list, and tells the folder's store of the bin. Under the mutex.
void store_nats_row_take(struct store_nats_store *s, struct store_nats_list *list,
                         const struct store_nats_row *row);
bool store_nats_bin_is_over(const struct store_nats_store *s,
                            const struct store_nats_list *list); // under the mutex
void store_nats_list_drop(struct store_nats_list *list);         // drops what waits of a list
void store_nats_list_free(struct store_nats_list *list);
void store_nats_image_free(struct store_nats_image_op *op);
// Removes operations up to a position that is durable, and returns how far the list is durable. Under the
// mutex.
uint64_t store_nats_pop(struct store_nats_store *s, struct store_nats_list *list, uint64_t position);
bool store_nats_create(struct store *store, uint32_t list, const char *label, const struct store_image *image,
                       struct base_buffer *bytes);
bool store_nats_append(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
                       uint32_t count);
bool store_nats_image_add(struct store *store, uint32_t list, const struct store_image *image,
                          struct base_buffer *bytes);
bool store_nats_label(struct store *store, uint32_t list, const char *label);
bool store_nats_bin(struct store *store, uint32_t list, bool binned);
void store_nats_pending(struct store *store, uint32_t list, struct store_pending *out);
// Callbacks of the folder's store and of the link. The context is the store.
void store_nats_on_local_commit(void *store, uint32_t list, uint64_t position);
void store_nats_on_local_full(void *store, bool full, const char *text);
void store_nats_on_local_lost(void *store, uint32_t list, const char *text);
void store_nats_on_local_failure(void *store, const char *text);
void store_nats_on_answer(void *store, uint32_t list, uint64_t sequence, enum store_nats_answer answer,
                          const char *text);
void store_nats_on_change(void *store, bool connected);

// From nats_send.c; the store's thread.
void store_nats_hear(struct store_nats_store *s, const struct store_nats_heard *heard);
// Does what a list has to do now.
void store_nats_turn(struct store_nats_store *s, struct store_nats_list *list);
// Ends this server's writing of a list, and tells why.
void store_nats_lose(struct store_nats_store *s, struct store_nats_list *list, const char *text);
void store_nats_note(struct store_nats_store *s, const char *text); // notes why something does not go on
// Tells why nothing goes on, as far as it is known; never empty. Under the mutex.
const char *store_nats_trouble(const struct store_nats_store *s);
// Add a point, and an image that the stream has. False if memory runs out.
bool store_nats_point_add(struct store_nats_list *list, uint64_t position, uint64_t chain, uint64_t sequence);
bool store_nats_kept_add(struct store_nats_list *list, const struct store_nats_image *image, uint64_t seen);

// From nats_bin.c.
enum fault_code store_nats_fetch_bin(struct store *store, struct store_error *error);

// From nats_run.c.
void store_nats_run(void *store);

// From nats_put.c, nats_carry.c, nats_fetch.c and nats_take.c. Any thread; the caller owns the list.
struct store_nats_writing {
    struct store_nats_store *s;
    struct store_nats_list *list;
    struct base_hash *hash;
    uint64_t epoch;
};
// Each puts its messages at the stream's end, or *error says why not. Of a body in parts, some parts may be
// there even then.
enum store_nats_answer store_nats_put(struct store_nats_writing *writing, enum store_nats_kind kind,
                                      uint32_t parts, const uint8_t *body, size_t size,
                                      struct store_error *error);
enum store_nats_answer store_nats_put_entries(struct store_nats_writing *writing,
                                              const struct store_entry *entries, uint32_t count,
                                              uint64_t chain_after, struct store_error *error);
// Puts an image at the position that the list has come to.
enum store_nats_answer store_nats_put_image(struct store_nats_writing *writing,
                                            const struct store_image *image, const uint8_t *bytes,
                                            size_t size, struct store_error *error);
// Copies a list with all of its past into a stream. The folder has the list, and brokers never had it.
enum fault_code store_nats_carry(struct store_nats_store *s, struct store_nats_list *list,
                                 const struct store_list *row, struct store_error *error);
struct store_nats_ends {
    uint64_t epoch;    // epoch under which the stream is written
    uint64_t position; // position up to which the folder has it; may be more than the stream has
};
// Reads the stream into the folder. *ends is set if that succeeds.
enum fault_code store_nats_fetch(struct store_nats_store *s, struct store_nats_list *list,
                                 struct store_nats_ends *ends, struct store_error *error);
uint64_t store_nats_take_over(struct store *store, uint32_t list, struct store_error *error);
enum fault_code store_nats_fetch_list(struct store *store, uint32_t list, struct store_error *error);
enum fault_code store_nats_let_go(struct store *store, uint32_t list, struct store_error *error);

#endif
