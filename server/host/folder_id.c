#include "host/lease.h"

#include "base/random.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool read_id(const char *path, char id[HOST_FOLDER_ID_SIZE])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, id, HOST_FOLDER_ID_SIZE - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    id[HOST_FOLDER_ID_SIZE - 1] = '\0';
    return size == HOST_FOLDER_ID_SIZE - 1 && strspn(id, "0123456789abcdef") == HOST_FOLDER_ID_SIZE - 1;
}

bool host_folder_id(const char *folder, char id[HOST_FOLDER_ID_SIZE])
{
    char path[4200];
    uint64_t random = 0;
    snprintf(path, sizeof path, "%s/server-id", folder);
    if (read_id(path, id)) {
        return true;
    }
    if (!base_random(&random, sizeof random)) {
        return false;
    }
    snprintf(id, HOST_FOLDER_ID_SIZE, "%016" PRIx64, random);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written = file >= 0 && write(file, id, HOST_FOLDER_ID_SIZE - 1) == HOST_FOLDER_ID_SIZE - 1;
    if (file >= 0) {
        close(file);
    }
    return written;
}
