// Handles small files of the folder through the table of file operations.
#include "store/vfs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int store_file_open(const char *vfs_name, const char *path, enum store_file_way way, struct store_file *out)
{
    *out = (struct store_file){0};
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    if (!vfs) {
        return SQLITE_ERROR;
    }
    out->file = calloc(1, (size_t)vfs->szOsFile);
    // Only a main database can be locked, so it is opened as one.
    out->name = (char *)sqlite3_create_filename(path, "", "", 0, NULL);
    int status = out->file && out->name ? SQLITE_OK : SQLITE_NOMEM;
    if (status == SQLITE_OK) {
        int flags =
            way == STORE_FILE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        status = vfs->xOpen(vfs, out->name, out->file, flags | SQLITE_OPEN_MAIN_DB, &flags);
        if (status == SQLITE_OK && way == STORE_FILE_WRITE && (flags & SQLITE_OPEN_READONLY)) {
            status = SQLITE_READONLY;
        }
    }
    if (status != SQLITE_OK) {
        store_file_close(out);
    }
    return status;
}

void store_file_close(struct store_file *file)
{
    if (file->file && file->file->pMethods) {
        file->file->pMethods->xClose(file->file);
    }
    free(file->file);
    sqlite3_free_filename(file->name);
    *file = (struct store_file){0};
}

int store_file_size(struct store_file *file, int64_t *size)
{
    sqlite3_int64 bytes = 0;
    const int status = file->file->pMethods->xFileSize(file->file, &bytes);
    *size = bytes;
    return status;
}

int store_file_read(struct store_file *file, int64_t at, void *bytes, size_t size)
{
    if (size > INT_MAX) {
        return SQLITE_TOOBIG;
    }
    const int status = file->file->pMethods->xRead(file->file, bytes, (int)size, at);
    return status == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : status;
}

int store_file_write(struct store_file *file, int64_t at, const void *bytes, size_t size)
{
    return size > INT_MAX ? SQLITE_TOOBIG : file->file->pMethods->xWrite(file->file, bytes, (int)size, at);
}

int store_file_sync(struct store_file *file)
{
    return file->file->pMethods->xSync(file->file, SQLITE_SYNC_NORMAL);
}

int store_file_lock(struct store_file *file)
{
    static const int levels[] = {SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE};
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++) {
        const int status = file->file->pMethods->xLock(file->file, levels[i]);
        if (status != SQLITE_OK) {
            return status;
        }
    }
    return SQLITE_OK;
}

bool store_file_is(const char *vfs_name, const char *path)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    int is = 0;
    return vfs && vfs->xAccess(vfs, path, SQLITE_ACCESS_EXISTS, &is) == SQLITE_OK && is;
}
