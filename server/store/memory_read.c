// Reads from the backend in memory: copies, made under its lock.
#include "store/memory.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

struct memory_reader {
    struct store_reader reader;
    struct memory_store *memory;
    struct store_entry *entries; // entries of the last store_read, with their bytes behind them
};

struct memory_list *store_memory_find(struct memory_store *memory, uint32_t list)
{
    uint32_t place;
    BASE_SEARCH(place, (uint32_t)memory->list_count, memory->lists[at]->list < list);
    return place < memory->list_count && memory->lists[place]->list == list ? memory->lists[place] : NULL;
}

struct store_reader *store_memory_reader_open(struct store *store, struct store_error *error)
{
    struct memory_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a reader");
        return NULL;
    }
    reader->reader.backend = store->backend;
    reader->memory = (struct memory_store *)store;
    return &reader->reader;
}

void store_memory_reader_close(struct store_reader *base)
{
    struct memory_reader *reader = (struct memory_reader *)base;
    free(reader->entries);
    free(reader);
}

static enum fault_code no_list(struct store_error *error, uint32_t list)
{
    return store_fail(error, FAULT_NOT_FOUND, list, 0, "there is no list %u", list);
}

static const struct store_entry *entry_at(const struct memory_list *list, uint64_t position)
{
    return &list->entries[list->entry_begin + (size_t)(position - list->first - 1)]->entry;
}

static struct store_list describe(const struct memory_store *memory, const struct memory_list *list)
{
    struct store_list out = {
        .list = list->list,
        .epoch = list->epoch,
        .binned = list->binned,
        .created_at = list->created_at,
        .binned_at = list->binned_at,
        .binned_for = list->binned ? store_seen_since(&memory->seen, list->binned_seen) : 0,
        .first = list->first,
        .last = list->last,
        .first_tick = list->images[0].image.tick,
        .last_tick = list->images[list->image_count - 1].image.tick,
        .images = list->image_count,
        .bytes = list->bytes,
    };
    memcpy(out.label, list->label, sizeof out.label);
    if (list->last > list->first) {
        out.last_tick = entry_at(list, list->last)->tick;
    }
    return out;
}

enum fault_code store_memory_lists(struct store_reader *base, struct store_list **out, uint32_t *count,
                                   struct store_error *error)
{
    struct memory_store *memory = ((struct memory_reader *)base)->memory;
    *out = NULL;
    *count = 0;
    base_mutex_lock(&memory->mutex);
    struct store_list *lists = malloc((memory->list_count + 1) * sizeof *lists);
    for (size_t i = 0; lists && i < memory->list_count; i++) {
        lists[i] = describe(memory, memory->lists[i]);
        (*count)++;
    }
    base_mutex_unlock(&memory->mutex);
    if (!lists) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory for the lists");
    }
    *out = lists;
    return FAULT_NONE;
}

enum fault_code store_memory_list_find(struct store_reader *base, uint32_t id, struct store_list *out,
                                       struct store_error *error)
{
    struct memory_store *memory = ((struct memory_reader *)base)->memory;
    base_mutex_lock(&memory->mutex);
    const struct memory_list *list = store_memory_find(memory, id);
    if (list) {
        *out = describe(memory, list);
    }
    base_mutex_unlock(&memory->mutex);
    return list ? FAULT_NONE : no_list(error, id);
}

// Counts how many entries after `after` fit, and their bytes.
static uint32_t count_entries(const struct memory_list *list, uint64_t after, uint32_t entries_max,
                              size_t bytes_max, size_t *bytes)
{
    uint32_t count = 0;
    *bytes = 0;
    for (uint64_t position = after + 1; position <= list->last && count < entries_max; position++) {
        const size_t size = entry_at(list, position)->size;
        if (count > 0 && *bytes + size > bytes_max) {
            break;
        }
        *bytes += size;
        count++;
    }
    return count;
}

static enum fault_code read_locked(struct memory_reader *reader, uint32_t id, uint64_t after,
                                   uint32_t entries_max, size_t bytes_max, uint32_t *count,
                                   struct store_error *error)
{
    const struct memory_list *list = store_memory_find(reader->memory, id);
    if (!list) {
        return no_list(error, id);
    }
    if (after < list->first) {
        return store_fail(error, FAULT_NOT_FOUND, id, after + 1,
                          "entry %llu of list %u is no longer kept: its entries begin with %llu",
                          (unsigned long long)after + 1, id, (unsigned long long)list->first + 1);
    }
    size_t bytes;
    const uint32_t some = count_entries(list, after, entries_max, bytes_max, &bytes);
    free(reader->entries);
    reader->entries = malloc((some + 1) * sizeof *reader->entries + bytes);
    if (!reader->entries) {
        return store_fail(error, FAULT_MEMORY, id, after + 1, "no memory for entries of %zu bytes", bytes);
    }
    uint8_t *to = (uint8_t *)(reader->entries + some);
    for (uint32_t i = 0; i < some; i++) {
        reader->entries[i] = *entry_at(list, after + 1 + i);
        if (reader->entries[i].size > 0) {
            memcpy(to, reader->entries[i].bytes, reader->entries[i].size);
        }
        reader->entries[i].bytes = to;
        to += reader->entries[i].size;
    }
    *count = some;
    return FAULT_NONE;
}

enum fault_code store_memory_read(struct store_reader *base, uint32_t list, uint64_t after,
                                  uint32_t entries_max, size_t bytes_max, const struct store_entry **out,
                                  uint32_t *count, struct store_error *error)
{
    struct memory_reader *reader = (struct memory_reader *)base;
    *count = 0;
    base_mutex_lock(&reader->memory->mutex);
    const enum fault_code status = read_locked(reader, list, after, entries_max, bytes_max, count, error);
    base_mutex_unlock(&reader->memory->mutex);
    *out = reader->entries;
    return status;
}

enum fault_code store_memory_position_at(struct store_reader *base, uint32_t id, uint64_t tick,
                                         uint64_t *position, struct store_error *error)
{
    struct memory_store *memory = ((struct memory_reader *)base)->memory;
    *position = 0;
    base_mutex_lock(&memory->mutex);
    const struct memory_list *list = store_memory_find(memory, id);
    if (list) {
        uint32_t before;
        BASE_SEARCH(before, (uint32_t)(list->last - list->first),
                    entry_at(list, list->first + 1 + at)->tick <= tick);
        *position = before > 0 ? list->first + before : 0;
    }
    base_mutex_unlock(&memory->mutex);
    return list ? FAULT_NONE : no_list(error, id);
}

enum fault_code store_memory_image_before(struct store_reader *base, uint32_t id, uint64_t tick,
                                          uint64_t position, struct store_image *out,
                                          struct store_error *error)
{
    struct memory_store *memory = ((struct memory_reader *)base)->memory;
    bool found = false;
    base_mutex_lock(&memory->mutex);
    const struct memory_list *list = store_memory_find(memory, id);
    for (size_t i = list ? list->image_count : 0; i-- > 0 && !found;) {
        const struct store_image *image = &list->images[i].image;
        if (image->tick <= tick && image->position <= position) {
            *out = *image;
            found = true;
        }
    }
    base_mutex_unlock(&memory->mutex);
    if (!list) {
        return no_list(error, id);
    }
    return found ? FAULT_NONE
                 : store_fail(error, FAULT_NOT_FOUND, id, position,
                              "list %u has no image up to tick %llu and position %llu", id,
                              (unsigned long long)tick, (unsigned long long)position);
}

enum fault_code store_memory_images(struct store_reader *base, uint32_t id, struct store_image **out,
                                    uint32_t *count, struct store_error *error)
{
    struct memory_store *memory = ((struct memory_reader *)base)->memory;
    struct store_image *images = NULL;
    *out = NULL;
    *count = 0;
    base_mutex_lock(&memory->mutex);
    const struct memory_list *list = store_memory_find(memory, id);
    if (list && (images = malloc(list->image_count * sizeof *images))) {
        for (size_t i = 0; i < list->image_count; i++) {
            images[i] = list->images[i].image;
        }
        *count = (uint32_t)list->image_count;
    }
    base_mutex_unlock(&memory->mutex);
    if (!list) {
        return no_list(error, id);
    }
    if (!images) {
        return store_fail(error, FAULT_MEMORY, id, 0, "no memory for the images of list %u", id);
    }
    *out = images;
    return FAULT_NONE;
}

enum fault_code store_memory_image_read(struct store_reader *base, uint32_t id, uint64_t position,
                                        uint8_t **out, size_t *size, struct store_error *error)
{
    struct memory_store *memory = ((struct memory_reader *)base)->memory;
    struct base_buffer *bytes = NULL;
    *out = NULL;
    *size = 0;
    base_mutex_lock(&memory->mutex);
    const struct memory_list *list = store_memory_find(memory, id);
    for (size_t i = 0; list && i < list->image_count; i++) {
        if (list->images[i].image.position == position) {
            bytes = base_buffer_ref(list->images[i].bytes);
        }
    }
    base_mutex_unlock(&memory->mutex);
    if (!list) {
        return no_list(error, id);
    }
    if (!bytes) {
        return store_fail(error, FAULT_NOT_FOUND, id, position, "list %u has no image at position %llu", id,
                          (unsigned long long)position);
    }
    uint8_t *copy = malloc(bytes->size + 1);
    if (copy) {
        memcpy(copy, bytes->data, bytes->size);
        *out = copy;
        *size = bytes->size;
    }
    base_buffer_unref(bytes);
    return copy ? FAULT_NONE
                : store_fail(error, FAULT_MEMORY, id, position, "no memory for the image at position %llu",
                             (unsigned long long)position);
}

bool store_memory_verify(struct store_reader *reader,
                         void (*on_damage)(void *context, const struct store_error *damage), void *context,
                         struct store_error *error)
{
    (void)reader;
    (void)on_damage;
    (void)context;
    (void)error;
    return true; // memory cannot be checked
}

enum fault_code store_memory_backup(struct store_reader *reader, const char *folder,
                                    void (*on_progress)(void *context, uint64_t done, uint64_t of),
                                    void *context, struct store_error *error)
{
    (void)reader;
    (void)on_progress;
    (void)context;
    return store_fail(error, FAULT_NOT_FOUND, 0, 0,
                      "the store is in memory: there is nothing to copy to %s; start weftd with --data",
                      folder);
}
