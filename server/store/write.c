// Gathers what a transaction takes of what waits, and runs the transaction.
#include "store/chain.h"
#include "store/sqlite.h"

#include <stdlib.h>
#include <string.h>

static const char *const texts[STORE_SQLITE_STATEMENTS] = {
    [STORE_SQLITE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_SQLITE_COMMIT] = "COMMIT",
    [STORE_SQLITE_ROLLBACK] = "ROLLBACK",
    [STORE_SQLITE_ENTRY] = "INSERT INTO entries VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [STORE_SQLITE_LIST] = "INSERT INTO lists VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0)",
    [STORE_SQLITE_LIST_UPDATE] =
        ("UPDATE lists SET epoch = ?2, label = ?3, binned = ?4, binned_at = ?5, binned_seen = ?6 "
         "WHERE list = ?1"),
    [STORE_SQLITE_LAST_LIST] = "UPDATE store SET last_list = max(last_list, ?1)",
    [STORE_SQLITE_COMMITS] = "UPDATE store SET commits = ?1",
    [STORE_SQLITE_SEEN] = "UPDATE store SET seen = ?1",
    [STORE_SQLITE_IMAGE] =
        "INSERT INTO images VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    [STORE_SQLITE_PIECE] = "INSERT INTO pieces VALUES(?1, ?2, ?3, ?4, ?5)",
    [STORE_SQLITE_CHAIN] = "SELECT chain FROM entries WHERE list = ?1 AND position = ?2",
};

enum fault_code store_sqlite_write_prepare(struct sqlite_store *s, struct store_error *error)
{
    for (int i = 0; i < STORE_SQLITE_STATEMENTS; i++) {
        const int code = store_db_prepare(s->db, texts[i], &s->statements[i]);
        if (code != SQLITE_OK) {
            return store_db_fail(s->db, code, 0, 0, s->folder.db, error);
        }
    }
    s->items = calloc(STORE_SQLITE_BATCH_LISTS, sizeof *s->items);
    s->hash = base_hash_create();
    return s->items && s->hash ? FAULT_NONE : store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
}

// ---------------------------------------------------------------------------------------------------------
// What a transaction takes, under the mutex

// Takes entries. What was appended together is taken together, even beyond the bounds.
static void take_entries(struct store_sqlite_item *item, size_t *bytes, uint32_t *entries)
{
    bool together = false;
    for (struct store_sqlite_entry *entry = item->list->head;
         entry && (together || (*bytes < STORE_SQLITE_BATCH_BYTES && *entries < STORE_SQLITE_BATCH_ENTRIES));
         entry = entry->next) {
        together = entry->goes_on;
        item->to = entry;
        item->position = entry->position;
        item->bytes += entry->size;
        item->entries++;
        *bytes += entry->size;
        (*entries)++;
    }
}

static void take_list(struct sqlite_store *s, struct store_sqlite_list *list, size_t *bytes,
                      uint32_t *entries)
{
    struct store_sqlite_item *item = &s->items[s->item_count++];
    *item = (struct store_sqlite_item){
        .list = list,
        .changes = list->changes,
        .epoch = list->epoch,
        .binned = list->binned,
        .binned_at = list->binned_at,
        .binned_seen = list->binned_seen,
        .chain = list->chain,
        .position = list->durable,
    };
    memcpy(item->label, list->label, sizeof item->label);
    take_entries(item, bytes, entries);
}

void store_sqlite_gather(struct sqlite_store *s)
{
    size_t bytes = 0;
    uint32_t entries = 0;
    s->item_count = 0;
    while (s->due && s->item_count < STORE_SQLITE_BATCH_LISTS && bytes < STORE_SQLITE_BATCH_BYTES &&
           entries < STORE_SQLITE_BATCH_ENTRIES) {
        struct store_sqlite_list *list = s->due;
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

// Returns the first portion, if it can be written now: an image needs the entries that it holds.
struct store_sqlite_portion *store_sqlite_next_portion(struct sqlite_store *s)
{
    struct store_sqlite_portion *portion = s->portion;
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

static int write_entries(struct sqlite_store *s, struct store_sqlite_item *item)
{
    sqlite3_stmt *insert = s->statements[STORE_SQLITE_ENTRY];
    int code = SQLITE_OK;
    for (const struct store_sqlite_entry *entry = item->to ? item->list->head : NULL;
         entry && code == SQLITE_OK; entry = entry == item->to ? NULL : entry->next) {
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

static int write_row(struct sqlite_store *s, const struct store_sqlite_item *item)
{
    sqlite3_stmt *update = s->statements[STORE_SQLITE_LIST_UPDATE];
    if (item->changes == item->list->written) {
        return SQLITE_OK;
    }
    store_db_bind(update, 1, item->list->list);
    store_db_bind(update, 2, item->epoch);
    sqlite3_bind_text(update, 3, item->label, -1, SQLITE_STATIC);
    store_db_bind(update, 4, item->binned);
    store_db_bind(update, 5, item->binned_at);
    store_db_bind(update, 6, item->binned_seen);
    return store_db_run(update);
}

// Finds the chain's value at an image's position, and the bytes of entries up to there.
static int chain_at(struct sqlite_store *s, const struct store_sqlite_list *list, uint64_t position,
                    uint64_t *chain)
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
    store_db_bind(s->statements[STORE_SQLITE_CHAIN], 1, list->list);
    store_db_bind(s->statements[STORE_SQLITE_CHAIN], 2, position);
    return store_db_number(s->statements[STORE_SQLITE_CHAIN], chain);
}

uint64_t store_sqlite_chain_begin(struct sqlite_store *s, const struct store_sqlite_image *image)
{
    return image->chained ? image->chain
                          : store_chain_begin(s->hash, image->list->list, image->image.position);
}

static int write_image(struct sqlite_store *s, const struct store_sqlite_portion *portion)
{
    const struct store_sqlite_image *image = portion->image;
    const struct store_sqlite_list *list = portion->list;
    sqlite3_stmt *insert = s->statements[STORE_SQLITE_IMAGE];
    uint64_t chain = store_sqlite_chain_begin(s, image);
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
    store_db_bind(insert, 16, image->seen);
    const int code = store_db_run(insert);
    sqlite3_clear_bindings(insert);
    return code;
}

static int write_new_list(struct sqlite_store *s, const struct store_sqlite_portion *portion)
{
    const struct store_sqlite_list *list = portion->list;
    sqlite3_stmt *insert = s->statements[STORE_SQLITE_LIST];
    store_db_bind(insert, 1, list->list);
    store_db_bind(insert, 2, 1);
    sqlite3_bind_text(insert, 3, portion->image->label, -1, SQLITE_STATIC);
    store_db_bind(insert, 4, 0);
    store_db_bind(insert, 5, list->created_at);
    store_db_bind(insert, 6, 0);
    int code = store_db_run(insert);
    if (code == SQLITE_OK) {
        store_db_bind(s->statements[STORE_SQLITE_LAST_LIST], 1, list->list);
        code = store_db_run(s->statements[STORE_SQLITE_LAST_LIST]);
    }
    return code;
}

static int write_portion(struct sqlite_store *s, const struct store_sqlite_portion *portion)
{
    sqlite3_stmt *insert = s->statements[STORE_SQLITE_PIECE];
    int code = SQLITE_OK;
    if (portion->list->gone) {
        return SQLITE_OK;
    }
    for (uint32_t i = 0; i < portion->count && code == SQLITE_OK; i++) {
        const struct store_sqlite_piece *piece = &portion->pieces[i];
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

// Writes down the time that was seen. Each transaction does so, and therefore no row has a later time than
// the store, even after a crash.
static int write_seen(struct sqlite_store *s, uint64_t seen)
{
    if (seen == s->seen_written) {
        return SQLITE_OK;
    }
    store_db_bind(s->statements[STORE_SQLITE_SEEN], 1, seen);
    return store_db_run(s->statements[STORE_SQLITE_SEEN]);
}

int store_sqlite_write(struct sqlite_store *s, const struct store_sqlite_portion *portion)
{
    bool entries = false, rows = portion != NULL;
    const uint64_t seen = store_seen_s(&s->seen);
    int code = store_db_run(s->statements[STORE_SQLITE_BEGIN]);
    for (uint32_t i = 0; i < s->item_count && code == SQLITE_OK; i++) {
        entries = entries || s->items[i].to;
        rows = rows || s->items[i].changes != s->items[i].list->written;
        code = write_entries(s, &s->items[i]);
        if (code == SQLITE_OK) {
            code = write_row(s, &s->items[i]);
        }
    }
    if (code == SQLITE_OK && portion) {
        code = write_portion(s, portion);
    }
    if (code == SQLITE_OK && rows) {
        code = write_seen(s, seen);
    }
    if (code == SQLITE_OK && !entries) {
        store_db_bind(s->statements[STORE_SQLITE_COMMITS], 1, s->commits + 1);
        code = store_db_run(s->statements[STORE_SQLITE_COMMITS]);
    }
    if (code == SQLITE_OK) {
        code = store_db_run(s->statements[STORE_SQLITE_COMMIT]);
    }
    if (code == SQLITE_OK && !entries) {
        s->commits++;
    }
    if (code == SQLITE_OK && rows) {
        s->seen_written = seen;
    }
    return code;
}
