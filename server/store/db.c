// Makes the schema, and sets up connections.
#include "store/db.h"

#include "base/room.h"
#include "store/backend.h"
#include "store/vfs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { APPLICATION_ID = 0x77656674 }; // "weft"

// The statements that lead from each version to the next. Each step runs in a transaction of its own, with
// the number of the new version.
//
// store    one row: id of the store; key for names of pieces, different in every store, so that nobody can make two
//          pieces that are taken for one; commits: number of transactions that wrote no entry
// entries  chain: XXH3 over the chain before it and the row
// images   sum: XXH3 of the bytes; seal: of the row; chain: the entries' at that position; pieces: runs of their numbers;
//          piece_end: greater than the number of any piece of this image or an older one; entry_bytes, piece_bytes:
//          written to this list so far
// pieces   packed by zstd; key: two XXH3 of the content
//
// Version 2 counts the time during which a server had the store open. store.seen: seconds so far.
// lists.binned_seen and images.seen: its value when the list was binned, and when the image came. In an older
// store, all ages begin when the store is migrated.
static const char *const migrations[STORE_SCHEMA] = {
    "CREATE TABLE store(one INTEGER PRIMARY KEY CHECK(one = 1), id BLOB NOT NULL, key BLOB NOT NULL,"
    " last_list INTEGER NOT NULL, commits INTEGER NOT NULL);"
    "INSERT INTO store VALUES(1, randomblob(16), randomblob(16), 0, 0);"
    "CREATE TABLE lists(list INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, label TEXT NOT NULL,"
    " binned INTEGER NOT NULL, created_at INTEGER NOT NULL, binned_at INTEGER NOT NULL);"
    "CREATE TABLE entries(list INTEGER NOT NULL, position INTEGER NOT NULL, tick INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, at INTEGER NOT NULL, chain INTEGER NOT NULL, bytes BLOB NOT NULL,"
    " PRIMARY KEY(list, position)) WITHOUT ROWID;"
    "CREATE TABLE images(list INTEGER NOT NULL, position INTEGER NOT NULL, tick INTEGER NOT NULL,"
    " hash INTEGER NOT NULL, maker INTEGER NOT NULL, at INTEGER NOT NULL, size INTEGER NOT NULL,"
    " sum INTEGER NOT NULL, chain INTEGER NOT NULL, pieces BLOB NOT NULL, piece_end INTEGER NOT NULL,"
    " packed INTEGER NOT NULL, entry_bytes INTEGER NOT NULL, piece_bytes INTEGER NOT NULL,"
    " seal INTEGER NOT NULL, PRIMARY KEY(list, position)) WITHOUT ROWID;"
    "CREATE TABLE pieces(piece INTEGER PRIMARY KEY, list INTEGER NOT NULL, key BLOB NOT NULL,"
    " size INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE INDEX pieces_of_list ON pieces(list);",
    "ALTER TABLE store ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE lists ADD COLUMN binned_seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE images ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;",
};

// ---------------------------------------------------------------------------------------------------------
// Errors. Connections give extended codes.

enum store_db_trouble store_db_trouble(sqlite3 *db, int code)
{
    const int kind = code & 0xff;
    if (kind == SQLITE_OK || kind == SQLITE_ROW || kind == SQLITE_DONE) {
        return STORE_DB_FINE;
    }
    if (kind == SQLITE_FULL || kind == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) {
        return STORE_DB_FULL;
    }
    if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || code == SQLITE_IOERR_DATA) {
        return STORE_DB_DAMAGED;
    }
    // Making the index of the log may fail for lack of room. Other writes that find no room say FULL (vfs.c).
    // An error of a write is reliable in this; an error of an fsync comes too late.
    const bool opening = code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_SHMOPEN;
    return opening && db && base_room_lacks(sqlite3_system_errno(db)) ? STORE_DB_FULL : STORE_DB_BROKEN;
}

enum fault_code store_db_fail(sqlite3 *db, int code, uint32_t list, uint64_t position, const char *doing,
                              struct store_error *error)
{
    enum fault_code status = FAULT_IO;
    switch (store_db_trouble(db, code)) {
    case STORE_DB_FINE:
        return FAULT_NONE;
    case STORE_DB_FULL:
        status = (code & 0xff) == SQLITE_NOMEM ? FAULT_MEMORY : FAULT_IO;
        break;
    case STORE_DB_DAMAGED:
        status = FAULT_DAMAGED;
        break;
    case STORE_DB_BROKEN:
        status = (code & 0xff) == SQLITE_BUSY ? FAULT_BUSY : FAULT_IO;
        break;
    }
    const int words = db ? sqlite3_system_errno(db) : 0;
    const char *system = status == FAULT_IO && words != 0 ? strerror(words) : NULL;
    if (code == SQLITE_IOERR_DATA) {
        return store_fail(error, status, list, position, "%s: a page of the database is not what was written",
                          doing);
    }
    return store_fail(error, status, list, position, "%s: %s (SQLite %d)%s%s", doing, sqlite3_errstr(code),
                      code, system ? ": " : "", system ? system : "");
}

// ---------------------------------------------------------------------------------------------------------
// Statements

void store_db_bind(sqlite3_stmt *statement, int at, uint64_t value)
{
    sqlite3_bind_int64(statement, at, (sqlite3_int64)value);
}

uint64_t store_db_column(sqlite3_stmt *statement, int at)
{
    return (uint64_t)sqlite3_column_int64(statement, at);
}

int store_db_prepare(sqlite3 *db, const char *text, sqlite3_stmt **out)
{
    return sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
}

int store_db_run(sqlite3_stmt *statement)
{
    int code;
    do {
        code = sqlite3_step(statement);
    } while (code == SQLITE_ROW);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int store_db_number(sqlite3_stmt *statement, uint64_t *out)
{
    *out = 0;
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        *out = store_db_column(statement, 0);
    }
    sqlite3_reset(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int store_db_ask(sqlite3 *db, const char *text, uint64_t *out)
{
    sqlite3_stmt *statement = NULL;
    *out = 0;
    int code = sqlite3_prepare_v2(db, text, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = store_db_number(statement, out);
    }
    sqlite3_finalize(statement);
    return code;
}

// ---------------------------------------------------------------------------------------------------------
// Opening

static int migrate(sqlite3 *db, uint64_t from)
{
    int code = SQLITE_OK;
    if (from == 0) { // the database is new
        code =
            sqlite3_exec(db, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL", NULL, NULL, NULL);
    }
    for (uint64_t version = from; version < STORE_SCHEMA && code == SQLITE_OK; version++) {
        char number[96];
        (void)snprintf(number, sizeof number, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
                       APPLICATION_ID, (int)version + 1);
        code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
        if (code == SQLITE_OK) {
            code = sqlite3_exec(db, migrations[version], NULL, NULL, NULL);
        }
        if (code == SQLITE_OK) {
            code = sqlite3_exec(db, number, NULL, NULL, NULL);
        }
    }
    return code;
}

// Checks which program made the database, and which version. Both are 0 for an empty one.
static enum fault_code check_version(sqlite3 *db, const char *path, uint64_t *version,
                                     struct store_error *error)
{
    uint64_t id = 0, objects = 0;
    *version = 0;
    int code = store_db_ask(db, "PRAGMA application_id", &id);
    if (code == SQLITE_OK) {
        code = store_db_ask(db, "PRAGMA user_version", version);
    }
    if (code == SQLITE_OK) {
        code = store_db_ask(db, "SELECT count(*) FROM sqlite_schema", &objects);
    }
    if (code != SQLITE_OK) {
        return store_db_fail(db, code, 0, 0, path, error);
    }
    if (id != APPLICATION_ID && (id != 0 || *version != 0 || objects != 0)) {
        return store_fail(error, FAULT_DAMAGED, 0, 0, "%s is a database of another program", path);
    }
    if (*version > STORE_SCHEMA) {
        return store_fail(error, FAULT_VERSION, 0, 0,
                          "%s has version %llu of the schema; this program knows %d at most", path,
                          (unsigned long long)*version, STORE_SCHEMA);
    }
    return FAULT_NONE;
}

static enum fault_code set_up(sqlite3 *db, const char *path, enum store_db_way way, struct store_error *error)
{
    sqlite3_extended_result_codes(db, 1);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    // Only the writer makes checkpoints, when one is due.
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    int code = sqlite3_exec(db,
                            "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
                            "PRAGMA busy_timeout = 1000",
                            NULL, NULL, NULL);
    if (code == SQLITE_OK && way == STORE_DB_WRITE) {
        int reserved = STORE_PAGE_SUM;
        sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
        // Nothing is written before a transaction ends, so that one which is given up leaves nothing in the
        // log.
        code = sqlite3_exec(
            db,
            "PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;"
            "PRAGMA cache_spill = OFF; PRAGMA wal_autocheckpoint = 0;"
            "PRAGMA journal_size_limit = 16777216",
            NULL, NULL, NULL);
    }
    uint64_t version;
    if (code != SQLITE_OK) {
        return store_db_fail(db, code, 0, 0, path, error);
    }
    const enum fault_code status = check_version(db, path, &version, error);
    if (status != FAULT_NONE) {
        return status;
    }
    if (way == STORE_DB_READ) {
        return version == STORE_SCHEMA
                   ? FAULT_NONE
                   : store_fail(error, FAULT_VERSION, 0, 0,
                                "%s has version %llu of the schema; weftd --data brings it to %d", path,
                                (unsigned long long)version, STORE_SCHEMA);
    }
    code = migrate(db, version);
    if (code == SQLITE_OK) {
        // EXTRA up to here: if the removal of a journal is not durable, the journal may come back and undo
        // what the log has. FULL for the log: it is synced with each commit.
        code = sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
    }
    return code == SQLITE_OK ? FAULT_NONE : store_db_fail(db, code, 0, 0, path, error);
}

enum fault_code store_db_open(const char *vfs, const char *path, enum store_db_way way, sqlite3 **out,
                              struct store_error *error)
{
    *out = NULL;
    sqlite3 *db = NULL;
    const int flags =
        way == STORE_DB_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const int code = sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs);
    const enum fault_code status =
        code == SQLITE_OK ? set_up(db, path, way, error) : store_db_fail(db, code, 0, 0, path, error);
    if (status != FAULT_NONE) {
        store_db_close(db);
        return status;
    }
    *out = db;
    return FAULT_NONE;
}

void store_db_close(sqlite3 *db)
{
    sqlite3_close(db);
}
