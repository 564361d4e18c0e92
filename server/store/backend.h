// What a backend of the store is: one table of functions. struct store and struct store_reader stand first in a
// backend's own structs.
#ifndef WEFT_STORE_BACKEND_H
#define WEFT_STORE_BACKEND_H

#include "store/store.h"

#include <stdatomic.h>

struct store_backend {
    const char *kind;
    bool lasts;

    void (*close)(struct store *store);
    uint32_t (*last_list)(struct store *store);
    uint32_t (*list_id)(struct store *store); // NULL: the next ones after the last list
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
    enum store_status (*fetch)(struct store *store, uint32_t list,
                               struct store_error *error);                          // NULL: nothing to do
    enum store_status (*fetch_bin)(struct store *store, struct store_error *error); // the same
    enum store_status (*let_go)(struct store *store, uint32_t list, struct store_error *error); // the same
    void (*pending)(struct store *store, uint32_t list, struct store_pending *out);
    void (*brokers)(struct store *store, struct store_brokers *out); // NULL: there are none

    struct store_reader *(*reader_open)(struct store *store, struct store_error *error);
    void (*reader_close)(struct store_reader *reader);
    enum store_status (*lists)(struct store_reader *reader, struct store_list **out, uint32_t *count,
                               struct store_error *error);
    enum store_status (*list_find)(struct store_reader *reader, uint32_t list, struct store_list *out,
                                   struct store_error *error);
    enum store_status (*read)(struct store_reader *reader, uint32_t list, uint64_t after,
                              uint32_t entries_max, size_t bytes_max, const struct store_entry **out,
                              uint32_t *count, struct store_error *error);
    enum store_status (*position_at)(struct store_reader *reader, uint32_t list, uint64_t tick,
                                     uint64_t *position, struct store_error *error);
    enum store_status (*image_before)(struct store_reader *reader, uint32_t list, uint64_t tick,
                                      uint64_t position, struct store_image *out, struct store_error *error);
    enum store_status (*images)(struct store_reader *reader, uint32_t list, struct store_image **out,
                                uint32_t *count, struct store_error *error);
    enum store_status (*image_read)(struct store_reader *reader, uint32_t list, uint64_t position,
                                    uint8_t **out, size_t *size, struct store_error *error);
    bool (*verify)(struct store_reader *reader,
                   void (*on_damage)(void *context, const struct store_error *damage), void *context,
                   struct store_error *error);
    bool (*verify_end)(struct store_reader *reader,
                       void (*on_damage)(void *context, const struct store_error *damage), void *context,
                       struct store_error *error);
    enum store_status (*backup)(struct store_reader *reader, const char *folder,
                                void (*on_progress)(void *context, uint64_t done, uint64_t of), void *context,
                                struct store_error *error);
};

struct store {
    const struct store_backend *backend;
    atomic_uint_fast64_t list_id; // the last that was given, where the backend gives none
};

struct store_reader {
    const struct store_backend *backend;
};

struct store *store_memory_open(const struct store_options *options, struct store_error *error);

// What store_pending says of images, of so many lists that share keep_bytes: a quarter of that lies behind their newest
// images, and as much before them until it has gone.
uint64_t store_image_bytes(uint64_t keep_bytes, uint64_t lists);
// Fills in *error (may be NULL) and gives the status back.
enum store_status store_fail(struct store_error *error, enum store_status status, uint32_t list,
                             uint64_t position, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
