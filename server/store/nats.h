// The backend on NATS JetStream: a stream for each list decides what is in it, and a folder beside it, as of the backend on
// SQLite, has the same and is what readers read.
//
//     any thread         nats_queue.c   takes what is appended into its list's queue
//     the store's        nats_send.c    publishes what waits, each message with the sequence that it expects to get: whoever
//                                       else wrote meanwhile is noticed by the broker. One of a list is under way at a time
//     the library's      nats_link.c    answers come
//     the store's        nats_send.c    what a broker has acknowledged goes into the folder's store
//     the folder's       nats_queue.c   what is durable there as well is told
//     a caller's         nats_take.c    taking over: all that the stream has into the folder, then a message that says under
//                                       which epoch the list is written from here on
//     the same           nats_bin.c     what other servers threw away and had back
//     who opens it       nats_carry.c   lists that the folder had before there were brokers, into streams
//                        nats_wait.c    with patience, for brokers that are not up yet
//
// So the folder never has what the stream has not: what it holds is the begin of the stream, or a broker has lost something.
//
// Were there two, an epoch's message of another server could take the first one's place; the first is refused then, but the second
// finds just the sequence that it expects, and stands behind the epoch as if it belonged there. Entries are many in one message.
//
// A message whose answer does not come, or is a refusal, may be in the stream or not. Then the list is unsure: what stands at
// its place in the stream is held against it, byte by byte. What is there is there, what is not is sent again, and what
// somebody else has written there ends this server's writing of the list.
#ifndef WEFT_STORE_NATS_H
#define WEFT_STORE_NATS_H

#include "base/buffer.h"
#include "base/hash.h"
#include "base/thread.h"
#include "store/backend.h"
#include "store/nats_link.h"
#include "store/nats_message.h"
#include "store/seen.h"

// NULL with *error.
struct store *store_nats_open(const struct store_options *options, struct store_error *error);

enum {
    NT_WINDOW = 2,           // messages of a list that are made: one is under way, others wait for it
    NT_WINDOW_PIECES = 1,    // of them, before another piece of an image: entries take turns with these
    NT_BATCH_BYTES = 262144, // of entries in one message, where they are many
    NT_POINTS_MAX = 65536,   // of a list
    NT_IDS = 64              // asked for at once
};

// What was appended together, until it is durable.
struct nt_op {
    struct nt_op *next;
    uint64_t first, last; // positions
    uint64_t appended_ns;
    size_t bytes;
    uint32_t count;
    struct store_entry *entries; // with their bytes behind them; NULL: the folder's store has them
};

struct nt_image_op {
    struct nt_image_op *next;
    bool creates;
    struct store_image image;
    struct base_buffer *bytes;
    // While it is sent.
    struct nt_image head;
    size_t sent;    // bytes of it
    uint64_t begun; // sequence before its first piece
};

// A message that is not acknowledged yet.
struct nt_sent {
    struct nt_sent *next;
    enum nt_kind kind;
    bool acknowledged;
    uint64_t sequence, position;
    uint64_t first_ns, sent_ns; // first, and last
    struct nt_op *ops;          // of entries: those that are in it, to the one that ends at its position
    struct nt_image_op *image;  // of an image's head
    size_t size;
    uint8_t bytes[];
};

// Where an image may stand: after what was appended together.
struct nt_point {
    uint64_t position, chain;
    uint64_t sequence; // of the message that has the entry at that position, or of its first part
};

// An image that the stream has.
struct nt_kept {
    uint64_t position;
    uint64_t seen; // s that the folder's store had seen when it came there
    uint64_t from; // what is before this sequence is not needed for it
};

enum nt_state {
    NT_ELSEWHERE, // nobody writes it from here
    NT_TAKING,    // it is being taken over: all of it is the caller's of store_take_over
    NT_OURS,
    NT_LOST // it was, and somebody else writes it
};

struct nt_list {
    uint32_t list;
    // Under the store's mutex.
    enum nt_state state;
    uint64_t epoch;
    uint64_t last, durable;             // positions
    struct nt_op *head, *unsent, *tail; // not durable; the first that no message has yet
    size_t bytes;                       // of those
    struct nt_image_op *image, *image_last;
    uint64_t image_position; // of the newest that was given
    struct nt_row row;       // as it is to be
    uint64_t binned_seen; // s that the folder's store had seen when it was thrown away, or that became known
    uint64_t row_change;  // the store's count of them when brokers were last told of the row
    bool row_sending;     // they are being told
    bool row_changed, creating;
    bool unlisted; // new, and not known to brokers as a list: nothing is promised of it before it is
    bool wanted;   // to be taken over: once nothing waits of it, it is given up
    bool blocked;  // brokers have taken nothing of it for a while
    uint64_t created_ns;
    bool refused; // something was, and is to be told
    char refused_text[160];
    // The store's thread's own, or the caller's while it is being taken over.
    uint64_t local_epoch;
    uint64_t sequence, link;  // of the last message that was made
    uint64_t position, chain; // of the last entry in one
    struct nt_sent *sent, *sent_last;
    uint32_t sent_count, sent_pieces;
    bool unsure;
    uint64_t retry_ns, row_retry_ns;
    uint64_t gap_since_ns;       // that something is missing which was acknowledged; 0: nothing is
    struct nt_image_op *sending; // an image that is under way
    struct nt_point *points;     // by position
    uint32_t point_count, point_room;
    struct nt_kept *kept; // by position
    uint32_t kept_count, kept_room;
    uint64_t stream_bytes; // as of when it was last asked
    bool stream_due;       // it is to be asked again: an image came
};

struct nt_heard {
    uint32_t list;
    enum nt_answer answer;
    uint64_t sequence;
    char text[160];
};

// For what passes while a store is opened.
struct nt_patience {
    uint64_t began_ns, until_ns;
    uint64_t told_ns; // in the log; 0: nothing had to be waited for
};

struct nt_store {
    struct store store;
    struct store_options options;
    struct nt_patience patience;
    struct store *local;
    const struct store_seen *seen; // the folder's
    struct nt_link *link;
    struct base_thread thread;
    bool running;
    char owner[NT_OWNER_SIZE];

    struct base_mutex mutex;
    struct base_cond work;     // for the store's thread
    struct base_cond progress; // for who waits for the folder's store
    struct nt_list **lists;    // by id
    uint32_t list_count, list_room;
    struct nt_heard *heard; // answers
    uint32_t heard_count, heard_room;
    bool unheard; // there was no memory for one
    bool due, connected, torn, closing;
    uint64_t torn_ns;
    bool full, gone,
        told_full; // the folder's disk; all brokers; one of them, or what a list waits for, was told
    char trouble[STORE_TEXT_SIZE];
    uint64_t row_changes;          // how often brokers were told of a row
    uint32_t id, id_end, id_spare; // ids to be given, and the first of the next lot; 0: there is none
    bool ids_wanted;
    struct store_brokers counts;

    // The store's thread's own.
    struct base_hash *hash;
    struct ZSTD_CCtx_s *zstd;
    uint64_t tended_ns, headway_ns, ids_retry_ns;
};

// nats_wait.c
void nt_patience_begin(struct nt_patience *patience, uint32_t ms);
// Whether what failed is to be tried again: then a moment has passed, and the log says for what.
bool nt_wait(struct nt_patience *patience, const struct store_error *error);
void nt_patience_end(const struct nt_patience *patience); // says that it is over

// nats_queue.c
struct nt_list *nt_find(struct nt_store *s, uint32_t list); // under the mutex; NULL: there is none
struct nt_list *nt_know(struct nt_store *s,
                        uint32_t list); // the same, and made where there is none; NULL without memory
void nt_label_set(struct nt_row *row, const char *label);
// Under the mutex: takes what brokers say of a list, and tells the folder's store of the bin.
void nt_row_take(struct nt_store *s, struct nt_list *list, const struct nt_row *row);
bool nt_bin_is_over(const struct nt_store *s, const struct nt_list *list); // under the mutex
void nt_list_drop(struct nt_list *list);                                   // what waits of it
void nt_list_free(struct nt_list *list);
void nt_image_free(struct nt_image_op *op);
uint64_t nt_pop(struct nt_store *s, struct nt_list *list,
                uint64_t position); // under the mutex: what is durable; gives how far
bool nt_create(struct store *store, uint32_t list, const char *label, const struct store_image *image,
               struct base_buffer *bytes);
bool nt_append(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
               uint32_t count);
bool nt_image_add(struct store *store, uint32_t list, const struct store_image *image,
                  struct base_buffer *bytes);
bool nt_label(struct store *store, uint32_t list, const char *label);
bool nt_bin(struct store *store, uint32_t list, bool binned);
void nt_pending(struct store *store, uint32_t list, struct store_pending *out);
void nt_on_local_commit(void *store, uint32_t list, uint64_t position);
void nt_on_local_full(void *store, bool full, const char *text);
void nt_on_local_lost(void *store, uint32_t list, const char *text);
void nt_on_local_failure(void *store, const char *text);
void nt_on_answer(void *store, uint32_t list, uint64_t sequence, enum nt_answer answer, const char *text);
void nt_on_change(void *store, bool connected);

// nats_send.c: the store's thread
void nt_hear(struct nt_store *s, const struct nt_heard *heard);
void nt_turn(struct nt_store *s, struct nt_list *list);
void nt_lose(struct nt_store *s, struct nt_list *list, const char *text);
void nt_note(struct nt_store *s, const char *text); // why something does not go on
const char *nt_trouble(
    const struct nt_store *s); // under its mutex: why nothing goes on, as far as it is known; never empty
bool nt_point_add(struct nt_list *list, uint64_t position, uint64_t chain, uint64_t sequence);
bool nt_kept_add(struct nt_list *list, const struct nt_image *image, uint64_t seen);

// nats_bin.c
enum store_status nt_fetch_bin(struct store *store, struct store_error *error);

// nats_run.c
void nt_run(void *store);

// nats_put.c, nats_carry.c, nats_fetch.c, nats_take.c: any thread; the list is the caller's
struct nt_writing {
    struct nt_store *s;
    struct nt_list *list;
    struct base_hash *hash;
    uint64_t epoch;
};
// Each stands at the stream's end, or *error says why not. Of what was put in parts some may stand there.
enum nt_answer nt_put(struct nt_writing *writing, enum nt_kind kind, uint32_t parts, const uint8_t *body,
                      size_t size, struct store_error *error);
enum nt_answer nt_put_entries(struct nt_writing *writing, const struct store_entry *entries, uint32_t count,
                              uint64_t chain_after, struct store_error *error);
// At the position that the list has come to.
enum nt_answer nt_put_image(struct nt_writing *writing, const struct store_image *image, const uint8_t *bytes,
                            size_t size, struct store_error *error);
// A list that the folder has and brokers never had, with all of its past.
enum store_status nt_carry(struct nt_store *s, struct nt_list *list, const struct store_list *row,
                           struct store_error *error);
struct nt_ends {
    uint64_t epoch;    // under which the stream is written
    uint64_t position; // up to which the folder has it, or more
};
enum store_status nt_fetch(struct nt_store *s, struct nt_list *list, struct nt_ends *ends,
                           struct store_error *error);
uint64_t nt_take_over(struct store *store, uint32_t list, struct store_error *error);
enum store_status nt_fetch_list(struct store *store, uint32_t list, struct store_error *error);
enum store_status nt_let_go(struct store *store, uint32_t list, struct store_error *error);

#endif
