// Opens and closes the backend on NATS: brokers, and the folder beside them.
#include "store/nats.h"

#include "store/sqlite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

static void store_nats_close(struct store *store)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    if (s->running) {
        base_mutex_lock(&s->mutex);
        s->closing = s->due = true;
        base_cond_signal(&s->work);
        base_mutex_unlock(&s->mutex);
        base_thread_join(&s->thread);
    }
    store_nats_link_close(s->link);
    if (s->local) {
        s->local->backend->close(s->local);
    }
    for (uint32_t i = 0; i < s->list_count; i++) {
        store_nats_list_free(s->lists[i]);
    }
    free(s->lists);
    free(s->heard);
    base_hash_destroy(s->hash);
    ZSTD_freeCCtx(s->zstd);
    base_cond_deinit(&s->progress);
    base_cond_deinit(&s->work);
    base_mutex_deinit(&s->mutex);
    free(s);
}

static uint32_t store_nats_last_list(struct store *store)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    base_mutex_lock(&s->mutex);
    const uint32_t last = s->list_count > 0 ? s->lists[s->list_count - 1]->list : 0;
    base_mutex_unlock(&s->mutex);
    return last;
}

// Gives out an id. Each server has some in stock, and asks for another lot before they end.
static uint32_t store_nats_list_id(struct store *store)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    base_mutex_lock(&s->mutex);
    if (s->id == s->id_end && s->id_spare != 0) {
        s->id = s->id_spare;
        s->id_end = s->id + STORE_NATS_IDS;
        s->id_spare = 0;
    }
    const uint32_t id = s->id < s->id_end ? s->id++ : 0;
    if (s->id_spare == 0 && s->id_end - s->id <= STORE_NATS_IDS / 2) {
        s->ids_wanted = s->due = true;
        base_cond_signal(&s->work);
    }
    base_mutex_unlock(&s->mutex);
    return id;
}

static uint64_t store_nats_bytes(struct store *store)
{
    struct store *local = ((struct store_nats_store *)store)->local;
    return local->backend->bytes(local);
}

static void store_nats_brokers(struct store *store, struct store_brokers *out)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    base_mutex_lock(&s->mutex);
    *out = s->counts;
    out->connected = s->connected;
    for (uint32_t i = 0; i < s->list_count; i++) {
        out->waiting_bytes += s->lists[i]->bytes;
    }
    base_mutex_unlock(&s->mutex);
}

static struct store_reader *store_nats_reader_open(struct store *store, struct store_error *error)
{
    return store_sqlite_reader_open(((struct store_nats_store *)store)->local, error);
}

// Readers belong to the folder's store, and are called directly.
static const struct store_backend backend = {
    .kind = "nats",
    .lasts = true,
    .close = store_nats_close,
    .last_list = store_nats_last_list,
    .list_id = store_nats_list_id,
    .bytes = store_nats_bytes,
    .create = store_nats_create,
    .append = store_nats_append,
    .image_add = store_nats_image_add,
    .label = store_nats_label,
    .bin = store_nats_bin,
    .take_over = store_nats_take_over,
    .fetch = store_nats_fetch_list,
    .fetch_bin = store_nats_fetch_bin,
    .let_go = store_nats_let_go,
    .pending = store_nats_pending,
    .brokers = store_nats_brokers,
    .reader_open = store_nats_reader_open,
};

// ---------------------------------------------------------------------------------------------------------

static enum fault_code know_local(struct store_nats_store *s, struct store_error *error)
{
    struct store_list *lists = NULL;
    uint32_t count = 0;
    struct store_reader *reader = store_sqlite_reader_open(s->local, error);
    enum fault_code status = reader ? store_sqlite_lists(reader, &lists, &count, error) : error->fault.code;
    for (uint32_t i = 0; i < count && status == FAULT_NONE; i++) {
        base_mutex_lock(&s->mutex); // the folder's store is already running
        const bool known = store_nats_know(s, lists[i].list) != NULL;
        base_mutex_unlock(&s->mutex);
        if (!known) {
            status = store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
        }
    }
    free(lists);
    if (reader) {
        store_sqlite_reader_close(reader);
    }
    return status;
}

// Writes a list that brokers have and the folder lacks into the folder, so that readers find all lists.
static enum fault_code know_row(struct store_nats_store *s, const struct store_nats_row *row,
                                struct store_error *error)
{
    struct store_error wrong;
    struct store_nats_ends ends;
    base_mutex_lock(&s->mutex);
    const bool is_new = !store_nats_find(s, row->list);
    struct store_nats_list *list = store_nats_know(s, row->list);
    if (list) {
        list->row = *row;
    }
    base_mutex_unlock(&s->mutex);
    if (!list) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
    }
    if (is_new) {
        enum fault_code status;
        do {
            status = store_nats_fetch(s, list, &ends, &wrong);
        } while (status == FAULT_IO && store_nats_wait(&s->patience, &wrong));
        if (status == FAULT_MEMORY || status == FAULT_IO) {
            *error = wrong;
            return status;
        }
        if (status != FAULT_NONE && s->options.on_lost) {
            s->options.on_lost(s->options.context, row->list, wrong.fault.text);
        }
    }
    base_mutex_lock(&s->mutex);
    store_nats_row_take(s, list, row);
    base_mutex_unlock(&s->mutex);
    return FAULT_NONE;
}

// Deletes a list from the folder that another server binned and whose time is over.
static void drop_local(struct store_nats_store *s, uint32_t list)
{
    struct store_list there;
    struct store_reader *reader = store_sqlite_reader_open(s->local, NULL);
    if (reader && store_sqlite_list_find(reader, list, &there, NULL) == FAULT_NONE && !there.binned) {
        (void)store_sqlite_bin(s->local, list, true);
    }
    if (reader) {
        store_sqlite_reader_close(reader);
    }
}

static bool is_known(const struct store_nats_row *rows, uint32_t count, uint32_t list)
{
    uint32_t at = 0;
    while (at < count && rows[at].list != list) {
        at++;
    }
    return at < count;
}

// Copies lists to brokers that the folder has from before there were brokers. A list that cannot be copied
// stays in the folder, and the log tells of it.
static enum fault_code carry_local(struct store_nats_store *s, const struct store_nats_row *rows,
                                   uint32_t row_count, struct store_error *error)
{
    struct store_list *lists = NULL;
    struct store_error wrong;
    uint32_t count = 0;
    struct store_reader *reader = store_sqlite_reader_open(s->local, error);
    enum fault_code status = reader ? store_sqlite_lists(reader, &lists, &count, error) : error->fault.code;
    if (reader) {
        store_sqlite_reader_close(reader);
    }
    for (uint32_t i = 0; i < count && status == FAULT_NONE; i++) {
        if (is_known(rows, row_count, lists[i].list)) {
            continue;
        }
        base_mutex_lock(&s->mutex);
        struct store_nats_list *list = store_nats_find(s, lists[i].list);
        base_mutex_unlock(&s->mutex);
        enum fault_code carried;
        do {
            carried = list ? store_nats_carry(s, list, &lists[i], &wrong) : FAULT_NONE;
        } while (carried == FAULT_IO && store_nats_wait(&s->patience, &wrong));
        if (carried == FAULT_IO || carried == FAULT_MEMORY) {
            *error = wrong;
            status = carried;
        } else if (carried != FAULT_NONE && s->options.on_lost) {
            s->options.on_lost(s->options.context, lists[i].list, wrong.fault.text);
        }
    }
    free(lists);
    return status;
}

static enum fault_code know_lists(struct store_nats_store *s, struct store_error *error)
{
    struct store_nats_row *rows = NULL;
    uint32_t count = 0;
    enum fault_code status = know_local(s, error);
    if (status == FAULT_NONE) {
        do {
            status = store_nats_rows(s->link, &rows, &count, error);
        } while (status != FAULT_NONE && store_nats_wait(&s->patience, error));
    }
    for (uint32_t i = 0; i < count && status == FAULT_NONE; i++) {
        if (rows[i].gone) {
            drop_local(s, rows[i].list);
        } else {
            status = know_row(s, &rows[i], error);
        }
    }
    if (status == FAULT_NONE) {
        status = carry_local(s, rows, count, error);
    }
    free(rows);
    return status;
}

// Connects to brokers. A connection that was tried before this counts as none that was lost.
static enum fault_code reach_brokers(struct store_nats_store *s, const struct store_options *options,
                                     struct store_error *error)
{
    const struct store_nats_link_place place = {.brokers = options->brokers,
                                                .check = options->check ? options->check : "none",
                                                .authorities = options->authorities,
                                                .certificate = options->certificate,
                                                .key = options->key,
                                                .credentials = options->credentials,
                                                .check_credentials = options->check_credentials};
    do {
        base_mutex_lock(&s->mutex);
        s->connected = true;
        s->torn = false;
        base_mutex_unlock(&s->mutex);
        s->link = store_nats_link_open(
            &place, &(struct store_nats_link_events){store_nats_on_answer, store_nats_on_change, s}, error);
    } while (!s->link && store_nats_wait(&s->patience, error));
    return s->link ? FAULT_NONE : error->fault.code;
}

static enum fault_code first_ids(struct store_nats_store *s, struct store_error *error)
{
    const uint32_t least = s->local->backend->last_list(s->local);
    enum fault_code status;
    do {
        status = store_nats_ids(s->link, STORE_NATS_IDS, least, &s->id, error);
    } while (status != FAULT_NONE && store_nats_wait(&s->patience, error));
    s->id_end = s->id + STORE_NATS_IDS;
    return status;
}

static enum fault_code start(struct store_nats_store *s, const struct store_options *options,
                             struct store_error *error)
{
    struct store_options local = *options;
    char host[64] = "";
    local.brokers = NULL;
    local.follows = true;
    local.on_commit = store_nats_on_local_commit;
    local.on_full = store_nats_on_local_full;
    local.on_lost = store_nats_on_local_lost;
    local.on_failure = store_nats_on_local_failure;
    local.context = s;
    (void)gethostname(host, sizeof host - 1);
    (void)snprintf(s->owner, sizeof s->owner, "process %ld of %s", (long)getpid(), host);
    s->hash = base_hash_create();
    s->zstd = ZSTD_createCCtx();
    if (!s->hash || !s->zstd) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
    }
    if (!options->folder || options->read_only) {
        return store_fail(error, FAULT_IO, 0, 0, "brokers need a folder beside them that can be written to");
    }
    // Another process with the folder is found before anything is waited for.
    s->local = store_sqlite_open(&local, NULL, error);
    if (!s->local) {
        return error->fault.code;
    }
    s->seen = store_sqlite_seen(s->local);
    store_nats_patience_begin(&s->patience, options->patience_ms);
    enum fault_code status = reach_brokers(s, options, error);
    if (status == FAULT_NONE) {
        status = first_ids(s, error);
    }
    if (status == FAULT_NONE) {
        status = know_lists(s, error);
    }
    if (status == FAULT_NONE) {
        store_nats_patience_end(&s->patience);
    }
    if (status == FAULT_NONE && !base_thread_start(&s->thread, "weft-nats", store_nats_run, s)) {
        status = store_fail(error, FAULT_MEMORY, 0, 0, "no thread for a store");
    }
    s->running = status == FAULT_NONE;
    return status;
}

struct store *store_nats_open(const struct store_options *options, struct store_error *error)
{
    struct store_nats_store *s = calloc(1, sizeof *s);
    struct store_error told;
    error = error ? error : &told;
    if (!s) {
        store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
        return NULL;
    }
    s->store.backend = &backend;
    s->options = *options;
    s->options.folder = s->options.brokers = s->options.check = NULL;
    s->options.authorities = s->options.certificate = s->options.key = NULL;
    s->options.credentials = s->options.check_credentials = NULL;
    base_mutex_init(&s->mutex);
    base_cond_init(&s->work);
    base_cond_init(&s->progress);
    if (start(s, options, error) != FAULT_NONE) {
        store_nats_close(&s->store);
        return NULL;
    }
    return &s->store;
}
