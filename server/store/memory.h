// Declares what writing (memory.c) and reading (memory_read.c) of the backend in memory share.
#ifndef WEFT_STORE_MEMORY_H
#define WEFT_STORE_MEMORY_H

#include "base/buffer.h"
#include "base/thread.h"
#include "store/backend.h"
#include "store/seen.h"

struct memory_entry {
    struct store_entry entry; // its bytes are those below
    uint8_t bytes[];
};

struct memory_image {
    struct store_image image;
    uint64_t seen; // seconds that the store had seen when it came
    struct base_buffer *bytes;
};

struct memory_list {
    uint32_t list;
    uint64_t epoch;
    char label[STORE_LABEL_SIZE];
    bool binned;
    uint64_t created_at, binned_at;
    uint64_t binned_seen;          // seconds that the store had seen when the list was binned
    uint64_t first, last;          // entries first + 1 … last are there
    struct memory_entry **entries; // last - first entries, from entries[entry_begin] on
    size_t entry_begin, entry_room;
    struct memory_image *images; // by ascending position, at least one
    size_t image_count, image_room;
    uint64_t bytes;
};

struct memory_store {
    struct store store;
    struct store_options options;
    struct store_seen seen;
    struct base_mutex mutex;    // guards all fields below
    struct memory_list **lists; // by ascending id
    size_t list_count, list_room;
    uint32_t last_list;
    uint64_t bytes;
};

// NULL: there is none. Under the mutex.
struct memory_list *store_memory_find(struct memory_store *memory, uint32_t list);

struct store_reader *store_memory_reader_open(struct store *store, struct store_error *error);
void store_memory_reader_close(struct store_reader *reader);
enum fault_code store_memory_lists(struct store_reader *reader, struct store_list **out, uint32_t *count,
                                   struct store_error *error);
enum fault_code store_memory_list_find(struct store_reader *reader, uint32_t list, struct store_list *out,
                                       struct store_error *error);
enum fault_code store_memory_read(struct store_reader *reader, uint32_t list, uint64_t after,
                                  uint32_t entries_max, size_t bytes_max, const struct store_entry **out,
                                  uint32_t *count, struct store_error *error);
enum fault_code store_memory_position_at(struct store_reader *reader, uint32_t list, uint64_t tick,
                                         uint64_t *position, struct store_error *error);
enum fault_code store_memory_image_before(struct store_reader *reader, uint32_t list, uint64_t tick,
                                          uint64_t position, struct store_image *out,
                                          struct store_error *error);
enum fault_code store_memory_images(struct store_reader *reader, uint32_t list, struct store_image **out,
                                    uint32_t *count, struct store_error *error);
enum fault_code store_memory_image_read(struct store_reader *reader, uint32_t list, uint64_t position,
                                        uint8_t **out, size_t *size, struct store_error *error);
bool store_memory_verify(struct store_reader *reader,
                         void (*on_damage)(void *context, const struct store_error *damage), void *context,
                         struct store_error *error);
enum fault_code store_memory_backup(struct store_reader *reader, const char *folder,
                                    void (*on_progress)(void *context, uint64_t done, uint64_t of),
                                    void *context, struct store_error *error);

#endif
