// The simulated disk as SQLite sees it: a table of file operations (a VFS) with the name DISK.
//
// All files are in memory (helper_disk.h). SQLite on this VFS sleeps and draws random numbers only through the
// functions below, so a test decides both.
#ifndef WEFT_TESTS_HELPER_VFS_H
#define WEFT_TESTS_HELPER_VFS_H

#include <stddef.h>

// Makes the VFS known to SQLite. Later calls do nothing.
void vfs_register(void);

// Sleeps and draws random numbers for SQLite, in place of the system.
void vfs_stand_on(void (*sleep)(int us), void (*random)(void *out, size_t size));

#endif
