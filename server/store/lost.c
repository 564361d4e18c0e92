#include "store/lost.h"

#include "store/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GO_ON_SIZE = 160 };

static int step_once(sqlite3_stmt *statement, bool *there)
{
    const int code = sqlite3_step(statement);
    *there = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int number_of(sqlite3 *db, const char *text, uint32_t list, uint64_t *out)
{
    sqlite3_stmt *row = NULL;
    bool there = false;
    int code = sqlite3_prepare_v2(db, text, -1, &row, NULL);
    if (code == SQLITE_OK) {
        store_db_bind(row, 1, list);
        code = step_once(row, &there);
    }
    *out = there ? store_db_column(row, 0) : 0;
    sqlite3_finalize(row);
    return code;
}

static int look_at(sqlite3 *db, const struct store_mark_list *marked, struct store_sqlite_lost_list *out,
                   bool *other)
{
    sqlite3_stmt *row = NULL;
    uint64_t entry = 0, image = 0;
    *out = (struct store_sqlite_lost_list){.list = marked->list, .durable = marked->position};
    int code =
        sqlite3_prepare_v2(db, "SELECT epoch, label, binned FROM lists WHERE list = ?1", -1, &row, NULL);
    if (code == SQLITE_OK) {
        store_db_bind(row, 1, marked->list);
        code = step_once(row, &out->there);
    }
    if (out->there) {
        const char *label = (const char *)sqlite3_column_text(row, 1);
        *other = marked->row !=
                 store_mark_row(label ? label : "", store_db_column(row, 2) != 0, store_db_column(row, 0));
    }
    sqlite3_finalize(row);
    if (code == SQLITE_OK) {
        code = number_of(db, "SELECT max(position) FROM entries WHERE list = ?1", marked->list, &entry);
    }
    if (code == SQLITE_OK) {
        code = number_of(db, "SELECT max(position) FROM images WHERE list = ?1", marked->list, &image);
    }
    out->last = entry > image ? entry : image;
    return code;
}

// Keeps lists whose rows differ only if the database is behind. Otherwise their rows are newer than the mark.
static void keep_those(struct store_sqlite_lost *lost, const bool *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < lost->count; i++) {
        const struct store_sqlite_lost_list *one = &lost->lists[i];
        if (!one->there || one->last < one->durable || (lost->behind && other[i])) {
            lost->lists[kept++] = *one;
        }
    }
    lost->count = kept;
}

static int find(sqlite3 *db, const struct store_mark *mark, struct store_sqlite_lost *lost)
{
    const struct store_mark_list last = {.list = mark->list, .position = mark->position};
    const bool one = !mark->all && mark->list != 0;
    const struct store_mark_list *lists = one ? &last : mark->lists;
    const uint32_t count = one ? 1 : mark->all ? mark->count : 0;
    bool other[STORE_MARK_LISTS + 1] = {false};
    lost->known = mark->all;
    lost->commits_of = mark->commits;
    int code = store_db_ask(db, "SELECT commits FROM store", &lost->commits);
    lost->behind = code == SQLITE_OK && lost->commits < mark->commits;
    for (uint32_t i = 0; i < count && code == SQLITE_OK; i++) {
        struct store_sqlite_lost_list *now = &lost->lists[lost->count];
        bool differs = false;
        code = look_at(db, &lists[i], now, &differs);
        if (store_db_trouble(db, code) == STORE_DB_DAMAGED) {
            code = SQLITE_OK; // it is unknown; a reader of the list gets the error
            continue;
        }
        other[lost->count++] = differs && mark->all;
        lost->behind = lost->behind || !now->there || now->last < now->durable;
    }
    keep_those(lost, other);
    return code;
}

struct store_sqlite_lost *store_sqlite_lost_find(sqlite3 *db, const struct store_mark *mark, int *code)
{
    struct store_sqlite_lost *lost = calloc(1, sizeof *lost);
    *code = lost ? SQLITE_OK : SQLITE_NOMEM;
    if (lost && mark->serial > 0) {
        *code = find(db, mark, lost);
    }
    if (*code != SQLITE_OK) {
        free(lost);
        lost = NULL;
    }
    return lost;
}

const struct store_sqlite_lost_list *store_sqlite_lost_of(const struct store_sqlite_lost *lost, uint32_t list)
{
    for (uint32_t i = 0; lost && i < lost->count; i++) {
        if (lost->lists[i].list == list) {
            return &lost->lists[i];
        }
    }
    return NULL;
}

static const char *go_on(const char *folder, char text[GO_ON_SIZE])
{
    (void)snprintf(text, GO_ON_SIZE,
                   "weft backup --salvage %.60s NEW makes a folder of what is there, for weftd to go on with",
                   folder);
    return text;
}

enum fault_code store_sqlite_lost_say(const struct store_sqlite_lost_list *lost, const char *folder,
                                      struct store_error *error)
{
    char how[GO_ON_SIZE];
    go_on(folder, how);
    if (!lost->there) {
        return store_fail(error, FAULT_DAMAGED, lost->list, lost->durable,
                          "list %" PRIu32 " was safely on the disk up to position %" PRIu64
                          " and is not there at all: the end of the log is missing; %s",
                          lost->list, lost->durable, how);
    }
    if (lost->last < lost->durable) {
        return store_fail(error, FAULT_DAMAGED, lost->list, lost->durable,
                          "list %" PRIu32 " ends at position %" PRIu64
                          ", but was safely on the disk up to %" PRIu64
                          ": what came after it is missing, with the end of the log; %s",
                          lost->list, lost->last, lost->durable, how);
    }
    return store_fail(error, FAULT_DAMAGED, lost->list, lost->durable,
                      "the name of list %" PRIu32
                      ", or whether it is in the bin, is of before the end of the "
                      "log, which is missing; %s",
                      lost->list, how);
}

enum fault_code store_sqlite_lost_say_commits(const struct store_sqlite_lost *lost, const char *folder,
                                              struct store_error *error)
{
    char how[GO_ON_SIZE];
    if (lost->count > 0) {
        return store_sqlite_lost_say(lost->lists, folder, error);
    }
    return store_fail(error, FAULT_DAMAGED, 0, 0,
                      "the end of the log is missing: %" PRIu64 " of %" PRIu64
                      " changes of lists are there; %s",
                      lost->commits, lost->commits_of, go_on(folder, how));
}
