// Shares the bin between servers. Its rows are the brokers', and each server has them in its folder, where
// readers look. A server learns what others binned and restored when it starts, and whenever a client asks
// for the bin.
//
// No wall clock tells how long a list has been in the bin. Each server counts the time that it has seen
// itself since it knew (seen.h). The first for which the time is over deletes the list for all.
#include "store/nats.h"

#include "base/log.h"
#include "store/sqlite.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_local(struct store_nats_store *s, uint32_t list)
{
    struct store_list there;
    struct store_reader *reader = store_sqlite_reader_open(s->local, NULL);
    const bool found = reader && store_sqlite_list_find(reader, list, &there, NULL) == FAULT_NONE;
    if (reader) {
        store_sqlite_reader_close(reader);
    }
    return found;
}

// Takes the list, if this server does not write it and knows nothing newer than the row. *state is set to its
// state until then.
static struct store_nats_list *hold(struct store_nats_store *s, const struct store_nats_row *row,
                                    uint64_t changes, enum store_nats_state *state)
{
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list =
        row->binned_at != 0 ? store_nats_know(s, row->list) : store_nats_find(s, row->list);
    *state = list ? list->state : STORE_NATS_TAKING;
    // A list that is written here may have been restored elsewhere, but it cannot be binned elsewhere.
    const bool ours = *state == STORE_NATS_OURS;
    const bool free = *state == STORE_NATS_ELSEWHERE || *state == STORE_NATS_LOST ||
                      (ours && list->row.binned_at != 0 && row->binned_at == 0 && !row->gone);
    const bool news = list && list->row.binned_at != row->binned_at && list->row_change <= changes &&
                      !list->row_changed && !list->row_sending;
    if (!free || !news) {
        list = NULL;
    } else if (row->gone) {
        list->row.binned_at = 0;
        (void)store_sqlite_drop(s->local, row->list);
        list = NULL;
    } else if (row->binned_at == 0) {
        store_nats_row_take(s, list, row);
        list = ours ? list : NULL;
    } else {
        list->row = *row; // has the label and the age, if the list has to be read from its stream
        list->row.binned_at = 0;
        list->state = STORE_NATS_TAKING;
    }
    base_mutex_unlock(&s->mutex);
    return list;
}

static void take_row(struct store_nats_store *s, const struct store_nats_row *row, uint64_t changes)
{
    enum store_nats_state state;
    struct store_error error;
    struct store_nats_ends ends;
    struct store_nats_list *list = hold(s, row, changes, &state);
    if (!list) {
        return;
    }
    if (state == STORE_NATS_OURS) { // the server that restored it writes it now
        (void)store_nats_let_go(&s->store, row->list, &error);
        return;
    }
    const bool there = is_local(s, row->list) || store_nats_fetch(s, list, &ends, &error) == FAULT_NONE;
    if (!there) {
        base_log(BASE_LOG_WARN,
                 "world %" PRIu32 " \"%s\" was deleted on another server and cannot be read: %s", row->list,
                 row->label, error.fault.text);
    }
    base_mutex_lock(&s->mutex);
    if (there) {
        store_nats_row_take(s, list, row);
    }
    list->state = state;
    base_mutex_unlock(&s->mutex);
}

enum fault_code store_nats_fetch_bin(struct store *store, struct store_error *error)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_error told;
    struct store_nats_row *rows = NULL;
    uint32_t count = 0;
    base_mutex_lock(&s->mutex);
    const uint64_t changes = s->row_changes; // changes after this one are newer than what is read now
    base_mutex_unlock(&s->mutex);
    const enum fault_code status = store_nats_rows(s->link, &rows, &count, error ? error : &told);
    for (uint32_t i = 0; i < count && status == FAULT_NONE; i++) {
        take_row(s, &rows[i], changes);
    }
    free(rows);
    return status;
}
