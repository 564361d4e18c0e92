// Holds a reserve of room on the disk. It is given up when the disk is full, so that what waits then still
// becomes durable.
#ifndef WEFT_STORE_RESERVE_H
#define WEFT_STORE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

struct store_reserve {
    char *path; // path of the file that holds the room
    uint64_t bytes;
    bool held;
};

// Takes the room. False, with errno: the disk has too little. If files cannot be given room at all there is
// no reserve, and it returns true.
bool store_reserve_hold(struct store_reserve *reserve);
bool store_reserve_release(struct store_reserve *reserve); // Gives the room up. False: none was held.

#endif
