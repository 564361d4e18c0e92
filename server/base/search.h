// Bisection: finds a place in a sorted array.
#ifndef WEFT_BASE_SEARCH_H
#define WEFT_BASE_SEARCH_H

#include <stdint.h>

// Sets `place` to the index of the first item for which `before` is false, or to `count`. `before` is an expression of the
// index `at`, and must be true for the first items and false for all others. Takes about log2(count) evaluations.
//
//     uint32_t place;
//     BASE_SEARCH(place, list->count, list->items[at].id < id);
//
// It is a macro because items have many types, and a call for each comparison would be too slow while stepping.
#define BASE_SEARCH(place, count, before)                                    \
    do {                                                                     \
        uint32_t search_low = 0, search_high = (count);                      \
        while (search_low < search_high) {                                   \
            const uint32_t at = search_low + (search_high - search_low) / 2; \
            if (before) {                                                    \
                search_low = at + 1;                                         \
            } else {                                                         \
                search_high = at;                                            \
            }                                                                \
        }                                                                    \
        (place) = search_low;                                                \
    } while (0)

#endif
