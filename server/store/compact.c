// Deletes what is no longer kept, a portion at a time. Each portion is a transaction of a few milliseconds
// between two commits:
//
//     rows of a list that is deleted, or was never finished      first, because nobody can see them
//     a list whose time in the bin is over: its row, then the other rows
//     the oldest image of a list, with the pieces that the next one does not have, then the entries up to that one
//     free pages, if there are many
//     the time that was seen, if it was not written down for long
//
// Age is measured by the time that the store has seen itself (seen.h), whatever the wall clock says.
//
// A list begins at its oldest image, even if there still are entries before it.
#include "store/sqlite.h"

#include "base/array.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECES_AT_ONCE = 16,
    PIECES_MOST = 16777216, // most pieces of an image, if each has the least size, 16 KiB
    FREE_PAGES = 1024,
    // Seconds that a crash may take from the time that was seen, if nothing else is written.
    NOTE_SECONDS = 600,
};
static const uint64_t portion_ns = 3000000;

enum statement {
    BEGIN,
    COMMIT,
    ENTRIES,
    IMAGES,
    PIECES,
    LIST,
    OLDEST,
    PIECES_FROM,
    PIECE,
    COMMITS,
    VACUUM,
};

static const char *const texts[STORE_SQLITE_COMPACT_STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ENTRIES] =
        ("DELETE FROM entries WHERE list = ?1 AND position <= min(?2, (SELECT min(position) FROM entries "
         "WHERE list = ?1) + 15)"),
    [IMAGES] = ("DELETE FROM images WHERE list = ?1 AND position <= (SELECT min(position) FROM images "
                "WHERE list = ?1)"),
    [PIECES] = "DELETE FROM pieces WHERE piece IN (SELECT piece FROM pieces WHERE list = ?1 LIMIT 4)",
    [LIST] = "DELETE FROM lists WHERE list = ?1",
    [OLDEST] = "SELECT pieces, piece_end FROM images WHERE list = ?1 ORDER BY position LIMIT 1",
    [PIECES_FROM] = "SELECT piece FROM pieces WHERE list = ?1 AND piece > ?2 AND piece < ?3 ORDER BY piece",
    [PIECE] = "DELETE FROM pieces WHERE piece = ?1 AND list = ?2",
    [COMMITS] = "UPDATE store SET commits = ?1, seen = ?2",
    [VACUUM] = "PRAGMA incremental_vacuum(128)",
};

enum fault_code store_sqlite_compact_prepare(struct sqlite_store *s, struct store_error *error)
{
    for (int i = 0; i < STORE_SQLITE_COMPACT_STATEMENTS; i++) {
        const int code = store_db_prepare(s->db, texts[i], &s->compact[i]);
        if (code != SQLITE_OK) {
            return store_db_fail(s->db, code, 0, 0, s->folder.db, error);
        }
    }
    return FAULT_NONE;
}

void store_sqlite_compact_finish(struct sqlite_store *s)
{
    for (int i = 0; i < STORE_SQLITE_COMPACT_STATEMENTS; i++) {
        sqlite3_finalize(s->compact[i]);
    }
}

static bool in_time(uint64_t begun_ns)
{
    return base_now_ns() - begun_ns < portion_ns;
}

static int remove_some(sqlite3 *db, sqlite3_stmt *statement, uint32_t list, uint64_t begun_ns, bool *some)
{
    int code = SQLITE_OK;
    int changes = 1;
    while (code == SQLITE_OK && changes > 0 && in_time(begun_ns)) {
        store_db_bind(statement, 1, list);
        code = store_db_run(statement);
        changes = sqlite3_changes(db);
        *some = *some || changes > 0;
    }
    return code;
}

// Deletes all rows of a list that is deleted.
static int sweep(struct sqlite_store *s, struct store_sqlite_list *list, uint64_t begun_ns)
{
    bool some = false;
    store_db_bind(s->compact[ENTRIES], 2, INT64_MAX);
    int code = remove_some(s->db, s->compact[ENTRIES], list->list, begun_ns, &some);
    if (code == SQLITE_OK) {
        code = remove_some(s->db, s->compact[IMAGES], list->list, begun_ns, &some);
    }
    if (code == SQLITE_OK) {
        code = remove_some(s->db, s->compact[PIECES], list->list, begun_ns, &some);
    }
    list->sweep = some || !in_time(begun_ns);
    return code;
}

static int trim_entries(struct sqlite_store *s, struct store_sqlite_list *list, uint64_t begun_ns)
{
    bool some = false;
    store_db_bind(s->compact[ENTRIES], 2, list->images.oldest);
    const int code = remove_some(s->db, s->compact[ENTRIES], list->list, begun_ns, &some);
    list->trim_entries = some || !in_time(begun_ns);
    return code;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Reads the numbers of the pieces of the oldest image, in order. *out is malloc'd.
static int oldest_pieces(struct sqlite_store *s, uint32_t list, uint64_t **out, size_t *count, uint64_t *end)
{
    sqlite3_stmt *row = s->compact[OLDEST];
    *out = NULL;
    *count = 0;
    *end = 0;
    store_db_bind(row, 1, list);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        const uint8_t *bytes = sqlite3_column_blob(row, 0);
        struct store_run_reader runs = {.at = bytes, .end = bytes + sqlite3_column_bytes(row, 0)};
        size_t room = 0;
        uint64_t piece;
        *end = store_db_column(row, 1);
        while (code == SQLITE_ROW && store_runs_next(&runs, &piece)) {
            if (*count == PIECES_MOST) {
                code = SQLITE_CORRUPT;
            } else if (!array_reserve(out, &room, *count + 1)) {
                code = SQLITE_NOMEM;
            }
            if (code == SQLITE_ROW) {
                (*out)[(*count)++] = piece;
            }
        }
        code = code == SQLITE_ROW && runs.wrong ? SQLITE_CORRUPT : code;
    }
    sqlite3_reset(row);
    if (*count > 0) {
        qsort(*out, *count, sizeof **out, compare);
    }
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

// Deletes pieces from before the oldest image's end that it does not have: they belonged to earlier images.
static int trim_pieces(struct sqlite_store *s, struct store_sqlite_list *list, uint64_t begun_ns)
{
    uint64_t *kept = NULL, end, gone[PIECES_AT_ONCE];
    size_t count, gone_count = 0;
    int code = oldest_pieces(s, list->list, &kept, &count, &end);
    sqlite3_stmt *from = s->compact[PIECES_FROM];
    store_db_bind(from, 1, list->list);
    store_db_bind(from, 2, list->trimmed);
    store_db_bind(from, 3, end);
    bool more = true;
    while (code == SQLITE_OK && gone_count < PIECES_AT_ONCE && in_time(begun_ns)) {
        const int step = sqlite3_step(from);
        if (step != SQLITE_ROW) {
            code = step == SQLITE_DONE ? SQLITE_OK : step;
            more = false;
            break;
        }
        const uint64_t piece = store_db_column(from, 0);
        list->trimmed = piece;
        if (count == 0 || !bsearch(&piece, kept, count, sizeof *kept, compare)) {
            gone[gone_count++] = piece;
        }
    }
    sqlite3_reset(from);
    for (size_t i = 0; i < gone_count && code == SQLITE_OK; i++) {
        store_db_bind(s->compact[PIECE], 1, gone[i]);
        store_db_bind(s->compact[PIECE], 2, list->list);
        code = store_db_run(s->compact[PIECE]);
    }
    free(kept);
    list->trim_pieces = more;
    return code;
}

static int drop_oldest(struct sqlite_store *s, struct store_sqlite_list *list)
{
    store_db_bind(s->compact[IMAGES], 1, list->list);
    return store_db_run(s->compact[IMAGES]);
}

// Deletes a list's row. The mark must not name it: after a power cut the list would count as lost.
static int purge(struct sqlite_store *s, struct store_sqlite_list *list)
{
    int code = SQLITE_OK;
    if (store_mark_drop(&s->mark, list->list)) {
        code = store_mark_write(&s->folder.mark, &s->mark, false);
        code = code == SQLITE_OK ? store_file_sync(&s->folder.mark) : code;
    }
    if (code == SQLITE_OK) {
        store_db_bind(s->compact[LIST], 1, list->list);
        code = store_db_run(s->compact[LIST]);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------
// What is due

enum job { NONE, SWEEP, TRIM_ENTRIES, TRIM_PIECES, PURGE, DROP, SHRINK, NOTE };

static bool bin_is_over(const struct sqlite_store *s, const struct store_sqlite_list *list)
{
    return list->there && !list->gone && list->binned && list->written == list->changes && !list->head &&
           store_seen_past(&s->seen, list->binned_seen, s->options.bin_seconds);
}

static bool is_past(const struct sqlite_store *s, const struct store_sqlite_list *list)
{
    return list->images.count > 1 &&
           store_seen_past(&s->seen, list->images.next_seen, s->options.keep_seconds);
}

// A store that was migrated knows only one age for all its images. Then the wall clock orders them.
static bool is_older(const struct store_sqlite_images *one, const struct store_sqlite_images *other)
{
    return one->oldest_seen != other->oldest_seen ? one->oldest_seen < other->oldest_seen
                                                  : one->oldest_at < other->oldest_at;
}

static enum job job_of(const struct sqlite_store *s, const struct store_sqlite_list *list)
{
    if (list->damaged || list->stuck) {
        return NONE;
    }
    if (list->sweep) {
        return SWEEP;
    }
    if (list->purging || (list->forget && !list->gone) || bin_is_over(s, list)) {
        return PURGE;
    }
    if (list->forget) {
        return SWEEP; // an earlier run of the server may have left rows
    }
    if (!list->there || list->gone) {
        return NONE;
    }
    return list->trim_entries  ? TRIM_ENTRIES
           : list->trim_pieces ? TRIM_PIECES
           : is_past(s, list)  ? DROP
                               : NONE;
}

static enum job find_job(struct sqlite_store *s, struct store_sqlite_list **list)
{
    struct store_sqlite_list *oldest = NULL;
    enum job job = NONE;
    base_mutex_lock(&s->mutex);
    s->forgets = false;
    for (size_t i = 0; i < s->list_count && job == NONE; i++) {
        struct store_sqlite_list *one = s->lists[i];
        job = job_of(s, one);
        *list = one;
        if (one->there && !one->gone && !one->damaged && !one->stuck && one->images.count > 1 &&
            (!oldest || is_older(&one->images, &oldest->images))) {
            oldest = one;
        }
    }
    if (job == NONE && oldest &&
        atomic_load_explicit(&s->bytes, memory_order_relaxed) > s->options.keep_bytes) {
        job = DROP;
        *list = oldest;
    }
    if (job == NONE) {
        *list = NULL;
    }
    if (job == PURGE) {
        (*list)->gone = (*list)->purging = true;
        store_sqlite_list_empty(*list);
        base_cond_broadcast(&s->progress);
        base_cond_broadcast(&s->images);
    }
    base_mutex_unlock(&s->mutex);
    return job;
}

static bool has_much_free(struct sqlite_store *s)
{
    uint64_t pages = 0, unused = 0;
    return store_db_ask(s->db, "PRAGMA page_count", &pages) == SQLITE_OK &&
           store_db_ask(s->db, "PRAGMA freelist_count", &unused) == SQLITE_OK && unused > FREE_PAGES &&
           unused > pages / 4;
}

static int run_job(struct sqlite_store *s, enum job job, struct store_sqlite_list *list, uint64_t begun_ns)
{
    switch (job) {
    case SWEEP:
        return sweep(s, list, begun_ns);
    case TRIM_ENTRIES:
        return trim_entries(s, list, begun_ns);
    case TRIM_PIECES:
        return trim_pieces(s, list, begun_ns);
    case PURGE:
        return purge(s, list);
    case DROP:
        return drop_oldest(s, list);
    case SHRINK:
        return store_db_run(s->compact[VACUUM]);
    case NOTE:
    case NONE:
        break;
    }
    return SQLITE_OK;
}

// Takes a list out of memory, because nothing of it is left on the disk. Images of it may still be on their
// way, and will be dropped.
static void take_out(struct sqlite_store *s, struct store_sqlite_list *list)
{
    base_mutex_lock(&s->mutex);
    if (list->forget) {
        size_t at = 0;
        while (s->lists[at] != list) {
            at++;
        }
        memmove(s->lists + at, s->lists + at + 1, (s->list_count - at - 1) * sizeof *s->lists);
        s->list_count--;
        list->forgotten = s->forgotten;
        s->forgotten = list;
        base_cond_broadcast(&s->progress);
    }
    base_mutex_unlock(&s->mutex);
}

// Notes the result of a portion for the list. If it failed, the list is looked at again.
static int settle(struct sqlite_store *s, enum job job, struct store_sqlite_list *list, int code)
{
    if (code == SQLITE_OK && job == PURGE) {
        list->purging = false;
        list->sweep = true;
    } else if (code == SQLITE_OK && job == SWEEP && !list->sweep) {
        take_out(s, list);
    } else if (job == DROP || (code != SQLITE_OK && (job == TRIM_ENTRIES || job == TRIM_PIECES))) {
        list->trim_entries = list->trim_pieces = true;
        list->trimmed = 0;
    } else if (code != SQLITE_OK && job == SWEEP) {
        list->sweep = true;
    }
    return code == SQLITE_OK && job == DROP ? store_sqlite_images_load(s->db, list->list, &list->images)
                                            : code;
}

// Runs a job. Each transaction writes down how much time was seen.
static int run(struct sqlite_store *s, enum job job, struct store_sqlite_list *list)
{
    const uint64_t seen = store_seen_s(&s->seen);
    int code = store_db_run(s->compact[BEGIN]);
    if (code == SQLITE_OK) {
        code = run_job(s, job, list, base_now_ns());
    }
    if (code == SQLITE_OK) {
        store_db_bind(s->compact[COMMITS], 1, s->commits + 1);
        store_db_bind(s->compact[COMMITS], 2, seen);
        code = store_db_run(s->compact[COMMITS]);
    }
    if (code == SQLITE_OK) {
        code = store_db_run(s->compact[COMMIT]);
    }
    s->commits += code == SQLITE_OK;
    s->seen_written = code == SQLITE_OK ? seen : s->seen_written;
    return code;
}

int store_sqlite_compact_note(struct sqlite_store *s)
{
    return store_seen_s(&s->seen) > s->seen_written ? run(s, NOTE, NULL) : SQLITE_OK;
}

int store_sqlite_compact(struct sqlite_store *s, bool *did)
{
    struct store_sqlite_list *list = NULL;
    enum job job = find_job(s, &list);
    if (job == NONE && s->shrinks && has_much_free(s)) {
        job = SHRINK;
    }
    if (job == NONE && store_seen_past(&s->seen, s->seen_written, NOTE_SECONDS)) {
        job = NOTE;
    }
    *did = job != NONE;
    if (job == NONE) {
        return SQLITE_OK;
    }
    const int code = run(s, job, list);
    const bool damaged = store_db_trouble(s->db, code) == STORE_DB_DAMAGED;
    if (damaged &&
        (sqlite3_get_autocommit(s->db) || store_db_run(s->statements[STORE_SQLITE_ROLLBACK]) == SQLITE_OK)) {
        // Rows that cannot be read are left alone; a reader of it gets the error.
        s->shrinks = s->shrinks && job != SHRINK;
        if (list) {
            list->stuck = true;
        }
        return SQLITE_OK;
    }
    return list ? settle(s, job, list, code) : code;
}
