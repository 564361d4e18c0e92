// What the mark says was durable, and the database does not have.
#ifndef WEFT_STORE_LOST_H
#define WEFT_STORE_LOST_H

#include "store/db.h"
#include "store/folder.h"

struct sq_lost {
    bool behind; // the database is of before the mark
    bool known;  // `lists` has every list that lost something
    uint64_t commits, commits_of;
    uint32_t count;
    struct sq_lost_list {
        uint32_t list;
        bool there;                // its row is
        uint64_t last, durable;    // where it ends, and where it ended; equal if only its row is an older one
    } lists[STORE_MARK_LISTS + 1]; // by list
};

// NULL without memory, or if the database cannot be asked: *code.
struct sq_lost *sq_lost_find(sqlite3 *db, const struct store_mark *mark, int *code);
const struct sq_lost_list *sq_lost_of(const struct sq_lost *lost,
                                      uint32_t list); // NULL lost is allowed; NULL: nothing
// What happened to the list, and how to go on. Gives STORE_DAMAGED.
enum store_status sq_lost_say(const struct sq_lost_list *lost, const char *folder, struct store_error *error);
// The same if it is not known which lists lost something.
enum store_status sq_lost_say_commits(const struct sq_lost *lost, const char *folder,
                                      struct store_error *error);

#endif
