// The store's thread: all that waits of entries and rows, and a portion of pieces, in one transaction, which is durable
// when it is committed. Where there is no room nothing has changed, and it is tried again; where an fsync or a write
// failed nobody can say what there is, and nothing is written any more.
#include "store/chain.h"
#include "store/sqlite.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_PAGES = 1000
}; // of the log, from which on they are moved into the database: as SQLite itself does it

static const uint64_t retry_ns = 1000000000, idle_ns = 1000000000;

static const char *const texts[SQ_STATEMENTS] = {
    [SQ_BEGIN] = "BEGIN IMMEDIATE",
    [SQ_COMMIT] = "COMMIT",
    [SQ_ROLLBACK] = "ROLLBACK",
    [SQ_ENTRY] = "INSERT INTO entries VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQ_LIST] = "INSERT INTO lists VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [SQ_LIST_UPDATE] = "UPDATE lists SET epoch = ?2, label = ?3, binned = ?4, binned_at = ?5 WHERE list = ?1",
    [SQ_LAST_LIST] = "UPDATE store SET last_list = max(last_list, ?1)",
    [SQ_COMMITS] = "UPDATE store SET commits = ?1",
    [SQ_IMAGE] =
        "INSERT INTO images VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    [SQ_PIECE] = "INSERT INTO pieces VALUES(?1, ?2, ?3, ?4, ?5)",
    [SQ_CHAIN] = "SELECT chain FROM entries WHERE list = ?1 AND position = ?2",
};

enum store_status sq_commit_prepare(struct sqlite_store *s, struct store_error *error)
{
    for (int i = 0; i < SQ_STATEMENTS; i++) {
        const int code = store_db_prepare(s->db, texts[i], &s->statements[i]);
        if (code != SQLITE_OK) {
            return store_db_fail(s->db, code, 0, 0, s->folder.db, error);
        }
    }
    s->items = calloc(SQ_BATCH_LISTS, sizeof *s->items);
    s->hash = base_hash_create();
    return s->items && s->hash ? STORE_OK : store_fail(error, STORE_MEMORY, 0, 0, "no memory for a store");
}

// ---------------------------------------------------------------------------------------------------------
// What a transaction takes, under the mutex

static void take_entries(struct sq_item *item, size_t *bytes, uint32_t *entries)
{
    for (struct sq_entry *entry = item->list->head;
         entry && *bytes < SQ_BATCH_BYTES && *entries < SQ_BATCH_ENTRIES; entry = entry->next) {
        item->to = entry;
        item->position = entry->position;
        item->bytes += entry->size;
        *bytes += entry->size;
        (*entries)++;
    }
}

static void take_list(struct sqlite_store *s, struct sq_list *list, size_t *bytes, uint32_t *entries)
{
    struct sq_item *item = &s->items[s->item_count++];
    *item = (struct sq_item){
        .list = list,
        .changes = list->changes,
        .epoch = list->epoch,
        .binned = list->binned,
        .binned_at = list->binned_at,
        .chain = list->chain,
        .position = list->durable,
    };
    memcpy(item->label, list->label, sizeof item->label);
    take_entries(item, bytes, entries);
}

static bool has_more(const struct sq_list *list)
{
    return list->lost || (list->there && !list->gone && (list->head || list->changes != list->written));
}

static void gather(struct sqlite_store *s)
{
    size_t bytes = 0;
    uint32_t entries = 0;
    s->item_count = 0;
    while (s->due && s->item_count < SQ_BATCH_LISTS && bytes < SQ_BATCH_BYTES && entries < SQ_BATCH_ENTRIES) {
        struct sq_list *list = s->due;
        s->due = list->due_next;
        if (!s->due) {
            s->due_last = NULL;
        }
        list->due = false;
        if (list->there && !list->gone && (list->head || list->changes != list->written)) {
            take_list(s, list, &bytes, &entries);
        }
    }
}

// The portion that stands first, if it can be written now: an image needs the entries that it holds.
static struct sq_portion *next_portion(struct sqlite_store *s)
{
    struct sq_portion *portion = s->portion;
    if (!portion || portion->list->gone || !portion->image || portion->image->creates) {
        return portion;
    }
    uint64_t position = portion->list->durable;
    for (uint32_t i = 0; i < s->item_count; i++) {
        position = s->items[i].list == portion->list ? s->items[i].position : position;
    }
    return portion->image->image.position <= position ? portion : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// The transaction

static int write_entries(struct sqlite_store *s, struct sq_item *item)
{
    sqlite3_stmt *insert = s->statements[SQ_ENTRY];
    int code = SQLITE_OK;
    for (const struct sq_entry *entry = item->to ? item->list->head : NULL; entry && code == SQLITE_OK;
         entry = entry == item->to ? NULL : entry->next) {
        const struct store_entry row = {entry->position, entry->tick,  entry->kind,
                                        entry->at,       entry->bytes, entry->size};
        item->chain = store_chain(s->hash, item->chain, item->list->list, &row);
        store_db_bind(insert, 1, item->list->list);
        store_db_bind(insert, 2, row.position);
        store_db_bind(insert, 3, row.tick);
        store_db_bind(insert, 4, row.kind);
        store_db_bind(insert, 5, row.at);
        store_db_bind(insert, 6, item->chain);
        sqlite3_bind_blob64(insert, 7, row.bytes, row.size, SQLITE_STATIC);
        code = store_db_run(insert);
    }
    sqlite3_clear_bindings(insert);
    return code;
}

static int write_row(struct sqlite_store *s, const struct sq_item *item)
{
    sqlite3_stmt *update = s->statements[SQ_LIST_UPDATE];
    if (item->changes == item->list->written) {
        return SQLITE_OK;
    }
    store_db_bind(update, 1, item->list->list);
    store_db_bind(update, 2, item->epoch);
    sqlite3_bind_text(update, 3, item->label, -1, SQLITE_STATIC);
    store_db_bind(update, 4, item->binned);
    store_db_bind(update, 5, item->binned_at);
    return store_db_run(update);
}

// The chain's value at an image's position, and the bytes of entries up to there.
static int chain_at(struct sqlite_store *s, const struct sq_list *list, uint64_t position, uint64_t *chain)
{
    uint64_t last = list->durable;
    *chain = list->chain;
    for (uint32_t i = 0; i < s->item_count; i++) {
        if (s->items[i].list == list) {
            last = s->items[i].position;
            *chain = s->items[i].chain;
        }
    }
    if (position == last) {
        return SQLITE_OK;
    }
    store_db_bind(s->statements[SQ_CHAIN], 1, list->list);
    store_db_bind(s->statements[SQ_CHAIN], 2, position);
    return store_db_number(s->statements[SQ_CHAIN], chain);
}

static int write_image(struct sqlite_store *s, const struct sq_portion *portion)
{
    const struct sq_image *image = portion->image;
    const struct sq_list *list = portion->list;
    sqlite3_stmt *insert = s->statements[SQ_IMAGE];
    uint64_t chain = store_chain_begin(s->hash, list->list, image->image.position);
    uint64_t entry_bytes = list->entry_bytes;
    if (!image->creates) {
        const int code = chain_at(s, list, image->image.position, &chain);
        if (code != SQLITE_OK) {
            return code;
        }
        for (uint32_t i = 0; i < s->item_count; i++) {
            entry_bytes += s->items[i].list == list ? s->items[i].bytes : 0;
        }
    }
    const struct store_seal seal = {image->size,      image->sum,  chain,
                                    image->piece_end, image->runs, image->runs_size};
    store_db_bind(insert, 1, list->list);
    store_db_bind(insert, 2, image->image.position);
    store_db_bind(insert, 3, image->image.tick);
    store_db_bind(insert, 4, image->image.hash);
    store_db_bind(insert, 5, image->image.maker);
    store_db_bind(insert, 6, image->image.at);
    store_db_bind(insert, 7, image->size);
    store_db_bind(insert, 8, image->sum);
    store_db_bind(insert, 9, chain);
    sqlite3_bind_blob64(insert, 10, image->runs ? image->runs : (const uint8_t *)"", image->runs_size,
                        SQLITE_STATIC);
    store_db_bind(insert, 11, image->piece_end);
    store_db_bind(insert, 12, image->packed);
    store_db_bind(insert, 13, entry_bytes);
    store_db_bind(insert, 14, list->piece_bytes + portion->bytes);
    store_db_bind(insert, 15, store_seal(s->hash, list->list, &image->image, &seal));
    const int code = store_db_run(insert);
    sqlite3_clear_bindings(insert);
    return code;
}

static int write_new_list(struct sqlite_store *s, const struct sq_portion *portion)
{
    const struct sq_list *list = portion->list;
    sqlite3_stmt *insert = s->statements[SQ_LIST];
    store_db_bind(insert, 1, list->list);
    store_db_bind(insert, 2, 1);
    sqlite3_bind_text(insert, 3, portion->image->label, -1, SQLITE_STATIC);
    store_db_bind(insert, 4, 0);
    store_db_bind(insert, 5, list->created_at);
    store_db_bind(insert, 6, 0);
    int code = store_db_run(insert);
    if (code == SQLITE_OK) {
        store_db_bind(s->statements[SQ_LAST_LIST], 1, list->list);
        code = store_db_run(s->statements[SQ_LAST_LIST]);
    }
    return code;
}

static int write_portion(struct sqlite_store *s, const struct sq_portion *portion)
{
    sqlite3_stmt *insert = s->statements[SQ_PIECE];
    int code = SQLITE_OK;
    if (portion->list->gone) {
        return SQLITE_OK;
    }
    for (uint32_t i = 0; i < portion->count && code == SQLITE_OK; i++) {
        const struct sq_piece *piece = &portion->pieces[i];
        store_db_bind(insert, 1, piece->piece);
        store_db_bind(insert, 2, portion->list->list);
        sqlite3_bind_blob(insert, 3, piece->key, STORE_KEY_SIZE, SQLITE_STATIC);
        store_db_bind(insert, 4, piece->size);
        sqlite3_bind_blob64(insert, 5, piece->bytes, piece->packed, SQLITE_STATIC);
        code = store_db_run(insert);
    }
    sqlite3_clear_bindings(insert);
    if (code == SQLITE_OK && portion->image && portion->image->creates) {
        code = write_new_list(s, portion);
    }
    if (code == SQLITE_OK && portion->image) {
        code = write_image(s, portion);
    }
    return code;
}

static int write_all(struct sqlite_store *s, const struct sq_portion *portion)
{
    bool entries = false;
    int code = store_db_run(s->statements[SQ_BEGIN]);
    for (uint32_t i = 0; i < s->item_count && code == SQLITE_OK; i++) {
        entries = entries || s->items[i].to;
        code = write_entries(s, &s->items[i]);
        if (code == SQLITE_OK) {
            code = write_row(s, &s->items[i]);
        }
    }
    if (code == SQLITE_OK && portion) {
        code = write_portion(s, portion);
    }
    if (code == SQLITE_OK && !entries) {
        store_db_bind(s->statements[SQ_COMMITS], 1, s->commits + 1);
        code = store_db_run(s->statements[SQ_COMMITS]);
    }
    if (code == SQLITE_OK) {
        code = store_db_run(s->statements[SQ_COMMIT]);
    }
    if (code == SQLITE_OK && !entries) {
        s->commits++;
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------
// What comes of it

// One entry of those that were just written says how far the log has to reach.
static void mark(struct sqlite_store *s)
{
    for (uint32_t i = 0; i < s->item_count; i++) {
        if (s->items[i].to) {
            s->mark.list = s->items[i].list->list;
            s->mark.position = s->items[i].position;
        }
    }
    s->mark.commits = s->commits;
    // The mark is no promise: what it cannot say it does not say.
    (void)store_mark_write(&s->folder, &s->mark);
}

static void settle_item(struct sqlite_store *s, struct sq_item *item)
{
    struct sq_list *list = item->list;
    while (item->to) {
        struct sq_entry *entry = list->head;
        item->to = entry == item->to ? NULL : item->to;
        list->head = entry->next;
        list->tail = list->head ? list->tail : NULL;
        list->bytes -= entry->size;
        free(entry);
    }
    list->durable = item->position;
    list->chain = item->chain;
    list->entry_bytes += item->bytes;
    list->written = item->changes;
    if (has_more(list)) {
        sq_due(s, list);
    }
}

static void settle_portion(struct sqlite_store *s, struct sq_portion *portion)
{
    struct sq_list *list = portion->list;
    s->portion = portion->next;
    s->portion_last = s->portion ? s->portion_last : NULL;
    s->portion_bytes -= portion->bytes;
    base_cond_signal(&s->images);
    if (list->gone) {
        return;
    }
    list->piece_bytes += portion->bytes;
    if (!portion->image) {
        return;
    }
    const struct store_image *image = &portion->image->image;
    struct sq_images *images = &list->images;
    images->newest = image->position;
    if (images->count == 0) {
        images->oldest = image->position;
        images->oldest_at = image->at;
    } else if (images->count == 1) {
        images->next = image->position;
        images->next_at = image->at;
    }
    images->count++;
    s->incomplete = true; // with a newer image an older one may go
    if (portion->image->creates) {
        list->there = true;
        if (has_more(list)) {
            sq_due(s, list);
        }
    }
}

static void have_room(struct sqlite_store *s)
{
    base_mutex_lock(&s->mutex);
    const bool was_full = s->full;
    s->full = false;
    base_mutex_unlock(&s->mutex);
    if (was_full && s->options.on_full) {
        s->options.on_full(s->options.context, false, "there is room again");
    }
}

static void settle(struct sqlite_store *s, struct sq_portion *portion)
{
    if (portion && portion->image && portion->image->creates) {
        portion->list->chain =
            store_chain_begin(s->hash, portion->list->list, portion->image->image.position);
    }
    mark(s);
    base_mutex_lock(&s->mutex);
    bool told[SQ_BATCH_LISTS];
    for (uint32_t i = 0; i < s->item_count; i++) {
        told[i] = s->items[i].to != NULL;
        settle_item(s, &s->items[i]);
    }
    if (portion) {
        settle_portion(s, portion);
    }
    base_cond_broadcast(&s->progress);
    base_mutex_unlock(&s->mutex);
    have_room(s);
    for (uint32_t i = 0; i < s->item_count; i++) {
        if (told[i] && s->options.on_commit) {
            s->options.on_commit(s->options.context, s->items[i].list->list, s->items[i].position);
        }
    }
    if (portion) {
        sq_portion_free(portion);
    }
}

static void fail(struct sqlite_store *s, const char *text)
{
    base_mutex_lock(&s->mutex);
    s->failed = true;
    (void)snprintf(s->trouble, sizeof s->trouble, "%s", text);
    base_cond_broadcast(&s->progress);
    base_cond_broadcast(&s->images);
    base_mutex_unlock(&s->mutex);
    if (s->options.on_failure) {
        s->options.on_failure(s->options.context, text);
    }
}

// Nothing was written of what was taken.
static void put_back(struct sqlite_store *s)
{
    base_mutex_lock(&s->mutex);
    for (uint32_t i = 0; i < s->item_count; i++) {
        sq_due(s, s->items[i].list);
    }
    s->item_count = 0;
    base_mutex_unlock(&s->mutex);
}

static void become_full(struct sqlite_store *s, const char *text)
{
    base_mutex_lock(&s->mutex);
    const bool was_full = s->full;
    s->full = true;
    (void)snprintf(s->trouble, sizeof s->trouble, "%s", text);
    base_cond_broadcast(&s->progress);
    base_mutex_unlock(&s->mutex);
    if (!was_full && s->options.on_full) {
        s->options.on_full(s->options.context, true, text);
    }
}

// What can be left for later, where there is no room for it.
static bool may_wait(struct sqlite_store *s, int code)
{
    return store_db_trouble(s->db, code) == STORE_DB_FULL &&
           (sqlite3_get_autocommit(s->db) || store_db_run(s->statements[SQ_ROLLBACK]) == SQLITE_OK);
}

// False: not now, or never again.
static bool judge(struct sqlite_store *s, int code, const char *doing)
{
    struct store_error error;
    if (code == SQLITE_OK) {
        return true;
    }
    const enum store_db_trouble trouble = store_db_trouble(s->db, code);
    store_db_fail(s->db, code, 0, 0, doing, &error);
    bool clean = true;
    if (!sqlite3_get_autocommit(s->db)) {
        clean = store_db_run(s->statements[SQ_ROLLBACK]) == SQLITE_OK;
    }
    put_back(s);
    if (trouble == STORE_DB_FULL && clean) {
        become_full(s, error.text);
    } else {
        fail(s, error.text);
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Between commits

static int on_log(void *context, sqlite3 *db, const char *name, int pages)
{
    (void)db;
    (void)name;
    struct sqlite_store *s = context;
    s->log_pages = (uint32_t)pages;
    s->checkpoint_due = pages >= LOG_PAGES;
    return SQLITE_OK;
}

// As far as readers let it; it never waits for them. The pages of one log's length hold a commit up for their writing and
// two fsyncs.
static bool checkpoint(struct sqlite_store *s)
{
    s->checkpoint_due = false;
    const int code = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED || may_wait(s, code)) {
        return true;
    }
    if (!judge(s, code, "moving the log into the database")) {
        return false;
    }
    (void)store_file_sync(&s->folder.mark);
    return true;
}

static void measure(struct sqlite_store *s)
{
    uint64_t pages = 0, unused = 0;
    if (store_db_ask(s->db, "PRAGMA page_count", &pages) == SQLITE_OK &&
        store_db_ask(s->db, "PRAGMA freelist_count", &unused) == SQLITE_OK) {
        atomic_store_explicit(&s->bytes, (pages - unused) * STORE_PAGE, memory_order_relaxed);
    }
}

static void tell_lost(struct sqlite_store *s)
{
    for (;;) {
        char text[sizeof(((struct sq_list *)0)->lost_text)];
        uint32_t list = 0;
        base_mutex_lock(&s->mutex);
        for (size_t i = 0; i < s->list_count && list == 0; i++) {
            if (s->lists[i]->lost) {
                s->lists[i]->lost = false;
                list = s->lists[i]->list;
                memcpy(text, s->lists[i]->lost_text, sizeof text);
            }
        }
        base_mutex_unlock(&s->mutex);
        if (list == 0) {
            return;
        }
        if (s->options.on_lost) {
            s->options.on_lost(s->options.context, list, text);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// The thread

static bool turn(struct sqlite_store *s)
{
    base_mutex_lock(&s->mutex);
    gather(s);
    struct sq_portion *portion = next_portion(s);
    base_mutex_unlock(&s->mutex);
    tell_lost(s);
    if (s->item_count == 0 && !portion) {
        return true;
    }
    if (!judge(s, write_all(s, portion), "writing down what happened")) {
        return false;
    }
    settle(s, portion);
    return true;
}

static bool maintain(struct sqlite_store *s)
{
    bool did = false;
    const int code = sq_compact(s, &did);
    if (code != SQLITE_OK && may_wait(s, code)) {
        did = false;
    } else if (!judge(s, code, "removing what is no longer kept")) {
        return false;
    }
    s->compacted_ns = base_now_ns();
    s->incomplete = did;
    measure(s);
    return true;
}

enum what { COMMIT, MAINTAIN, RETRY, END };

// Under the mutex.
static enum what wait(struct sqlite_store *s, uint64_t retry_at_ns)
{
    for (;;) {
        const uint64_t now = base_now_ns();
        if (s->failed) {
            if (s->closing) {
                return END;
            }
            base_cond_wait(&s->work, &s->mutex);
        } else if (now < retry_at_ns && !s->closing) {
            (void)base_cond_wait_until(&s->work, &s->mutex, retry_at_ns);
        } else if (s->full) {
            return RETRY;
        } else if (s->due || (s->portion && next_portion(s))) {
            return COMMIT;
        } else if (s->closing && !s->image && !s->packing && !s->portion) {
            return END;
        } else if (s->incomplete || now >= s->compacted_ns + idle_ns) {
            return MAINTAIN;
        } else {
            (void)base_cond_wait_until(&s->work, &s->mutex, s->compacted_ns + idle_ns);
        }
    }
}

// Where there was no room: the log may be used anew once it is in the database.
static bool retry(struct sqlite_store *s)
{
    if (!checkpoint(s) || !turn(s)) {
        return false;
    }
    have_room(s); // also if nothing is left to be written
    return true;
}

void sq_commit_run(void *context)
{
    struct sqlite_store *s = context;
    uint64_t retry_at_ns = 0;
    sqlite3_wal_hook(s->db, on_log, s);
    measure(s);
    for (;;) {
        base_mutex_lock(&s->mutex);
        s->item_count = 0;
        const enum what what = wait(s, retry_at_ns);
        base_mutex_unlock(&s->mutex);
        if (what == END) {
            return;
        }
        const uint64_t now = base_now_ns();
        bool well = what == MAINTAIN ? maintain(s) : what == RETRY ? retry(s) : turn(s);
        // Compaction goes on between commits, where these leave no time for it.
        if (well && what == COMMIT && now > s->compacted_ns + (s->incomplete ? idle_ns / 50 : idle_ns)) {
            well = maintain(s);
        }
        if (well && s->checkpoint_due) {
            well = checkpoint(s);
        }
        retry_at_ns = well ? 0 : base_now_ns() + retry_ns;
        if (!well) {
            base_mutex_lock(&s->mutex);
            s->failed = s->failed || s->closing; // nobody waits for room any more
            base_cond_broadcast(&s->images);
            base_mutex_unlock(&s->mutex);
        }
    }
}
