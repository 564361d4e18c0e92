// Files that appear together.
//
//     PATH.part/NAME, PATH.part/OTHER ... ──▶ NAME, OTHER ... beside PATH, when all are whole
//
// The folder is locked while it is in use, and the next export to PATH removes one that is not locked. So a killed
// program leaves only that, and not for good.
#include "record/internal.h"

#include "protocol/array/reserve.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool record_fail_memory(struct fault *fault)
{
    return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *record_files_place(const struct record_files *files, const char *path, struct fault *fault)
{
    const size_t size = strlen(files->folder) + strlen(name_of(path)) + 2;
    char *place = malloc(size);
    if (!place) {
        record_fail_memory(fault);
    } else {
        snprintf(place, size, "%s/%s", files->folder, name_of(path));
    }
    return place;
}

// Whether this is a file that an export to this path may have left: its name begins like the path, up to its ending.
// Other files mean that the folder is not ours.
static void remove_leavings(const struct record_files *files, const char *path)
{
    const char *name = name_of(path), *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);
    DIR *listing = opendir(files->folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strncmp(entry->d_name, name, stem) == 0) {
            unlinkat(dirfd(listing), entry->d_name, 0);
        }
    }
    if (listing) {
        closedir(listing);
    }
}

bool record_files_init(struct record_files *files, const char *path, struct fault *fault)
{
    const size_t size = strlen(path) + 8;
    *files = (struct record_files){.lock = -1, .folder = malloc(size)};
    if (!files->folder) {
        return record_fail_memory(fault);
    }
    snprintf(files->folder, size, "%s.part", path);
    if (mkdir(files->folder, 0777) != 0 && errno != EEXIST) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", path, strerror(errno));
    }
    files->lock = open(files->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (files->lock < 0) {
        return fault_set(fault, FAULT_IO, NULL, "%s, where it would be written first, cannot be opened: %s",
                         files->folder, strerror(errno));
    }
    if (flock(files->lock, LOCK_EX | LOCK_NB) != 0) {
        close(files->lock);
        files->lock = -1;
        return fault_set(fault, FAULT_BUSY, NULL, "%s is being written by another program", path);
    }
    remove_leavings(files, path);
    return true;
}

FILE *record_files_begin(struct record_files *files, const char *path, struct fault *fault)
{
    if (!array_reserve(&files->paths, &files->capacity, files->count + 1)) {
        record_fail_memory(fault);
        return NULL;
    }
    char *copy = strdup(path), *place = record_files_place(files, path, fault);
    FILE *file = copy && place ? fopen(place, "wbe") : NULL;
    if (!copy) {
        record_fail_memory(fault);
    } else if (place && !file) {
        fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", path, strerror(errno));
    }
    if (file) {
        files->paths[files->count++] = copy;
    } else {
        free(copy);
    }
    free(place);
    return file;
}

bool record_files_end_one(FILE *file, const char *path, struct fault *fault)
{
    bool bad = ferror(file) != 0 || fflush(file) != 0;
    int error = errno;
    bad = fclose(file) != 0 || bad;
    return !bad || fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", path, strerror(error));
}

bool record_can_replace(const char *path, struct fault *fault)
{
    struct stat there;
    if (lstat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)) {
        return true;
    }
    return fault_set(fault, FAULT_IO, NULL, "%s cannot be written: it is %s", path,
                     S_ISDIR(there.st_mode) ? "a folder" : "there, and no file");
}

// Checks all names before the first file is renamed: none may be a folder or a pipe, and with keeps_old none may exist.
static bool may_take_places(const struct record_files *files, bool keeps_old, struct fault *fault)
{
    for (uint32_t i = 0; i < files->count; i++) {
        struct stat there;
        if (!record_can_replace(files->paths[i], fault)) {
            return false;
        }
        if (keeps_old && lstat(files->paths[i], &there) == 0) {
            return fault_set(fault, FAULT_CONFLICT, NULL, "%s exists already and is not replaced",
                             files->paths[i]);
        }
    }
    return true;
}

// Makes the data durable before the names exist. Many files are synced at once.
static bool make_durable(const struct record_files *files)
{
    enum { FEW = 16 };
    struct fault ignored;
    bool done = files->count <= FEW || syncfs(files->lock) == 0;
    for (uint32_t i = 0; done && files->count <= FEW && i < files->count; i++) {
        char *place = record_files_place(files, files->paths[i], &ignored);
        const int file = place ? open(place, O_RDONLY | O_CLOEXEC) : -1;
        done = file >= 0 && fdatasync(file) == 0;
        if (file >= 0) {
            close(file);
        }
        free(place);
    }
    return done;
}

bool record_files_commit(struct record_files *files, bool keeps_old, struct fault *fault)
{
    bool done = may_take_places(files, keeps_old, fault);
    done = done && (make_durable(files) || fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s",
                                                     files->folder, strerror(errno)));
    for (uint32_t i = 0; done && i < files->count; i++) {
        char *place = record_files_place(files, files->paths[i], fault);
        done = place && (rename(place, files->paths[i]) == 0 ||
                         fault_set(fault, FAULT_IO, NULL, "%s cannot be put in its place: %s",
                                   files->paths[i], strerror(errno)));
        free(place);
    }
    record_files_abandon(files);
    return done;
}

void record_files_abandon(struct record_files *files)
{
    struct fault ignored;
    for (uint32_t i = 0; i < files->count; i++) {
        char *place = record_files_place(files, files->paths[i], &ignored);
        if (place) {
            unlink(place);
        }
        free(place);
        free(files->paths[i]);
    }
    if (files->lock >= 0) {
        rmdir(files->folder);
        close(files->lock);
    }
    free(files->folder);
    free(files->paths);
    *files = (struct record_files){.lock = -1};
}

void record_put_u32(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (unsigned char)(value >> 8 * i);
    }
}

void record_put_u32_big(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (unsigned char)(value >> 8 * (3 - i));
    }
}

uint32_t record_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

bool record_write(FILE *file, const void *bytes, size_t size, const char *path, struct fault *fault)
{
    return fwrite(bytes, 1, size, file) == size ||
           fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", path, strerror(errno));
}
