// Bisection: the one way to find a place in an array that is sorted by what one looks for.
#ifndef WEFT_BASE_SEARCH_H
#define WEFT_BASE_SEARCH_H

#include <stdint.h>

// How many of `count` items stand at the front because `before` holds for them: a condition on the index `at`, true for
// the first ones and false for all others. So place is the first item that is not before, or count.
//
//     uint32_t place;
//     BASE_SEARCH(place, list->count, list->items[at].id < id);
//
// A macro, for items are of many types and some are looked up while stepping: it costs what the loop costs.
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
