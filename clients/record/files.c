// Files that come into being together: each is written as PATH.part and renamed when all are whole.
#include "record/internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char part[] = ".part";

bool record_fail(struct record_why *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

bool record_fail_memory(struct record_why *why)
{
    return record_fail(why, "there is not enough memory");
}

static char *part_path(const char *path)
{
    size_t size = strlen(path) + sizeof part;
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%s%s", path, part);
    return name;
}

FILE *record_files_begin(struct record_files *files, const char *path, struct record_why *why)
{
    if (files->count == files->capacity) {
        uint32_t capacity = files->capacity > 0 ? 2 * files->capacity : 16;
        char **paths = realloc(files->paths, capacity * sizeof *paths);
        if (paths == NULL) {
            record_fail_memory(why);
            return NULL;
        }
        files->paths = paths;
        files->capacity = capacity;
    }
    char *copy = strdup(path), *name = part_path(path);
    FILE *file = copy != NULL && name != NULL ? fopen(name, "wb") : NULL;
    if (copy == NULL || name == NULL)
        record_fail_memory(why);
    else if (file == NULL)
        record_fail(why, "%s cannot be written: %s", name, strerror(errno));
    if (file != NULL)
        files->paths[files->count++] = copy;
    else
        free(copy);
    free(name);
    return file;
}

bool record_files_end_one(FILE *file, const char *path, struct record_why *why)
{
    bool bad = ferror(file) != 0 || fflush(file) != 0;
    int error = errno;
    bad = fclose(file) != 0 || bad;
    return !bad || record_fail(why, "%s cannot be written: %s", path, strerror(error));
}

bool record_files_commit(struct record_files *files, struct record_why *why)
{
    uint32_t moved = 0;
    for (bool done = true; done && moved < files->count; moved += done) {
        char *name = part_path(files->paths[moved]);
        done = name != NULL && rename(name, files->paths[moved]) == 0;
        if (!done)
            record_fail(why, "%s cannot be put in its place: %s", files->paths[moved], strerror(errno));
        free(name);
    }
    bool all = moved == files->count;
    for (uint32_t i = 0; i < moved; i++)
        free(files->paths[i]);
    memmove(files->paths, files->paths + moved, (files->count - moved) * sizeof *files->paths);
    files->count -= moved;
    record_files_abandon(files);
    return all;
}

void record_files_abandon(struct record_files *files)
{
    for (uint32_t i = 0; i < files->count; i++) {
        char *name = part_path(files->paths[i]);
        if (name != NULL)
            unlink(name);
        free(name);
        free(files->paths[i]);
    }
    free(files->paths);
    *files = (struct record_files){0};
}

void record_put_u32(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

void record_put_u32_big(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> 8 * (3 - i));
}

uint32_t record_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

bool record_write(FILE *file, const void *bytes, size_t size, const char *path, struct record_why *why)
{
    return fwrite(bytes, 1, size, file) == size ||
           record_fail(why, "%s cannot be written: %s", path, strerror(errno));
}
