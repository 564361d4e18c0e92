// A file as bytes.
#include "internal.h"

#include "protocol/array/reserve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The mark of UTF-8 in front of text. What begins so and holds a byte 0 soon is no text, but an STL, whose first 80 bytes
// may be anything.
static void drop_mark(char *bytes, size_t *size)
{
    static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
    if (*size >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0 &&
        !memchr(bytes, '\0', *size < 1024 ? *size : 1024)) {
        *size -= sizeof mark;
        memmove(bytes, bytes + sizeof mark, *size);
    }
}

char *mesh_load(const char *path, size_t *size, struct fault *fault)
{
    char *bytes = NULL;
    size_t capacity = 0;
    bool ok = false;
    struct stat status;
    *size = 0;
    FILE *file = fopen(path, "rbe");
    if (!file) {
        fault_set(fault, FAULT_IO, NULL, "cannot open %.180s: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fault_set(fault, FAULT_IO, NULL, "cannot read %.180s: it is a directory", path);
        goto cleanup;
    }
    // Read to the end rather than by a size asked for: pipes have none, and files grow.
    for (;;) {
        if (!array_reserve(&bytes, &capacity, *size + 65536)) {
            mesh_fail_memory(fault);
            goto cleanup;
        }
        const size_t got = fread(bytes + *size, 1, capacity - *size - 1, file);
        *size += got;
        if (*size > MESH_FILE_BYTES_MAX) {
            fault_set(fault, FAULT_LIMIT, NULL, "%.180s: larger than %zu MiB", path,
                      MESH_FILE_BYTES_MAX >> 20);
            goto cleanup;
        }
        if (got == 0) {
            break;
        }
    }
    if (ferror(file)) {
        fault_set(fault, FAULT_IO, NULL, "cannot read %.180s: %s", path, strerror(errno));
        goto cleanup;
    }
    drop_mark(bytes, size);
    bytes[*size] = '\0';
    ok = true;

cleanup:
    fclose(file);
    if (!ok) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}
