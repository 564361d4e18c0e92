// Reads and writes bytes at places in a take's file.
#include "record/take_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

uint64_t take_sum(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

bool record_file_put(int file, const char *path, const void *bytes, size_t size, uint64_t at,
                     struct fault *fault)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t wrote = pwrite(file, from, size, (off_t)at);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", path,
                             strerror(wrote < 0 ? errno : EIO));
        }
        from += wrote;
        at += (uint64_t)wrote;
        size -= (size_t)wrote;
    }
    return true;
}

bool record_file_get(int file, const char *path, void *bytes, size_t size, uint64_t at, struct fault *fault)
{
    char *to = bytes;
    while (size > 0) {
        ssize_t got = pread(file, to, size, (off_t)at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fault_set(fault, FAULT_IO, NULL, "%s cannot be read: %s", path, strerror(errno));
        }
        if (got == 0) {
            return fault_set(fault, FAULT_DAMAGED, NULL, "%s ends too early: it is no whole take", path);
        }
        to += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

bool record_file_find(int file, const char *path, const unsigned char mark[TAKE_MARK], uint64_t at,
                      uint64_t end, unsigned char room[TAKE_SEARCH], uint64_t *found, struct fault *fault)
{
    while (end - at >= TAKE_MARK) {
        const uint64_t left = end - at;
        const size_t size = left < TAKE_SEARCH ? (size_t)left : TAKE_SEARCH;
        if (!record_file_get(file, path, room, size, at, fault)) {
            return false;
        }
        for (size_t i = 0; i + TAKE_MARK <= size; i++) {
            const unsigned char *next = memchr(room + i, mark[0], size - TAKE_MARK + 1 - i);
            if (!next) {
                break;
            }
            i = (size_t)(next - room);
            if (memcmp(next, mark, TAKE_MARK) == 0) {
                *found = at + i;
                return true;
            }
        }
        at += size - (TAKE_MARK - 1);
    }
    *found = end;
    return true;
}

bool record_take_put(struct record_take *take, const void *bytes, size_t size, uint64_t at,
                     struct fault *fault)
{
    return record_file_put(take->file, take->path, bytes, size, at, fault);
}

bool record_take_get(const struct record_take *take, void *bytes, size_t size, uint64_t at,
                     struct fault *fault)
{
    return record_file_get(take->file, take->path, bytes, size, at, fault);
}
