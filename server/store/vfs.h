// The store's file operations, all of which go through one table: an sqlite3_vfs, the system's or a test's. Above it
// stands a thin one that gives each page of the database a checksum: a page that was changed by anyone else is found when
// it is read. The same one knows all reasons for which a write finds no room; the system's knows one.
//
//     page of 4096 bytes: what SQLite has in it (4088) | XXH3-64 over the page's number and that
#ifndef WEFT_STORE_VFS_H
#define WEFT_STORE_VFS_H

#include "store/store.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_PAGE = 4096, STORE_PAGE_SUM = 8 };

// The name of the one with checksums above the one of that name (NULL: the system's). NULL without memory, or if there is
// none of that name.
const char *store_vfs_checked(const char *below);

// Files that are not the database: through the table alone. The path is absolute.
struct store_file {
    sqlite3_file *file; // NULL: not open
    char *name;         // as SQLite wants to have it
};

enum store_file_way { STORE_FILE_READ, STORE_FILE_WRITE }; // written ones are made if they are not there

// An SQLite result code.
int store_file_open(const char *vfs, const char *path, enum store_file_way way, struct store_file *out);
void store_file_close(struct store_file *file); // NULL file inside is allowed
int store_file_size(struct store_file *file, int64_t *size);
int store_file_read(struct store_file *file, int64_t at, void *bytes, size_t size); // zeros behind its end
int store_file_write(struct store_file *file, int64_t at, const void *bytes, size_t size);
int store_file_sync(struct store_file *file);
// Against other openings, also those of this process; until it is closed. SQLITE_BUSY.
int store_file_lock(struct store_file *file);
bool store_file_is(const char *vfs, const char *path); // is there one?

#endif
