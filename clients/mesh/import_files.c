// Files, as assimp asks for them: the mesh itself from memory, and buffers that a glTF names, or materials that an OBJ
// names, from its folder or below.
//
// A name may be a URI with %20 and its like. What it leads to is looked at after links have been followed: a link in
// the folder leads out of it as well as ".." does. Nothing is written.
#include "import_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    FILE *stream; // NULL: memory
    const char *bytes;
    size_t size, at;
};

static size_t file_read(struct aiFile *file, char *out, size_t size, size_t count)
{
    struct file *own = (struct file *)(void *)file->UserData;
    if (own->stream) {
        return fread(out, size, count, own->stream);
    }
    const size_t left = size > 0 ? (own->size - own->at) / size : 0;
    if (count > left) {
        count = left;
    }
    memcpy(out, own->bytes + own->at, count * size);
    own->at += count * size;
    return count;
}

static size_t file_write(struct aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file, (void)bytes, (void)size, (void)count;
    return 0;
}

static size_t file_tell(struct aiFile *file)
{
    const struct file *own = (const struct file *)(const void *)file->UserData;
    const long at = own->stream ? ftell(own->stream) : (long)own->at;
    return at > 0 ? (size_t)at : 0;
}

static size_t file_size(struct aiFile *file)
{
    return ((const struct file *)(const void *)file->UserData)->size;
}

static enum aiReturn file_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    struct file *own = (struct file *)(void *)file->UserData;
    const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? file_tell(file) : own->size;
    const size_t to = from + offset; // offsets backwards wrap round, and come out right
    if (to > own->size || (own->stream && fseek(own->stream, (long)to, SEEK_SET) != 0)) {
        return aiReturn_FAILURE;
    }
    own->at = to;
    return aiReturn_SUCCESS;
}

static void file_flush(struct aiFile *file)
{
    (void)file;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// %XX as the bytes that they stand for. False if a zero is among them, or the name is too long.
static bool decode(const char *path, char out[PATH_MAX])
{
    size_t size = 0;
    for (const char *at = path; *at; at++) {
        const bool coded = *at == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0;
        if (size == PATH_MAX - 1) {
            return false;
        }
        out[size] = coded ? (char)(16 * hex(at[1]) + hex(at[2])) : *at;
        if (out[size++] == '\0') {
            return false;
        }
        at += coded ? 2 : 0;
    }
    out[size] = '\0';
    return true;
}

// Whether path, links followed, is a file in the folder of main_path or below. Where a file is not found assimp asks
// for one of its name right in the folder, with a second slash; that would be another file.
static bool lies_below(const char *main_path, const char *path)
{
    char folder[PATH_MAX], real_folder[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(main_path, '/');
    const size_t base = slash ? (size_t)(slash + 1 - main_path) : 0;
    if (strncmp(path, main_path, base) != 0 || path[base] == '/') {
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - main_path) : 1,
             slash ? main_path : ".");
    if (!realpath(folder, real_folder) || !realpath(path, real)) {
        return false;
    }
    const size_t size = strcmp(real_folder, "/") == 0 ? 0 : strlen(real_folder);
    return strncmp(real, real_folder, size) == 0 && real[size] == '/';
}

// A buffer of a glTF, by its name as it stands or decoded.
static FILE *open_beside(const char *main_path, const char *path, size_t *size)
{
    char decoded[PATH_MAX];
    struct stat status;
    const char *names[2] = {path, decode(path, decoded) ? decoded : NULL};
    for (int i = 0; i < 2 && names[i]; i++) {
        // A pipe that nobody writes must not keep anybody waiting.
        const int opened =
            lies_below(main_path, names[i]) ? open(names[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
        FILE *stream = opened >= 0 ? fdopen(opened, "rb") : NULL;
        if (opened >= 0 && !stream) {
            close(opened);
        }
        if (stream && fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) &&
            (size_t)status.st_size <= MESH_FILE_BYTES_MAX) {
            *size = (size_t)status.st_size;
            return stream;
        }
        if (stream) {
            fclose(stream);
        }
    }
    return NULL;
}

// assimp tries several places for one name.
static void tell_missing(struct mesh_source *source, const char *path, bool is_missing)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (is_missing && !*source->missing) {
        snprintf(source->missing, sizeof source->missing, "%.63s", name);
    } else if (!is_missing && strncmp(source->missing, name, sizeof source->missing - 1) == 0) {
        *source->missing = '\0';
    }
}

static void file_close(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    if (file) {
        struct file *own = (struct file *)(void *)file->UserData;
        if (own && own->stream) {
            fclose(own->stream);
        }
        free(own);
        free(file);
    }
}

static struct aiFile *file_open(struct aiFileIO *io, const char *path, const char *mode)
{
    struct mesh_source *source = (struct mesh_source *)(void *)io->UserData;
    struct aiFile *file = calloc(1, sizeof *file);
    struct file *own = calloc(1, sizeof *own);
    if (!file || !own) {
        free(file);
        free(own);
        return NULL;
    }
    *file = (struct aiFile){.ReadProc = file_read,
                            .WriteProc = file_write,
                            .TellProc = file_tell,
                            .FileSizeProc = file_size,
                            .SeekProc = file_seek,
                            .FlushProc = file_flush,
                            .UserData = (aiUserData)(void *)own};
    if (mode[0] == 'r' && strcmp(path, source->path) == 0) {
        own->bytes = source->bytes;
        own->size = source->size;
        return file;
    }
    // Only glTF and OBJ refer to other files that matter: buffers, and materials.
    const size_t size = strlen(path);
    const bool names_others =
        strncmp(source->format, "gl", 2) == 0 ||
        (strcmp(source->format, "obj") == 0 && size > 4 && strcasecmp(path + size - 4, ".mtl") == 0);
    own->stream = mode[0] == 'r' && names_others ? open_beside(source->path, path, &own->size) : NULL;
    if (names_others) {
        tell_missing(source, path, !own->stream);
    }
    if (!own->stream) {
        file_close(io, file);
        return NULL;
    }
    return file;
}

struct aiFileIO mesh_import_files(struct mesh_source *source)
{
    return (struct aiFileIO){
        .OpenProc = file_open, .CloseProc = file_close, .UserData = (aiUserData)(void *)source};
}
