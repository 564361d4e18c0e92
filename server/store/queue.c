// Takes what is to be written from any thread into the queue of its list, in memory. What has another epoch
// or position is refused here; the store's thread tells it.
#include "store/sqlite.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t place_of(const struct sqlite_store *s, uint32_t list)
{
    uint32_t place;
    BASE_SEARCH(place, (uint32_t)s->list_count, s->lists[at]->list < list);
    return place;
}

struct store_sqlite_list *store_sqlite_find(struct sqlite_store *s, uint32_t list)
{
    const uint32_t place = place_of(s, list);
    return place < s->list_count && s->lists[place]->list == list ? s->lists[place] : NULL;
}

bool store_sqlite_list_insert(struct sqlite_store *s, struct store_sqlite_list *list)
{
    if (!array_reserve(&s->lists, &s->list_room, s->list_count + 1)) {
        return false;
    }
    const uint32_t place = place_of(s, list->list);
    memmove(s->lists + place + 1, s->lists + place, (s->list_count - place) * sizeof *s->lists);
    s->lists[place] = list;
    s->list_count++;
    return true;
}

void store_sqlite_due(struct sqlite_store *s, struct store_sqlite_list *list)
{
    if (list->due) {
        return;
    }
    list->due = true;
    list->due_next = NULL;
    if (s->due_last) {
        s->due_last->due_next = list;
    } else {
        s->due = list;
    }
    s->due_last = list;
    base_cond_signal(&s->work);
}

void store_sqlite_image_free(struct store_sqlite_image *image)
{
    if (image) {
        base_buffer_unref(image->bytes);
        free(image->runs);
        free(image);
    }
}

void store_sqlite_portion_free(struct store_sqlite_portion *portion)
{
    for (uint32_t i = 0; i < portion->count; i++) {
        free(portion->pieces[i].bytes);
    }
    store_sqlite_image_free(portion->image);
    free(portion);
}

static void entries_free(struct store_sqlite_entry *entry)
{
    while (entry) {
        struct store_sqlite_entry *next = entry->next;
        free(entry);
        entry = next;
    }
}

void store_sqlite_list_empty(struct store_sqlite_list *list)
{
    entries_free(list->head);
    list->head = list->tail = NULL;
    list->bytes = 0;
}

// Notes that something of a list was refused. Under the mutex.
__attribute__((format(printf, 3, 4))) static void lose(struct sqlite_store *s, struct store_sqlite_list *list,
                                                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(list->lost_text, sizeof list->lost_text, format, arguments);
    va_end(arguments);
    list->lost = true;
    store_sqlite_due(s, list);
}

// Returns a list that is not there, to say so of it.
struct store_sqlite_list *store_sqlite_nowhere(struct sqlite_store *s, uint32_t id)
{
    struct store_sqlite_list *list = calloc(1, sizeof *list);
    if (list) {
        list->list = id;
        list->gone = true;
        if (!store_sqlite_list_insert(s, list)) {
            free(list);
            list = NULL;
        }
    }
    return list;
}

static void set_label(struct store_sqlite_list *list, const char *label)
{
    const size_t size = strnlen(label, STORE_LABEL_SIZE - 1);
    memset(list->label, 0, sizeof list->label);
    memcpy(list->label, label, size);
}

static struct store_sqlite_image *image_make(const struct store_image *image, struct base_buffer *bytes)
{
    struct store_sqlite_image *made = calloc(1, sizeof *made);
    if (made) {
        made->image = *image;
        made->bytes = base_buffer_ref(bytes);
        made->size = bytes->size;
    }
    return made;
}

static void image_push(struct sqlite_store *s, struct store_sqlite_image *image)
{
    if (s->image_last) {
        s->image_last->next = image;
    } else {
        s->image = image;
    }
    s->image_last = image;
    image->list->hurried += image->hurried;
    base_cond_broadcast(&s->images);
}

// Makes a list. One that was only asked for does not count as a list yet.
static struct store_sqlite_list *list_make(struct sqlite_store *s, uint32_t id, const char *label,
                                           uint64_t position)
{
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (!list) {
        list = store_sqlite_nowhere(s, id);
    }
    if (list) {
        list->gone = false;
        list->epoch = 1;
        list->last = list->durable = list->image_last = position;
        set_label(list, label);
    }
    return list;
}

// Begins a list and takes the image, which may be NULL.
static bool begin_list(struct sqlite_store *s, uint32_t id, const char *label, uint64_t created_at,
                       struct store_sqlite_image *made)
{
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *there = store_sqlite_find(s, id);
    bool taken = s->running && made;
    if (taken && there && there->created_at != 0) {
        lose(s, there, "list %u is there already, or was", id);
    } else if (taken) {
        struct store_sqlite_list *list = list_make(s, id, label, made->image.position);
        taken = list != NULL;
        if (taken) {
            list->created_at = created_at;
            made->list = list;
            made->creates = made->hurried = true;
            made->seen = store_seen_s(&s->seen);
            memcpy(made->label, list->label, sizeof made->label);
            s->last_list = id > s->last_list ? id : s->last_list;
            image_push(s, made);
            made = NULL;
        }
    }
    base_mutex_unlock(&s->mutex);
    store_sqlite_image_free(made);
    return taken;
}

bool store_sqlite_create(struct store *store, uint32_t id, const char *label, const struct store_image *image,
                         struct base_buffer *bytes)
{
    return begin_list((struct sqlite_store *)store, id, label, base_wall_us() / 1000000,
                      image_make(image, bytes));
}

bool store_sqlite_adopt(struct store *store, uint32_t id, const char *label, uint64_t created_at,
                        const struct store_image *image, uint64_t chain, struct base_buffer *bytes)
{
    struct store_sqlite_image *made = image_make(image, bytes);
    if (made) {
        made->chained = true;
        made->chain = chain;
    }
    return begin_list((struct sqlite_store *)store, id, label, created_at > 0 ? created_at : 1, made);
}

static bool fits(struct sqlite_store *s, struct store_sqlite_list *list, uint64_t epoch,
                 const struct store_entry *entries, uint32_t count)
{
    uint32_t right = 0;
    while (right < count && entries[right].position == list->last + 1 + right) {
        right++;
    }
    if (list->gone) {
        lose(s, list, "there is no list %u", list->list);
    } else if (list->damaged) {
        lose(s, list, "list %u is damaged: nothing is added to it", list->list);
    } else if (epoch != list->epoch) {
        lose(s, list, "list %u is written under epoch %llu; an entry came under epoch %llu", list->list,
             (unsigned long long)list->epoch, (unsigned long long)epoch);
    } else if (right < count) {
        lose(s, list, "the next entry of list %u is at position %llu; one came for position %llu", list->list,
             (unsigned long long)list->last + 1 + right, (unsigned long long)entries[right].position);
    } else {
        return true;
    }
    return false;
}

static struct store_sqlite_entry *entry_make(const struct store_entry *entry, bool goes_on)
{
    struct store_sqlite_entry *made = malloc(sizeof *made + entry->size);
    if (!made) {
        return NULL;
    }
    *made = (struct store_sqlite_entry){
        .position = entry->position,
        .tick = entry->tick,
        .at = entry->at,
        .appended_ns = base_now_ns(),
        .size = entry->size,
        .kind = entry->kind,
        .goes_on = goes_on,
    };
    if (entry->size > 0) {
        memcpy(made->bytes, entry->bytes, entry->size);
    }
    return made;
}

// Makes a chain of entries and returns the first. NULL if memory runs out.
static struct store_sqlite_entry *entries_make(const struct store_entry *entries, uint32_t count)
{
    struct store_sqlite_entry *first = NULL;
    for (uint32_t i = count; i > 0; i--) {
        struct store_sqlite_entry *made = entry_make(&entries[i - 1], i < count);
        if (!made) {
            entries_free(first);
            return NULL;
        }
        made->next = first;
        first = made;
    }
    return first;
}

static void push(struct store_sqlite_list *list, struct store_sqlite_entry *entry)
{
    if (list->tail) {
        list->tail->next = entry;
    } else {
        list->head = entry;
    }
    for (; entry; entry = entry->next) {
        list->tail = entry;
        list->bytes += entry->size;
        list->last++;
    }
}

bool store_sqlite_append(struct store *store, uint32_t id, uint64_t epoch, const struct store_entry *entries,
                         uint32_t count)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    struct store_sqlite_entry *made = entries_make(entries, count);
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (!list) {
        list = store_sqlite_nowhere(s, id);
    }
    const bool taken = made && list && s->running;
    if (taken && fits(s, list, epoch, entries, count)) {
        push(list, made);
        made = NULL;
        if (list->there) {
            store_sqlite_due(s, list);
        }
    }
    base_mutex_unlock(&s->mutex);
    entries_free(made);
    return taken;
}

static bool add_image(struct store *store, uint32_t id, const struct store_image *image,
                      struct base_buffer *bytes, bool hurried)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    struct store_sqlite_image *made = image_make(image, bytes);
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    const bool taken = made && s->running;
    if (list && list->damaged) {
        list = NULL;
    }
    if (taken && list && !list->gone && image->position > list->last) {
        lose(s, list, "the last entry of list %u is at position %llu; an image came for position %llu", id,
             (unsigned long long)list->last, (unsigned long long)image->position);
    } else if (taken && list && !list->gone && image->position > list->image_last) {
        list->image_last = image->position;
        made->list = list;
        made->hurried = hurried;
        made->seen = store_seen_s(&s->seen);
        image_push(s, made);
        made = NULL;
    }
    base_mutex_unlock(&s->mutex);
    store_sqlite_image_free(made);
    return taken;
}

bool store_sqlite_image_add(struct store *store, uint32_t id, const struct store_image *image,
                            struct base_buffer *bytes)
{
    return add_image(store, id, image, bytes, false);
}

bool store_sqlite_image_hurry(struct store *store, uint32_t id, const struct store_image *image,
                              struct base_buffer *bytes)
{
    return add_image(store, id, image, bytes, true);
}

static void changed(struct sqlite_store *s, struct store_sqlite_list *list)
{
    list->changes++;
    if (list->there) {
        store_sqlite_due(s, list);
    }
}

bool store_sqlite_label(struct store *store, uint32_t id, const char *label)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (list && !list->gone) {
        set_label(list, label);
        changed(s, list);
    }
    base_mutex_unlock(&s->mutex);
    return s->running;
}

// Sets whether the list is in the bin. Under the mutex.
static void set_bin(struct sqlite_store *s, struct store_sqlite_list *list, bool binned, uint64_t binned_at)
{
    list->binned = binned;
    list->binned_at = binned ? binned_at : 0;
    list->binned_seen = binned ? store_seen_s(&s->seen) : 0;
    changed(s, list);
}

bool store_sqlite_bin(struct store *store, uint32_t id, bool binned)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (list && !list->gone && list->binned != binned) {
        set_bin(s, list, binned, base_wall_us() / 1000000);
    }
    base_mutex_unlock(&s->mutex);
    return s->running;
}

bool store_sqlite_bin_at(struct store *store, uint32_t id, uint64_t binned_at)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (list && !list->gone && list->binned_at != binned_at) {
        set_bin(s, list, binned_at != 0, binned_at);
    }
    base_mutex_unlock(&s->mutex);
    return s->running;
}

uint64_t store_sqlite_binned_seen(struct store *store, uint32_t id, uint64_t binned_at)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    const struct store_sqlite_list *list = store_sqlite_find(s, id);
    const bool known = list && list->binned && list->binned_at == binned_at;
    const uint64_t seen = known ? list->binned_seen : store_seen_s(&s->seen);
    base_mutex_unlock(&s->mutex);
    return seen;
}

const struct store_seen *store_sqlite_seen(const struct store *store)
{
    return &((const struct sqlite_store *)store)->seen;
}

uint64_t store_sqlite_take_over(struct store *store, uint32_t id, struct store_error *error)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    uint64_t epoch = 0;
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (!s->running) {
        store_fail(error, FAULT_IO, id, 0, "the folder is open to be read only");
    } else if (!list || list->gone) {
        store_fail(error, FAULT_NOT_FOUND, id, 0, "there is no list %u", id);
    } else if (list->damaged && store_sqlite_lost_of(s->lost, id)) {
        (void)store_sqlite_lost_say(store_sqlite_lost_of(s->lost, id), s->folder.path, error);
    } else if (list->damaged) {
        store_fail(error, FAULT_DAMAGED, id, 0, "list %u is damaged: its end cannot be read", id);
    } else {
        epoch = ++list->epoch;
        changed(s, list);
        const uint64_t change = list->changes;
        // A full disk takes no images, and a list is not written before its first image. Such a list waits for room, though nothing
        // is stuck.
        while (list->written < change && !s->failed && !s->stuck && !list->gone &&
               !(s->full && !list->there)) {
            base_cond_wait(&s->progress, &s->mutex);
        }
        if (list->written < change) {
            // The present writer goes on.
            list->epoch -= list->epoch == epoch;
            epoch = 0;
            store_fail(error, FAULT_IO, id, 0, "list %u cannot be taken over: %s", id, s->trouble);
        }
    }
    base_mutex_unlock(&s->mutex);
    return epoch;
}

// Marks a list to be forgotten. False: there is nothing of it to delete. Under the mutex.
static bool forget(struct sqlite_store *s, struct store_sqlite_list *list)
{
    if (!list || !s->running || list->damaged) {
        return false;
    }
    list->forget = s->forgets = true;
    base_cond_signal(&s->work);
    return true;
}

bool store_sqlite_drop(struct store *store, uint32_t id)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    const bool goes = forget(s, store_sqlite_find(s, id));
    base_mutex_unlock(&s->mutex);
    return goes;
}

enum fault_code store_sqlite_forget(struct store *store, uint32_t id, struct store_error *error)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(120000000000);
    bool in_time = true;
    base_mutex_lock(&s->mutex);
    struct store_sqlite_list *list = store_sqlite_find(s, id);
    if (forget(s, list)) {
        while (in_time && !s->failed && store_sqlite_find(s, id) == list) {
            in_time = base_cond_wait_until(&s->progress, &s->mutex, deadline_ns);
        }
    }
    const bool there = list && store_sqlite_find(s, id) == list;
    base_mutex_unlock(&s->mutex);
    return there ? store_fail(error, FAULT_IO, id, 0, "the folder does not let go of what it has of list %u",
                              id)
                 : FAULT_NONE;
}

void store_sqlite_pending(struct store *store, uint32_t id, struct store_pending *out)
{
    struct sqlite_store *s = (struct sqlite_store *)store;
    base_mutex_lock(&s->mutex);
    const struct store_sqlite_list *list = store_sqlite_find(s, id);
    *out = (struct store_pending){.image_bytes = store_image_bytes(s->options.keep_bytes, s->list_count),
                                  .full = s->full,
                                  .stuck = s->full && s->stuck};
    if (list) {
        out->durable = list->durable;
        out->bytes = list->bytes;
        out->since_ns = list->head ? list->head->appended_ns : 0;
    }
    base_mutex_unlock(&s->mutex);
}
