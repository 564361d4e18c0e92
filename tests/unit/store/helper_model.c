#include "helper_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t model_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

enum { ENTRY_MAX = 9000 };

static size_t entry_bytes(uint32_t list, uint64_t position, uint8_t out[ENTRY_MAX])
{
    uint64_t random = list * 1000003 + position;
    const size_t size =
        model_random(&random) % 16 == 0 ? model_random(&random) % ENTRY_MAX : model_random(&random) % 200;
    for (size_t i = 0; i < size; i++) {
        out[i] = (uint8_t)model_random(&random);
    }
    return size;
}

// Most of a list stays the same, and some of it changes.
static struct base_buffer *image_bytes(uint32_t list, uint64_t position)
{
    struct base_buffer *bytes = noise(3000 + 20000 * (list - 1), list);
    uint64_t random = list * 7 + position;
    if (bytes && position % 3 != 0) {
        memset(bytes->data + model_random(&random) % (bytes->size - 64), (int)position, 64);
    }
    return bytes;
}

static struct store_image image_of(uint64_t position)
{
    return (struct store_image){.position = position,
                                .tick = 10 * position,
                                .hash = position * 77,
                                .maker = 5,
                                .at = 1000 + position};
}

bool model_create(struct model *model, struct store *store, uint32_t list)
{
    struct base_buffer *bytes = image_bytes(list, 0);
    const struct store_image image = image_of(0);
    const bool taken = store_create(store, list, "of the model", &image, bytes);
    base_buffer_unref(bytes);
    model->lists[list] = (struct model_list){.made = taken, .epoch = 1};
    return taken;
}

enum { TOGETHER_MAX = 3 };

// Most entries go alone, some with the next, a few with two.
static bool goes_on(uint64_t position)
{
    return position % 8 == 3 || position % 8 == 6 || position % 8 == 7;
}

bool model_append(struct model *model, struct store *store, uint32_t list)
{
    static _Thread_local uint8_t bytes[TOGETHER_MAX][ENTRY_MAX];
    struct model_list *one = &model->lists[list];
    struct store_entry entries[TOGETHER_MAX];
    uint32_t count = 0;
    do {
        const uint64_t position = ++one->appended;
        entries[count] = (struct store_entry){
            .position = position,
            .tick = 10 * position,
            .kind = (uint8_t)(position % 3),
            .at = 1000 + position,
            .bytes = bytes[count],
            .size = entry_bytes(list, position, bytes[count]),
        };
        count++;
    } while (goes_on(one->appended));
    return store_append(store, list, one->epoch, entries, count);
}

bool model_image(struct model *model, struct store *store, uint32_t list)
{
    struct model_list *one = &model->lists[list];
    struct base_buffer *bytes = image_bytes(list, one->appended);
    const struct store_image image = image_of(one->appended);
    const bool taken = store_image_add(store, list, &image, bytes);
    base_buffer_unref(bytes);
    one->imaged = one->appended;
    return taken;
}

void model_prepare(const struct model *model, struct heard *heard)
{
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        heard->durable[list] = model->lists[list].durable;
    }
}

void model_hear(struct model *model, struct heard *heard)
{
    base_mutex_lock(&heard->mutex);
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        if (heard->durable[list] > model->lists[list].durable) {
            model->lists[list].durable = heard->durable[list];
        }
    }
    base_mutex_unlock(&heard->mutex);
}

// ---------------------------------------------------------------------------------------------------------

static enum verdict judge(enum fault_code status, const struct store_error *error, char *text)
{
    (void)snprintf(text, FAULT_TEXT_SIZE, "%s", error->fault.text);
    return status == FAULT_DAMAGED || status == FAULT_IO ? REFUSED : WRONG;
}

#define SAY(...) (snprintf(text, FAULT_TEXT_SIZE, __VA_ARGS__), WRONG)

static enum verdict check_entries(struct store_reader *reader, const struct store_list *list, char *text)
{
    struct store_error error;
    uint64_t position = list->first;
    for (;;) {
        static _Thread_local uint8_t bytes[ENTRY_MAX];
        const struct store_entry *entries;
        uint32_t count;
        const enum fault_code status =
            store_read(reader, list->list, position, 64, 1 << 20, &entries, &count, &error);
        if (status != FAULT_NONE) {
            return judge(status, &error, text);
        }
        if (count == 0) {
            return position == list->last
                       ? RIGHT
                       : SAY("list %u ends at %d, not at %d", list->list, (int)position, (int)list->last);
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct store_entry *entry = &entries[i];
            position++;
            if (entry->position != position || entry->tick != 10 * position || entry->kind != position % 3 ||
                entry->at != 1000 + position || entry->size != entry_bytes(list->list, position, bytes) ||
                (entry->size > 0 && memcmp(entry->bytes, bytes, entry->size) != 0)) {
                return SAY("entry %d of list %u is another", (int)position, list->list);
            }
        }
    }
}

static enum verdict check_image(struct store_reader *reader, uint32_t list, const struct store_image *image,
                                char *text)
{
    struct store_error error;
    uint8_t *bytes;
    size_t size;
    const enum fault_code status = store_image_read(reader, list, image->position, &bytes, &size, &error);
    if (status != FAULT_NONE) {
        return judge(status, &error, text);
    }
    struct base_buffer *expected = image_bytes(list, image->position);
    const struct store_image row = image_of(image->position);
    const bool same = size == expected->size && memcmp(bytes, expected->data, size) == 0 &&
                      row.tick == image->tick && row.hash == image->hash && row.maker == image->maker &&
                      row.at == image->at;
    base_buffer_unref(expected);
    free(bytes);
    return same ? RIGHT : SAY("the image of list %u at %d is another", list, (int)image->position);
}

static enum verdict check_images(struct store_reader *reader, const struct store_list *list, char *text)
{
    struct store_error error;
    struct store_image *images;
    uint32_t count;
    const enum fault_code status = store_images(reader, list->list, &images, &count, &error);
    if (status != FAULT_NONE) {
        return judge(status, &error, text);
    }
    enum verdict verdict = count == list->images ? RIGHT : SAY("list %u has %u images", list->list, count);
    for (uint32_t i = 0; i < count && verdict == RIGHT; i++) {
        verdict = check_image(reader, list->list, &images[i], text);
    }
    free(images);
    return verdict;
}

static enum verdict check_list(const struct model_list *model, struct store_reader *reader, uint32_t id,
                               char *text)
{
    struct store_error error;
    struct store_list list;
    const enum fault_code status = store_list_find(reader, id, &list, &error);
    if (status == FAULT_NOT_FOUND && model->durable == 0) {
        return RIGHT;
    }
    if (status != FAULT_NONE) {
        return judge(status, &error, text);
    }
    if (list.lost) { // its end is missing, and it says so
        (void)snprintf(text, FAULT_TEXT_SIZE, "list %u lost its end", id);
        return list.last < list.durable || list.epoch < model->epoch ? REFUSED
                                                                     : SAY("list %u lost nothing", id);
    }
    if (list.last < model->durable || list.last > model->appended) {
        return SAY("list %u ends at %d; durable were %d, appended %d", id, (int)list.last,
                   (int)model->durable, (int)model->appended);
    }
    if (goes_on(list.last)) {
        return SAY("list %u ends at %d, and what belongs to that is not there", id, (int)list.last);
    }
    if (list.epoch < model->epoch || strcmp(list.label, "of the model") != 0) {
        return SAY("list %u has epoch %d, not %d, and is called %s", id, (int)list.epoch, (int)model->epoch,
                   list.label);
    }
    const enum verdict verdict = check_entries(reader, &list, text);
    return verdict == RIGHT ? check_images(reader, &list, text) : verdict;
}

enum verdict model_check(const struct model *model, struct store *store, char text[FAULT_TEXT_SIZE])
{
    struct store_error error;
    struct store_reader *reader = store_reader_open(store, &error);
    if (!reader) {
        return judge(error.fault.code, &error, text);
    }
    enum verdict verdict = RIGHT;
    for (uint32_t list = 1; list < MODEL_LISTS && verdict != WRONG; list++) {
        if (model->lists[list].made) {
            const enum verdict one = check_list(&model->lists[list], reader, list, text);
            verdict = one > verdict ? one : verdict;
        }
    }
    store_reader_close(reader);
    return verdict;
}

void model_go_on(struct model *model, struct store *store)
{
    struct store_reader *reader = store_reader_open(store, NULL);
    for (uint32_t list = 1; list < MODEL_LISTS && reader; list++) {
        struct store_list row;
        struct model_list *one = &model->lists[list];
        if (one->made && store_list_find(reader, list, &row, NULL) == FAULT_NONE) {
            one->appended = one->durable = row.last;
            one->epoch = row.epoch;
            one->imaged = row.last; // at least
        } else {
            *one = (struct model_list){0};
        }
    }
    store_reader_close(reader);
}
