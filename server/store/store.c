// Picks the backend, and passes each call on to it.
#include "store/store.h"

#include "store/backend.h"
#include "store/nats.h"
#include "store/sqlite.h"

struct store *store_open(const struct store_options *options, struct store_error *error)
{
    return options->brokers  ? store_nats_open(options, error)
           : options->folder ? store_sqlite_open(options, NULL, error)
                             : store_memory_open(options, error);
}

void store_close(struct store *store)
{
    if (store) {
        store->backend->close(store);
    }
}

const char *store_kind(const struct store *store)
{
    return store->backend->kind;
}

bool store_lasts(const struct store *store)
{
    return store->backend->lasts;
}

uint32_t store_last_list(struct store *store)
{
    return store->backend->last_list(store);
}

uint32_t store_list_id(struct store *store)
{
    if (store->backend->list_id) {
        return store->backend->list_id(store);
    }
    const uint32_t last = store_last_list(store);
    uint_fast64_t given = atomic_load(&store->list_id), id;
    do {
        id = (given > last ? given : last) + 1;
    } while (id <= UINT32_MAX && !atomic_compare_exchange_weak(&store->list_id, &given, id));
    return id <= UINT32_MAX ? (uint32_t)id : 0;
}

uint64_t store_bytes(struct store *store)
{
    return store->backend->bytes(store);
}

bool store_create(struct store *store, uint32_t list, const char *label, const struct store_image *image,
                  struct base_buffer *bytes)
{
    return store->backend->create(store, list, label, image, bytes);
}

bool store_append(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
                  uint32_t count)
{
    return store->backend->append(store, list, epoch, entries, count);
}

bool store_image_add(struct store *store, uint32_t list, const struct store_image *image,
                     struct base_buffer *bytes)
{
    return store->backend->image_add(store, list, image, bytes);
}

bool store_label(struct store *store, uint32_t list, const char *label)
{
    return store->backend->label(store, list, label);
}

bool store_bin(struct store *store, uint32_t list)
{
    return store->backend->bin(store, list, true);
}

bool store_unbin(struct store *store, uint32_t list)
{
    return store->backend->bin(store, list, false);
}

uint64_t store_take_over(struct store *store, uint32_t list, struct store_error *error)
{
    return store->backend->take_over(store, list, error);
}

enum fault_code store_fetch(struct store *store, uint32_t list, struct store_error *error)
{
    return store->backend->fetch ? store->backend->fetch(store, list, error) : FAULT_NONE;
}

enum fault_code store_fetch_bin(struct store *store, struct store_error *error)
{
    return store->backend->fetch_bin ? store->backend->fetch_bin(store, error) : FAULT_NONE;
}

enum fault_code store_let_go(struct store *store, uint32_t list, struct store_error *error)
{
    return store->backend->let_go ? store->backend->let_go(store, list, error) : FAULT_NONE;
}

void store_pending(struct store *store, uint32_t list, struct store_pending *out)
{
    store->backend->pending(store, list, out);
}

bool store_brokers(struct store *store, struct store_brokers *out)
{
    *out = (struct store_brokers){0};
    if (store->backend->brokers) {
        store->backend->brokers(store, out);
    }
    return store->backend->brokers != NULL;
}

struct store_reader *store_reader_open(struct store *store, struct store_error *error)
{
    return store->backend->reader_open(store, error);
}

void store_reader_close(struct store_reader *reader)
{
    if (reader) {
        reader->backend->reader_close(reader);
    }
}

enum fault_code store_lists(struct store_reader *reader, struct store_list **out, uint32_t *count,
                            struct store_error *error)
{
    return reader->backend->lists(reader, out, count, error);
}

enum fault_code store_list_find(struct store_reader *reader, uint32_t list, struct store_list *out,
                                struct store_error *error)
{
    return reader->backend->list_find(reader, list, out, error);
}

enum fault_code store_read(struct store_reader *reader, uint32_t list, uint64_t after, uint32_t entries_max,
                           size_t bytes_max, const struct store_entry **out, uint32_t *count,
                           struct store_error *error)
{
    return reader->backend->read(reader, list, after, entries_max, bytes_max, out, count, error);
}

enum fault_code store_position_at(struct store_reader *reader, uint32_t list, uint64_t tick,
                                  uint64_t *position, struct store_error *error)
{
    return reader->backend->position_at(reader, list, tick, position, error);
}

enum fault_code store_image_before(struct store_reader *reader, uint32_t list, uint64_t tick,
                                   uint64_t position, struct store_image *out, struct store_error *error)
{
    return reader->backend->image_before(reader, list, tick, position, out, error);
}

enum fault_code store_images(struct store_reader *reader, uint32_t list, struct store_image **out,
                             uint32_t *count, struct store_error *error)
{
    return reader->backend->images(reader, list, out, count, error);
}

enum fault_code store_image_read(struct store_reader *reader, uint32_t list, uint64_t position, uint8_t **out,
                                 size_t *size, struct store_error *error)
{
    return reader->backend->image_read(reader, list, position, out, size, error);
}

bool store_verify(struct store_reader *reader,
                  void (*on_damage)(void *context, const struct store_error *damage), void *context,
                  struct store_error *error)
{
    return reader->backend->verify(reader, on_damage, context, error);
}

bool store_verify_end(struct store_reader *reader,
                      void (*on_damage)(void *context, const struct store_error *damage), void *context,
                      struct store_error *error)
{
    return reader->backend->verify_end(reader, on_damage, context, error);
}

enum fault_code store_backup(struct store_reader *reader, const char *folder,
                             void (*on_progress)(void *context, uint64_t done, uint64_t of), void *context,
                             struct store_error *error)
{
    return reader->backend->backup(reader, folder, on_progress, context, error);
}
