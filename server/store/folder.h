// Opens a store's folder, and knows the files in it besides the database:
//
//     lock        locked by the process that writes; has that process's number in it
//     weft.db     with weft.db-wal and weft.db-shm: SQLite's
//     mark        how far each list was durable (mark.h)
//     reserve     room that is given up when the disk is full
//
// There is also weft.db-wal.damaged, a copy of a log as it was found, if the folder was opened in spite of
// damage in it.
#ifndef WEFT_STORE_FOLDER_H
#define WEFT_STORE_FOLDER_H

#include "store/mark.h"
#include "store/reserve.h"
#include "store/vfs.h"

#define STORE_DAMAGED_LOG "weft.db-wal.damaged"

struct store_folder {
    const char *vfs;     // Table of file operations: the system's, or a test's. NULL: the default.
    const char *checked; // name of the table with checksums above vfs
    char *path;          // absolute path
    char *db, *wal;      // paths of files in it
    struct store_file lock, mark;
    struct store_reserve reserve; // of no bytes, until the caller sets them
};

// Opens the folder. To write it, makes it if it is not there, and locks it.
enum fault_code store_folder_open(const char *vfs, const char *path, bool read_only, struct store_folder *out,
                                  struct store_error *error);
void store_folder_close(struct store_folder *folder);
// Finds what SQLite would silently leave out or start over, before SQLite opens the folder. *frames is set by
// store_wal_check.
enum fault_code store_folder_check(struct store_folder *folder, const struct store_mark *mark,
                                   uint64_t *frames, struct store_error *error);
// Copies the log to STORE_DAMAGED_LOG, replacing an earlier copy, before SQLite overwrites what it cannot
// read of it.
enum fault_code store_folder_set_log_aside(const struct store_folder *folder, struct store_error *error);
bool store_folder_unused(struct store_folder *folder); // whether no process has its lock
// Makes the names of files in the folder durable.
enum fault_code store_folder_sync(const struct store_folder *folder, struct store_error *error);

#endif
