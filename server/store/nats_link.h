// Asks brokers. Together with nats_connect and the cluster's files it is the only code that knows the client
// library. Each call here except store_nats_link_publish waits for its answer, a few seconds at most.
//
// Names: list 7 of the deployment "weft" has the stream weft-w-7, with the subjects weft.w.7.log, .piece and
// .image. What is known of all lists is in the bucket weft-lists (KV_weft-lists), under their ids. The ids
// that were given are there under "ids".
#ifndef WEFT_STORE_NATS_LINK_H
#define WEFT_STORE_NATS_LINK_H

#include "store/nats_message.h"
#include "store/store.h"

struct store_nats_link;

enum store_nats_answer {
    STORE_NATS_DONE,
    STORE_NATS_REFUSED, // another message has that place, or the broker has another reason, which the text says
    STORE_NATS_SILENT   // there is no answer, or no broker that could give one
};

struct store_nats_link_events {
    // The library's threads call these. They must not block.
    void (*on_answer)(void *context, uint32_t list, uint64_t sequence, enum store_nats_answer answer,
                      const char *text);
    void (*on_change)(void *context, bool connected);
    void *context;
};

struct store_nats_link_place {
    const char *brokers;
    // "none", or an address like `brokers` with a user of the system account. Every broker tells that user
    // whether it syncs what it acknowledges.
    const char *check;
    const char *authorities, *certificate, *key, *credentials, *check_credentials; // as in store_options
};

// Connects to brokers. NULL with *error: the address is wrong, no broker can be reached, the broker is too
// old, or it has no JetStream.
struct store_nats_link *store_nats_link_open(const struct store_nats_link_place *place,
                                             const struct store_nats_link_events *events,
                                             struct store_error *error);
void store_nats_link_close(struct store_nats_link *link); // NULL is allowed. No event comes after it.
// Returns the bytes of a message's body that brokers take.
size_t store_nats_link_body_max(const struct store_nats_link *link);

// Publishes a message to the subject for its kind, and does not wait for the answer. False: it could not be
// sent.
bool store_nats_link_publish(struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                             uint64_t sequence, const uint8_t *bytes, size_t size);
// Publishes a message and waits for the answer.
enum store_nats_answer store_nats_link_put(struct store_nats_link *link, uint32_t list,
                                           enum store_nats_kind kind, uint64_t sequence, const uint8_t *bytes,
                                           size_t size, struct store_error *error);

struct store_nats_stream {
    uint64_t first, last; // Sequences. `last` is set even if all is purged.
    uint64_t bytes;
    uint64_t missing; // sequence of the first message that was removed from its middle; 0: none
};

// These return NOT_FOUND if there is no such stream, and IO if there is no answer or the broker refuses, in its
// words. *final: the broker will not take it later either.
enum fault_code store_nats_stream_create(struct store_nats_link *link, uint32_t list, bool *final,
                                         struct store_error *error);
enum fault_code store_nats_stream_info(struct store_nats_link *link, uint32_t list, uint32_t wait_ms,
                                       struct store_nats_stream *out,
                                       struct store_error *error); // wait_ms 0: as long as other calls wait
enum fault_code store_nats_stream_purge(struct store_nats_link *link, uint32_t list, uint64_t before,
                                        struct store_error *error);
enum fault_code store_nats_stream_delete(struct store_nats_link *link, uint32_t list,
                                         struct store_error *error);
// Reads the message at a sequence; *out is malloc'd. NOT_FOUND: it is not there.
enum fault_code store_nats_stream_get(struct store_nats_link *link, uint32_t list, uint64_t sequence,
                                      uint8_t **out, size_t *size, struct store_error *error);
// Finds the sequence of the last message of a kind. NOT_FOUND: there is none.
enum fault_code store_nats_stream_last(struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                                       uint64_t *sequence, struct store_error *error);
// Reads the messages of one kind (0: all kinds) from one sequence up to another, in order. It stops when
// on_message does not return OK, and returns that status. If all kinds are asked for, a missing message is an
// error. If one kind is, the last message must be there.
enum fault_code store_nats_stream_walk(struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                                       uint64_t from, uint64_t to,
                                       enum fault_code (*on_message)(void *context, uint64_t sequence,
                                                                     const uint8_t *bytes, size_t size,
                                                                     struct store_error *error),
                                       void *context, struct store_error *error);

// The facts about a list that are not in its stream.
struct store_nats_row {
    uint32_t list;
    char label[STORE_LABEL_SIZE];
    uint64_t created_at, binned_at; // Seconds since 1970. binned_at 0: it is not in the bin.
    bool gone;                      // for store_nats_rows: it was a list once, and is none any more
};
enum fault_code store_nats_row_put(struct store_nats_link *link, const struct store_nats_row *row,
                                   struct store_error *error);
enum fault_code store_nats_row_get(struct store_nats_link *link, uint32_t list, struct store_nats_row *out,
                                   struct store_error *error);
enum fault_code store_nats_row_delete(struct store_nats_link *link, uint32_t list, struct store_error *error);
enum fault_code store_nats_rows(struct store_nats_link *link, struct store_nats_row **out, uint32_t *count,
                                struct store_error *error); // reads all rows; *out is malloc'd
// Takes `count` ids that were never given to a server, all greater than `least`.
enum fault_code store_nats_ids(struct store_nats_link *link, uint32_t count, uint32_t least, uint32_t *first,
                               struct store_error *error);

#endif
