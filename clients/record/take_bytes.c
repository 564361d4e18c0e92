// Bytes of a take's file, at their places.
#include "record/take_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool record_take_put(struct record_take *take, const void *bytes, size_t size, uint64_t at,
                     struct record_why *why)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t wrote = pwrite(take->file, from, size, (off_t)at);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return record_fail(why, "%s cannot be written: %s", take->path,
                               strerror(wrote < 0 ? errno : EIO));
        from += wrote;
        at += (uint64_t)wrote;
        size -= (size_t)wrote;
    }
    return true;
}

bool record_take_get(const struct record_take *take, void *bytes, size_t size, uint64_t at,
                     struct record_why *why)
{
    char *to = bytes;
    while (size > 0) {
        ssize_t got = pread(take->file, to, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return record_fail(why, "%s cannot be read: %s", take->path, strerror(errno));
        if (got == 0)
            return record_fail(why, "%s ends too early: it is no whole take", take->path);
        to += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}
