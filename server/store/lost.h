// Finds what was durable according to the mark, and is missing in the database.
#ifndef WEFT_STORE_LOST_H
#define WEFT_STORE_LOST_H

#include "store/db.h"
#include "store/folder.h"

struct store_sqlite_lost {
    bool behind; // the database is older than the mark
    bool known;  // `lists` has every list that lost something
    uint64_t commits, commits_of;
    uint32_t count;
    struct store_sqlite_lost_list {
        uint32_t list;
        bool there; // its row is there
        // Positions where it ends, and where it ended. Equal if only its row is an older one.
        uint64_t last, durable;
    } lists[STORE_MARK_LISTS + 1]; // by ascending list
};

// Finds the lists that lost something. NULL: memory ran out, or the database cannot be read and *code says
// why.
struct store_sqlite_lost *store_sqlite_lost_find(sqlite3 *db, const struct store_mark *mark, int *code);
// Returns what this list lost. NULL: nothing. A NULL `lost` is allowed.
const struct store_sqlite_lost_list *store_sqlite_lost_of(const struct store_sqlite_lost *lost,
                                                          uint32_t list);
// Fills *error with what happened to the list and how to go on. Returns FAULT_DAMAGED.
enum fault_code store_sqlite_lost_say(const struct store_sqlite_lost_list *lost, const char *folder,
                                      struct store_error *error);
// Does the same if it is not known which lists lost something.
enum fault_code store_sqlite_lost_say_commits(const struct store_sqlite_lost *lost, const char *folder,
                                              struct store_error *error);

#endif
