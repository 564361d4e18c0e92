// Defines a backend of the store: one table of functions. struct store and struct store_reader are the first
// member of a backend's own structs. The functions do what the store_ functions of the same name do
// (store.h).
#ifndef WEFT_STORE_BACKEND_H
#define WEFT_STORE_BACKEND_H

#include "store/store.h"

#include <stdatomic.h>

struct store_backend {
    const char *kind;
    bool lasts;

    void (*close)(struct store *store);
    uint32_t (*last_list)(struct store *store);
    uint32_t (*list_id)(struct store *store); // NULL: ids follow the last list
    uint64_t (*bytes)(struct store *store);

    bool (*create)(struct store *store, uint32_t list, const char *label, const struct store_image *image,
                   struct base_buffer *bytes);
    bool (*append)(struct store *store, uint32_t list, uint64_t epoch, const struct store_entry *entries,
                   uint32_t count);
    bool (*image_add)(struct store *store, uint32_t list, const struct store_image *image,
                      struct base_buffer *bytes);
    bool (*label)(struct store *store, uint32_t list, const char *label);
    bool (*bin)(struct store *store, uint32_t list, bool binned);
    uint64_t (*take_over)(struct store *store, uint32_t list, struct store_error *error);
    enum fault_code (*fetch)(struct store *store, uint32_t list,
                             struct store_error *error); // NULL: there is nothing to do
    // NULL: there is nothing to do.
    enum fault_code (*fetch_bin)(struct store *store, struct store_error *error);
    // NULL: there is nothing to do.
    enum fault_code (*let_go)(struct store *store, uint32_t list, struct store_error *error);
    void (*pending)(struct store *store, uint32_t list, struct store_pending *out);
    void (*brokers)(struct store *store, struct store_brokers *out); // NULL: there are no brokers

    struct store_reader *(*reader_open)(struct store *store, struct store_error *error);
    void (*reader_close)(struct store_reader *reader);
    enum fault_code (*lists)(struct store_reader *reader, struct store_list **out, uint32_t *count,
                             struct store_error *error);
    enum fault_code (*list_find)(struct store_reader *reader, uint32_t list, struct store_list *out,
                                 struct store_error *error);
    enum fault_code (*read)(struct store_reader *reader, uint32_t list, uint64_t after, uint32_t entries_max,
                            size_t bytes_max, const struct store_entry **out, uint32_t *count,
                            struct store_error *error);
    enum fault_code (*position_at)(struct store_reader *reader, uint32_t list, uint64_t tick,
                                   uint64_t *position, struct store_error *error);
    enum fault_code (*image_before)(struct store_reader *reader, uint32_t list, uint64_t tick,
                                    uint64_t position, struct store_image *out, struct store_error *error);
    enum fault_code (*images)(struct store_reader *reader, uint32_t list, struct store_image **out,
                              uint32_t *count, struct store_error *error);
    enum fault_code (*image_read)(struct store_reader *reader, uint32_t list, uint64_t position,
                                  uint8_t **out, size_t *size, struct store_error *error);
    bool (*verify)(struct store_reader *reader,
                   void (*on_damage)(void *context, const struct store_error *damage), void *context,
                   struct store_error *error);
    bool (*verify_end)(struct store_reader *reader,
                       void (*on_damage)(void *context, const struct store_error *damage), void *context,
                       struct store_error *error);
    enum fault_code (*backup)(struct store_reader *reader, const char *folder,
                              void (*on_progress)(void *context, uint64_t done, uint64_t of), void *context,
                              struct store_error *error);
};

struct store {
    const struct store_backend *backend;
    atomic_uint_fast64_t list_id; // last id that was given, for a backend without list_id
};

struct store_reader {
    const struct store_backend *backend;
};

struct store *store_memory_open(const struct store_options *options, struct store_error *error);

// Returns store_pending.image_bytes if so many lists share keep_bytes. A quarter of keep_bytes is for entries
// after the newest images, and as much for those before them until they are deleted.
uint64_t store_image_bytes(uint64_t keep_bytes, uint64_t lists);
// Fills *error, which may be NULL, and returns the code.
enum fault_code store_fail(struct store_error *error, enum fault_code status, uint32_t list,
                           uint64_t position, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
