// Adds checksums of pages, and finds writes for which there is no room. Only whole pages of the main database
// have checksums. The log is passed through, except for errors of its writes.
#include "store/vfs.h"

#include "base/hash.h"
#include "base/room.h"
#include "base/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 100, VERSION_AT = 24, VERSION_SIZE = 16 };

struct checked_file {
    sqlite3_file base;
    struct base_hash *hash;   // NULL: its pages have no checksums
    uint8_t page[STORE_PAGE]; // a copy with the checksum, because the caller's bytes must not change
    sqlite3_file *below;
};

static sqlite3_file *below(sqlite3_file *file)
{
    return ((struct checked_file *)file)->below;
}

static void sum(struct checked_file *file, const uint8_t *page, int64_t at, uint8_t out[STORE_PAGE_SUM])
{
    base_hash_reset(file->hash);
    base_hash_u64(file->hash, (uint64_t)at / STORE_PAGE + 1);
    base_hash_bytes(file->hash, page, STORE_PAGE - STORE_PAGE_SUM);
    const uint64_t digest = base_hash_digest(file->hash);
    for (unsigned i = 0; i < STORE_PAGE_SUM; i++) {
        out[i] = (uint8_t)(digest >> (8 * i));
    }
}

// Whether a page fits its checksum. A page that was freed before it was ever written is all zeros, and may be
// copied.
static bool is_whole(struct checked_file *file, const uint8_t *page, int64_t at)
{
    uint8_t expected[STORE_PAGE_SUM];
    sum(file, page, at, expected);
    return memcmp(expected, page + STORE_PAGE - STORE_PAGE_SUM, STORE_PAGE_SUM) == 0 ||
           (page[0] == 0 && memcmp(page, page + 1, STORE_PAGE - 1) == 0);
}

static bool is_pages(int amount, int64_t at)
{
    return amount > 0 && amount % STORE_PAGE == 0 && at % STORE_PAGE == 0;
}

// Checks the two parts that SQLite reads of a page without the whole: the header before it knows the size of
// a page, and the version in the header.
static int check_part(const uint8_t *bytes, int amount, int64_t at)
{
    if (amount == HEADER_SIZE && at == 0) {
        // All zeros: the power was cut when it was first written. That write is about to be rolled back.
        const bool begun = bytes[0] == 0 && memcmp(bytes, bytes + 1, HEADER_SIZE - 1) == 0;
        const bool sizes = bytes[16] == STORE_PAGE >> 8 && bytes[17] == 0 && bytes[20] == STORE_PAGE_SUM;
        return begun || sizes ? SQLITE_OK : SQLITE_IOERR_DATA;
    }
    return amount == VERSION_SIZE && at == VERSION_AT ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int checked_read(sqlite3_file *base, void *bytes, int amount, sqlite3_int64 at)
{
    struct checked_file *file = (struct checked_file *)base;
    const int status = file->below->pMethods->xRead(file->below, bytes, amount, at);
    if (status != SQLITE_OK || !file->hash) {
        return status;
    }
    if (!is_pages(amount, at)) {
        return check_part(bytes, amount, at);
    }
    for (int done = 0; done < amount; done += STORE_PAGE) {
        if (!is_whole(file, (const uint8_t *)bytes + done, at + done)) {
            sqlite3_log(SQLITE_IOERR_DATA, "page %lld is not what was written",
                        (long long)(at + done) / STORE_PAGE + 1);
            return SQLITE_IOERR_DATA;
        }
    }
    return SQLITE_OK;
}

// Writes, and returns FULL for each error that means there is no room. SQLite's own table returns FULL only
// for ENOSPC, after which SQLite can go on. It takes all other errors, also of a quota, for a failing disk.
static int write_below(struct checked_file *file, const void *bytes, int amount, int64_t at)
{
    errno = 0;
    const int status = file->below->pMethods->xWrite(file->below, bytes, amount, at);
    return status == SQLITE_IOERR_WRITE && base_room_lacks(errno) ? SQLITE_FULL : status;
}

static int checked_write(sqlite3_file *base, const void *bytes, int amount, sqlite3_int64 at)
{
    struct checked_file *file = (struct checked_file *)base;
    if (!file->hash || !is_pages(amount, at)) {
        return write_below(file, bytes, amount, at);
    }
    for (int done = 0; done < amount; done += STORE_PAGE) {
        memcpy(file->page, (const uint8_t *)bytes + done, STORE_PAGE);
        sum(file, file->page, at + done, file->page + STORE_PAGE - STORE_PAGE_SUM);
        const int status = write_below(file, file->page, STORE_PAGE, at + done);
        if (status != SQLITE_OK) {
            return status;
        }
    }
    return SQLITE_OK;
}

static int checked_close(sqlite3_file *base)
{
    struct checked_file *file = (struct checked_file *)base;
    base_hash_destroy(file->hash);
    file->hash = NULL;
    return file->below->pMethods->xClose(file->below);
}

static int checked_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return below(file)->pMethods->xTruncate(below(file), size);
}

static int checked_sync(sqlite3_file *file, int flags)
{
    return below(file)->pMethods->xSync(below(file), flags);
}

static int checked_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return below(file)->pMethods->xFileSize(below(file), size);
}

static int checked_lock(sqlite3_file *file, int level)
{
    return below(file)->pMethods->xLock(below(file), level);
}

static int checked_unlock(sqlite3_file *file, int level)
{
    return below(file)->pMethods->xUnlock(below(file), level);
}

static int checked_reserved(sqlite3_file *file, int *is)
{
    return below(file)->pMethods->xCheckReservedLock(below(file), is);
}

static int checked_control(sqlite3_file *file, int what, void *argument)
{
    return below(file)->pMethods->xFileControl(below(file), what, argument);
}

static int checked_sector(sqlite3_file *file)
{
    return below(file)->pMethods->xSectorSize(below(file));
}

static int checked_device(sqlite3_file *file)
{
    return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

static int checked_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **out)
{
    return below(file)->pMethods->xShmMap(below(file), region, size, extend, out);
}

static int checked_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}

static void checked_shm_barrier(sqlite3_file *file)
{
    below(file)->pMethods->xShmBarrier(below(file));
}

static int checked_shm_unmap(sqlite3_file *file, int removes)
{
    return below(file)->pMethods->xShmUnmap(below(file), removes);
}

// Version 2 has no xFetch, so that no page is read without its checksum.
static const sqlite3_io_methods checked_methods = {
    .iVersion = 2,
    .xClose = checked_close,
    .xRead = checked_read,
    .xWrite = checked_write,
    .xTruncate = checked_truncate,
    .xSync = checked_sync,
    .xFileSize = checked_size,
    .xLock = checked_lock,
    .xUnlock = checked_unlock,
    .xCheckReservedLock = checked_reserved,
    .xFileControl = checked_control,
    .xSectorSize = checked_sector,
    .xDeviceCharacteristics = checked_device,
    .xShmMap = checked_shm_map,
    .xShmLock = checked_shm_lock,
    .xShmBarrier = checked_shm_barrier,
    .xShmUnmap = checked_shm_unmap,
};

// ---------------------------------------------------------------------------------------------------------

static sqlite3_vfs *vfs_below(sqlite3_vfs *vfs)
{
    return vfs->pAppData;
}

static int checked_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out)
{
    sqlite3_vfs *real = vfs_below(vfs);
    if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL))) {
        return real->xOpen(real, name, base, flags, flags_out);
    }
    struct checked_file *file = (struct checked_file *)base;
    memset(file, 0, sizeof *file);
    file->below = (sqlite3_file *)(file + 1);
    file->below->pMethods = NULL;
    file->hash = flags & SQLITE_OPEN_MAIN_DB ? base_hash_create() : NULL;
    if (!file->hash && flags & SQLITE_OPEN_MAIN_DB) {
        return SQLITE_NOMEM;
    }
    const int status = real->xOpen(real, name, file->below, flags, flags_out);
    if (status != SQLITE_OK) {
        if (file->below->pMethods) {
            file->below->pMethods->xClose(file->below);
        }
        base_hash_destroy(file->hash);
        return status;
    }
    file->base.pMethods = &checked_methods;
    return SQLITE_OK;
}

static int checked_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    return vfs_below(vfs)->xDelete(vfs_below(vfs), name, sync);
}

static int checked_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    return vfs_below(vfs)->xAccess(vfs_below(vfs), name, flags, out);
}

static int checked_full(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    return vfs_below(vfs)->xFullPathname(vfs_below(vfs), name, size, out);
}

static int checked_random(sqlite3_vfs *vfs, int size, char *out)
{
    return vfs_below(vfs)->xRandomness(vfs_below(vfs), size, out);
}

static int checked_sleep(sqlite3_vfs *vfs, int us)
{
    return vfs_below(vfs)->xSleep(vfs_below(vfs), us);
}

static int checked_time(sqlite3_vfs *vfs, double *now)
{
    return vfs_below(vfs)->xCurrentTime(vfs_below(vfs), now);
}

static int checked_error(sqlite3_vfs *vfs, int size, char *out)
{
    return vfs_below(vfs)->xGetLastError(vfs_below(vfs), size, out);
}

static struct base_mutex registering = {PTHREAD_MUTEX_INITIALIZER};

// Registers a table for good, because SQLite keeps a list of them.
static const char *register_above(sqlite3_vfs *real, const char *name)
{
    sqlite3_vfs *vfs = calloc(1, sizeof *vfs + strlen(name) + 1);
    if (!vfs) {
        return NULL;
    }
    char *kept = (char *)(vfs + 1);
    memcpy(kept, name, strlen(name) + 1);
    *vfs = (sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = (int)sizeof(struct checked_file) + real->szOsFile,
        .mxPathname = real->mxPathname,
        .zName = kept,
        .pAppData = real,
        .xOpen = checked_open,
        .xDelete = checked_delete,
        .xAccess = checked_access,
        .xFullPathname = checked_full,
        .xRandomness = checked_random,
        .xSleep = checked_sleep,
        .xCurrentTime = checked_time,
        .xGetLastError = checked_error,
    };
    if (sqlite3_vfs_register(vfs, 0) != SQLITE_OK) {
        free(vfs);
        return NULL;
    }
    return kept;
}

const char *store_vfs_checked(const char *name)
{
    sqlite3_vfs *real = sqlite3_vfs_find(name);
    if (!real) {
        return NULL;
    }
    char checked[128];
    (void)snprintf(checked, sizeof checked, "weft-%s", real->zName);
    base_mutex_lock(&registering);
    const sqlite3_vfs *there = sqlite3_vfs_find(checked);
    const char *found = there ? there->zName : register_above(real, checked);
    base_mutex_unlock(&registering);
    return found;
}
