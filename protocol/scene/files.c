// Files that a scene names: in its folder or below it.
//
// A path is walked a part at a time with openat, and no part may be "..", absolute, or a symbolic link: so there is no
// way out of the folder, whatever changes in it meanwhile. Only plain files are read, and only so much of them.
#include "protocol/scene/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse_open(struct scene_reader *reader, const char *path, int number)
{
    if (number == ELOOP || number == ENOTDIR) {
        return scene_refuse(reader, "\"%.100s\" passes a symbolic link, or a file as if it were a folder",
                            path);
    }
    return scene_refuse(reader, "\"%.100s\" cannot be opened: %s", path, strerror(number));
}

// Opens what the last part of the path names, going down from the folder. -1: refused.
static int open_below(struct scene_reader *reader, const char *path)
{
    char part[256];
    int folder = reader->folder, opened = -1;
    if (path[0] == '\0' || path[0] == '/' || strchr(path, '\\')) {
        scene_refuse(reader, "\"%.100s\" is wrong: it takes a path below the scene's folder, with /", path);
        return -1;
    }
    for (const char *at = path; at;) {
        const char *slash = strchr(at, '/');
        size_t size = slash ? (size_t)(slash - at) : strlen(at);
        if (size == 0 || size >= sizeof part || (size == 2 && strncmp(at, "..", 2) == 0)) {
            scene_refuse(reader, "\"%.100s\" is wrong: it may not leave the scene's folder", path);
            opened = -1;
            break;
        }
        memcpy(part, at, size);
        part[size] = '\0';
        opened =
            openat(folder, part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (slash ? O_DIRECTORY : 0));
        if (opened < 0) {
            refuse_open(reader, path, errno);
            break;
        }
        at = slash ? slash + 1 : NULL;
        if (folder != reader->folder) {
            close(folder);
        }
        folder = opened;
    }
    if (opened < 0 && folder != reader->folder) {
        close(folder);
    }
    return opened;
}

static bool read_all(struct scene_reader *reader, const char *path, int file, void **bytes, size_t *size)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        return refuse_open(reader, path, errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return scene_refuse(reader, "\"%.100s\" is no file", path);
    }
    if (about.st_size < 0 || (uintmax_t)about.st_size > SCENE_FILE_BYTES_MAX) {
        return scene_refuse(reader, "\"%.100s\" is larger than 512 MiB", path);
    }
    size_t want = (size_t)about.st_size, got = 0;
    char *data = malloc(want + 1);
    if (!data) {
        return scene_refuse_memory(reader);
    }
    while (got < want) {
        ssize_t part = read(file, data + got, want - got);
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part <= 0) {
            free(data);
            return part < 0 ? refuse_open(reader, path, errno)
                            : scene_refuse(reader, "\"%.100s\" became shorter while it was read", path);
        }
        got += (size_t)part;
    }
    *bytes = data;
    *size = got;
    return true;
}

bool scene_file_read(struct scene_reader *reader, const char *path, void **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    if (reader->folder < 0) {
        return scene_refuse(reader, "\"%.100s\": a scene that is no file has none beside it", path);
    }
    int file = open_below(reader, path);
    if (file < 0) {
        return false;
    }
    bool done = read_all(reader, path, file, bytes, size);
    close(file);
    return done;
}
