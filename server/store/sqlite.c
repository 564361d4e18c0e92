// Opens and closes a folder.
#include "store/sqlite.h"

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void store_sqlite_list_free(struct store_sqlite_list *list)
{
    store_sqlite_list_empty(list);
    store_pieces_free(&list->pieces);
    free(list);
}

static void store_sqlite_close(struct store *store)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    if (s->running) {
        base_mutex_lock(&s->mutex);
        s->closing = true;
        base_cond_broadcast(&s->work);
        base_cond_broadcast(&s->images);
        base_mutex_unlock(&s->mutex);
        base_thread_join(&s->hurried_packer);
        base_thread_join(&s->packer);
        base_thread_join(&s->thread);
    }
    while (s->image) {
        struct store_sqlite_image *next = s->image->next;
        store_sqlite_image_free(s->image);
        s->image = next;
    }
    while (s->portion) {
        struct store_sqlite_portion *next = s->portion->next;
        store_sqlite_portion_free(s->portion);
        s->portion = next;
    }
    for (size_t i = 0; i < s->list_count; i++) {
        store_sqlite_list_free(s->lists[i]);
    }
    while (s->forgotten) {
        struct store_sqlite_list *next = s->forgotten->forgotten;
        store_sqlite_list_free(s->forgotten);
        s->forgotten = next;
    }
    for (int i = 0; i < STORE_SQLITE_STATEMENTS; i++) {
        sqlite3_finalize(s->statements[i]);
    }
    store_sqlite_compact_finish(s);
    if (s->running && !s->failed) {
        (void)sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        (void)store_file_sync(&s->folder.mark);
    }
    store_db_close(s->db);
    store_folder_close(&s->folder);
    free(s->lists);
    free(s->items);
    free(s->lost);
    base_hash_destroy(s->hash);
    base_cond_deinit(&s->progress);
    base_cond_deinit(&s->images);
    base_cond_deinit(&s->work);
    base_mutex_deinit(&s->mutex);
    free(s);
}

static uint32_t store_sqlite_last_list(struct store *store)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    const uint32_t last = s->last_list;
    base_mutex_unlock(&s->mutex);
    return last;
}

static uint64_t store_sqlite_bytes(struct store *store)
{
    return atomic_load_explicit(&((struct sqlite_store *)store)->bytes, memory_order_relaxed);
}

static const struct store_backend backend = {
    .kind = "sqlite",
    .lasts = true,
    .close = store_sqlite_close,
    .last_list = store_sqlite_last_list,
    .bytes = store_sqlite_bytes,
    .create = store_sqlite_create,
    .append = store_sqlite_append,
    .image_add = store_sqlite_image_add,
    .label = store_sqlite_label,
    .bin = store_sqlite_bin,
    .take_over = store_sqlite_take_over,
    .pending = store_sqlite_pending,
    .reader_open = store_sqlite_reader_open,
    .reader_close = store_sqlite_reader_close,
    .lists = store_sqlite_lists,
    .list_find = store_sqlite_list_find,
    .read = store_sqlite_read,
    .position_at = store_sqlite_position_at,
    .image_before = store_sqlite_image_before,
    .images = store_sqlite_images,
    .image_read = store_sqlite_image_read,
    .verify = store_sqlite_verify,
    .verify_end = store_sqlite_verify_end,
    .backup = store_sqlite_backup,
};

// ---------------------------------------------------------------------------------------------------------

// Checks the mark, which tells what was durable. Lists that lost something stay as they are and are not
// opened. If it is unknown which they are, the folder is not opened.
static enum fault_code check_mark(struct sqlite_store *s, const struct store_mark *mark,
                                  struct store_error *error)
{
    int code = SQLITE_OK;
    if (mark->serial > 0 && memcmp(mark->id, s->mark.id, STORE_ID_SIZE) != 0) {
        return store_fail(error, FAULT_DAMAGED, 0, 0,
                          "%s/mark is of another store: was weft.db replaced? If that was meant, remove mark",
                          s->folder.path);
    }
    s->lost = store_sqlite_lost_find(s->db, mark, &code);
    if (!s->lost) {
        return store_db_fail(s->db, code, 0, 0, s->folder.db, error);
    }
    if (s->lost->behind && !s->lost->known) {
        return store_sqlite_lost_say_commits(s->lost, s->folder.path, error);
    }
    for (uint32_t i = 0; i < s->lost->count; i++) {
        const struct store_sqlite_lost_list *lost = &s->lost->lists[i];
        struct store_sqlite_list *list = store_sqlite_find(s, lost->list);
        struct store_error text;
        s->last_list = lost->list > s->last_list ? lost->list : s->last_list;
        if (list && !s->options.follows) {
            list->damaged = true;
        }
        if (!list || s->options.follows) { // the others are told when they are opened
            (void)store_sqlite_lost_say(lost, s->folder.path, &text);
            base_log(BASE_LOG_ERROR, "%s", text.fault.text);
        }
    }
    return FAULT_NONE;
}

// Begins a mark that says of every list how far it is durable. For a list that lost something it keeps the
// old value.
static void begin_mark(struct sqlite_store *s, const struct store_mark *mark)
{
    s->mark.serial = mark->serial;
    s->mark.list = mark->list;
    s->mark.position = mark->position;
    s->mark.commits = s->commits;
    s->mark.all = true;
    for (size_t i = 0; i < s->list_count; i++) {
        const struct store_sqlite_list *list = s->lists[i];
        store_mark_set(&s->mark, list->list, store_mark_row(list->label, list->binned, list->epoch),
                       list->durable);
    }
    for (uint32_t i = 0; i < s->lost->count && !s->options.follows; i++) {
        const struct store_mark_list *marked = store_mark_find(mark, s->lost->lists[i].list);
        if (marked) {
            store_mark_set(&s->mark, marked->list, marked->row, marked->position);
        }
    }
}

// Checks that the log up to a damaged place fits the database: a part of what comes after that place may have
// got there before.
static enum fault_code check_cut(struct sqlite_store *s, struct store_error *error)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &row, NULL);
    code = code == SQLITE_OK ? sqlite3_step(row) : code;
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    const bool fits = text && strcmp(text, "ok") == 0;
    enum fault_code status =
        fits ? FAULT_NONE
             : store_fail(error, FAULT_DAMAGED, 0, 0,
                          "%s is damaged, and what stands before the damage does not fit %s; the log as it "
                          "was is in %s/%s",
                          s->folder.wal, s->folder.db, s->folder.path, STORE_DAMAGED_LOG);
    sqlite3_finalize(row);
    return status;
}

// Handles a log that is damaged in its middle: SQLite goes on with what is before the damage. That is only
// allowed if the mark is of the log's last commit, and so names each list that loses something.
static enum fault_code check_log(struct sqlite_store *s, const struct store_mark *mark, bool *cut,
                                 struct store_error *error)
{
    uint64_t frames;
    enum fault_code status = store_folder_check(&s->folder, mark, &frames, error);
    *cut = status == FAULT_DAMAGED && frames != 0 && mark->all && mark->frames == frames;
    if (!*cut) {
        return status;
    }
    base_log(BASE_LOG_ERROR, "%s; it is copied to %s, and only worlds that lost nothing are opened",
             error->fault.text, STORE_DAMAGED_LOG);
    return store_folder_set_log_aside(&s->folder, error);
}

// Moves all of the log into the database, so that what an earlier process could not sync is written again.
// Also checks that the file is as long as all pages that the database says it has.
static enum fault_code settle_log(struct sqlite_store *s, struct store_error *error)
{
    uint64_t pages = 0;
    int code = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    if ((code & 0xff) == SQLITE_BUSY) {
        code = SQLITE_OK; // a reader is in the way
    }
    if (code == SQLITE_OK) {
        code = store_db_ask(s->db, "PRAGMA page_count", &pages);
    }
    if (code != SQLITE_OK) {
        return store_db_fail(s->db, code, 0, 0, s->folder.db, error);
    }
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (file && file->pMethods->xFileSize(file, &size) == SQLITE_OK && (uint64_t)size < pages * STORE_PAGE &&
        !store_file_is(s->folder.vfs, s->folder.wal)) {
        return store_fail(error, FAULT_DAMAGED, 0, 0, "%s was cut off: %llu pages of %llu are there",
                          s->folder.db, (unsigned long long)size / STORE_PAGE, (unsigned long long)pages);
    }
    return FAULT_NONE;
}

// Finds pieces of images that were never finished, and rows of lists that are deleted.
static int find_orphans(struct sqlite_store *s)
{
    static const char *const tables[] = {"SELECT min(list) FROM entries WHERE list > ?1",
                                         "SELECT min(list) FROM images WHERE list > ?1",
                                         "SELECT min(list) FROM pieces WHERE list > ?1"};
    int code = SQLITE_OK;
    for (size_t i = 0; i < s->list_count; i++) {
        s->lists[i]->trim_entries = s->lists[i]->trim_pieces = true;
    }
    for (unsigned table = 0; table < sizeof tables / sizeof *tables && code == SQLITE_OK; table++) {
        sqlite3_stmt *next = NULL;
        uint64_t id = 0;
        code = sqlite3_prepare_v2(s->db, tables[table], -1, &next, NULL);
        while (code == SQLITE_OK) {
            store_db_bind(next, 1, id);
            code = store_db_number(next, &id);
            if (code != SQLITE_OK || id == 0) {
                break;
            }
            struct store_sqlite_list *list = store_sqlite_find(s, (uint32_t)id);
            list = list ? list : store_sqlite_nowhere(s, (uint32_t)id);
            if (!list) {
                code = SQLITE_NOMEM;
                break;
            }
            list->sweep = list->gone;
        }
        sqlite3_finalize(next);
        // Rows that are not found take room, and do no harm.
        code = store_db_trouble(s->db, code) == STORE_DB_DAMAGED ? SQLITE_OK : code;
    }
    return code;
}

static int remove_unfinished(struct sqlite_store *s)
{
    sqlite3_stmt *remove = NULL;
    int code = sqlite3_prepare_v2(
        s->db,
        "DELETE FROM pieces WHERE piece IN (SELECT piece FROM pieces WHERE list = ?1 AND "
        "piece >= (SELECT piece_end FROM images WHERE list = ?1 ORDER BY position DESC LIMIT 1))",
        -1, &remove, NULL);
    for (size_t i = 0; i < s->list_count && code == SQLITE_OK; i++) {
        store_db_bind(remove, 1, s->lists[i]->list);
        code = store_db_run(remove);
        if (store_db_trouble(s->db, code) == STORE_DB_DAMAGED) {
            s->lists[i]->stuck = true;
            code = SQLITE_OK;
        }
    }
    sqlite3_finalize(remove);
    return code;
}

static enum fault_code open_database(struct sqlite_store *s, const struct store_mark *mark,
                                     struct store_error *error)
{
    bool cut;
    enum fault_code status = check_log(s, mark, &cut, error);
    if (status == FAULT_NONE) {
        status = store_db_open(s->folder.checked, s->folder.db, STORE_DB_WRITE, &s->db, error);
    }
    if (status == FAULT_NONE && cut) {
        status = check_cut(s, error);
    }
    if (status == FAULT_NONE) {
        status = settle_log(s, error);
    }
    if (status == FAULT_NONE) {
        status = store_folder_sync(&s->folder, error);
    }
    if (status == FAULT_NONE) {
        status = store_sqlite_load(s, error);
    }
    if (status == FAULT_NONE) {
        status = check_mark(s, mark, error);
    }
    return status;
}

static enum fault_code settle_database(struct sqlite_store *s, struct store_error *error)
{
    struct store_mark *mark = calloc(1, sizeof *mark);
    if (!mark) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
    }
    store_mark_read(&s->folder.mark, mark);
    const enum fault_code status = open_database(s, mark, error);
    if (status == FAULT_NONE) {
        begin_mark(s, mark);
    }
    free(mark);
    if (status != FAULT_NONE) {
        return status;
    }
    int code = find_orphans(s);
    if (code == SQLITE_OK) {
        code = remove_unfinished(s);
    }
    // Writes both slots, so that the mark needs no more room later.
    for (int i = 0; i < 2 && code == SQLITE_OK; i++) {
        code = store_mark_write(&s->folder.mark, &s->mark, true);
    }
    if (code == SQLITE_OK) {
        code = store_file_sync(&s->folder.mark);
    }
    return code == SQLITE_OK ? FAULT_NONE : store_db_fail(s->db, code, 0, 0, s->folder.path, error);
}

static enum fault_code start(struct sqlite_store *s, struct store_error *error)
{
    enum fault_code status = settle_database(s, error);
    if (status == FAULT_NONE) {
        status = store_sqlite_write_prepare(s, error);
    }
    if (status == FAULT_NONE) {
        status = store_sqlite_compact_prepare(s, error);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    const bool hurried =
        base_thread_start(&s->hurried_packer, "weft-hurried", store_sqlite_pack_hurried_run, s);
    const bool packer = hurried && base_thread_start(&s->packer, "weft-pack", store_sqlite_pack_run, s);
    s->running = packer && base_thread_start(&s->thread, "weft-store", store_sqlite_commit_run, s);
    if (!s->running) {
        base_mutex_lock(&s->mutex);
        s->closing = true;
        base_cond_broadcast(&s->images);
        base_mutex_unlock(&s->mutex);
    }
    if (hurried && !s->running) {
        base_thread_join(&s->hurried_packer);
    }
    if (packer && !s->running) {
        base_thread_join(&s->packer);
    }
    return s->running ? FAULT_NONE : store_fail(error, FAULT_MEMORY, 0, 0, "no thread for a store");
}

static int look_at_all(struct sqlite_store *s, const struct store_mark *mark)
{
    uint64_t last = 0, pages = 0, seen = 0;
    int code = store_db_ask(s->db, "SELECT last_list FROM store", &last);
    if (code == SQLITE_OK) {
        code = store_db_ask(s->db, "SELECT seen FROM store", &seen);
    }
    if (code == SQLITE_OK) {
        code = store_db_ask(s->db, "PRAGMA page_count", &pages);
    }
    store_seen_begin(&s->seen, s->options.clock_ns, seen);
    if (code == SQLITE_OK) {
        s->lost = store_sqlite_lost_find(s->db, mark, &code);
        code = store_db_trouble(s->db, code) == STORE_DB_DAMAGED ? SQLITE_OK : code;
    }
    s->last_list = (uint32_t)last;
    atomic_store_explicit(&s->bytes, pages * STORE_PAGE, memory_order_relaxed);
    return code;
}

// Reads what tools need to know of the whole, once. The mark is read before the database, so that it is never
// ahead of a server that writes.
static enum fault_code look(struct sqlite_store *s, struct store_error *error)
{
    struct store_mark *mark = calloc(1, sizeof *mark);
    if (!mark) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
    }
    store_mark_read(&s->folder.mark, mark);
    enum fault_code status = store_db_open(s->folder.checked, s->folder.db, STORE_DB_READ, &s->db, error);
    if (status == FAULT_NONE) {
        const int code = look_at_all(s, mark);
        status = code == SQLITE_OK ? FAULT_NONE : store_db_fail(s->db, code, 0, 0, s->folder.db, error);
    }
    free(mark);
    store_db_close(s->db);
    s->db = NULL;
    return status;
}

struct store *store_sqlite_open(const struct store_options *options, const char *vfs,
                                struct store_error *error)
{
    struct sqlite_store *s = calloc(1, sizeof *s);
    if (!s) {
        store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
        return NULL;
    }
    s->store.backend = &backend;
    s->options = *options;
    s->options.folder = NULL;
    s->incomplete = s->shrinks = true;
    base_mutex_init(&s->mutex);
    base_cond_init(&s->work);
    base_cond_init(&s->images);
    base_cond_init(&s->progress);
    enum fault_code status = store_folder_open(vfs, options->folder, options->read_only, &s->folder, error);
    if (status == FAULT_NONE) {
        s->folder.reserve.bytes = options->reserve_bytes;
        status = options->read_only ? look(s, error) : start(s, error);
    }
    if (status != FAULT_NONE) {
        store_sqlite_close(&s->store);
        return NULL;
    }
    return &s->store;
}
