#include "store/place.h"

#include "store/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum fault_code sync_path(const char *path, struct store_error *error)
{
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return store_fail(error, FAULT_IO, 0, 0, "cannot open %s: %s", path, strerror(errno));
    }
    const int number = fsync(file) == 0 ? 0 : errno;
    close(file);
    return number == 0 ? FAULT_NONE
                       : store_fail(error, FAULT_IO, 0, 0, "cannot sync %s: %s", path, strerror(number));
}

enum fault_code store_place_make(const char *path, struct store_error *error)
{
    if (mkdir(path, 0700) != 0) {
        return errno == EEXIST
                   ? FAULT_NONE
                   : store_fail(error, FAULT_IO, 0, 0, "cannot make %s: %s", path, strerror(errno));
    }
    char above[PATH_MAX];
    const int size = snprintf(above, sizeof above, "%s/..", path);
    return size > 0 && (size_t)size < sizeof above
               ? sync_path(above, error)
               : store_fail(error, FAULT_IO, 0, 0, "cannot sync %s: %s", path, strerror(ENAMETOOLONG));
}

char *store_place_absolute(const char *path)
{
    return realpath(path, NULL);
}
