#include "store/folder.h"

#include "store/backend.h"
#include "store/place.h"
#include "store/wal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOLDER_SIZE = 32 };

static enum fault_code io(struct store_error *error, const char *doing, const char *path, int number)
{
    return store_fail(error, number == ENOMEM ? FAULT_MEMORY : FAULT_IO, 0, 0, "%s %s: %s", doing, path,
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

// The table of file operations syncs a folder when it removes a file there.
enum fault_code store_folder_sync(const struct store_folder *folder, struct store_error *error)
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
    return code == SQLITE_OK ? FAULT_NONE
                             : store_fail(error, FAULT_IO, 0, 0, "%s cannot be synced: %s", folder->path,
                                          sqlite3_errstr(code));
}

// ---------------------------------------------------------------------------------------------------------
// The lock

static enum fault_code take_lock(struct store_folder *folder, struct store_error *error)
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
    enum fault_code status = FAULT_NONE;
    if (code == SQLITE_BUSY) {
        (void)store_file_read(&folder->lock, 0, holder, HOLDER_SIZE);
        status =
            store_fail(error, FAULT_BUSY, 0, 0, "%s is in use by another server, process %d", folder->path,
                       atoi(holder)); // NOLINT(cert-err34-c): an unreadable number is told as 0
    } else {
        (void)snprintf(holder, sizeof holder, "%-*d\n", HOLDER_SIZE - 2, (int)getpid());
        if (code == SQLITE_OK) {
            code = store_file_write(&folder->lock, 0, holder, HOLDER_SIZE);
        }
        if (code != SQLITE_OK) {
            status = store_fail(error, FAULT_IO, 0, 0, "%s cannot be locked: %s: %s", folder->path,
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

static enum fault_code open_mark(struct store_folder *folder, bool read_only, struct store_error *error)
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
    return code == SQLITE_OK ? FAULT_NONE
                             : store_fail(error, FAULT_IO, 0, 0, "%s/mark cannot be opened: %s", folder->path,
                                          sqlite3_errstr(code));
}

enum fault_code store_folder_open(const char *vfs, const char *path, bool read_only, struct store_folder *out,
                                  struct store_error *error)
{
    *out = (struct store_folder){.vfs = vfs};
    enum fault_code status = read_only ? FAULT_NONE : store_place_make(path, error);
    if (status == FAULT_NONE) {
        out->path = store_place_absolute(path);
        status = out->path ? FAULT_NONE : io(error, "cannot open", path, errno);
    }
    if (status == FAULT_NONE) {
        out->checked = store_vfs_checked(vfs);
        out->db = join(out->path, "weft.db");
        out->wal = join(out->path, "weft.db-wal");
        out->reserve.path = join(out->path, "reserve");
        const bool named = out->checked && out->db && out->wal && out->reserve.path;
        status = named ? FAULT_NONE : io(error, "cannot open", path, ENOMEM);
    }
    if (status == FAULT_NONE && read_only && !store_file_is(vfs, out->db)) {
        status = store_fail(error, FAULT_NOT_FOUND, 0, 0,
                            "%s has no worlds of weft: there is no weft.db in it", path);
    }
    if (status == FAULT_NONE && !read_only) {
        status = take_lock(out, error);
    }
    if (status == FAULT_NONE) {
        status = open_mark(out, read_only, error);
    }
    if (status != FAULT_NONE) {
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

enum fault_code store_folder_check(struct store_folder *folder, const struct store_mark *mark,
                                   uint64_t *frames, struct store_error *error)
{
    *frames = 0;
    // SQLite takes an empty file for a new database, and removes a log beside it.
    if (!store_file_is(folder->vfs, folder->db)) {
        if (mark->serial > 0) {
            return store_fail(
                error, FAULT_DAMAGED, mark->list, mark->position,
                "%s is gone or empty, but there were worlds in it; if that was meant, remove %s/mark",
                folder->db, folder->path);
        }
        return store_file_is(folder->vfs, folder->wal)
                   ? store_fail(error, FAULT_DAMAGED, 0, 0, "%s is gone or empty, but its log %s is not",
                                folder->db, folder->wal)
                   : FAULT_NONE;
    }
    return store_wal_check(folder->vfs, folder->wal, frames, error);
}

enum { COPIED_AT_A_TIME = 65536 };

enum fault_code store_folder_set_log_aside(const struct store_folder *folder, struct store_error *error)
{
    struct store_file from = {0}, to = {0};
    char *path = join(folder->path, STORE_DAMAGED_LOG);
    uint8_t *bytes = malloc(COPIED_AT_A_TIME);
    int64_t size = 0;
    int code = path && bytes ? SQLITE_OK : SQLITE_NOMEM;
    if (code == SQLITE_OK && store_file_is(folder->vfs, path)) {
        sqlite3_vfs *vfs = sqlite3_vfs_find(folder->vfs);
        code = vfs->xDelete(vfs, path, 0);
    }
    if (code == SQLITE_OK) {
        code = store_file_open(folder->vfs, folder->wal, STORE_FILE_READ, &from);
    }
    if (code == SQLITE_OK) {
        code = store_file_open(folder->vfs, path, STORE_FILE_WRITE, &to);
    }
    if (code == SQLITE_OK) {
        code = store_file_size(&from, &size);
    }
    for (int64_t at = 0; code == SQLITE_OK && at < size; at += COPIED_AT_A_TIME) {
        const size_t some = size - at < COPIED_AT_A_TIME ? (size_t)(size - at) : COPIED_AT_A_TIME;
        code = store_file_read(&from, at, bytes, some);
        code = code == SQLITE_OK ? store_file_write(&to, at, bytes, some) : code;
    }
    code = code == SQLITE_OK ? store_file_sync(&to) : code;
    store_file_close(&from);
    store_file_close(&to);
    free(bytes);
    free(path);
    return code == SQLITE_OK ? FAULT_NONE
                             : store_fail(error, code == SQLITE_NOMEM ? FAULT_MEMORY : FAULT_IO, 0, 0,
                                          "%s is damaged and cannot be copied to %s: %s", folder->wal,
                                          STORE_DAMAGED_LOG, sqlite3_errstr(code));
}
