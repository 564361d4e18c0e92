// Does the store's file operations, all of which go through one table: an sqlite3_vfs, the system's or a
// test's. A thin table above it gives each page of the database a checksum, so that a changed page is found
// when it is read. It also knows all reasons for which a write finds no room; the system's table knows only
// one.
//
//     page of 4096 bytes: SQLite's content (4088) | XXH3-64 over the page's number and that content
#ifndef WEFT_STORE_VFS_H
#define WEFT_STORE_VFS_H

#include "store/store.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_PAGE = 4096, STORE_PAGE_SUM = 8 };

// Returns the name of the table with checksums above the table `below` (NULL: the system's). NULL if memory
// runs out, or if there is no table of that name.
const char *store_vfs_checked(const char *below);

// A file that is not the database, opened through the table alone. The path is absolute.
struct store_file {
    sqlite3_file *file; // NULL: not open
    char *name;         // in the form that SQLite wants
};

enum store_file_way { STORE_FILE_READ, STORE_FILE_WRITE }; // a file to be written is made if it is not there

// These return SQLite result codes.
int store_file_open(const char *vfs, const char *path, enum store_file_way way, struct store_file *out);
void store_file_close(struct store_file *file); // a NULL `file` inside is allowed
int store_file_size(struct store_file *file, int64_t *size);
// Gives zeros behind its end.
int store_file_read(struct store_file *file, int64_t at, void *bytes, size_t size);
int store_file_write(struct store_file *file, int64_t at, const void *bytes, size_t size);
int store_file_sync(struct store_file *file);
// Locks the file against other openings, also by this process, until it is closed. SQLITE_BUSY: it is locked.
int store_file_lock(struct store_file *file);
bool store_file_is(const char *vfs, const char *path); // whether there is such a file

#endif
