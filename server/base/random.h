// Random numbers that nobody can guess.
#ifndef WEFT_BASE_RANDOM_H
#define WEFT_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

// Fills the bytes, at most 256. False: the system has none, and the bytes are not to be used.
bool base_random(void *bytes, size_t size);

#endif
