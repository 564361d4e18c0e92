// Helpers of the tests of access: a folder for each test.
#ifndef WEFT_TESTS_UNIT_ACCESS_HELPER_ACCESS_H
#define WEFT_TESTS_UNIT_ACCESS_HELPER_ACCESS_H

#include "access/access.h"

#include <stddef.h>

int folder_make(void **state);
int folder_remove(void **state);
const char *path_of(const char *name); // in the folder; stays until the next call
struct access *open_book(const char *name);
char *read_text(const char *name); // malloc'd
void write_text(const char *name, const char *text);

#endif
