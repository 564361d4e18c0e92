// The store's thread. It writes all entries and rows that wait, and a portion of pieces, in one transaction,
// which is durable when it is committed. After a failed fsync or write it is unknown what is on the disk, and
// nothing is written any more.
//
// If there is no room, nothing has changed. The reserve is given up, so that entries and rows that wait still
// become durable; the worlds that append them are told, and stop. From then on the log is moved into the
// database each second, because it can then start over. When there is room for the reserve again, all goes
// on. If the reserve was too small the store is stuck: it tries what waits again each second.
#include "store/chain.h"
#include "store/sqlite.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pages in the log from which on they are moved into the database, as SQLite does it.
enum { LOG_PAGES = 1000 };

static const uint64_t retry_ns = 1000000000, idle_ns = 1000000000;

// ---------------------------------------------------------------------------------------------------------
// What comes of it

// Writes into the mark how far each list of the last transaction is durable.
static void mark(struct sqlite_store *s, const struct store_sqlite_portion *portion)
{
    for (uint32_t i = 0; i < s->item_count; i++) {
        const struct store_sqlite_item *item = &s->items[i];
        if (item->to) {
            s->mark.list = item->list->list;
            s->mark.position = item->position;
        }
        if (!item->list->gone) {
            store_mark_set(&s->mark, item->list->list, store_mark_row(item->label, item->binned, item->epoch),
                           item->position);
        }
    }
    if (portion && portion->image && portion->image->creates && !portion->list->gone) {
        store_mark_set(&s->mark, portion->list->list, store_mark_row(portion->image->label, false, 1),
                       portion->image->image.position);
    }
    s->mark.commits = s->commits;
    s->mark.frames = s->log_pages;
    // An error is ignored, because the mark promises nothing: what it cannot say is not said.
    (void)store_mark_write(&s->folder.mark, &s->mark, false);
}

static bool has_more(const struct store_sqlite_list *list)
{
    return list->lost || (list->there && !list->gone && (list->head || list->changes != list->written));
}

// Adds to the estimate of the store's size, until it is measured.
static void wrote(struct sqlite_store *s, uint64_t bytes)
{
    atomic_fetch_add_explicit(&s->bytes, bytes, memory_order_relaxed);
    s->owed += 2 * bytes;
}

static void settle_item(struct sqlite_store *s, struct store_sqlite_item *item)
{
    struct store_sqlite_list *list = item->list;
    while (item->to) {
        struct store_sqlite_entry *entry = list->head;
        item->to = entry == item->to ? NULL : item->to;
        list->head = entry->next;
        list->tail = list->head ? list->tail : NULL;
        list->bytes -= entry->size;
        free(entry);
    }
    wrote(s, item->bytes + item->entries * STORE_ENTRY_EXTRA);
    list->durable = item->position;
    list->chain = item->chain;
    list->entry_bytes += item->bytes;
    list->written = item->changes;
    if (has_more(list)) {
        store_sqlite_due(s, list);
    }
}

static void settle_portion(struct sqlite_store *s, struct store_sqlite_portion *portion)
{
    struct store_sqlite_list *list = portion->list;
    s->portion = portion->next;
    s->portion_last = s->portion ? s->portion_last : NULL;
    s->portion_bytes -= portion->bytes;
    base_cond_broadcast(&s->images);
    if (list->gone) {
        return;
    }
    wrote(s, portion->bytes);
    list->piece_bytes += portion->bytes;
    if (!portion->image) {
        return;
    }
    const struct store_image *image = &portion->image->image;
    struct store_sqlite_images *images = &list->images;
    images->newest = image->position;
    if (images->count == 0) {
        images->oldest = image->position;
        images->oldest_at = image->at;
        images->oldest_seen = portion->image->seen;
    } else if (images->count == 1) {
        images->next = image->position;
        images->next_seen = portion->image->seen;
    }
    images->count++;
    s->incomplete = true; // with a newer image an older one may be deletable
    if (portion->image->creates) {
        list->there = true;
        if (has_more(list)) {
            store_sqlite_due(s, list);
        }
    }
}

static void have_room(struct sqlite_store *s)
{
    base_mutex_lock(&s->mutex);
    const bool was_full = s->full;
    s->full = s->stuck = s->told_stuck = false;
    base_mutex_unlock(&s->mutex);
    if (was_full && s->options.on_full) {
        s->options.on_full(s->options.context, false, "there is room again");
    }
}

static void settle(struct sqlite_store *s, struct store_sqlite_portion *portion)
{
    if (portion && portion->image && portion->image->creates) {
        portion->list->chain = store_sqlite_chain_begin(s, portion->image);
    }
    mark(s, portion);
    base_mutex_lock(&s->mutex);
    s->stuck = false;
    bool told[STORE_SQLITE_BATCH_LISTS];
    for (uint32_t i = 0; i < s->item_count; i++) {
        told[i] = s->items[i].to != NULL;
        settle_item(s, &s->items[i]);
    }
    if (portion) {
        settle_portion(s, portion);
    }
    base_cond_broadcast(&s->progress);
    base_mutex_unlock(&s->mutex);
    for (uint32_t i = 0; i < s->item_count; i++) {
        if (told[i] && s->options.on_commit) {
            s->options.on_commit(s->options.context, s->items[i].list->list, s->items[i].position);
        }
    }
    if (portion) {
        store_sqlite_portion_free(portion);
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

// Puts back what was taken, because nothing was written.
static void put_back(struct sqlite_store *s)
{
    base_mutex_lock(&s->mutex);
    for (uint32_t i = 0; i < s->item_count; i++) {
        store_sqlite_due(s, s->items[i].list);
    }
    s->item_count = 0;
    base_mutex_unlock(&s->mutex);
}

static void become_full(struct sqlite_store *s, const char *text, bool stuck)
{
    base_mutex_lock(&s->mutex);
    const bool news = !s->full || (stuck && !s->told_stuck);
    s->full = true;
    s->stuck = stuck;
    s->told_stuck = s->told_stuck || stuck;
    (void)snprintf(s->trouble, sizeof s->trouble, "%s", text);
    base_cond_broadcast(&s->progress);
    base_mutex_unlock(&s->mutex);
    if (news && s->options.on_full) {
        s->options.on_full(s->options.context, true, text);
    }
}

// Whether the work can be left for later if there is no room for it.
static bool may_wait(struct sqlite_store *s, int code)
{
    return store_db_trouble(s->db, code) == STORE_DB_FULL &&
           (sqlite3_get_autocommit(s->db) || store_db_run(s->statements[STORE_SQLITE_ROLLBACK]) == SQLITE_OK);
}

// Handles an error. False: do not write now, or never again.
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
        clean = store_db_run(s->statements[STORE_SQLITE_ROLLBACK]) == SQLITE_OK;
    }
    put_back(s);
    if (trouble == STORE_DB_FULL && clean) {
        become_full(s, error.fault.text, !store_reserve_release(&s->folder.reserve));
    } else {
        fail(s, error.fault.text);
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

// Moves the log into the database as far as readers allow; it never waits for them. The pages of one log
// delay a commit by their writing and two fsyncs.
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
    s->mark.frames =
        0; // the log may start over from here, and this mark may be the one that survives a power cut
    (void)store_mark_write(&s->folder.mark, &s->mark, false);
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
        char text[sizeof(((struct store_sqlite_list *)0)->lost_text)];
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

// Writes one transaction. Images wait until there is room.
static bool turn(struct sqlite_store *s, bool images)
{
    base_mutex_lock(&s->mutex);
    store_sqlite_gather(s);
    struct store_sqlite_portion *portion = images ? store_sqlite_next_portion(s) : NULL;
    base_mutex_unlock(&s->mutex);
    tell_lost(s);
    if (s->item_count == 0 && !portion) {
        return true;
    }
    if (!judge(s, store_sqlite_write(s, portion), "writing down what happened")) {
        return false;
    }
    settle(s, portion);
    return true;
}

static bool maintain(struct sqlite_store *s)
{
    bool did = false;
    const int code = store_sqlite_compact(s, &did);
    if (code != SQLITE_OK && may_wait(s, code)) {
        did = false;
    } else if (!judge(s, code, "removing what is no longer kept")) {
        return false;
    }
    if (did) { // this is the log's last commit now; each list is as durable as the mark already says
        s->mark.frames = s->log_pages;
        (void)store_mark_write(&s->folder.mark, &s->mark, false);
    }
    s->compacted_ns = base_now_ns();
    s->incomplete = did;
    measure(s);
    return true;
}

enum what { COMMIT, MAINTAIN, RETRY, END };

// Waits for something to do. Under the mutex.
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
        } else if (s->due && !s->stuck) {
            return COMMIT;
        } else if (s->full) {
            const uint64_t seek_at_ns = s->closing || s->stuck ? now : s->room_sought_ns + retry_ns;
            if (now >= seek_at_ns) {
                return RETRY;
            }
            (void)base_cond_wait_until(&s->work, &s->mutex, seek_at_ns);
        } else if (s->portion && store_sqlite_next_portion(s)) {
            return COMMIT;
        } else if (s->closing && !s->image && !s->packing && !s->portion) {
            return END;
        } else if (s->incomplete || s->forgets || now >= s->compacted_ns + idle_ns) {
            return MAINTAIN;
        } else {
            (void)base_cond_wait_until(&s->work, &s->mutex, s->compacted_ns + idle_ns);
        }
    }
}

static bool retry(struct sqlite_store *s)
{
    s->room_sought_ns = base_now_ns();
    if (!checkpoint(s) || !turn(s, false) || !store_reserve_hold(&s->folder.reserve) || !turn(s, true)) {
        return false;
    }
    have_room(s);
    return true;
}

// Whether so much more is kept than should be that commits have to wait for compaction.
static bool is_crowded(const struct sqlite_store *s)
{
    const uint64_t keep = s->options.keep_bytes;
    return keep != UINT64_MAX && atomic_load_explicit(&s->bytes, memory_order_relaxed) > keep + keep / 4;
}

// Deletes twice as much as was written before more is written, as long as something can be deleted. So the
// size comes back to its bound however fast entries come, and a commit waits only for work in proportion to
// its own.
static bool catch_up(struct sqlite_store *s)
{
    bool well = true;
    while (well && s->owed > 0 && s->incomplete && is_crowded(s)) {
        const uint64_t before = atomic_load_explicit(&s->bytes, memory_order_relaxed);
        well = maintain(s);
        const uint64_t after = atomic_load_explicit(&s->bytes, memory_order_relaxed);
        const uint64_t gone = before > after ? before - after : 0;
        s->owed -= gone < s->owed ? gone : s->owed;
        if (well && s->checkpoint_due) {
            well = checkpoint(s);
        }
    }
    s->owed = 0;
    return well;
}

static void begin(struct sqlite_store *s)
{
    sqlite3_wal_hook(s->db, on_log, s);
    measure(s);
    if (!store_reserve_hold(&s->folder.reserve)) {
        become_full(s, strerror(errno), false);
    }
}

void store_sqlite_commit_run(void *context)
{
    struct sqlite_store *s = context;
    uint64_t retry_at_ns = 0;
    begin(s);
    for (;;) {
        base_mutex_lock(&s->mutex);
        s->item_count = 0;
        const enum what what = wait(s, retry_at_ns);
        base_mutex_unlock(&s->mutex);
        if (what == END) {
            if (!s->failed) {
                (void)judge(s, store_sqlite_compact_note(s), "writing down how much time was seen");
            }
            return;
        }
        const uint64_t now = base_now_ns();
        bool well = what == MAINTAIN ? maintain(s) : what == RETRY ? retry(s) : turn(s, !s->full);
        // Compaction goes on between commits even if these leave no idle time.
        if (well && what == COMMIT && now > s->compacted_ns + (s->incomplete ? idle_ns / 50 : idle_ns)) {
            well = maintain(s);
        }
        if (well && what == COMMIT) {
            well = catch_up(s);
        }
        if (well && s->checkpoint_due) {
            well = checkpoint(s);
        }
        retry_at_ns = s->stuck ? base_now_ns() + retry_ns : 0;
        if (!well) {
            base_mutex_lock(&s->mutex);
            // Nobody waits for room any more.
            s->failed = s->failed || (s->closing && (s->stuck || what == RETRY));
            base_cond_broadcast(&s->images);
            base_mutex_unlock(&s->mutex);
        }
    }
}
