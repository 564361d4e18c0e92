// The disk in memory as SQLite sees it: a table of file operations (a VFS) with the name DISK.
#ifndef WEFT_TESTS_HELPER_VFS_H
#define WEFT_TESTS_HELPER_VFS_H

#include <stddef.h>

void vfs_register(void); // once is enough
// Who sleeps and draws for SQLite, in place of the system.
void vfs_stand_on(void (*sleep)(int us), void (*random)(void *out, size_t size));

#endif
