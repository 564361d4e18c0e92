// The files of the disk in memory, as its table of file operations (helper_vfs.c) uses them: by numbers. Each call may be the one
// that is to fail. Any thread.
#ifndef WEFT_TESTS_HELPER_DISK_FILES_H
#define WEFT_TESTS_HELPER_DISK_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISK_FILES_MAX = 16, DISK_NAME_SIZE = 160 };

enum disk_outcome { DISK_DONE, DISK_FAILED, DISK_FULL, DISK_NOT_THERE };

// Counts a call that asks nothing of the disk itself, such as a lock.
bool disk_call_fails(int file);

int disk_file_open(const char *name,
                   bool create); // below DISKS * DISK_FILES_MAX; -1: it failed, or there is none
void disk_file_close(int file);
// False: it failed. What is behind the end is zero, and not counted in *got.
bool disk_file_read(int file, void *bytes, size_t size, int64_t at, size_t *got);
enum disk_outcome disk_file_write(int file, const void *bytes, size_t size, int64_t at);
bool disk_file_cut(int file, int64_t size); // or lengthens it
bool disk_file_sync(int file);
bool disk_file_size(int file, int64_t *size);
enum disk_outcome disk_file_delete(const char *name, bool sync); // sync: durably
bool disk_file_there(const char *name, int64_t *size);           // never fails

#endif
