// The disk in memory as SQLite sees it: a table of file operations (a VFS) with the name DISK.
#ifndef WEFT_TESTS_HELPER_VFS_H
#define WEFT_TESTS_HELPER_VFS_H

void vfs_register(void); // once is enough

#endif
