// Random bytes from the system's generator for secrets (getrandom). Any thread.
#ifndef WEFT_BASE_RANDOM_H
#define WEFT_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

// Fills `size` bytes, at most 256. False if the system has no such source; the bytes must not be used then.
bool base_random(void *bytes, size_t size);

#endif
