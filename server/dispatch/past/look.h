// Private to the files of this room: finds the world of a past, opens readers of the store, and walks the records of a list.
#ifndef WEFT_DISPATCH_PAST_LOOK_H
#define WEFT_DISPATCH_PAST_LOOK_H

#include "protocol/types.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct dispatch_call;
struct dispatch_later;
struct dispatch_server;
struct document;
struct document_record;
struct host_world;
struct protocol_error;

// Finds the world that ref names or, if that is a view, the one whose past it shows. Loop thread. NULL with call->error: there is none,
// the view is another session's, or the server keeps no past.
struct host_world *dispatch_past_of(struct dispatch_call *call, const struct protocol_ref *ref);
// Finds the world again on the loop after a worker has run. NULL with *error if it is gone.
struct host_world *dispatch_past_still(const struct dispatch_server *server, uint32_t world,
                                       struct protocol_error *error);

// Destroys a document on a worker, because a large one takes too long for the loop. NULL is allowed.
void dispatch_past_discard(const struct dispatch_server *server, struct document *document);

// Opens a reader of the store. Any thread. False with *error.
bool dispatch_past_reader(const struct dispatch_server *server, struct store_reader **out,
                          struct protocol_error *error);
// Whether status is OK; if not, sets *error from what the store told. Any thread.
bool dispatch_past_check(enum fault_code status, const struct store_error *told,
                         struct protocol_error *error);

// Walks the records of a world's list in the store, in their order, and skips the marks. On a worker. A position numbers the entries of
// a list.
struct dispatch_past_walk {
    struct store_reader *reader;
    uint32_t list;
    uint64_t after;                     // position of the last entry that was read
    const struct store_entry *entries;  // the present page; the reader owns it
    uint32_t count, next;               // entries of the page; the next of them
    uint32_t page_max;                  // entries that a page may have
    const struct dispatch_later *later; // the call that it works for: the walk ends early if that is stopped
};

struct dispatch_past_walk dispatch_past_walk_from(struct store_reader *reader, uint32_t list, uint64_t after,
                                                  const struct dispatch_later *later);
// Finds the next record, which is valid until the next call. False with *entry NULL if there is none, or with *error.
bool dispatch_past_walk_next(struct dispatch_past_walk *walk, const struct store_entry **entry,
                             struct protocol_error *error);
// Reads sequence, tick and revision of a record, and nothing else of it. False with *error (INTERNAL).
struct dispatch_past_record_head {
    uint64_t sequence, tick, revision;
};
bool dispatch_past_record_head(const struct store_entry *entry, struct dispatch_past_record_head *out,
                               struct protocol_error *error);
// Finds the sequence number of the oldest record that is kept; 0 if none is. False with *error.
bool dispatch_past_walk_first(struct store_reader *reader, const struct store_list *list,
                              const struct dispatch_later *later, uint64_t *sequence,
                              struct protocol_error *error);
// Finds a position at or shortly before the first record whose sequence number (by_revision: revision) is greater than `number`. A walk
// from *out finds that record soon. False with *error.
bool dispatch_past_walk_find(struct store_reader *reader, const struct store_list *list, bool by_revision,
                             uint64_t number, const struct dispatch_later *later, uint64_t *out,
                             struct protocol_error *error);

#endif
