// What is asked of brokers: the only place that knows the client library. Each call here but nt_link_publish waits for its
// answer, a few seconds at most.
//
// Names: the list 7 of the deployment "weft" has the stream weft-w-7, whose subjects are weft.w.7.log, .piece and .image;
// what is known of all lists stands in the bucket weft-lists (KV_weft-lists), under their ids, and the ids given so far
// under "ids".
#ifndef WEFT_STORE_NATS_LINK_H
#define WEFT_STORE_NATS_LINK_H

#include "store/nats_message.h"
#include "store/store.h"

struct nt_link;

enum nt_answer {
    NT_DONE,
    NT_REFUSED, // another message stands at that place, or the broker has a reason: the text says it
    NT_SILENT   // no answer, or nobody who could give one
};

struct nt_link_events {
    // The library's threads; must not block.
    void (*on_answer)(void *context, uint32_t list, uint64_t sequence, enum nt_answer answer,
                      const char *text);
    void (*on_change)(void *context, bool connected);
    void *context;
};

struct nt_link_place {
    const char *brokers;
    const char *
        check; // "none", or a URL as brokers of a user of the system account, who is told by every broker whether it
               // syncs what it acknowledges
    const char *authorities, *certificate, *key, *credentials, *check_credentials; // as in store_options
};

// NULL with *error: wrong text, no broker to be reached, too old a broker, no JetStream.
struct nt_link *nt_link_open(const struct nt_link_place *place, const struct nt_link_events *events,
                             struct store_error *error);
void nt_link_close(struct nt_link *link);            // NULL is allowed; no event comes after it
size_t nt_link_body_max(const struct nt_link *link); // bytes of a message's body that brokers take

// Which subject of a list's stream a message of that kind has.
bool nt_link_publish(struct nt_link *link, uint32_t list, enum nt_kind kind, uint64_t sequence,
                     const uint8_t *bytes, size_t size);
// The same, and waits for the answer.
enum nt_answer nt_link_put(struct nt_link *link, uint32_t list, enum nt_kind kind, uint64_t sequence,
                           const uint8_t *bytes, size_t size, struct store_error *error);

struct nt_stream {
    uint64_t first, last; // sequences; last is told even where all is purged
    uint64_t bytes;
    uint64_t missing; // sequence of the first message that was taken out of it; 0: none
};

// NONE: there is no such stream. IO: no answer, or a refusal in the broker's words.
// *final: the broker will not take it another time either.
enum store_status nt_stream_create(struct nt_link *link, uint32_t list, bool *final,
                                   struct store_error *error);
enum store_status nt_stream_info(struct nt_link *link, uint32_t list, uint32_t wait_ms, struct nt_stream *out,
                                 struct store_error *error); // 0: as long as for anything
enum store_status nt_stream_purge(struct nt_link *link, uint32_t list, uint64_t before,
                                  struct store_error *error);
enum store_status nt_stream_delete(struct nt_link *link, uint32_t list, struct store_error *error);
// The message at a sequence; *out is malloc'd. NONE: it is not there.
enum store_status nt_stream_get(struct nt_link *link, uint32_t list, uint64_t sequence, uint8_t **out,
                                size_t *size, struct store_error *error);
// The sequence of the last message of a kind. NONE: there is none.
enum store_status nt_stream_last(struct nt_link *link, uint32_t list, enum nt_kind kind, uint64_t *sequence,
                                 struct store_error *error);
// Messages from a sequence up to another, in order, of one kind (0: all), until on_message gives something else than OK,
// which comes back. Where all kinds are asked for it is told if one is missing; of one kind the last has to be there.
enum store_status
nt_stream_walk(struct nt_link *link, uint32_t list, enum nt_kind kind, uint64_t from, uint64_t to,
               enum store_status (*on_message)(void *context, uint64_t sequence, const uint8_t *bytes,
                                               size_t size, struct store_error *error),
               void *context, struct store_error *error);

// What is known of a list without its stream.
struct nt_row {
    uint32_t list;
    char label[STORE_LABEL_SIZE];
    uint64_t created_at, binned_at; // s since 1970; binned_at 0: it is not
    bool gone;                      // of nt_rows: it was a list once
};
enum store_status nt_row_put(struct nt_link *link, const struct nt_row *row, struct store_error *error);
enum store_status nt_row_get(struct nt_link *link, uint32_t list, struct nt_row *out,
                             struct store_error *error);
enum store_status nt_row_delete(struct nt_link *link, uint32_t list, struct store_error *error);
enum store_status nt_rows(struct nt_link *link, struct nt_row **out, uint32_t *count,
                          struct store_error *error); // *out is malloc'd
// So many ids that no server was given; all beyond `least`.
enum store_status nt_ids(struct nt_link *link, uint32_t count, uint32_t least, uint32_t *first,
                         struct store_error *error);

#endif
