// Where a store's folder is, by the system's own calls: all else about it goes through the table of file operations. A program that has
// its files elsewhere brings its own of these two.
#ifndef WEFT_STORE_PLACE_H
#define WEFT_STORE_PLACE_H

#include "store/store.h"

// Makes the folder durably, if it is not there; not what leads to it, for a mistyped path is not to be made.
enum store_status store_place_make(const char *path, struct store_error *error);
// The path from the root, malloc'd. NULL with errno.
char *store_place_absolute(const char *path);

#endif
