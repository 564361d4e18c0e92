// Reads and writes the mark, a small file beside the database that says what was durable. It shows if the log
// has lost commits, which SQLite cannot see, and which lists lost something.
//
// The mark is written after each commit and seldom synced. After a power cut it may be old, but it is never
// ahead.
#ifndef WEFT_STORE_MARK_H
#define WEFT_STORE_MARK_H

#include "store/vfs.h"

enum { STORE_ID_SIZE = 16, STORE_MARK_LISTS = 1018 };

struct store_mark {
    uint8_t id[STORE_ID_SIZE]; // id of the store
    uint64_t serial;           // number of this mark; 0: there is none
    uint64_t commits;          // the store's count of commits without entries
    uint32_t list;             // list that the last commit with entries wrote; 0: none
    uint64_t position;         // its last position
    uint64_t frames;           // frames of the log with that commit; 0: unknown
    bool all;                  // `lists` has every list. False: there are too many, or one could not be read.
    uint32_t count;
    struct store_mark_list {
        uint32_t list;
        uint32_t row; // from store_mark_row
        uint64_t position;
    } lists[STORE_MARK_LISTS]; // by ascending list
};

// Reads the newer of the two slots that is whole. serial 0: neither is.
void store_mark_read(struct store_file *file, struct store_mark *mark);
// Writes the mark under the next serial, without a sync. Returns an SQLite result code. `whole`: writes the
// whole slot. The first two calls of a process take all the room that it will ever need.
int store_mark_write(struct store_file *file, struct store_mark *mark, bool whole);

// Returns the list's line of the mark; NULL: not there.
const struct store_mark_list *store_mark_find(const struct store_mark *mark, uint32_t list);
void store_mark_set(struct store_mark *mark, uint32_t list, uint32_t row, uint64_t position);
// Removes a list. False: it was not in the mark.
bool store_mark_drop(struct store_mark *mark, uint32_t list);
// Returns a checksum of what a list's row says, to tell whether it is the row that was durable.
uint32_t store_mark_row(const char *label, bool binned, uint64_t epoch);

#endif
