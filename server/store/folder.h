// What stands in a store's folder besides the database:
//
//     lock        locked by who writes, with its process's number in it
//     weft.db     and weft.db-wal, weft.db-shm: SQLite's
//     mark        how far each list was durable (mark.h)
//     reserve     room that is given up when there is no other
//
// and weft.db-wal.damaged, a copy of a log as it was found, if the folder was opened in spite of damage in it.
#ifndef WEFT_STORE_FOLDER_H
#define WEFT_STORE_FOLDER_H

#include "store/mark.h"
#include "store/reserve.h"
#include "store/vfs.h"

#define STORE_DAMAGED_LOG "weft.db-wal.damaged"

struct store_folder {
    const char *vfs;     // the system's, or a test's; NULL: the default
    const char *checked; // the one with checksums above it
    char *path;          // absolute
    char *db, *wal;      // paths of files in it
    struct store_file lock, mark;
    struct store_reserve reserve; // of no bytes, until somebody says how many
};

// Makes it if it is to be written and is not there, and locks it.
enum store_status store_folder_open(const char *vfs, const char *path, bool read_only,
                                    struct store_folder *out, struct store_error *error);
void store_folder_close(struct store_folder *folder);
// Before SQLite opens it: finds what SQLite would silently leave out or begin again. *frames: of store_wal_check.
enum store_status store_folder_check(struct store_folder *folder, const struct store_mark *mark,
                                     uint64_t *frames, struct store_error *error);
// Copies the log to STORE_DAMAGED_LOG, over one of earlier, before SQLite writes over what it cannot read of it.
enum store_status store_folder_set_log_aside(const struct store_folder *folder, struct store_error *error);
bool store_folder_unused(struct store_folder *folder); // nobody has its lock
// Makes the names of files in it durable.
enum store_status store_folder_sync(const struct store_folder *folder, struct store_error *error);

#endif
