// Helpers of the tests of the store: short ways to write and read, and the notifications of the store.
#ifndef WEFT_TESTS_HELPER_STORE_H
#define WEFT_TESTS_HELPER_STORE_H

#include "base/buffer.h"
#include "base/thread.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

enum { HEARD_LISTS = 16 };

// The notifications of a store.
struct heard {
    struct base_mutex mutex;
    struct base_cond cond;
    uint64_t durable[HEARD_LISTS]; // by list
    uint32_t lost_list;            // the last that was
    uint32_t lost_count;
    bool full;
    uint32_t full_count, room_count; // how often it became full, and had room again
    uint32_t failures;
    char text[FAULT_TEXT_SIZE], lost_text[FAULT_TEXT_SIZE]; // told last, and of what was lost
};

void heard_init(struct heard *heard);
void heard_deinit(struct heard *heard);
struct store_options heard_options(struct heard *heard, const char *folder); // keeps all; a bin of a day
bool heard_durable(struct heard *heard, uint32_t list,
                   uint64_t position); // waits for it, ten seconds at most

bool heard_wait(struct heard *heard, uint32_t list,
                uint64_t position); // the same, or until the store has failed or no room

bool heard_full(struct heard *heard);
bool heard_room(struct heard *heard); // waits for it, or until the store has failed: two seconds at most

struct base_buffer *bytes_of(const void *data, size_t size);
struct base_buffer *noise(size_t size, uint64_t seed);
bool create(struct store *store, uint32_t list, const char *label);
bool append(struct store *store, uint32_t list, uint64_t epoch, uint64_t position, const char *text);
bool add_image(struct store *store, uint32_t list, uint64_t position, uint64_t tick,
               struct base_buffer *bytes);

// A folder that is not there yet, in one that is; removed with all that is in it.
struct place {
    char above[64], folder[80];
};
void place_make(struct place *place);
void place_remove(struct place *place);
bool image_comes(struct store_reader *reader, uint32_t list,
                 uint64_t position); // waits for it, ten seconds at most

#endif
