// Room on the disk that is kept for when there is none: what waits by then still becomes durable.
#ifndef WEFT_STORE_RESERVE_H
#define WEFT_STORE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

struct store_reserve {
    char *path; // of the file whose room it is
    uint64_t bytes;
    bool held;
};

// False, with errno: the disk has no room for it. Where files cannot be given room at all there is no reserve, and true.
bool store_reserve_hold(struct store_reserve *reserve);
bool store_reserve_release(struct store_reserve *reserve); // false: none was held

#endif
