// Takes what is to be written from any thread, and what other threads report.
#include "store/nats.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/search.h"
#include "store/sqlite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t place_of(const struct store_nats_store *s, uint32_t list)
{
    uint32_t place;
    BASE_SEARCH(place, s->list_count, s->lists[at]->list < list);
    return place;
}

struct store_nats_list *store_nats_find(struct store_nats_store *s, uint32_t list)
{
    const uint32_t place = place_of(s, list);
    return place < s->list_count && s->lists[place]->list == list ? s->lists[place] : NULL;
}

struct store_nats_list *store_nats_know(struct store_nats_store *s, uint32_t id)
{
    struct store_nats_list *list = store_nats_find(s, id);
    if (list) {
        return list;
    }
    if (!array_reserve(&s->lists, &s->list_room, s->list_count + 1)) {
        return NULL;
    }
    list = calloc(1, sizeof *list);
    if (list) {
        list->list = list->row.list = id;
        const uint32_t place = place_of(s, id);
        memmove(s->lists + place + 1, s->lists + place, (s->list_count - place) * sizeof *s->lists);
        s->lists[place] = list;
        s->list_count++;
    }
    return list;
}

static void wake(struct store_nats_store *s)
{
    s->due = true;
    base_cond_signal(&s->work);
}

void store_nats_label_set(struct store_nats_row *row, const char *label)
{
    const size_t size = strnlen(label, STORE_LABEL_SIZE - 1);
    memset(row->label, 0, sizeof row->label);
    memcpy(row->label, label, size);
}

void store_nats_row_take(struct store_nats_store *s, struct store_nats_list *list,
                         const struct store_nats_row *row)
{
    list->row = *row;
    (void)store_sqlite_bin_at(s->local, list->list, row->binned_at);
    list->binned_seen = store_sqlite_binned_seen(s->local, list->list, row->binned_at);
}

bool store_nats_bin_is_over(const struct store_nats_store *s, const struct store_nats_list *list)
{
    return list->row.binned_at != 0 && store_seen_past(s->seen, list->binned_seen, s->options.bin_seconds);
}

// ---------------------------------------------------------------------------------------------------------
// What goes

static void op_free(struct store_nats_op *op)
{
    free(op->entries);
    free(op);
}

void store_nats_image_free(struct store_nats_image_op *op)
{
    if (op) {
        base_buffer_unref(op->bytes);
        free(op);
    }
}

void store_nats_list_drop(struct store_nats_list *list)
{
    while (list->sent) {
        struct store_nats_sent *next = list->sent->next;
        store_nats_image_free(list->sent->image);
        free(list->sent);
        list->sent = next;
    }
    while (list->head) {
        struct store_nats_op *next = list->head->next;
        op_free(list->head);
        list->head = next;
    }
    while (list->image) {
        struct store_nats_image_op *next = list->image->next;
        store_nats_image_free(list->image);
        list->image = next;
    }
    store_nats_image_free(list->sending);
    list->sending = NULL;
    list->sent_last = NULL;
    list->unsent = list->tail = NULL;
    list->image_last = NULL;
    list->bytes = 0;
    list->sent_count = list->sent_pieces = 0;
    list->row_changed = list->creating = list->unlisted = list->unsure = false;
}

void store_nats_list_free(struct store_nats_list *list)
{
    store_nats_list_drop(list);
    free(list->points);
    free(list->kept);
    free(list);
}

uint64_t store_nats_pop(struct store_nats_store *s, struct store_nats_list *list, uint64_t position)
{
    const uint64_t now = base_now_ns();
    while (list->head && list->head != list->unsent && list->head->last <= position && !list->head->entries) {
        struct store_nats_op *op = list->head;
        list->head = op->next;
        list->tail = list->head ? list->tail : NULL;
        list->bytes -= op->bytes;
        list->durable = op->last;
        const uint64_t took_ns = now - op->appended_ns;
        s->counts.durable++;
        s->counts.durable_ns += took_ns;
        s->counts.durable_ns_max = took_ns > s->counts.durable_ns_max ? took_ns : s->counts.durable_ns_max;
        op_free(op);
    }
    return list->durable;
}

// ---------------------------------------------------------------------------------------------------------
// What comes

// Notes that something of a list was refused, which the store's thread tells. Under the mutex.
__attribute__((format(printf, 3, 4))) static void
refuse(struct store_nats_store *s, struct store_nats_list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(list->refused_text, sizeof list->refused_text, format, arguments);
    va_end(arguments);
    list->refused = true;
    wake(s);
}

// Makes one block with the entries and their bytes.
static struct store_nats_op *op_make(const struct store_entry *entries, uint32_t count)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += entries[i].size;
    }
    if (bytes + (size_t)count * STORE_NATS_ENTRY_HEAD > STORE_NATS_ENTRIES_BYTES) {
        return NULL;
    }
    struct store_nats_op *op = calloc(1, sizeof *op);
    uint8_t *block = malloc(count * sizeof *entries + bytes + 1);
    if (!op || !block) {
        free(op);
        free(block);
        return NULL;
    }
    op->entries = (struct store_entry *)(void *)block;
    uint8_t *at = block + count * sizeof *entries;
    for (uint32_t i = 0; i < count; i++) {
        op->entries[i] = entries[i];
        op->entries[i].bytes = at;
        if (entries[i].size > 0) {
            memcpy(at, entries[i].bytes, entries[i].size);
        }
        at += entries[i].size;
    }
    op->count = count;
    op->bytes = bytes;
    op->first = entries[0].position;
    op->last = entries[0].position + count - 1;
    op->appended_ns = base_now_ns();
    return op;
}

static bool fits(struct store_nats_store *s, struct store_nats_list *list, uint64_t epoch,
                 const struct store_entry *entries, uint32_t count)
{
    uint32_t right = 0;
    while (right < count && entries[right].position == list->last + 1 + right) {
        right++;
    }
    if (list->state == STORE_NATS_LOST) {
        return false; // the refusal was told
    }
    if (list->state != STORE_NATS_OURS) {
        refuse(s, list, "list %u is not written from here", list->list);
    } else if (epoch != list->epoch) {
        refuse(s, list, "list %u is written under epoch %llu; an entry came under epoch %llu", list->list,
               (unsigned long long)list->epoch, (unsigned long long)epoch);
    } else if (right < count) {
        refuse(s, list, "the next entry of list %u is at position %llu; one came for position %llu",
               list->list, (unsigned long long)list->last + 1 + right,
               (unsigned long long)entries[right].position);
    } else {
        return true;
    }
    return false;
}

bool store_nats_append(struct store *store, uint32_t id, uint64_t epoch, const struct store_entry *entries,
                       uint32_t count)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_nats_op *op = op_make(entries, count);
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_know(s, id);
    const bool taken = op && list;
    if (taken && fits(s, list, epoch, entries, count)) {
        if (list->tail) {
            list->tail->next = op;
        } else {
            list->head = op;
        }
        list->tail = op;
        list->unsent = list->unsent ? list->unsent : op;
        list->last = op->last;
        list->bytes += op->bytes;
        op = NULL;
        wake(s);
    }
    base_mutex_unlock(&s->mutex);
    if (op) {
        op_free(op);
    }
    return taken;
}

static struct store_nats_image_op *image_make(const struct store_image *image, struct base_buffer *bytes)
{
    struct store_nats_image_op *op = bytes->size <= STORE_NATS_IMAGE_BYTES ? calloc(1, sizeof *op) : NULL;
    if (op) {
        op->image = *image;
        op->bytes = base_buffer_ref(bytes);
    }
    return op;
}

static void image_push(struct store_nats_store *s, struct store_nats_list *list,
                       struct store_nats_image_op *op)
{
    if (list->image_last) {
        list->image_last->next = op;
    } else {
        list->image = op;
    }
    list->image_last = op;
    list->image_position = op->image.position;
    wake(s);
}

bool store_nats_create(struct store *store, uint32_t id, const char *label, const struct store_image *image,
                       struct base_buffer *bytes)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_nats_image_op *op = image_make(image, bytes);
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_know(s, id);
    const bool taken = op && list;
    if (taken && (list->state != STORE_NATS_ELSEWHERE || list->row.created_at != 0)) {
        refuse(s, list, "list %u is there already, or was", id);
    } else if (taken) {
        list->state = STORE_NATS_OURS;
        list->epoch = 1;
        list->created_ns = base_now_ns();
        list->last = list->durable = image->position;
        list->row = (struct store_nats_row){.list = id, .created_at = base_wall_us() / 1000000};
        store_nats_label_set(&list->row, label);
        list->creating = list->unlisted = op->creates = true;
        image_push(s, list, op);
        op = NULL;
    }
    base_mutex_unlock(&s->mutex);
    store_nats_image_free(op);
    return taken;
}

bool store_nats_image_add(struct store *store, uint32_t id, const struct store_image *image,
                          struct base_buffer *bytes)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    struct store_nats_image_op *op = image_make(image, bytes);
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_find(s, id);
    const bool taken = op != NULL, ours = taken && list && list->state == STORE_NATS_OURS;
    if (ours && image->position > list->last) {
        refuse(s, list, "the last entry of list %u is at position %llu; an image came for position %llu", id,
               (unsigned long long)list->last, (unsigned long long)image->position);
    } else if (ours && image->position > list->image_position) {
        image_push(s, list, op);
        op = NULL;
    }
    base_mutex_unlock(&s->mutex);
    store_nats_image_free(op);
    return taken;
}

bool store_nats_label(struct store *store, uint32_t id, const char *label)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_find(s, id);
    if (list && list->state == STORE_NATS_OURS) {
        store_nats_label_set(&list->row, label);
        list->row_changed = true;
        wake(s);
    }
    base_mutex_unlock(&s->mutex);
    return true;
}

bool store_nats_bin(struct store *store, uint32_t id, bool binned)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_find(s, id);
    if (list && list->state == STORE_NATS_OURS && binned != (list->row.binned_at != 0)) {
        list->row.binned_at = binned ? base_wall_us() / 1000000 : 0;
        list->binned_seen = store_seen_s(s->seen);
        list->row_changed = true;
        wake(s);
    }
    base_mutex_unlock(&s->mutex);
    return true;
}

void store_nats_pending(struct store *store, uint32_t id, struct store_pending *out)
{
    struct store_nats_store *s = (struct store_nats_store *)store;
    base_mutex_lock(&s->mutex);
    const struct store_nats_list *list = store_nats_find(s, id);
    struct store_pending local;
    store_sqlite_pending(s->local, id, &local);
    *out = (struct store_pending){
        .image_bytes = local.image_bytes, .stuck = local.stuck, .away = s->gone || (list && list->blocked)};
    out->full = s->full || out->away;
    if (list) {
        out->durable = list->durable;
        out->bytes = list->bytes;
        out->since_ns = list->head ? list->head->appended_ns : 0;
        out->lost = list->state == STORE_NATS_LOST;
    }
    base_mutex_unlock(&s->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// The folder's store has something to say; its thread

void store_nats_on_local_commit(void *store, uint32_t id, uint64_t position)
{
    struct store_nats_store *s = store;
    bool told = false;
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_find(s, id);
    if (list && list->state == STORE_NATS_OURS && s->options.acks == STORE_ACKS_BOTH) {
        const uint64_t before = list->durable;
        position = store_nats_pop(s, list, position);
        told = position > before;
    }
    base_cond_broadcast(&s->progress);
    if (s->closing || (list && list->wanted)) {
        wake(s);
    }
    base_mutex_unlock(&s->mutex);
    if (told && s->options.on_commit) {
        s->options.on_commit(s->options.context, id, position);
    }
}

void store_nats_on_local_full(void *store, bool full, const char *text)
{
    struct store_nats_store *s = store;
    base_mutex_lock(&s->mutex);
    s->full = full;
    if (full) {
        (void)snprintf(s->trouble, sizeof s->trouble, "%s", text);
    }
    base_cond_broadcast(&s->progress);
    wake(s); // the store's thread tells it
    base_mutex_unlock(&s->mutex);
}

void store_nats_on_local_lost(void *store, uint32_t list, const char *text)
{
    const struct store_nats_store *s = store;
    if (s->options.on_lost) {
        s->options.on_lost(s->options.context, list, text);
    }
}

void store_nats_on_local_failure(void *store, const char *text)
{
    const struct store_nats_store *s = store;
    if (s->options.on_failure) {
        s->options.on_failure(s->options.context, text);
    }
}

// ---------------------------------------------------------------------------------------------------------
// The library's threads

void store_nats_on_answer(void *store, uint32_t list, uint64_t sequence, enum store_nats_answer answer,
                          const char *text)
{
    struct store_nats_store *s = store;
    base_mutex_lock(&s->mutex);
    if (array_reserve(&s->heard, &s->heard_room, s->heard_count + 1)) {
        struct store_nats_heard *heard = &s->heard[s->heard_count++];
        *heard = (struct store_nats_heard){.list = list, .sequence = sequence, .answer = answer};
        (void)snprintf(heard->text, sizeof heard->text, "%s", text);
    } else {
        s->unheard = true;
    }
    wake(s);
    base_mutex_unlock(&s->mutex);
}

void store_nats_on_change(void *store, bool connected)
{
    struct store_nats_store *s = store;
    base_mutex_lock(&s->mutex);
    s->connected = connected;
    if (!connected) {
        s->torn = true;
        s->torn_ns = base_now_ns();
        (void)snprintf(s->trouble, sizeof s->trouble, "the connection to the brokers is lost");
    } else {
        s->trouble[0] = '\0';
    }
    wake(s);
    base_mutex_unlock(&s->mutex);
}
