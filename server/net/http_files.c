#include "net/http_files.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "base/log.h"
#include "protocol/array/reserve.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    FILES_PATH_MAX = 512,
    FILES_SMALL = 256,          // below this gzip gains nothing
    GZIP_WINDOW_BITS = 15 + 16, // zlib: the greatest window, in gzip's clothes
};

static const size_t files_bytes_max = (size_t)64 << 20;

struct net_files {
    struct net_file *items; // by path
    size_t count, capacity;
    size_t bytes;
    struct base_hash *hash;
    const char *reason;
};

// ---------------------------------------------------------------------------------------------------------
// What a name says

static const char *type_of(const char *path)
{
    static const struct {
        const char *suffix, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".avif", "image/avif"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
        {".txt", "text/plain; charset=utf-8"},
        {".obj", "model/obj"},
        {".stl", "model/stl"},
        {".glb", "model/gltf-binary"},
        {".gltf", "model/gltf+json"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(dot, types[i].suffix) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

// assets/NAME-HASH.SUFFIX, with eight letters of hash or more: how Vite names what it builds.
static bool name_is_hashed(const char *path)
{
    static const char folder[] = "/assets/";
    if (strncmp(path, folder, sizeof folder - 1) != 0) {
        return false;
    }
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *name = strrchr(path, '/') + 1;
    for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-')) {
        size_t length = strspn(dash + 1, letters);
        if (length >= 8 && dash[1 + length] == '.') {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static struct base_buffer *read_file(int fd, size_t size)
{
    struct base_buffer *bytes = base_buffer_create(size, NULL);
    size_t used = 0;
    while (bytes && used < size) {
        ssize_t got = read(fd, bytes->data + used, size - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            base_buffer_unref(bytes);
            return NULL;
        }
        used += (size_t)got;
    }
    return bytes;
}

static void tag_of(struct net_files *files, struct net_file_body *body, const char *kind)
{
    base_hash_reset(files->hash);
    base_hash_bytes(files->hash, body->bytes->data, body->bytes->size);
    snprintf(body->tag, sizeof body->tag, "\"%016" PRIx64 "%s\"", base_hash_digest(files->hash), kind);
}

// Leaves body empty where gzip does not make it smaller, or there is no memory for it.
static void compress_file(const struct base_buffer *plain, struct net_file_body *body)
{
    if (plain->size < FILES_SMALL) {
        return;
    }
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return;
    }
    struct base_buffer *bytes = base_buffer_create(plain->size, NULL);
    if (bytes) {
        stream.next_in = (Bytef *)plain->data; // zlib only reads it
        stream.avail_in = (uInt)plain->size;
        stream.next_out = bytes->data;
        stream.avail_out = (uInt)(plain->size - plain->size / 16);
        if (deflate(&stream, Z_FINISH) == Z_STREAM_END) {
            bytes->size = stream.total_out;
            body->bytes = base_buffer_ref(bytes);
        }
    }
    deflateEnd(&stream);
    base_buffer_unref(bytes);
}

static bool add(struct net_files *files, const char *path, struct base_buffer *bytes)
{
    if (!array_reserve(&files->items, &files->capacity, files->count + 1)) {
        return false;
    }
    struct net_file file = {.path = strdup(path), .type = type_of(path), .immutable = name_is_hashed(path)};
    if (!file.path) {
        return false;
    }
    file.plain.bytes = base_buffer_ref(bytes);
    tag_of(files, &file.plain, "");
    compress_file(bytes, &file.gzip);
    if (file.gzip.bytes) {
        tag_of(files, &file.gzip, "g");
    }
    files->bytes += bytes->size + (file.gzip.bytes ? file.gzip.bytes->size : 0);
    files->items[files->count++] = file;
    return true;
}

static bool take_file(struct net_files *files, int folder, const char *name, const char *path)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat stat;
    if (fd < 0 || fstat(fd, &stat) || !S_ISREG(stat.st_mode)) {
        if (fd >= 0) {
            close(fd);
        }
        return true; // a link, or something special: not ours to serve
    }
    if (files->count == NET_FILES_MAX || files->bytes > files_bytes_max ||
        (uintmax_t)stat.st_size > files_bytes_max - files->bytes) {
        files->reason = "it holds too many files, or too large ones: is it the right folder?";
        close(fd);
        return false;
    }
    struct base_buffer *bytes = read_file(fd, (size_t)stat.st_size);
    close(fd);
    bool added = bytes && add(files, path, bytes);
    base_buffer_unref(bytes);
    if (!added) {
        files->reason = "a file of it cannot be read";
    }
    return added;
}

static bool take_folder(struct net_files *files, int folder, const char *path, uint32_t depth);

static bool take_entry(struct net_files *files, int folder, const char *name, const char *folder_path,
                       uint32_t depth)
{
    char path[FILES_PATH_MAX];
    struct stat stat;
    int length = snprintf(path, sizeof path, "%s/%s", folder_path, name);
    if (name[0] == '.' || length >= FILES_PATH_MAX || fstatat(folder, name, &stat, AT_SYMLINK_NOFOLLOW)) {
        return true;
    }
    if (!S_ISDIR(stat.st_mode)) {
        return take_file(files, folder, name, path);
    }
    if (depth == NET_FILES_DEPTH_MAX) {
        return true;
    }
    int inner = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY);
    return inner < 0 || take_folder(files, inner, path, depth + 1);
}

// Takes folder, a descriptor.
static bool take_folder(struct net_files *files, int folder, const char *path, uint32_t depth)
{
    DIR *listing = fdopendir(folder);
    if (!listing) {
        close(folder);
        files->reason = "it cannot be listed";
        return false;
    }
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(listing))) {
        good = take_entry(files, dirfd(listing), entry->d_name, path, depth);
    }
    closedir(listing);
    return good;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct net_file *)a)->path, ((const struct net_file *)b)->path);
}

struct net_files *net_files_load(const char *folder, const char **reason)
{
    *reason = "no memory";
    struct net_files *files = calloc(1, sizeof *files);
    if (!files) {
        return NULL;
    }
    files->hash = base_hash_create();
    if (!files->hash) {
        free(files);
        return NULL;
    }
    int root = folder ? open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY) : -1;
    if (root >= 0 && !take_folder(files, root, "", 1)) {
        *reason = files->reason;
        net_files_destroy(files);
        return NULL;
    }
    if (files->count > 0) {
        qsort(files->items, files->count, sizeof *files->items, by_path);
    }
    *reason = NULL;
    return files;
}

void net_files_destroy(struct net_files *files)
{
    if (!files) {
        return;
    }
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        base_buffer_unref(files->items[i].plain.bytes);
        base_buffer_unref(files->items[i].gzip.bytes);
    }
    base_hash_destroy(files->hash);
    free(files->items);
    free(files);
}

size_t net_files_count(const struct net_files *files)
{
    return files->count;
}

// ---------------------------------------------------------------------------------------------------------
// Looking up

const struct net_file *net_files_find(const struct net_files *files, struct net_http_text path)
{
    char name[FILES_PATH_MAX + 16];
    if (path.size == 0 || path.size >= FILES_PATH_MAX) {
        return NULL;
    }
    snprintf(name, sizeof name, "%.*s%s", (int)path.size, path.data,
             path.data[path.size - 1] == '/' ? "index.html" : "");
    struct net_file wanted = {.path = name};
    return files->count == 0 ? NULL
                             : bsearch(&wanted, files->items, files->count, sizeof *files->items, by_path);
}
