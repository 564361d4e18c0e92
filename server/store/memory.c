// Keeps lists in memory: nothing outlives the process, and what is appended counts as durable at once. Beyond
// keep_bytes the oldest image of all lists is deleted, with the entries up to the next one. A list's newest
// image and the entries after it stay.
#include "store/memory.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_EXTRA = 80, IMAGE_EXTRA = 96, LIST_EXTRA = 512 }; // bytes of the structs around them, about

static uint64_t now_s(void)
{
    return base_wall_us() / 1000000;
}

static uint32_t place_of(const struct memory_store *memory, uint32_t list)
{
    uint32_t place;
    BASE_SEARCH(place, (uint32_t)memory->list_count, memory->lists[at]->list < list);
    return place;
}

static void charge(struct memory_store *memory, struct memory_list *list, uint64_t bytes)
{
    memory->bytes += bytes;
    list->bytes += bytes;
}

static void give_back(struct memory_store *memory, struct memory_list *list, uint64_t bytes)
{
    memory->bytes -= bytes;
    list->bytes -= bytes;
}

static void set_label(struct memory_list *list, const char *label)
{
    const size_t size = strnlen(label, STORE_LABEL_SIZE - 1);
    memcpy(list->label, label, size);
    list->label[size] = 0;
}

// ---------------------------------------------------------------------------------------------------------
// What goes

static void drop_entries(struct memory_store *memory, struct memory_list *list, uint64_t up_to)
{
    while (list->first < up_to) {
        struct memory_entry *entry = list->entries[list->entry_begin++];
        list->first++;
        give_back(memory, list, entry->entry.size + ENTRY_EXTRA);
        free(entry);
    }
}

static void drop_image(struct memory_store *memory, struct memory_list *list)
{
    give_back(memory, list, list->images[0].bytes->size + IMAGE_EXTRA);
    base_buffer_unref(list->images[0].bytes);
    list->image_count--;
    memmove(list->images, list->images + 1, list->image_count * sizeof *list->images);
}

static void list_destroy(struct memory_store *memory, struct memory_list *list)
{
    drop_entries(memory, list, list->last);
    while (list->image_count > 0) {
        drop_image(memory, list);
    }
    memory->bytes -= list->bytes;
    free(list->entries);
    free(list->images);
    free(list);
}

static void empty_bin(struct memory_store *memory)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->list_count; i++) {
        struct memory_list *list = memory->lists[i];
        if (list->binned && store_seen_past(&memory->seen, list->binned_seen, memory->options.bin_seconds)) {
            list_destroy(memory, list);
        } else {
            memory->lists[kept++] = list;
        }
    }
    memory->list_count = kept;
}

// Returns the list whose oldest image is the oldest of all that can be deleted.
static struct memory_list *oldest(const struct memory_store *memory)
{
    struct memory_list *found = NULL;
    for (size_t i = 0; i < memory->list_count; i++) {
        struct memory_list *list = memory->lists[i];
        if (list->image_count > 1 && (!found || list->images[0].seen < found->images[0].seen)) {
            found = list;
        }
    }
    return found;
}

// Whether the oldest image is past. It is when the next image is old enough: until then the time between them
// is made from it.
static bool is_past(const struct memory_store *memory, const struct memory_list *list)
{
    return store_seen_past(&memory->seen, list->images[1].seen, memory->options.keep_seconds);
}

static void compact(struct memory_store *memory)
{
    for (;;) {
        struct memory_list *list = oldest(memory);
        if (!list || (memory->bytes <= memory->options.keep_bytes && !is_past(memory, list))) {
            return;
        }
        drop_image(memory, list);
        drop_entries(memory, list, list->images[0].image.position);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Writing

static bool image_insert(struct memory_store *memory, struct memory_list *list,
                         const struct store_image *image, struct base_buffer *bytes)
{
    if (!array_reserve(&list->images, &list->image_room, list->image_count + 1)) {
        return false;
    }
    list->images[list->image_count] =
        (struct memory_image){*image, store_seen_s(&memory->seen), base_buffer_ref(bytes)};
    list->image_count++;
    charge(memory, list, bytes->size + IMAGE_EXTRA);
    return true;
}

// Tells what was refused, if anything was, after the lock is released.
static void tell_lost(struct memory_store *memory, const struct store_error *why)
{
    if (why->fault.code != FAULT_NONE && memory->options.on_lost) {
        memory->options.on_lost(memory->options.context, why->list, why->fault.text);
    }
}

static struct memory_list *list_create(struct memory_store *memory, uint32_t id, const char *label,
                                       const struct store_image *image, struct base_buffer *bytes)
{
    if (!array_reserve(&memory->lists, &memory->list_room, memory->list_count + 1)) {
        return NULL;
    }
    struct memory_list *list = calloc(1, sizeof *list);
    if (!list || !image_insert(memory, list, image, bytes)) {
        free(list);
        return NULL;
    }
    list->list = id;
    list->epoch = 1;
    list->created_at = now_s();
    set_label(list, label);
    const uint32_t place = place_of(memory, id);
    memmove(memory->lists + place + 1, memory->lists + place,
            (memory->list_count - place) * sizeof *memory->lists);
    memory->lists[place] = list;
    memory->list_count++;
    charge(memory, list, LIST_EXTRA);
    memory->last_list = id > memory->last_list ? id : memory->last_list;
    return list;
}

static bool memory_create(struct store *store, uint32_t id, const char *label,
                          const struct store_image *image, struct base_buffer *bytes)
{
    struct memory_store *memory = (struct memory_store *)store;
    struct store_error why = {0};
    bool taken = true;
    base_mutex_lock(&memory->mutex);
    empty_bin(memory);
    if (store_memory_find(memory, id)) {
        store_fail(&why, FAULT_NOT_FOUND, id, 0, "list %u is there already", id);
    } else {
        taken = list_create(memory, id, label, image, bytes) != NULL;
        compact(memory);
    }
    base_mutex_unlock(&memory->mutex);
    tell_lost(memory, &why);
    return taken;
}

static bool refused(const struct memory_list *list, uint32_t id, uint64_t epoch,
                    const struct store_entry *entries, uint32_t count, struct store_error *why)
{
    uint32_t right = 0;
    while (list && right < count && entries[right].position == list->last + 1 + right) {
        right++;
    }
    if (!list) {
        store_fail(why, FAULT_NOT_FOUND, id, entries[0].position, "there is no list %u", id);
    } else if (epoch != list->epoch) {
        store_fail(why, FAULT_NOT_FOUND, id, entries[0].position,
                   "list %u is written under epoch %llu; an entry came under epoch %llu", id,
                   (unsigned long long)list->epoch, (unsigned long long)epoch);
    } else if (right < count) {
        store_fail(why, FAULT_NOT_FOUND, id, entries[right].position,
                   "the next entry of list %u is at position %llu; one came for position %llu", id,
                   (unsigned long long)list->last + 1 + right, (unsigned long long)entries[right].position);
    } else {
        return false;
    }
    return true;
}

// Makes room for one more entry. Entries are moved to the front before more memory is taken.
static bool entry_room(struct memory_list *list)
{
    const size_t count = (size_t)(list->last - list->first);
    if (list->entry_begin > 0 && list->entry_begin + count == list->entry_room) {
        memmove(list->entries, list->entries + list->entry_begin, count * sizeof *list->entries);
        list->entry_begin = 0;
    }
    return array_reserve(&list->entries, &list->entry_room, list->entry_begin + count + 1);
}

static void entry_drop_last(struct memory_store *memory, struct memory_list *list)
{
    list->last--;
    struct memory_entry *entry = list->entries[list->entry_begin + (size_t)(list->last - list->first)];
    give_back(memory, list, entry->entry.size + ENTRY_EXTRA);
    free(entry);
}

static bool entry_add(struct memory_store *memory, struct memory_list *list, const struct store_entry *entry)
{
    struct memory_entry *copy = malloc(sizeof *copy + entry->size);
    if (!copy || !entry_room(list)) {
        free(copy);
        return false;
    }
    copy->entry = *entry;
    copy->entry.bytes = copy->bytes;
    if (entry->size > 0) {
        memcpy(copy->bytes, entry->bytes, entry->size);
    }
    list->entries[list->entry_begin + (size_t)(list->last - list->first)] = copy;
    list->last++;
    charge(memory, list, entry->size + ENTRY_EXTRA);
    return true;
}

static bool entries_add(struct memory_store *memory, struct memory_list *list,
                        const struct store_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!entry_add(memory, list, &entries[i])) {
            while (i-- > 0) {
                entry_drop_last(memory, list);
            }
            return false;
        }
    }
    return true;
}

static bool memory_append(struct store *store, uint32_t id, uint64_t epoch, const struct store_entry *entries,
                          uint32_t count)
{
    struct memory_store *memory = (struct memory_store *)store;
    struct store_error why = {0};
    bool taken = true;
    base_mutex_lock(&memory->mutex);
    struct memory_list *list = store_memory_find(memory, id);
    if (!refused(list, id, epoch, entries, count, &why)) {
        taken = entries_add(memory, list, entries, count);
        compact(memory);
    }
    base_mutex_unlock(&memory->mutex);
    tell_lost(memory, &why);
    if (taken && why.fault.code == FAULT_NONE && memory->options.on_commit) {
        memory->options.on_commit(memory->options.context, id, entries[count - 1].position);
    }
    return taken;
}

static bool memory_image_add(struct store *store, uint32_t id, const struct store_image *image,
                             struct base_buffer *bytes)
{
    struct memory_store *memory = (struct memory_store *)store;
    struct store_error why = {0};
    bool taken = true;
    base_mutex_lock(&memory->mutex);
    empty_bin(memory);
    struct memory_list *list = store_memory_find(memory, id);
    if (!list) {
        store_fail(&why, FAULT_NOT_FOUND, id, image->position, "there is no list %u", id);
    } else if (image->position > list->last) {
        store_fail(&why, FAULT_NOT_FOUND, id, image->position,
                   "the last entry of list %u is at position %llu; an image came for position %llu", id,
                   (unsigned long long)list->last, (unsigned long long)image->position);
    } else if (image->position > list->images[list->image_count - 1].image.position) {
        taken = image_insert(memory, list, image, bytes);
        compact(memory);
    }
    base_mutex_unlock(&memory->mutex);
    tell_lost(memory, &why);
    return taken;
}

static bool memory_label(struct store *store, uint32_t id, const char *label)
{
    struct memory_store *memory = (struct memory_store *)store;
    base_mutex_lock(&memory->mutex);
    struct memory_list *list = store_memory_find(memory, id);
    if (list) {
        set_label(list, label);
    }
    base_mutex_unlock(&memory->mutex);
    return true;
}

static bool memory_bin(struct store *store, uint32_t id, bool binned)
{
    struct memory_store *memory = (struct memory_store *)store;
    base_mutex_lock(&memory->mutex);
    struct memory_list *list = store_memory_find(memory, id);
    if (list && list->binned != binned) {
        list->binned = binned;
        list->binned_at = binned ? now_s() : 0;
        list->binned_seen = store_seen_s(&memory->seen);
    }
    empty_bin(memory);
    base_mutex_unlock(&memory->mutex);
    return true;
}

static uint64_t memory_take_over(struct store *store, uint32_t id, struct store_error *error)
{
    struct memory_store *memory = (struct memory_store *)store;
    base_mutex_lock(&memory->mutex);
    struct memory_list *list = store_memory_find(memory, id);
    const uint64_t epoch = list ? ++list->epoch : 0;
    base_mutex_unlock(&memory->mutex);
    if (epoch == 0) {
        store_fail(error, FAULT_NOT_FOUND, id, 0, "there is no list %u", id);
    }
    return epoch;
}

static void memory_pending(struct store *store, uint32_t id, struct store_pending *out)
{
    struct memory_store *memory = (struct memory_store *)store;
    *out = (struct store_pending){0};
    base_mutex_lock(&memory->mutex);
    const struct memory_list *list = store_memory_find(memory, id);
    out->durable = list ? list->last : 0;
    out->image_bytes = store_image_bytes(memory->options.keep_bytes, memory->list_count);
    base_mutex_unlock(&memory->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// Life

static void memory_close(struct store *store)
{
    struct memory_store *memory = (struct memory_store *)store;
    for (size_t i = 0; i < memory->list_count; i++) {
        list_destroy(memory, memory->lists[i]);
    }
    free(memory->lists);
    base_mutex_deinit(&memory->mutex);
    free(memory);
}

static uint32_t memory_last_list(struct store *store)
{
    struct memory_store *memory = (struct memory_store *)store;
    base_mutex_lock(&memory->mutex);
    const uint32_t last = memory->last_list;
    base_mutex_unlock(&memory->mutex);
    return last;
}

static uint64_t memory_bytes(struct store *store)
{
    struct memory_store *memory = (struct memory_store *)store;
    base_mutex_lock(&memory->mutex);
    empty_bin(memory);
    const uint64_t bytes = memory->bytes;
    base_mutex_unlock(&memory->mutex);
    return bytes;
}

static const struct store_backend backend = {
    .kind = "memory",
    .lasts = false,
    .close = memory_close,
    .last_list = memory_last_list,
    .bytes = memory_bytes,
    .create = memory_create,
    .append = memory_append,
    .image_add = memory_image_add,
    .label = memory_label,
    .bin = memory_bin,
    .take_over = memory_take_over,
    .pending = memory_pending,
    .reader_open = store_memory_reader_open,
    .reader_close = store_memory_reader_close,
    .lists = store_memory_lists,
    .list_find = store_memory_list_find,
    .read = store_memory_read,
    .position_at = store_memory_position_at,
    .image_before = store_memory_image_before,
    .images = store_memory_images,
    .image_read = store_memory_image_read,
    .verify = store_memory_verify,
    .verify_end = store_memory_verify,
    .backup = store_memory_backup,
};

struct store *store_memory_open(const struct store_options *options, struct store_error *error)
{
    struct memory_store *memory = calloc(1, sizeof *memory);
    if (!memory) {
        store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
        return NULL;
    }
    memory->store.backend = &backend;
    memory->options = *options;
    store_seen_begin(&memory->seen, options->clock_ns, 0);
    base_mutex_init(&memory->mutex);
    return &memory->store;
}
