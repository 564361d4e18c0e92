// The store's thread: handles answers, sends what waits, and now and then deletes what is no longer kept.
#include "store/nats.h"

#include "base/clock.h"
#include "store/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t look_ns = 250000000;     // time between looks at all lists
static const uint64_t answer_ns = 3000000000;  // time for an answer, before its message is looked for
static const uint64_t blocked_ns = 1000000000; // time that something waits before it is told
static const uint64_t tend_ns = 1000000000;    // time between looks at what is no longer kept
static const uint64_t last_ns = 5000000000;    // time without headway after which closing gives up
static const uint64_t ids_ns = 5000000000;     // time before ids are asked for again, while new lists wait

static struct store_nats_list *list_at(struct store_nats_store *s, uint32_t at)
{
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = at < s->list_count ? s->lists[at] : NULL;
    base_mutex_unlock(&s->mutex);
    return list;
}

static bool is_ours(struct store_nats_store *s, const struct store_nats_list *list)
{
    base_mutex_lock(&s->mutex);
    const bool ours = list->state == STORE_NATS_OURS;
    base_mutex_unlock(&s->mutex);
    return ours;
}

// ---------------------------------------------------------------------------------------------------------
// What waits

static void doubt(struct store_nats_store *s, struct store_nats_list *list, uint64_t now, bool all)
{
    if (list->sent && !list->unsure && (all || now > list->sent->sent_ns + answer_ns)) {
        list->unsure = true;
        if (!all) {
            store_nats_note(s, "the brokers do not answer");
        }
    }
}

// Returns since when the list's oldest message waits, or entries that are in no message yet. 0: nothing
// waits.
static uint64_t waits_since(struct store_nats_store *s, const struct store_nats_list *list)
{
    uint64_t since_ns = list->sent ? list->sent->first_ns : 0;
    base_mutex_lock(&s->mutex);
    if (since_ns == 0 && list->unsent) {
        since_ns = list->unsent->appended_ns;
    }
    base_mutex_unlock(&s->mutex);
    return since_ns;
}

// Tells the caller that brokers take nothing, or take more again. Some lists may wait while others do not, so
// the caller asks for each. A reason that was noted stays until all goes on.
static void tell(struct store_nats_store *s, bool gone, bool waits, bool changed)
{
    char text[FAULT_TEXT_SIZE];
    base_mutex_lock(&s->mutex);
    changed = changed || s->gone != gone;
    s->gone = gone;
    const bool full = s->full || gone || waits, told = s->told_full;
    s->told_full = full;
    (void)snprintf(text, sizeof text, "%s", store_nats_trouble(s));
    if (told && !full) {
        s->trouble[0] = '\0';
    }
    base_mutex_unlock(&s->mutex);
    if ((full != told || (full && changed)) && s->options.on_full) {
        s->options.on_full(s->options.context, full, full ? text : "the store takes more again");
    }
}

// Sets whether the list is blocked. True: that is a change.
static bool note_blocked(struct store_nats_store *s, struct store_nats_list *list, bool blocked)
{
    base_mutex_lock(&s->mutex);
    const bool changed = list->blocked != blocked;
    list->blocked = blocked;
    base_mutex_unlock(&s->mutex);
    return changed;
}

static void tell_refused(struct store_nats_store *s, struct store_nats_list *list)
{
    char text[sizeof list->refused_text];
    base_mutex_lock(&s->mutex);
    const bool refused = list->refused;
    list->refused = false;
    memcpy(text, list->refused_text, sizeof text);
    base_mutex_unlock(&s->mutex);
    if (refused && s->options.on_lost) {
        s->options.on_lost(s->options.context, list->list, text);
    }
}

static void look_at_all(struct store_nats_store *s, bool connected, bool torn, uint64_t torn_ns)
{
    const uint64_t now = base_now_ns();
    bool waits = false, changed = false;
    uint32_t in_flight = 0;
    struct store_nats_list *list;
    for (uint32_t i = 0; (list = list_at(s, i)); i++) {
        tell_refused(s, list);
        if (is_ours(s, list)) {
            doubt(s, list, now, torn);
            if (connected) {
                store_nats_turn(s, list);
            }
            const uint64_t since_ns = is_ours(s, list) ? waits_since(s, list) : 0;
            const bool blocked = since_ns > 0 && now > since_ns + blocked_ns;
            changed = note_blocked(s, list, blocked) || changed;
            waits = waits || blocked;
            in_flight += list->sent_count;
        }
    }
    base_mutex_lock(&s->mutex);
    s->counts.in_flight = in_flight;
    base_mutex_unlock(&s->mutex);
    tell(s, !connected && now > torn_ns + blocked_ns, waits, changed);
}

static void hear_all(struct store_nats_store *s, struct store_nats_heard *heard, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        store_nats_hear(s, &heard[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What is no longer kept

// Returns the list whose oldest image is the oldest of all that can be deleted. An image is past when the
// next one is.
static struct store_nats_list *oldest(struct store_nats_store *s, uint64_t *bytes)
{
    struct store_nats_list *found = NULL, *list;
    *bytes = 0;
    for (uint32_t i = 0; (list = list_at(s, i)); i++) {
        if (!is_ours(s, list)) {
            continue;
        }
        *bytes += list->stream_bytes;
        if (list->kept_count > 1 && (!found || list->kept[0].seen < found->kept[0].seen)) {
            found = list;
        }
    }
    return found;
}

static bool drop_oldest(struct store_nats_store *s)
{
    uint64_t bytes;
    struct store_nats_list *list = oldest(s, &bytes);
    struct store_nats_stream stream;
    struct store_error error;
    if (!list || (bytes <= s->options.keep_bytes &&
                  !store_seen_past(s->seen, list->kept[1].seen, s->options.keep_seconds))) {
        return false;
    }
    if (store_nats_stream_purge(s->link, list->list, list->kept[1].from, &error) == FAULT_NONE &&
        store_nats_stream_info(s->link, list->list, 0, &stream, &error) == FAULT_NONE) {
        list->stream_bytes = stream.bytes;
        list->kept_count--;
        memmove(list->kept, list->kept + 1, list->kept_count * sizeof *list->kept);
        return true;
    }
    store_nats_note(s, error.fault.text);
    return false;
}

// Deletes lists whose time in the bin is over. Any server that knows of it does so; another may meanwhile
// have restored the list, or binned it again.
static void empty_bin(struct store_nats_store *s)
{
    struct store_nats_list *list;
    for (uint32_t i = 0; (list = list_at(s, i)); i++) {
        base_mutex_lock(&s->mutex);
        const bool due = list->state != STORE_NATS_TAKING && list->state != STORE_NATS_LOST &&
                         !list->row_changed && store_nats_bin_is_over(s, list);
        const uint64_t binned_at = list->row.binned_at;
        base_mutex_unlock(&s->mutex);
        struct store_nats_row row;
        struct store_error error;
        if (!due) {
            continue;
        }
        const enum fault_code status = store_nats_row_get(s->link, list->list, &row, &error);
        const bool still = status == FAULT_NONE && row.binned_at == binned_at;
        if (still) {
            (void)store_nats_stream_delete(s->link, list->list, &error);
            (void)store_nats_row_delete(s->link, list->list, &error);
        }
        base_mutex_lock(&s->mutex);
        if (status == FAULT_NONE && !still) {
            store_nats_row_take(s, list, &row);
        } else if (still || status == FAULT_NOT_FOUND) {
            if (list->state != STORE_NATS_TAKING) {
                list->state = STORE_NATS_ELSEWHERE;
                store_nats_list_drop(list);
            }
            list->row.binned_at = 0;
            (void)store_sqlite_drop(s->local, list->list);
        }
        base_mutex_unlock(&s->mutex);
    }
}

static void measure(struct store_nats_store *s)
{
    struct store_nats_list *list;
    struct store_nats_stream stream;
    for (uint32_t i = 0; (list = list_at(s, i)); i++) {
        if (is_ours(s, list) && list->stream_due) {
            list->stream_due = false;
            if (store_nats_stream_info(s->link, list->list, 0, &stream, NULL) == FAULT_NONE) {
                list->stream_bytes = stream.bytes;
            }
        }
    }
}

static void tend(struct store_nats_store *s)
{
    enum { AT_ONCE = 4 }; // few, because entries wait meanwhile
    measure(s);
    for (int i = 0; i < AT_ONCE && drop_oldest(s); i++) {
    }
    empty_bin(s);
}

static void ask_ids(struct store_nats_store *s)
{
    uint32_t first = 0;
    struct store_error error;
    const bool given = store_nats_ids(s->link, STORE_NATS_IDS, s->local->backend->last_list(s->local), &first,
                                      &error) == FAULT_NONE;
    base_mutex_lock(&s->mutex);
    if (given) {
        s->id_spare = first;
        s->ids_wanted = false;
    }
    base_mutex_unlock(&s->mutex);
    if (!given) {
        store_nats_note(s, error.fault.text);
        s->ids_retry_ns = base_now_ns() + ids_ns;
    }
}

// ---------------------------------------------------------------------------------------------------------

// Whether everything that was given is where it belongs.
static bool all_done(struct store_nats_store *s)
{
    bool done = true;
    struct store_nats_list *list;
    for (uint32_t i = 0; done && (list = list_at(s, i)); i++) {
        base_mutex_lock(&s->mutex);
        done = list->state != STORE_NATS_OURS ||
               (!list->head && !list->image && !list->row_changed && !list->sending && !list->sent);
        base_mutex_unlock(&s->mutex);
    }
    return done;
}

void store_nats_run(void *context)
{
    struct store_nats_store *s = context;
    s->headway_ns = base_now_ns();
    for (;;) {
        base_mutex_lock(&s->mutex);
        const uint64_t until_ns = base_now_ns() + look_ns;
        bool in_time = true;
        while (!s->due && in_time) {
            in_time = base_cond_wait_until(&s->work, &s->mutex, until_ns);
        }
        const bool connected = s->connected, torn = s->torn || s->unheard, closing = s->closing;
        const bool ids = s->ids_wanted;
        const uint64_t torn_ns = s->torn_ns;
        struct store_nats_heard *heard = s->heard;
        const uint32_t count = s->heard_count;
        s->heard = NULL;
        s->heard_count = s->heard_room = 0;
        s->due = s->torn = s->unheard = false;
        base_mutex_unlock(&s->mutex);
        hear_all(s, heard, count);
        free(heard);
        look_at_all(s, connected, torn, torn_ns);
        const uint64_t now = base_now_ns();
        if (closing && (all_done(s) || now > s->headway_ns + last_ns)) {
            return;
        }
        if (connected && ids && now >= s->ids_retry_ns) {
            ask_ids(s);
        }
        if (connected && !closing && now > s->tended_ns + tend_ns) {
            tend(s);
            s->tended_ns = base_now_ns();
        }
    }
}
