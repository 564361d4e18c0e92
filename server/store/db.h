// Connections to the database of a store: opened with what every one of them needs, made and migrated; statements, and
// what its errors mean.
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
}; // who writes makes it if it is not there, and migrates it

// *out is NULL unless STORE_OK.
enum store_status store_db_open(const char *vfs, const char *path, enum store_db_way way, sqlite3 **out,
                                struct store_error *error);
void store_db_close(sqlite3 *db); // NULL is allowed; no statement of it is left

// What a result code of this connection, just given, means.
enum store_db_trouble {
    STORE_DB_FINE,
    STORE_DB_FULL,    // no room, on the disk or in memory: nothing has changed, and it may go better later
    STORE_DB_DAMAGED, // a page is not what was written
    STORE_DB_BROKEN,  // what was written may not be there
};
enum store_db_trouble store_db_trouble(sqlite3 *db, int code);
// With SQLite's words.
enum store_status store_db_fail(sqlite3 *db, int code, uint32_t list, uint64_t position, const char *doing,
                                struct store_error *error);

// SQLite keeps signed numbers.
void store_db_bind(sqlite3_stmt *statement, int at, uint64_t value);
uint64_t store_db_column(sqlite3_stmt *statement, int at);
int store_db_prepare(sqlite3 *db, const char *text, sqlite3_stmt **out); // kept for long
int store_db_run(sqlite3_stmt *statement);                               // to its end, and reset
// The first column of its first row, 0 where it has none; reset. An SQLite result code.
int store_db_number(sqlite3_stmt *statement, uint64_t *out);
int store_db_ask(sqlite3 *db, const char *text, uint64_t *out); // the same, of a text

#endif
