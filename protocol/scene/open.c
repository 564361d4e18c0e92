// A scene from a file, or from text beside which files lie.
#include "protocol/scene/internal.h"

#include "protocol/array/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool scene_parse(const char *name, const char *folder, const char *text, size_t size, struct scene *scene,
                 struct fault *fault)
{
    struct scene_reader reader = {.file = name, .folder = -1, .fault = fault};
    if (folder) {
        reader.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    bool done = scene_read_text(&reader, text, size, scene);
    if (reader.folder >= 0) {
        close(reader.folder);
    }
    return done;
}

// To the end rather than to a size asked for: pipes have none.
static bool read_text(const char *path, char **text, size_t *size, struct fault *fault)
{
    size_t capacity = 0;
    FILE *file = fopen(path, "rbe");
    *text = NULL;
    *size = 0;
    if (!file) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be opened: %s", scene_file_shown(path),
                         strerror(errno));
    }
    bool done = true;
    for (size_t got = 1; done && got > 0;) {
        done = *size < capacity || array_reserve(text, &capacity, *size + 65536);
        got = done ? fread(*text + *size, 1, capacity - *size, file) : 0;
        *size += got;
        if (!done || *size > SCENE_JSON_BYTES_MAX) {
            done = fault_set(fault, done ? FAULT_LIMIT : FAULT_MEMORY, NULL, "%s: %s", scene_file_shown(path),
                             done ? "larger than 64 MiB; large arrays belong in .npy files beside it"
                                  : "no memory to read it");
        }
    }
    if (done && ferror(file)) {
        done = fault_set(fault, FAULT_IO, NULL, "%s cannot be read: %s", scene_file_shown(path),
                         strerror(errno));
    }
    fclose(file);
    return done;
}

bool scene_read(const char *path, struct scene *scene, struct fault *fault)
{
    char folder[SCENE_PATH_SIZE], *text;
    size_t size;
    const char *slash = strrchr(path, '/');
    *scene = (struct scene){0};
    snprintf(folder, sizeof folder, "%.*s", !slash ? 1 : (int)(slash - path + 1), !slash ? "." : path);
    bool done = read_text(path, &text, &size, fault);
    done = done && scene_parse(path, folder, text, size, scene, fault);
    free(text);
    return done;
}
