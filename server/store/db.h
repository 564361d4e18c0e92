// Opens connections to a store's database with the settings that all of them need, makes and migrates the
// database, runs statements, and translates errors.
#ifndef WEFT_STORE_DB_H
#define WEFT_STORE_DB_H

#include "store/store.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_SCHEMA = 2 }; // PRAGMA user_version

enum store_db_way {
    STORE_DB_READ,
    STORE_DB_WRITE
}; // a writer makes the database if it is not there, and migrates it

// Opens a connection. *out is NULL unless FAULT_NONE is returned.
enum fault_code store_db_open(const char *vfs, const char *path, enum store_db_way way, sqlite3 **out,
                              struct store_error *error);
void store_db_close(sqlite3 *db); // NULL is allowed. All its statements must have been finalized.

// The meaning of a result code that this connection has just returned.
enum store_db_trouble {
    STORE_DB_FINE,
    STORE_DB_FULL,    // No room on the disk or in memory. Nothing has changed, and a later try may succeed.
    STORE_DB_DAMAGED, // a page is not what was written
    STORE_DB_BROKEN,  // what was written may not be there
};
enum store_db_trouble store_db_trouble(sqlite3 *db, int code);
// Fills *error with SQLite's text and returns the code.
enum fault_code store_db_fail(sqlite3 *db, int code, uint32_t list, uint64_t position, const char *doing,
                              struct store_error *error);

// Bind and read unsigned numbers, which SQLite keeps as signed ones.
void store_db_bind(sqlite3_stmt *statement, int at, uint64_t value);
uint64_t store_db_column(sqlite3_stmt *statement, int at);
// Prepares a statement that is kept for long.
int store_db_prepare(sqlite3 *db, const char *text, sqlite3_stmt **out);
int store_db_run(sqlite3_stmt *statement); // runs a statement to its end and resets it
// Reads the first column of the first row, or 0 if there is no row, and resets the statement. Returns an
// SQLite result code.
int store_db_number(sqlite3_stmt *statement, uint64_t *out);
int store_db_ask(sqlite3 *db, const char *text, uint64_t *out); // does the same for a statement in text

#endif
