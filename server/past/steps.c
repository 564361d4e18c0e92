// Reads the steps of undo that a list keeps, the newest first. Each tells where the one before it is. Every
// so often a mark of time is followed by a pointer to the last step, so that steps are found however long a
// world has played since.
#include "past/internal.h"

#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 1024, // entries that are read at a time, in search of the last step
    // More than twice the distance between pointers: a list without a step so far has none.
    LOOKED_THROUGH_MAX = 16384,
};

static bool keep(struct past_steps *steps, const struct store_entry *entry)
{
    if (!array_reserve(&steps->items, &steps->capacity, steps->count + 1)) {
        return false;
    }
    uint8_t *copy = malloc(entry->size + 1);
    if (copy) {
        memcpy(copy, entry->bytes, entry->size);
        steps->items[steps->count++] = (struct past_step_bytes){copy, entry->size, entry->position};
        steps->bytes += entry->size;
    }
    return copy != NULL;
}

// Finds the position of the last step, from itself or a pointer; 0: there is none.
static uint64_t last_of(struct past *past, const struct store_list *list)
{
    uint64_t end = list->last, found = 0;
    while (found == 0 && end > list->first && list->last - end < LOOKED_THROUGH_MAX) {
        uint64_t after = end - list->first > WINDOW ? end - WINDOW : list->first;
        const uint64_t begin = after;
        while (after < end) {
            const struct store_entry *entries;
            struct store_error store = {0};
            uint32_t count = 0;
            if (store_read(past->reader, past->list, after, WINDOW, 4 << 20, &entries, &count, &store) !=
                    FAULT_NONE ||
                count == 0) {
                return 0;
            }
            for (uint32_t e = 0; e < count && entries[e].position <= end; e++) {
                found = entries[e].kind == PAST_STEP ? entries[e].position : found;
            }
            after = entries[count - 1].position;
        }
        end = begin;
    }
    return found;
}

// Reads one step, and where the one before it is. False: there is no such step, or it is damaged, so that
// none before it is known.
static bool take(struct past *past, uint64_t position, struct past_steps *steps, uint64_t *previous)
{
    const struct store_entry *entries;
    struct store_error store = {0};
    struct protocol_error error;
    struct past_step step;
    msgpack_zone zone;
    uint32_t count = 0;
    if (store_read(past->reader, past->list, position - 1, 1, 1, &entries, &count, &store) != FAULT_NONE ||
        count == 0 || entries[0].position != position || entries[0].kind != PAST_STEP ||
        !msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return false;
    }
    bool done =
        past_step_read(entries[0].bytes, entries[0].size, &zone, &step, &error) && step.previous < position;
    if (done && step.kind != PAST_STEP_POINTER) {
        done = keep(steps, &entries[0]);
    }
    *previous = step.previous;
    msgpack_zone_destroy(&zone);
    return done;
}

void past_steps_read(struct past *past, uint32_t steps_max, size_t bytes_max, struct past_steps *out)
{
    struct store_error store = {0};
    struct store_list list;
    *out = (struct past_steps){0};
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return;
    }
    uint64_t position = last_of(past, &list);
    while (position > list.first && out->count < steps_max && out->bytes < bytes_max) {
        if (!take(past, position, out, &position)) {
            return;
        }
    }
}

void past_steps_deinit(struct past_steps *steps)
{
    for (uint32_t i = 0; i < steps->count; i++) {
        free(steps->items[i].bytes);
    }
    free(steps->items);
    *steps = (struct past_steps){0};
}
