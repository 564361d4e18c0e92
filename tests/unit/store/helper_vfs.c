#include "helper_vfs.h"

#include "helper_disk.h"
#include "helper_disk_files.h"

#include "base/thread.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS = 64, REGION = 32768, SHM_LOCKS = 8 };

// An open file. Contents that no handle holds are as at first.
struct locks {
    uint32_t sharing; // how many
    const void *reserved, *exclusive;
    // The shared index of a log.
    void *regions[REGIONS];
    uint32_t region_count, mapped;
    uint32_t shm_shared[SHM_LOCKS];
    const void *shm_exclusive[SHM_LOCKS];
};

struct handle {
    sqlite3_file base;
    int file;
    int lock;
    bool mapped;
    uint32_t shm_shared, shm_exclusive; // bits
};

static void (*sleeps)(int us);                // NULL: as the system does it
static void (*draws)(void *out, size_t size); // the same
static struct base_mutex mutex = {PTHREAD_MUTEX_INITIALIZER};
static struct locks all[DISKS * DISK_FILES_MAX];

static struct handle *of(sqlite3_file *file)
{
    return (struct handle *)file;
}

static void enter(void)
{
    base_mutex_lock(&mutex);
}

static int leave(int code)
{
    base_mutex_unlock(&mutex);
    return code;
}

// ---------------------------------------------------------------------------------------------------------
// Bytes

static int vfs_read(sqlite3_file *base, void *bytes, int size, sqlite3_int64 at)
{
    size_t got;
    if (!disk_file_read(of(base)->file, bytes, (size_t)size, at, &got)) {
        return SQLITE_IOERR_READ;
    }
    return got < (size_t)size ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int vfs_write(sqlite3_file *base, const void *bytes, int size, sqlite3_int64 at)
{
    const enum disk_outcome outcome = disk_file_write(of(base)->file, bytes, (size_t)size, at);
    // The system's says no more of other reasons than that the write failed.
    return outcome == DISK_DONE                      ? SQLITE_OK
           : outcome == DISK_FULL && errno == ENOSPC ? SQLITE_FULL
                                                     : SQLITE_IOERR_WRITE;
}

static int vfs_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    return disk_file_cut(of(base)->file, size) ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int vfs_sync(sqlite3_file *base, int flags)
{
    (void)flags;
    return disk_file_sync(of(base)->file) ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int vfs_size(sqlite3_file *base, sqlite3_int64 *size)
{
    int64_t bytes;
    const bool told = disk_file_size(of(base)->file, &bytes);
    *size = bytes;
    return told ? SQLITE_OK : SQLITE_IOERR_FSTAT;
}

// ---------------------------------------------------------------------------------------------------------
// Locks

static void unlock_to(struct handle *handle, int level)
{
    struct locks *locks = &all[handle->file];
    if (level < SQLITE_LOCK_EXCLUSIVE && locks->exclusive == handle) {
        locks->exclusive = NULL;
    }
    if (level < SQLITE_LOCK_RESERVED && locks->reserved == handle) {
        locks->reserved = NULL;
    }
    if (level < SQLITE_LOCK_SHARED && handle->lock >= SQLITE_LOCK_SHARED) {
        locks->sharing--;
    }
    handle->lock = level < handle->lock ? level : handle->lock;
}

static int vfs_lock(sqlite3_file *base, int level)
{
    if (disk_call_fails(of(base)->file)) {
        return SQLITE_IOERR_LOCK;
    }
    enter();
    struct handle *handle = of(base);
    struct locks *locks = &all[handle->file];
    if (level <= handle->lock) {
        return leave(SQLITE_OK);
    }
    if (locks->exclusive && locks->exclusive != handle) {
        return leave(SQLITE_BUSY);
    }
    if (level >= SQLITE_LOCK_RESERVED && locks->reserved && locks->reserved != handle) {
        return leave(SQLITE_BUSY);
    }
    if (level == SQLITE_LOCK_EXCLUSIVE && locks->sharing > (handle->lock >= SQLITE_LOCK_SHARED ? 1U : 0U)) {
        return leave(SQLITE_BUSY);
    }
    locks->sharing += handle->lock < SQLITE_LOCK_SHARED;
    locks->reserved = level >= SQLITE_LOCK_RESERVED ? handle : locks->reserved;
    locks->exclusive = level == SQLITE_LOCK_EXCLUSIVE ? handle : locks->exclusive;
    handle->lock = level;
    return leave(SQLITE_OK);
}

static int vfs_unlock(sqlite3_file *base, int level)
{
    enter();
    unlock_to(of(base), level);
    return leave(SQLITE_OK);
}

static int vfs_reserved(sqlite3_file *base, int *is)
{
    enter();
    *is = all[of(base)->file].reserved != NULL;
    return leave(SQLITE_OK);
}

// ---------------------------------------------------------------------------------------------------------
// The shared index

static int vfs_shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **out)
{
    *out = NULL;
    if (disk_call_fails(of(base)->file)) {
        return SQLITE_IOERR_SHMMAP;
    }
    enter();
    struct handle *handle = of(base);
    struct locks *locks = &all[handle->file];
    if (region >= REGIONS || size != REGION) {
        abort();
    }
    locks->mapped += !handle->mapped;
    handle->mapped = true;
    while (extend && locks->region_count <= (uint32_t)region) {
        locks->regions[locks->region_count++] = calloc(1, REGION);
    }
    *out = (uint32_t)region < locks->region_count ? locks->regions[region] : NULL;
    return leave(SQLITE_OK);
}

static int vfs_shm_lock(sqlite3_file *base, int offset, int count, int flags)
{
    enter();
    struct handle *handle = of(base);
    struct locks *locks = &all[handle->file];
    const uint32_t bits = ((1U << count) - 1) << offset;
    if (flags & SQLITE_SHM_UNLOCK) {
        for (int i = offset; i < offset + count; i++) {
            if (flags & SQLITE_SHM_SHARED) {
                locks->shm_shared[i] -= (handle->shm_shared >> i) & 1;
            } else if (locks->shm_exclusive[i] == handle) {
                locks->shm_exclusive[i] = NULL;
            }
        }
        if (flags & SQLITE_SHM_SHARED) {
            handle->shm_shared &= ~bits;
        } else {
            handle->shm_exclusive &= ~bits;
        }
        return leave(SQLITE_OK);
    }
    for (int i = offset; i < offset + count; i++) {
        const uint32_t others = locks->shm_shared[i] - ((handle->shm_shared >> i) & 1);
        if ((locks->shm_exclusive[i] && locks->shm_exclusive[i] != handle) ||
            ((flags & SQLITE_SHM_EXCLUSIVE) && others > 0)) {
            return leave(SQLITE_BUSY);
        }
    }
    for (int i = offset; i < offset + count; i++) {
        if (flags & SQLITE_SHM_SHARED) {
            locks->shm_shared[i] += !((handle->shm_shared >> i) & 1);
        } else {
            locks->shm_exclusive[i] = handle;
        }
    }
    if (flags & SQLITE_SHM_SHARED) {
        handle->shm_shared |= bits;
    } else {
        handle->shm_exclusive |= bits;
    }
    return leave(SQLITE_OK);
}

static void vfs_shm_barrier(sqlite3_file *base)
{
    (void)base;
    enter();
    leave(SQLITE_OK);
}

static void unmap(struct handle *handle)
{
    struct locks *locks = &all[handle->file];
    for (int i = 0; i < SHM_LOCKS; i++) {
        locks->shm_shared[i] -= (handle->shm_shared >> i) & 1;
        locks->shm_exclusive[i] = locks->shm_exclusive[i] == handle ? NULL : locks->shm_exclusive[i];
    }
    handle->shm_shared = handle->shm_exclusive = 0;
    if (handle->mapped && --locks->mapped == 0) {
        for (uint32_t i = 0; i < locks->region_count; i++) {
            free(locks->regions[i]);
        }
        locks->region_count = 0;
    }
    handle->mapped = false;
}

static int vfs_shm_unmap(sqlite3_file *base, int removes)
{
    (void)removes;
    enter();
    unmap(of(base));
    return leave(SQLITE_OK);
}

// ---------------------------------------------------------------------------------------------------------
// The table of a file

static int vfs_control(sqlite3_file *base, int what, void *argument)
{
    (void)base;
    (void)what;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int vfs_sector(sqlite3_file *base)
{
    (void)base;
    return 4096;
}

static int vfs_device(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int vfs_close(sqlite3_file *base)
{
    enter();
    struct handle *handle = of(base);
    unmap(handle);
    unlock_to(handle, SQLITE_LOCK_NONE);
    leave(SQLITE_OK);
    disk_file_close(handle->file);
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = vfs_close,
    .xRead = vfs_read,
    .xWrite = vfs_write,
    .xTruncate = vfs_truncate,
    .xSync = vfs_sync,
    .xFileSize = vfs_size,
    .xLock = vfs_lock,
    .xUnlock = vfs_unlock,
    .xCheckReservedLock = vfs_reserved,
    .xFileControl = vfs_control,
    .xSectorSize = vfs_sector,
    .xDeviceCharacteristics = vfs_device,
    .xShmMap = vfs_shm_map,
    .xShmLock = vfs_shm_lock,
    .xShmBarrier = vfs_shm_barrier,
    .xShmUnmap = vfs_shm_unmap,
};

// ---------------------------------------------------------------------------------------------------------
// The table of the disk

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out)
{
    (void)vfs;
    struct handle *handle = of(base);
    memset(handle, 0, sizeof *handle);
    handle->file = name ? disk_file_open(name, (flags & SQLITE_OPEN_CREATE) != 0) : -1;
    if (handle->file < 0) {
        return SQLITE_CANTOPEN;
    }
    handle->base.pMethods = &methods;
    if (flags_out) {
        *flags_out = flags;
    }
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    const enum disk_outcome outcome = disk_file_delete(name, sync != 0);
    return outcome == DISK_DONE        ? SQLITE_OK
           : outcome == DISK_NOT_THERE ? SQLITE_IOERR_DELETE_NOENT
                                       : SQLITE_IOERR_DELETE;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    int64_t size;
    *out = disk_file_there(name, &size) && (flags != SQLITE_ACCESS_EXISTS || size > 0);
    return SQLITE_OK;
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    (void)vfs;
    (void)snprintf(out, (size_t)size, "%s", name);
    return SQLITE_OK;
}

static int vfs_random(sqlite3_vfs *vfs, int size, char *out)
{
    (void)vfs;
    if (draws) {
        draws(out, (size_t)size);
        return size;
    }
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    return real->xRandomness(real, size, out);
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    if (sleeps) {
        sleeps(us);
        return us;
    }
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    return real->xSleep(real, us);
}

static int vfs_time(sqlite3_vfs *vfs, double *now)
{
    (void)vfs;
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    return real->xCurrentTime(real, now);
}

static int vfs_error(sqlite3_vfs *vfs, int size, char *out)
{
    (void)vfs;
    (void)size;
    (void)out;
    return 0;
}

static sqlite3_vfs table = {
    .iVersion = 1,
    .szOsFile = sizeof(struct handle),
    .mxPathname = DISK_NAME_SIZE - 1,
    .zName = DISK,
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_name,
    .xRandomness = vfs_random,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_time,
    .xGetLastError = vfs_error,
};

void vfs_stand_on(void (*sleep)(int us), void (*random)(void *out, size_t size))
{
    sleeps = sleep;
    draws = random;
}

void vfs_register(void)
{
    if (!sqlite3_vfs_find(DISK)) {
        sqlite3_vfs_register(&table, 0);
    }
}
