// Takes a list over: reads its stream into the folder's store (nats_fetch.c), then sends a message that says
// which server writes from here on. The previous writer finds out with its next message.
#include "store/nats.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "store/sqlite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { READ_ENTRIES = 1024 };                    // entries that are given back at a time
static const uint64_t patience_ns = 10000000000; // how long to wait for what waits of a list, and for brokers
static const uint64_t refused_ns =
    1000000; // time before the same is tried again, because another server wrote
static const uint64_t silent_ns = 100000000; // the same if nobody answers

// Gives back to brokers what they have lost and the folder has.
static enum fault_code give_back(struct store_nats_writing *writing, uint64_t to, struct store_error *error)
{
    struct store_nats_list *list = writing->list;
    struct store_reader *reader = store_sqlite_reader_open(writing->s->local, error);
    enum fault_code status = reader ? FAULT_NONE : error->fault.code;
    base_log(BASE_LOG_WARN,
             "the brokers have lost what came after position %" PRIu64 " of world %" PRIu32
             ": it is given back to them from the folder, up to position %" PRIu64,
             list->position, list->list, to);
    while (status == FAULT_NONE && list->position < to) {
        const struct store_entry *entries;
        uint32_t count = 0;
        uint64_t chain = 0;
        status = store_sqlite_read(reader, list->list, list->position, READ_ENTRIES, STORE_NATS_BATCH_BYTES,
                                   &entries, &count, error);
        if (status == FAULT_NONE && count == 0) {
            status = store_fail(error, FAULT_DAMAGED, list->list, list->position,
                                "the folder's entries end too early");
        }
        if (status == FAULT_NONE) {
            status = store_sqlite_chain(reader, list->list, entries[count - 1].position, &chain, error);
        }
        if (status == FAULT_NONE &&
            store_nats_put_entries(writing, entries, count, chain, error) != STORE_NATS_DONE) {
            status = error->fault.code;
        }
    }
    if (reader) {
        store_sqlite_reader_close(reader);
    }
    return status;
}

// Reads all that is there, then puts the epoch's message after it.
static enum fault_code try_epoch(struct store_nats_writing *writing, struct store_nats_ends *ends,
                                 enum store_nats_answer *answer, struct store_error *error)
{
    struct store_nats_store *s = writing->s;
    const enum fault_code status = store_nats_fetch(s, writing->list, ends, error);
    if (status == FAULT_NONE) {
        writing->epoch = ends->epoch + 1;
        *answer =
            store_nats_put(writing, STORE_NATS_EPOCH, 0, (const uint8_t *)s->owner, strlen(s->owner), error);
    }
    return status == FAULT_NONE && *answer != STORE_NATS_DONE ? error->fault.code : status;
}

// Begins a new epoch. While another server writes, each try has more to read. Brokers that come back, or
// choose a leader, are waited for. An epoch's message that nobody acknowledged may be in the stream
// nevertheless; then it counts as another server's.
static enum fault_code begin_epoch(struct store_nats_store *s, struct store_nats_list *list, uint64_t *epoch,
                                   struct store_error *error)
{
    const uint64_t deadline_ns = base_now_ns() + patience_ns;
    struct store_nats_writing writing = {.s = s, .list = list, .hash = base_hash_create()};
    struct store_nats_ends ends = {0};
    enum store_nats_answer answer = STORE_NATS_SILENT;
    enum fault_code status = FAULT_IO;
    if (!writing.hash) {
        return store_fail(error, FAULT_MEMORY, list->list, 0, "no memory");
    }
    for (bool again = true; again;) {
        answer = STORE_NATS_SILENT;
        status = try_epoch(&writing, &ends, &answer, error);
        again = status == FAULT_IO && base_now_ns() < deadline_ns;
        if (again) {
            base_thread_sleep(answer == STORE_NATS_REFUSED ? refused_ns : silent_ns);
        }
    }
    if (status == FAULT_NONE && list->position < ends.position) {
        status = give_back(&writing, ends.position, error);
    }
    base_hash_destroy(writing.hash);
    *epoch = writing.epoch;
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Whose it is

// Takes hold of a list for its taker. If this server writes it, what waits is sent first.
static struct store_nats_list *seize(struct store_nats_store *s, uint32_t id, bool *was_ours,
                                     struct store_error *error)
{
    const uint64_t deadline_ns = base_now_ns() + patience_ns;
    bool in_time = true;
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list =
        store_nats_know(s, id); // another server may have made it since this one started
    *was_ours = list && list->state == STORE_NATS_OURS;
    if (*was_ours) {
        list->wanted = true;
        s->due = true;
        base_cond_signal(&s->work);
        while (list->state == STORE_NATS_OURS && in_time) {
            in_time = base_cond_wait_until(&s->progress, &s->mutex, deadline_ns);
        }
        list->wanted = false;
    } else if (list && list->state != STORE_NATS_TAKING) {
        list->state = STORE_NATS_TAKING;
    } else {
        list = NULL;
    }
    if (!list) {
        store_fail(error, FAULT_NOT_FOUND, id, 0, "there is no list %" PRIu32 " that could be taken over",
                   id);
    } else if (list->state != STORE_NATS_TAKING) {
        store_fail(error, FAULT_IO, id, 0,
                   "list %" PRIu32 " cannot be taken over: its entries that wait cannot be sent: %.300s", id,
                   store_nats_trouble(s));
        list = NULL;
    }
    base_mutex_unlock(&s->mutex);
    return list;
}

// Reads the row from brokers. If they have none, ours is to be written there.
static bool know_row(struct store_nats_store *s, struct store_nats_list *list)
{
    struct store_nats_row row;
    const bool read = store_nats_row_get(s->link, list->list, &row, NULL) == FAULT_NONE;
    base_mutex_lock(&s->mutex);
    if (read) {
        store_nats_row_take(s, list, &row);
    }
    list->row_changed = !read;
    base_mutex_unlock(&s->mutex);
    return read;
}

uint64_t store_nats_take_over(struct store *store, uint32_t id, struct store_error *error)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_error told = {0};
    error = error ? error : &told;
    bool was_ours;
    struct store_nats_list *list = seize(s, id, &was_ours, error);
    uint64_t epoch = 0;
    if (!list) {
        return 0;
    }
    const uint64_t sequence = list->sequence, link = list->link, position = list->position,
                   chain = list->chain;
    const uint32_t kept = list->kept_count;
    const bool known = know_row(s, list);
    const bool taken = begin_epoch(s, list, &epoch, error) == FAULT_NONE;
    if (taken) {
        (void)(known || know_row(s, list));
        error->fault.code = FAULT_NONE; // searches that found nothing have set it
    }
    base_mutex_lock(&s->mutex);
    if (taken) {
        list->state = STORE_NATS_OURS;
        s->counts.taken++;
        list->epoch = epoch;
        list->last = list->durable = list->position;
        list->image_position = list->kept[list->kept_count - 1].position;
        list->unsure = false;
        list->gap_since_ns = 0;
        list->point_count = 0;
        (void)store_nats_point_add(list, list->position, list->chain, list->sequence);
    } else if (was_ours) {
        list->state = STORE_NATS_OURS;
        list->unsure = true;
        list->sequence = sequence;
        list->link = link;
        list->position = position;
        list->chain = chain;
        list->kept_count = kept < list->kept_count ? kept : list->kept_count;
    } else {
        list->state = STORE_NATS_ELSEWHERE;
    }
    s->due = true;
    base_cond_signal(&s->work);
    base_mutex_unlock(&s->mutex);
    return taken ? epoch : 0;
}

// ---------------------------------------------------------------------------------------------------------
// What another writes

static void set_down(struct store_nats_store *s, struct store_nats_list *list, enum store_nats_state state)
{
    base_mutex_lock(&s->mutex);
    list->state = state;
    base_mutex_unlock(&s->mutex);
}

enum fault_code store_nats_fetch_list(struct store *store, uint32_t id, struct store_error *error)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_error told;
    struct store_nats_ends ends;
    error = error ? error : &told;
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_know(s, id);
    const enum store_nats_state state = list ? list->state : STORE_NATS_TAKING;
    const bool free = state == STORE_NATS_ELSEWHERE || state == STORE_NATS_LOST;
    if (free) {
        list->state = STORE_NATS_TAKING;
    }
    base_mutex_unlock(&s->mutex);
    if (!free) {
        return store_fail(error, FAULT_IO, id, 0, "list %" PRIu32 " is written or taken over here", id);
    }
    const enum fault_code status = store_nats_fetch(s, list, &ends, error);
    set_down(s, list, state);
    return status;
}

enum fault_code store_nats_let_go(struct store *store, uint32_t id, struct store_error *error)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_error told;
    bool was_ours = false;
    error = error ? error : &told;
    struct store_nats_list *list = seize(s, id, &was_ours, error);
    if (!list) {
        return error->fault.code;
    }
    set_down(s, list, STORE_NATS_ELSEWHERE);
    return FAULT_NONE;
}
