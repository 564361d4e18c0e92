// Finds and makes a store's folder with the system's own calls. All other operations on it go through the
// table of file operations. A program that has its files elsewhere brings its own two functions.
#ifndef WEFT_STORE_PLACE_H
#define WEFT_STORE_PLACE_H

#include "store/store.h"

// Makes the folder durably, if it is not there. Does not make the folders above it, because a path may be
// mistyped.
enum fault_code store_place_make(const char *path, struct store_error *error);
// Returns the path from the root, malloc'd. NULL with errno.
char *store_place_absolute(const char *path);

#endif
