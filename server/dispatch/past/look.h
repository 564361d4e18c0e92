// Shared by the files of this room, which look into the past: the world of a past, a reader of the store, its errors.
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

// The world that is meant, or, of a view, the one whose past it shows. NULL with call->error: there is none, the view is
// another session's, or nothing keeps a past.
struct host_world *dispatch_past_of(struct dispatch_call *call, const struct protocol_ref *ref);
// Finds the world again after a worker was at work. NULL with *error: it is gone.
struct host_world *dispatch_past_still(const struct dispatch_server *server, uint32_t world,
                                       struct protocol_error *error);

// A large document takes a while to give back, which is not for the loop. NULL is allowed.
void dispatch_past_discard(const struct dispatch_server *server, struct document *document);

// Any thread. Each is false with *error.
bool dispatch_past_reader(const struct dispatch_server *server, struct store_reader **out,
                          struct protocol_error *error);
bool dispatch_past_check(enum store_status status, const struct store_error *told,
                         struct protocol_error *error);

// Records of a list in their order, without the marks between them.
struct dispatch_past_walk {
    struct store_reader *reader;
    uint32_t list;
    uint64_t after;                    // position that has been looked at last
    const struct store_entry *entries; // of the page under way
    uint32_t count, next;
    uint32_t page_max;                  // entries
    const struct dispatch_later *later; // whose work it is
};

struct dispatch_past_walk dispatch_past_walk_from(struct store_reader *reader, uint32_t list, uint64_t after,
                                                  const struct dispatch_later *later);
// The next record, which lives until the next call. False: there is none (*entry NULL), or *error.
bool dispatch_past_walk_next(struct dispatch_past_walk *walk, const struct store_entry **entry,
                             struct protocol_error *error);
// sequence, tick, revision of a record, without the rest. False with *error (INTERNAL).
struct dispatch_past_record_head {
    uint64_t sequence, tick, revision;
};
bool dispatch_past_record_head(const struct store_entry *entry, struct dispatch_past_record_head *out,
                               struct protocol_error *error);
// Sequence of the oldest record that is kept; 0: none is. False with *error.
bool dispatch_past_walk_first(struct store_reader *reader, const struct store_list *list,
                              const struct dispatch_later *later, uint64_t *sequence,
                              struct protocol_error *error);
// A position behind which the first record is whose sequence (or revision) is greater than that; *out is at most that
// record's, and not far before it.
bool dispatch_past_walk_find(struct store_reader *reader, const struct store_list *list, bool by_revision,
                             uint64_t number, const struct dispatch_later *later, uint64_t *out,
                             struct protocol_error *error);

#endif
