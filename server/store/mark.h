// The mark: a small file beside the database that says what was durable, so that a log that lost commits, which SQLite
// cannot see, is seen, and so is which lists lost something.
//
// It is written after each commit and seldom synced: after a power cut it may be of long ago. It is never ahead.
#ifndef WEFT_STORE_MARK_H
#define WEFT_STORE_MARK_H

#include "store/vfs.h"

enum { STORE_ID_SIZE = 16, STORE_MARK_LISTS = 1018 };

struct store_mark {
    uint8_t id[STORE_ID_SIZE]; // of the store
    uint64_t serial;           // of marks; 0: there is none
    uint64_t commits;          // the store's count of commits without entries
    uint32_t list;             // that the last commit with entries wrote; 0: none
    uint64_t position;         // its last one
    uint64_t frames;           // of the log with that commit; 0: not known
    bool all;                  // `lists` has every list; false: there are too many, or it could not be read
    uint32_t count;
    struct store_mark_list {
        uint32_t list;
        uint32_t row; // store_mark_row
        uint64_t position;
    } lists[STORE_MARK_LISTS]; // by list
};

// The newest of the two slots that is whole. serial 0: none is.
void store_mark_read(struct store_file *file, struct store_mark *mark);
// Under the next serial; not synced. The first two calls of a process take all the room that it will ever need.
int store_mark_write(struct store_file *file, struct store_mark *mark, bool whole);

const struct store_mark_list *store_mark_find(const struct store_mark *mark,
                                              uint32_t list); // NULL: not there
void store_mark_set(struct store_mark *mark, uint32_t list, uint32_t row, uint64_t position);
bool store_mark_drop(struct store_mark *mark, uint32_t list); // false: it did not name the list
// A sum over what a list's row says, to tell whether it is the row that was durable.
uint32_t store_mark_row(const char *label, bool binned, uint64_t epoch);

#endif
