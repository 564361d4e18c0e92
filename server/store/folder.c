#include "store/folder.h"

#include "base/hash.h"
#include "store/backend.h"
#include "store/wal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARK_SIZE = 64, MARK_APART = 4096, MARK_SLOTS = 2, HOLDER_SIZE = 32 };
static const char mark_magic[8] = "weftmark";

static enum store_status io(struct store_error *error, const char *doing, const char *path, int number)
{
    return store_fail(error, number == ENOMEM ? STORE_MEMORY : STORE_IO, 0, 0, "%s %s: %s", doing, path,
                      strerror(number));
}

static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        (void)snprintf(path, size, "%s/%s", folder, name);
    }
    return path;
}

static enum store_status sync_path(const char *path, struct store_error *error)
{
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return io(error, "cannot open", path, errno);
    }
    const int number = fsync(file) == 0 ? 0 : errno;
    close(file);
    return number == 0 ? STORE_OK : io(error, "cannot sync", path, number);
}

// The table of file operations syncs a folder when a file in it is removed.
enum store_status store_folder_sync(const struct store_folder *folder, struct store_error *error)
{
    char *path = join(folder->path, "synced");
    if (!path) {
        return io(error, "cannot sync", folder->path, ENOMEM);
    }
    struct store_file file;
    sqlite3_vfs *vfs = sqlite3_vfs_find(folder->vfs);
    int code = store_file_open(folder->vfs, path, STORE_FILE_WRITE, &file);
    if (code == SQLITE_OK) {
        store_file_close(&file);
        code = vfs->xDelete(vfs, path, 1);
    }
    free(path);
    return code == SQLITE_OK ? STORE_OK
                             : store_fail(error, STORE_IO, 0, 0, "%s cannot be synced: %s", folder->path,
                                          sqlite3_errstr(code));
}

// The folder itself, not what leads to it: a mistyped path is not to be made.
static enum store_status make(const char *path, struct store_error *error)
{
    if (mkdir(path, 0700) != 0) {
        return errno == EEXIST ? STORE_OK : io(error, "cannot make", path, errno);
    }
    char *above = join(path, "..");
    const enum store_status status = above ? sync_path(above, error) : io(error, "cannot make", path, ENOMEM);
    free(above);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// The lock

static enum store_status take_lock(struct store_folder *folder, struct store_error *error)
{
    char *path = join(folder->path, "lock");
    if (!path) {
        return io(error, "cannot lock", folder->path, ENOMEM);
    }
    int code = store_file_open(folder->vfs, path, STORE_FILE_WRITE, &folder->lock);
    if (code == SQLITE_OK) {
        code = store_file_lock(&folder->lock);
    }
    char holder[HOLDER_SIZE + 1] = {0};
    enum store_status status = STORE_OK;
    if (code == SQLITE_BUSY) {
        (void)store_file_read(&folder->lock, 0, holder, HOLDER_SIZE);
        status =
            store_fail(error, STORE_BUSY, 0, 0, "%s is in use by another server, process %d", folder->path,
                       atoi(holder)); // NOLINT(cert-err34-c): 0 says that as well
    } else {
        (void)snprintf(holder, sizeof holder, "%-*d\n", HOLDER_SIZE - 2, (int)getpid());
        if (code == SQLITE_OK) {
            code = store_file_write(&folder->lock, 0, holder, HOLDER_SIZE);
        }
        if (code != SQLITE_OK) {
            status = store_fail(error, STORE_IO, 0, 0, "%s cannot be locked: %s: %s", folder->path,
                                sqlite3_errstr(code), strerror(errno));
        }
    }
    free(path);
    return status;
}

bool store_folder_unused(struct store_folder *folder)
{
    struct store_file lock;
    char *path = join(folder->path, "lock");
    bool unused = path && !store_file_is(folder->vfs, path);
    if (path && !unused && store_file_open(folder->vfs, path, STORE_FILE_READ, &lock) == SQLITE_OK) {
        unused = lock.file->pMethods->xLock(lock.file, SQLITE_LOCK_SHARED) == SQLITE_OK;
        store_file_close(&lock);
    }
    free(path);
    return unused;
}

// ---------------------------------------------------------------------------------------------------------
// The mark: two slots that are written in turns, so that one is whole

static void put(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get(const uint8_t *from)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

static bool mark_sum(const uint8_t *bytes, uint64_t *sum)
{
    struct base_hash *hash = base_hash_create();
    if (!hash) {
        return false;
    }
    base_hash_bytes(hash, bytes, MARK_SIZE - 8);
    *sum = base_hash_digest(hash);
    base_hash_destroy(hash);
    return true;
}

void store_mark_read(struct store_folder *folder, struct store_mark *mark)
{
    *mark = (struct store_mark){0};
    for (int slot = 0; slot < MARK_SLOTS && folder->mark.file; slot++) {
        uint8_t bytes[MARK_SIZE];
        uint64_t sum;
        if (store_file_read(&folder->mark, slot * MARK_APART, bytes, sizeof bytes) != SQLITE_OK ||
            memcmp(bytes, mark_magic, sizeof mark_magic) != 0 || !mark_sum(bytes, &sum) ||
            get(bytes + 56) != sum || get(bytes + 24) <= mark->serial) {
            continue;
        }
        memcpy(mark->id, bytes + 8, STORE_ID_SIZE);
        mark->serial = get(bytes + 24);
        mark->commits = get(bytes + 32);
        mark->list = (uint32_t)get(bytes + 40);
        mark->position = get(bytes + 48);
    }
    folder->mark_serial = mark->serial;
}

int store_mark_write(struct store_folder *folder, struct store_mark *mark)
{
    uint8_t bytes[MARK_SIZE] = {0};
    uint64_t sum;
    mark->serial = ++folder->mark_serial;
    memcpy(bytes, mark_magic, sizeof mark_magic);
    memcpy(bytes + 8, mark->id, STORE_ID_SIZE);
    put(bytes + 24, mark->serial);
    put(bytes + 32, mark->commits);
    put(bytes + 40, mark->list);
    put(bytes + 48, mark->position);
    if (!mark_sum(bytes, &sum)) {
        return SQLITE_NOMEM;
    }
    put(bytes + 56, sum);
    return store_file_write(&folder->mark, (int64_t)(mark->serial % MARK_SLOTS) * MARK_APART, bytes,
                            sizeof bytes);
}

// ---------------------------------------------------------------------------------------------------------

static enum store_status open_mark(struct store_folder *folder, bool read_only, struct store_error *error)
{
    char *path = join(folder->path, "mark");
    if (!path) {
        return io(error, "cannot open", folder->path, ENOMEM);
    }
    const int code = read_only && !store_file_is(folder->vfs, path)
                         ? SQLITE_OK
                         : store_file_open(folder->vfs, path, read_only ? STORE_FILE_READ : STORE_FILE_WRITE,
                                           &folder->mark);
    free(path);
    return code == SQLITE_OK ? STORE_OK
                             : store_fail(error, STORE_IO, 0, 0, "%s/mark cannot be opened: %s", folder->path,
                                          sqlite3_errstr(code));
}

enum store_status store_folder_open(const char *vfs, const char *path, bool read_only,
                                    struct store_folder *out, struct store_error *error)
{
    *out = (struct store_folder){.vfs = vfs};
    enum store_status status = read_only ? STORE_OK : make(path, error);
    if (status == STORE_OK) {
        out->path = realpath(path, NULL);
        status = out->path ? STORE_OK : io(error, "cannot open", path, errno);
    }
    if (status == STORE_OK) {
        out->checked = store_vfs_checked(vfs);
        out->db = join(out->path, "weft.db");
        out->wal = join(out->path, "weft.db-wal");
        out->reserve.path = join(out->path, "reserve");
        const bool named = out->checked && out->db && out->wal && out->reserve.path;
        status = named ? STORE_OK : io(error, "cannot open", path, ENOMEM);
    }
    if (status == STORE_OK && read_only && !store_file_is(vfs, out->db)) {
        status =
            store_fail(error, STORE_NONE, 0, 0, "%s has no worlds of weft: there is no weft.db in it", path);
    }
    if (status == STORE_OK && !read_only) {
        status = take_lock(out, error);
    }
    if (status == STORE_OK) {
        status = open_mark(out, read_only, error);
    }
    if (status != STORE_OK) {
        store_folder_close(out);
    }
    return status;
}

void store_folder_close(struct store_folder *folder)
{
    store_file_close(&folder->mark);
    store_file_close(&folder->lock);
    free(folder->path);
    free(folder->db);
    free(folder->wal);
    free(folder->reserve.path);
    *folder = (struct store_folder){0};
}

enum store_status store_folder_check(struct store_folder *folder, const struct store_mark *mark,
                                     struct store_error *error)
{
    // SQLite takes an empty file for a new database, and removes a log that stands beside it.
    if (!store_file_is(folder->vfs, folder->db)) {
        if (mark->serial > 0) {
            return store_fail(
                error, STORE_DAMAGED, mark->list, mark->position,
                "%s is gone or empty, but there were worlds in it; where that was meant, remove %s/mark",
                folder->db, folder->path);
        }
        return store_file_is(folder->vfs, folder->wal)
                   ? store_fail(error, STORE_DAMAGED, 0, 0, "%s is gone or empty, but its log %s is not",
                                folder->db, folder->wal)
                   : STORE_OK;
    }
    return store_wal_check(folder->vfs, folder->wal, error);
}
