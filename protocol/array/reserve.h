// Growing an array that malloc allocated. Every array that grows does so here (docs/STYLE.md).
//
//     if (!array_reserve(&list->items, &list->capacity, list->count + 1)) {
//         return false; // the list is as it was
//     }
//     list->items[list->count++] = item;
//
// The array begins at NULL and its capacity at 0. The capacity doubles, so that adding items one by one copies each item
// about once on average. It is an unsigned integer of 32 or 64 bits, and stays below the greatest number of its type, so that
// `count + 1` never wraps. New items are not set.
#ifndef WEFT_PROTOCOL_ARRAY_RESERVE_H
#define WEFT_PROTOCOL_ARRAY_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAY_CAPACITY_MIN = 8 }; // items

// Makes room for at least `least` items in *items (items is a T **). Does nothing if *capacity says that there is room. The
// array may move. Returns false, and changes nothing, if memory runs out or the size in bytes does not fit in a ptrdiff_t.
// `capacity` and `least` are evaluated twice.
#define array_reserve(items, capacity, least) \
    ((uint64_t)(least) <= *(capacity) ||      \
     array_grow((items), sizeof **(items), (capacity), sizeof *(capacity), (uint64_t)(least)))

// The slow path of array_reserve. `items` points to a T *, and `capacity` to an unsigned integer of number_size bytes.
static inline bool array_grow(void *items, size_t item_size, void *capacity, size_t number_size,
                              uint64_t least)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    const bool is_narrow = number_size == sizeof narrow;
    memcpy(is_narrow ? (void *)&narrow : (void *)&wide, capacity, number_size);
    const uint64_t now = is_narrow ? narrow : wide;
    const uint64_t number_max = (is_narrow ? UINT32_MAX : UINT64_MAX) - 1,
                   bytes_max = PTRDIFF_MAX / item_size;
    const uint64_t most = number_max < bytes_max ? number_max : bytes_max;
    if (least > most) {
        return false;
    }
    uint64_t grown = now > most / 2 ? most : 2 * now;
    grown = grown < ARRAY_CAPACITY_MIN && ARRAY_CAPACITY_MIN <= most ? ARRAY_CAPACITY_MIN : grown;
    grown = grown < least ? least : grown;
    void *array;
    memcpy(&array, items, sizeof array);
    array = realloc(array, (size_t)grown * item_size);
    if (!array) {
        return false;
    }
    memcpy(items, &array, sizeof array);
    narrow = (uint32_t)grown;
    memcpy(capacity, is_narrow ? (void *)&narrow : (void *)&grown, number_size);
    return true;
}

#endif
