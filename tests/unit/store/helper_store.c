#include "helper_store.h"

#include "base/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void heard_init(struct heard *heard)
{
    memset(heard, 0, sizeof *heard);
    base_mutex_init(&heard->mutex);
    base_cond_init(&heard->cond);
}

void heard_deinit(struct heard *heard)
{
    base_cond_deinit(&heard->cond);
    base_mutex_deinit(&heard->mutex);
}

static void on_commit(void *context, uint32_t list, uint64_t position)
{
    struct heard *heard = context;
    base_mutex_lock(&heard->mutex);
    if (list < HEARD_LISTS) {
        heard->durable[list] = position;
    }
    base_cond_broadcast(&heard->cond);
    base_mutex_unlock(&heard->mutex);
}

static void note(struct heard *heard, const char *text)
{
    (void)snprintf(heard->text, sizeof heard->text, "%s", text ? text : "");
    base_cond_broadcast(&heard->cond);
}

static void on_full(void *context, bool full, const char *text)
{
    struct heard *heard = context;
    base_mutex_lock(&heard->mutex);
    heard->full = full;
    heard->full_count += full;
    heard->room_count += !full;
    note(heard, text);
    base_mutex_unlock(&heard->mutex);
}

static void on_lost(void *context, uint32_t list, const char *text)
{
    struct heard *heard = context;
    base_mutex_lock(&heard->mutex);
    heard->lost_list = list;
    heard->lost_count++;
    (void)snprintf(heard->lost_text, sizeof heard->lost_text, "%s", text);
    note(heard, text);
    base_mutex_unlock(&heard->mutex);
}

static void on_failure(void *context, const char *text)
{
    struct heard *heard = context;
    base_mutex_lock(&heard->mutex);
    heard->failures++;
    note(heard, text);
    base_mutex_unlock(&heard->mutex);
}

struct store_options heard_options(struct heard *heard, const char *folder)
{
    return (struct store_options){
        .folder = folder,
        .keep_seconds = UINT64_MAX,
        .keep_bytes = UINT64_MAX,
        .bin_seconds = 86400,
        .on_commit = on_commit,
        .on_full = on_full,
        .on_lost = on_lost,
        .on_failure = on_failure,
        .context = heard,
    };
}

static bool wait_for(struct heard *heard, uint32_t list, uint64_t position, bool for_failure)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(60000000000);
    base_mutex_lock(&heard->mutex);
    bool in_time = true;
    while (heard->durable[list] < position && in_time &&
           !(for_failure && (heard->failures > 0 || heard->full))) {
        in_time = base_cond_wait_until(&heard->cond, &heard->mutex, deadline_ns);
    }
    const bool durable = heard->durable[list] >= position;
    base_mutex_unlock(&heard->mutex);
    return durable;
}

bool heard_durable(struct heard *heard, uint32_t list, uint64_t position)
{
    return wait_for(heard, list, position, false);
}

bool heard_wait(struct heard *heard, uint32_t list, uint64_t position)
{
    return wait_for(heard, list, position, true);
}

bool heard_room(struct heard *heard)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(60000000000);
    base_mutex_lock(&heard->mutex);
    bool in_time = true;
    while (heard->full && in_time && heard->failures == 0) {
        in_time = base_cond_wait_until(&heard->cond, &heard->mutex, deadline_ns);
    }
    const bool room = !heard->full;
    base_mutex_unlock(&heard->mutex);
    return room;
}

bool heard_full(struct heard *heard)
{
    base_mutex_lock(&heard->mutex);
    const bool full = heard->full;
    base_mutex_unlock(&heard->mutex);
    return full;
}

struct base_buffer *bytes_of(const void *data, size_t size)
{
    struct base_buffer *buffer = base_buffer_create(size, NULL);
    if (buffer) {
        memcpy(buffer->data, data, size);
    }
    return buffer;
}

struct base_buffer *noise(size_t size, uint64_t seed)
{
    struct base_buffer *buffer = base_buffer_create(size, NULL);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (size_t i = 0; buffer && i < size; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        buffer->data[i] = (uint8_t)(state >> 56);
    }
    return buffer;
}

bool create(struct store *store, uint32_t list, const char *label)
{
    struct base_buffer *bytes = bytes_of("begin", 5);
    const struct store_image image = {.position = 0, .tick = 0, .hash = 11, .maker = 3, .at = 1000};
    const bool taken = store_create(store, list, label, &image, bytes);
    base_buffer_unref(bytes);
    return taken;
}

bool append(struct store *store, uint32_t list, uint64_t epoch, uint64_t position, const char *text)
{
    const struct store_entry entry = {
        .position = position,
        .tick = 10 * position,
        .kind = (uint8_t)(position % 3),
        .at = 1000 + position,
        .bytes = (const uint8_t *)text,
        .size = strlen(text),
    };
    return store_append(store, list, epoch, &entry, 1);
}

bool add_image(struct store *store, uint32_t list, uint64_t position, uint64_t tick,
               struct base_buffer *bytes)
{
    const struct store_image image = {
        .position = position, .tick = tick, .hash = position + 7, .maker = 3, .at = 1000 + position};
    return store_image_add(store, list, &image, bytes);
}

void place_make(struct place *place)
{
    (void)snprintf(place->above, sizeof place->above, "/tmp/weft-store-XXXXXX");
    if (!mkdtemp(place->above)) {
        abort();
    }
    (void)snprintf(place->folder, sizeof place->folder, "%s/data", place->above);
}

static void remove_files(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *item;
    while (folder && (item = readdir(folder))) {
        if (item->d_name[0] != '.') {
            char name[400];
            (void)snprintf(name, sizeof name, "%s/%s", path, item->d_name);
            if (unlink(name) != 0) {
                remove_files(name);
                (void)rmdir(name);
            }
        }
    }
    if (folder) {
        closedir(folder);
    }
}

void place_remove(struct place *place)
{
    remove_files(place->above);
    (void)rmdir(place->above);
}

bool image_comes(struct store_reader *reader, uint32_t list, uint64_t position)
{
    struct store_image image;
    for (int i = 0; i < 12000; i++) {
        if (store_image_before(reader, list, UINT64_MAX, position, &image, NULL) == FAULT_NONE &&
            image.position == position) {
            return true;
        }
        (void)usleep(5000);
    }
    return false;
}
