// What stands in a store's folder besides the database:
//
//     lock        locked by who writes, with its process's number in it
//     weft.db     and weft.db-wal, weft.db-shm: SQLite's
//     mark        an entry that was durable: of the last commit, for as long as the system runs; of an earlier one after a
//                 power cut, for it is seldom synced. So a log that lost commits, which SQLite cannot see, is seen.
//     reserve     room that is given up when there is no other
#ifndef WEFT_STORE_FOLDER_H
#define WEFT_STORE_FOLDER_H

#include "store/reserve.h"
#include "store/vfs.h"

enum { STORE_ID_SIZE = 16 };

struct store_folder {
    const char *vfs;     // the system's, or a test's; NULL: the default
    const char *checked; // the one with checksums above it
    char *path;          // absolute
    char *db, *wal;      // paths of files in it
    struct store_file lock, mark;
    struct store_reserve reserve; // of no bytes, until somebody says how many
    uint64_t mark_serial;
};

struct store_mark {
    uint8_t id[STORE_ID_SIZE]; // of the store
    uint64_t serial;           // of marks; 0: there is none
    uint64_t commits;          // the store's count of commits without entries
    uint32_t list;             // 0: none
    uint64_t position;
};

// Makes it if it is to be written and is not there, and locks it.
enum store_status store_folder_open(const char *vfs, const char *path, bool read_only,
                                    struct store_folder *out, struct store_error *error);
void store_folder_close(struct store_folder *folder);
// Before SQLite opens it: what SQLite would silently leave out or begin anew.
enum store_status store_folder_check(struct store_folder *folder, const struct store_mark *mark,
                                     struct store_error *error);
bool store_folder_unused(struct store_folder *folder); // nobody has its lock
// Makes the names of files in it durable.
enum store_status store_folder_sync(const struct store_folder *folder, struct store_error *error);

void store_mark_read(struct store_folder *folder, struct store_mark *mark); // serial 0: none that can be used
int store_mark_write(struct store_folder *folder,
                     struct store_mark *mark); // under the next serial; not synced

#endif
