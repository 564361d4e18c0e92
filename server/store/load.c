// Loads what is known of the lists when a folder is opened.
#include "store/chain.h"
#include "store/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Asks for one number of a list, with two statements in turns.
static int ask(sqlite3 *db, const char *text, uint32_t list, uint64_t *numbers, int count)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, text, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        store_db_bind(statement, 1, list);
        code = sqlite3_step(statement);
    }
    for (int i = 0; i < count; i++) {
        numbers[i] = code == SQLITE_ROW ? store_db_column(statement, i) : 0;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int store_sqlite_images_load(sqlite3 *db, uint32_t list, struct store_sqlite_images *out)
{
    uint64_t first[3], second[3], newest[1];
    *out = (struct store_sqlite_images){0};
    int code = ask(db, "SELECT position, at, seen FROM images WHERE list = ?1 ORDER BY position LIMIT 1",
                   list, first, 3);
    if (code == SQLITE_OK) {
        code =
            ask(db, "SELECT 1, position, seen FROM images WHERE list = ?1 ORDER BY position LIMIT 1 OFFSET 1",
                list, second, 3);
    }
    if (code == SQLITE_OK) {
        code = ask(db, "SELECT position FROM images WHERE list = ?1 ORDER BY position DESC LIMIT 1", list,
                   newest, 1);
    }
    if (code == SQLITE_OK) {
        *out = (struct store_sqlite_images){
            .count = 1 + second[0], // two or more
            .oldest = first[0],
            .oldest_at = first[1],
            .oldest_seen = first[2],
            .next = second[1],
            .next_seen = second[2],
            .newest = newest[0],
        };
    }
    return code;
}

// Finds where the list's entries end, and its newest image.
static int load_list(sqlite3 *db, struct store_sqlite_list *list, uint64_t *piece_end)
{
    uint64_t image[5], entry[3], behind[1];
    int code = ask(db,
                   "SELECT position, chain, entry_bytes, piece_bytes, piece_end FROM images WHERE list = ?1 "
                   "ORDER BY position DESC LIMIT 1",
                   list->list, image, 5);
    if (code == SQLITE_OK) {
        code =
            ask(db, "SELECT 1, position, chain FROM entries WHERE list = ?1 ORDER BY position DESC LIMIT 1",
                list->list, entry, 3);
    }
    if (code == SQLITE_OK) {
        code = ask(db,
                   "SELECT coalesce(sum(length(bytes)), 0) FROM entries WHERE list = ?1 AND position > "
                   "(SELECT max(position) FROM images WHERE list = ?1)",
                   list->list, behind, 1);
    }
    if (code == SQLITE_OK) {
        code = store_sqlite_images_load(db, list->list, &list->images);
    }
    if (code != SQLITE_OK) {
        return code;
    }
    const bool entries = entry[0] && entry[1] > image[0];
    list->last = list->durable = entries ? entry[1] : image[0];
    list->chain = entries ? entry[2] : image[1];
    list->image_last = image[0];
    list->entry_bytes = image[2] + behind[0];
    list->piece_bytes = image[3];
    // Numbers of new pieces must be above those that any image has seen. A lower one would be taken for an
    // older piece.
    *piece_end = image[4];
    return SQLITE_OK;
}

static int load_lists(struct sqlite_store *s)
{
    sqlite3_stmt *rows = NULL;
    int code = sqlite3_prepare_v2(
        s->db,
        "SELECT list, epoch, label, binned, created_at, binned_at, binned_seen FROM lists ORDER BY list", -1,
        &rows, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        struct store_sqlite_list *list = calloc(1, sizeof *list);
        if (!list) {
            code = SQLITE_NOMEM;
            break;
        }
        list->list = (uint32_t)store_db_column(rows, 0);
        list->epoch = store_db_column(rows, 1);
        const unsigned char *label = sqlite3_column_text(rows, 2);
        (void)snprintf(list->label, sizeof list->label, "%s", label ? (const char *)label : "");
        list->binned = store_db_column(rows, 3) != 0;
        list->created_at = store_db_column(rows, 4);
        list->binned_at = store_db_column(rows, 5);
        list->binned_seen = store_db_column(rows, 6);
        list->there = true;
        uint64_t piece_end = 0;
        code = load_list(s->db, list, &piece_end);
        if (piece_end > atomic_load(&s->next_piece)) {
            atomic_store(&s->next_piece, piece_end);
        }
        if (store_db_trouble(s->db, code) == STORE_DB_DAMAGED) {
            list->damaged = true; // the other lists are not affected
            code = SQLITE_OK;
        }
        if (code == SQLITE_OK && !store_sqlite_list_insert(s, list)) {
            code = SQLITE_NOMEM;
        }
        if (code != SQLITE_OK) {
            free(list);
        }
    }
    sqlite3_finalize(rows);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int load_store(struct sqlite_store *s)
{
    sqlite3_stmt *row = NULL;
    uint64_t pieces = 0;
    int code =
        sqlite3_prepare_v2(s->db, "SELECT id, key, last_list, commits, seen FROM store", -1, &row, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW) {
        const bool whole =
            sqlite3_column_bytes(row, 0) == STORE_ID_SIZE && sqlite3_column_bytes(row, 1) == STORE_KEY_SIZE;
        if (whole) {
            memcpy(s->mark.id, sqlite3_column_blob(row, 0), STORE_ID_SIZE);
            memcpy(s->key, sqlite3_column_blob(row, 1), STORE_KEY_SIZE);
            s->last_list = (uint32_t)store_db_column(row, 2);
            s->commits = store_db_column(row, 3);
            s->seen_written = store_db_column(row, 4);
            store_seen_begin(&s->seen, s->options.clock_ns, s->seen_written);
        }
        code = whole ? SQLITE_OK : SQLITE_CORRUPT;
    } else if (code == SQLITE_DONE) {
        code = SQLITE_CORRUPT;
    }
    sqlite3_finalize(row);
    if (code == SQLITE_OK) {
        code = store_db_ask(s->db, "SELECT max(piece) FROM pieces", &pieces);
        atomic_store(&s->next_piece, pieces + 1);
    }
    return code;
}

enum fault_code store_sqlite_load(struct sqlite_store *s, struct store_error *error)
{
    int code = load_store(s);
    if (code == SQLITE_OK) {
        code = load_lists(s);
    }
    return code == SQLITE_OK ? FAULT_NONE : store_db_fail(s->db, code, 0, 0, s->folder.db, error);
}
