#include "helper_disk.h"

#include "base/thread.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 16, NAME = 160, SECTOR = 512, REGIONS = 64, REGION = 32768, SHM_LOCKS = 8 };

// A change that is not synced: bytes written, or a new size.
struct change {
    int64_t at;
    size_t size;
    uint8_t *bytes; // NULL: the file is cut to `at`
    bool dropped;   // a sync of it failed
};

struct content {
    uint8_t *bytes;
    size_t size, room;
};

struct file {
    char name[NAME]; // "": free
    bool there, there_durably;
    struct content now, durable;
    struct change *changes;
    size_t change_count, change_room;
    uint32_t open;
    // Locks: how many share, who has more.
    uint32_t sharing;
    const void *reserved, *exclusive;
    // The shared index of a log.
    void *regions[REGIONS];
    uint32_t region_count, mapped;
    uint32_t shm_shared[SHM_LOCKS];
    const void *shm_exclusive[SHM_LOCKS];
};

struct handle {
    sqlite3_file base;
    struct file *file;
    int lock;
    bool mapped, removes;
    uint32_t shm_shared, shm_exclusive; // bits
};

static struct {
    struct base_mutex mutex;
    struct file files[FILES];
    uint64_t cut_at, changes;
    bool cut, sync_ignored;
    uint64_t fail_at, calls;
    bool fail_for_good, failed;
    int64_t room;
} disk = {.mutex = {PTHREAD_MUTEX_INITIALIZER}, .room = -1};

// ---------------------------------------------------------------------------------------------------------
// Contents

static void content_write(struct content *content, int64_t at, const uint8_t *bytes, size_t size)
{
    const size_t end = (size_t)at + size;
    if (end > content->room) {
        content->room = end > 2 * content->room ? end : 2 * content->room;
        content->bytes = realloc(content->bytes, content->room);
    }
    if ((size_t)at > content->size) {
        memset(content->bytes + content->size, 0, (size_t)at - content->size);
    }
    memcpy(content->bytes + at, bytes, size);
    content->size = end > content->size ? end : content->size;
}

static void content_cut(struct content *content, size_t size)
{
    if (size < content->size) {
        content->size = size;
    } else if (size > content->size) {
        content_write(content, (int64_t)size - 1, (const uint8_t[]){0}, 1);
    }
}

static void content_set(struct content *content, const struct content *from)
{
    content->size = 0;
    if (from->size > 0) {
        content_write(content, 0, from->bytes, from->size);
    }
}

static void content_free(struct content *content)
{
    free(content->bytes);
    *content = (struct content){0};
}

static void apply(struct content *content, const struct change *change)
{
    if (change->bytes) {
        content_write(content, change->at, change->bytes, change->size);
    } else {
        content_cut(content, (size_t)change->at);
    }
}

static void forget_changes(struct file *file)
{
    for (size_t i = 0; i < file->change_count; i++) {
        free(file->changes[i].bytes);
    }
    file->change_count = 0;
}

static void note_change(struct file *file, int64_t at, const void *bytes, size_t size)
{
    if (file->change_count == file->change_room) {
        file->change_room = file->change_room ? 2 * file->change_room : 64;
        file->changes = realloc(file->changes, file->change_room * sizeof *file->changes);
    }
    struct change *change = &file->changes[file->change_count++];
    *change = (struct change){.at = at, .size = size};
    if (bytes) {
        change->bytes = malloc(size + 1);
        memcpy(change->bytes, bytes, size);
    }
    apply(&file->now, change);
}

static void file_free(struct file *file)
{
    forget_changes(file);
    free(file->changes);
    content_free(&file->now);
    content_free(&file->durable);
    for (uint32_t i = 0; i < file->region_count; i++) {
        free(file->regions[i]);
    }
    *file = (struct file){0};
}

static struct file *file_find(const char *name)
{
    for (int i = 0; i < FILES; i++) {
        if (disk.files[i].name[0] != 0 && strcmp(disk.files[i].name, name) == 0) {
            return &disk.files[i];
        }
    }
    return NULL;
}

static struct file *file_make(const char *name)
{
    for (int i = 0; i < FILES; i++) {
        if (disk.files[i].name[0] == 0) {
            (void)snprintf(disk.files[i].name, NAME, "%s", name);
            return &disk.files[i];
        }
    }
    abort();
}

// ---------------------------------------------------------------------------------------------------------
// What goes wrong

static bool fails(void)
{
    if (disk.fail_at == 0) {
        return false;
    }
    disk.calls++;
    if (disk.calls == disk.fail_at || (disk.fail_for_good && disk.calls > disk.fail_at)) {
        disk.failed = true;
        return true;
    }
    return false;
}

static bool is_cut(void)
{
    disk.changes++;
    disk.cut = disk.cut || (disk.cut_at != 0 && disk.changes >= disk.cut_at);
    return disk.cut;
}

static uint64_t used(void)
{
    uint64_t bytes = 0;
    for (int i = 0; i < FILES; i++) {
        bytes += disk.files[i].there ? disk.files[i].now.size : 0;
    }
    return bytes;
}

static struct handle *of(sqlite3_file *file)
{
    return (struct handle *)file;
}

static void enter(void)
{
    base_mutex_lock(&disk.mutex);
}

static int leave(int code)
{
    base_mutex_unlock(&disk.mutex);
    return code;
}

// ---------------------------------------------------------------------------------------------------------
// Operations

static int disk_read(sqlite3_file *base, void *bytes, int size, sqlite3_int64 at)
{
    enter();
    const struct content *now = &of(base)->file->now;
    if (fails()) {
        return leave(SQLITE_IOERR_READ);
    }
    const size_t left = (size_t)at < now->size ? now->size - (size_t)at : 0;
    const size_t some = left < (size_t)size ? left : (size_t)size;
    memset(bytes, 0, (size_t)size);
    if (some > 0) {
        memcpy(bytes, now->bytes + at, some);
    }
    return leave(some < (size_t)size ? SQLITE_IOERR_SHORT_READ : SQLITE_OK);
}

static int disk_write(sqlite3_file *base, const void *bytes, int size, sqlite3_int64 at)
{
    enter();
    struct file *file = of(base)->file;
    if (is_cut() || fails()) {
        return leave(SQLITE_IOERR_WRITE);
    }
    const uint64_t end = (uint64_t)at + (uint64_t)size;
    if (disk.room >= 0 && end > file->now.size && used() + (end - file->now.size) > (uint64_t)disk.room) {
        return leave(SQLITE_FULL);
    }
    note_change(file, at, bytes, (size_t)size);
    return leave(SQLITE_OK);
}

static int disk_cut_file(sqlite3_file *base, sqlite3_int64 size)
{
    enter();
    if (is_cut() || fails()) {
        return leave(SQLITE_IOERR_TRUNCATE);
    }
    note_change(of(base)->file, size, NULL, 0);
    return leave(SQLITE_OK);
}

static int disk_sync(sqlite3_file *base, int flags)
{
    (void)flags;
    enter();
    struct file *file = of(base)->file;
    const bool failing = fails();
    if (is_cut() || failing) {
        for (size_t i = 0; i < file->change_count && failing; i++) {
            file->changes[i].dropped = true;
        }
        return leave(SQLITE_IOERR_FSYNC);
    }
    if (disk.sync_ignored) {
        return leave(SQLITE_OK);
    }
    size_t kept = 0;
    for (size_t i = 0; i < file->change_count; i++) {
        if (file->changes[i].dropped) {
            file->changes[kept++] = file->changes[i];
        } else {
            apply(&file->durable, &file->changes[i]);
            free(file->changes[i].bytes);
        }
    }
    file->change_count = kept;
    file->there_durably = true;
    return leave(SQLITE_OK);
}

static int disk_file_size(sqlite3_file *base, sqlite3_int64 *size)
{
    enter();
    *size = (sqlite3_int64)of(base)->file->now.size;
    return leave(fails() ? SQLITE_IOERR_FSTAT : SQLITE_OK);
}

static void unlock_to(struct handle *handle, int level)
{
    struct file *file = handle->file;
    if (level < SQLITE_LOCK_EXCLUSIVE && file->exclusive == handle) {
        file->exclusive = NULL;
    }
    if (level < SQLITE_LOCK_RESERVED && file->reserved == handle) {
        file->reserved = NULL;
    }
    if (level < SQLITE_LOCK_SHARED && handle->lock >= SQLITE_LOCK_SHARED) {
        file->sharing--;
    }
    handle->lock = level < handle->lock ? level : handle->lock;
}

static int disk_lock(sqlite3_file *base, int level)
{
    enter();
    struct handle *handle = of(base);
    struct file *file = handle->file;
    if (fails()) {
        return leave(SQLITE_IOERR_LOCK);
    }
    if (level <= handle->lock) {
        return leave(SQLITE_OK);
    }
    if (file->exclusive && file->exclusive != handle) {
        return leave(SQLITE_BUSY);
    }
    if (level >= SQLITE_LOCK_RESERVED && file->reserved && file->reserved != handle) {
        return leave(SQLITE_BUSY);
    }
    if (level == SQLITE_LOCK_EXCLUSIVE && file->sharing > (handle->lock >= SQLITE_LOCK_SHARED ? 1U : 0U)) {
        return leave(SQLITE_BUSY);
    }
    file->sharing += handle->lock < SQLITE_LOCK_SHARED;
    file->reserved = level >= SQLITE_LOCK_RESERVED ? handle : file->reserved;
    file->exclusive = level == SQLITE_LOCK_EXCLUSIVE ? handle : file->exclusive;
    handle->lock = level;
    return leave(SQLITE_OK);
}

static int disk_unlock(sqlite3_file *base, int level)
{
    enter();
    unlock_to(of(base), level);
    return leave(SQLITE_OK);
}

static int disk_reserved(sqlite3_file *base, int *is)
{
    enter();
    *is = of(base)->file->reserved != NULL;
    return leave(SQLITE_OK);
}

static int disk_control(sqlite3_file *base, int what, void *argument)
{
    (void)base;
    (void)what;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int disk_sector(sqlite3_file *base)
{
    (void)base;
    return 4096;
}

static int disk_device(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// ---------------------------------------------------------------------------------------------------------
// The shared index

static int disk_shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **out)
{
    enter();
    struct handle *handle = of(base);
    struct file *file = handle->file;
    *out = NULL;
    if (fails()) {
        return leave(SQLITE_IOERR_SHMMAP);
    }
    if (region >= REGIONS || size != REGION) {
        abort();
    }
    file->mapped += !handle->mapped;
    handle->mapped = true;
    while (extend && file->region_count <= (uint32_t)region) {
        file->regions[file->region_count++] = calloc(1, REGION);
    }
    *out = (uint32_t)region < file->region_count ? file->regions[region] : NULL;
    return leave(SQLITE_OK);
}

static int disk_shm_lock(sqlite3_file *base, int offset, int count, int flags)
{
    enter();
    struct handle *handle = of(base);
    struct file *file = handle->file;
    const uint32_t bits = ((1U << count) - 1) << offset;
    if (flags & SQLITE_SHM_UNLOCK) {
        for (int i = offset; i < offset + count; i++) {
            if (flags & SQLITE_SHM_SHARED) {
                file->shm_shared[i] -= (handle->shm_shared >> i) & 1;
            } else if (file->shm_exclusive[i] == handle) {
                file->shm_exclusive[i] = NULL;
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
        const uint32_t others = file->shm_shared[i] - ((handle->shm_shared >> i) & 1);
        if ((file->shm_exclusive[i] && file->shm_exclusive[i] != handle) ||
            ((flags & SQLITE_SHM_EXCLUSIVE) && others > 0)) {
            return leave(SQLITE_BUSY);
        }
    }
    for (int i = offset; i < offset + count; i++) {
        if (flags & SQLITE_SHM_SHARED) {
            file->shm_shared[i] += !((handle->shm_shared >> i) & 1);
        } else {
            file->shm_exclusive[i] = handle;
        }
    }
    if (flags & SQLITE_SHM_SHARED) {
        handle->shm_shared |= bits;
    } else {
        handle->shm_exclusive |= bits;
    }
    return leave(SQLITE_OK);
}

static void disk_shm_barrier(sqlite3_file *base)
{
    (void)base;
    enter();
    leave(SQLITE_OK);
}

static void unmap(struct handle *handle)
{
    struct file *file = handle->file;
    for (int i = 0; i < SHM_LOCKS; i++) {
        file->shm_shared[i] -= (handle->shm_shared >> i) & 1;
        file->shm_exclusive[i] = file->shm_exclusive[i] == handle ? NULL : file->shm_exclusive[i];
    }
    handle->shm_shared = handle->shm_exclusive = 0;
    if (handle->mapped && --file->mapped == 0) {
        for (uint32_t i = 0; i < file->region_count; i++) {
            free(file->regions[i]);
        }
        file->region_count = 0;
    }
    handle->mapped = false;
}

static int disk_shm_unmap(sqlite3_file *base, int removes)
{
    (void)removes;
    enter();
    unmap(of(base));
    return leave(SQLITE_OK);
}

static int disk_close(sqlite3_file *base)
{
    enter();
    struct handle *handle = of(base);
    unmap(handle);
    unlock_to(handle, SQLITE_LOCK_NONE);
    handle->file->open--;
    return leave(SQLITE_OK);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_cut_file,
    .xSync = disk_sync,
    .xFileSize = disk_file_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_device,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
};

// ---------------------------------------------------------------------------------------------------------
// The table

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out)
{
    (void)vfs;
    struct handle *handle = of(base);
    memset(handle, 0, sizeof *handle);
    enter();
    if (!name || fails()) {
        return leave(SQLITE_CANTOPEN);
    }
    struct file *file = file_find(name);
    if (!file || !file->there) {
        if (!(flags & SQLITE_OPEN_CREATE) || is_cut()) {
            return leave(SQLITE_CANTOPEN);
        }
        file = file ? file : file_make(name);
        file->there = true;
    }
    file->open++;
    handle->file = file;
    handle->base.pMethods = &methods;
    if (flags_out) {
        *flags_out = flags;
    }
    return leave(SQLITE_OK);
}

// Which files there are, but not what is in them.
static void sync_folder(void)
{
    for (int i = 0; i < FILES; i++) {
        struct file *file = &disk.files[i];
        file->there_durably = file->there;
        if (!file->there) {
            forget_changes(file);
            file->durable.size = 0;
        }
    }
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    enter();
    struct file *file = file_find(name);
    if (!file || !file->there) {
        return leave(SQLITE_IOERR_DELETE_NOENT);
    }
    if (is_cut() || fails()) {
        return leave(SQLITE_IOERR_DELETE);
    }
    file->there = false;
    note_change(file, 0, NULL, 0);
    if (sync && !disk.sync_ignored) {
        sync_folder();
    }
    return leave(SQLITE_OK);
}

static int disk_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    enter();
    const struct file *file = file_find(name);
    *out = file && file->there && (flags != SQLITE_ACCESS_EXISTS || file->now.size > 0);
    return leave(SQLITE_OK);
}

static int disk_full_name(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    (void)vfs;
    (void)snprintf(out, (size_t)size, "%s", name);
    return SQLITE_OK;
}

static int disk_random(sqlite3_vfs *vfs, int size, char *out)
{
    (void)vfs;
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    return real->xRandomness(real, size, out);
}

static int disk_sleep(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    return real->xSleep(real, us);
}

static int disk_time(sqlite3_vfs *vfs, double *now)
{
    (void)vfs;
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    return real->xCurrentTime(real, now);
}

static int disk_error(sqlite3_vfs *vfs, int size, char *out)
{
    (void)vfs;
    (void)size;
    (void)out;
    return 0;
}

static sqlite3_vfs table = {
    .iVersion = 1,
    .szOsFile = sizeof(struct handle),
    .mxPathname = NAME - 1,
    .zName = DISK,
    .xOpen = disk_open,
    .xDelete = disk_delete,
    .xAccess = disk_access,
    .xFullPathname = disk_full_name,
    .xRandomness = disk_random,
    .xSleep = disk_sleep,
    .xCurrentTime = disk_time,
    .xGetLastError = disk_error,
};

// ---------------------------------------------------------------------------------------------------------
// The test's side

void disk_end(void)
{
    for (int i = 0; i < FILES; i++) {
        if (disk.files[i].open > 0) {
            abort();
        }
        file_free(&disk.files[i]);
    }
    disk.cut = disk.sync_ignored = disk.failed = disk.fail_for_good = false;
    disk.cut_at = disk.fail_at = disk.calls = disk.changes = 0;
    disk.room = -1;
}

void disk_start(void)
{
    disk_end();
    if (!sqlite3_vfs_find(DISK)) {
        sqlite3_vfs_register(&table, 0);
    }
}

void disk_cut_at(uint64_t n)
{
    enter();
    disk.cut_at = n == 0 ? 0 : disk.changes + n;
    leave(0);
}

bool disk_is_cut(void)
{
    enter();
    const bool cut = disk.cut;
    leave(0);
    return cut;
}

void disk_sync_works(bool works)
{
    disk.sync_ignored = !works;
}

void disk_fail_at(uint64_t n, bool for_good)
{
    enter();
    disk.calls = 0;
    disk.fail_at = n;
    disk.fail_for_good = for_good;
    disk.failed = false;
    leave(0);
}

bool disk_has_failed(void)
{
    enter();
    const bool failed = disk.failed;
    leave(0);
    return failed;
}

void disk_room(int64_t bytes)
{
    enter();
    disk.room = bytes;
    leave(0);
}

uint64_t disk_used(void)
{
    enter();
    const uint64_t bytes = used();
    leave(0);
    return bytes;
}

static uint64_t draw(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

// Sectors of a write, each kept or not.
static void apply_torn(struct content *content, const struct change *change, uint64_t *random)
{
    for (size_t done = 0; done < change->size;) {
        const size_t at = (size_t)change->at + done;
        size_t some = SECTOR - at % SECTOR;
        some = some < change->size - done ? some : change->size - done;
        if (draw(random) % 2 == 0) {
            content_write(content, (int64_t)at, change->bytes + done, some);
        }
        done += some;
    }
}

static void power_on_file(struct file *file, uint64_t *random)
{
    enum { LOST, KEPT, SOME, TORN, FIRST, MODES } mode = (unsigned)(draw(random) % MODES);
    const size_t first = file->change_count ? draw(random) % (file->change_count + 1) : 0;
    // Some exchange their places.
    for (size_t i = file->change_count; i-- > 1 && mode != FIRST && mode != KEPT;) {
        if (draw(random) % 4 == 0) {
            const size_t other = draw(random) % (i + 1);
            const struct change swapped = file->changes[i];
            file->changes[i] = file->changes[other];
            file->changes[other] = swapped;
        }
    }
    for (size_t i = 0; i < file->change_count; i++) {
        const struct change *change = &file->changes[i];
        if (change->dropped
                ? draw(random) % 2 == 0
                : mode == KEPT || (mode == SOME && draw(random) % 2 == 0) || (mode == FIRST && i < first)) {
            apply(&file->durable, change);
        } else if (mode == TORN && change->bytes) {
            apply_torn(&file->durable, change, random);
        }
    }
    forget_changes(file);
    content_set(&file->now, &file->durable);
    if (file->there != file->there_durably) {
        file->there = draw(random) % 2 == 0;
    }
    file->there_durably = file->there;
    if (!file->there) {
        file->now.size = file->durable.size = 0;
    }
}

void disk_power_on(uint64_t seed)
{
    uint64_t random = seed;
    for (int i = 0; i < FILES; i++) {
        if (disk.files[i].open > 0) {
            abort();
        }
        if (disk.files[i].name[0] != 0) {
            power_on_file(&disk.files[i], &random);
        }
    }
    disk.cut = false;
    disk.cut_at = 0;
}

static struct file *nth(uint32_t n)
{
    for (int i = 0; i < FILES; i++) {
        if (disk.files[i].there && n-- == 0) {
            return &disk.files[i];
        }
    }
    abort();
}

uint32_t disk_files(void)
{
    uint32_t count = 0;
    for (int i = 0; i < FILES; i++) {
        count += disk.files[i].there;
    }
    return count;
}

const char *disk_name(uint32_t file)
{
    return strrchr(nth(file)->name, '/') + 1;
}

size_t disk_size(uint32_t file)
{
    return nth(file)->now.size;
}

uint8_t *disk_bytes(uint32_t file)
{
    return nth(file)->now.bytes;
}

void disk_truncate(uint32_t file, size_t size)
{
    content_cut(&nth(file)->now, size);
}

void disk_remove(uint32_t file)
{
    file_free(nth(file));
}

struct disk_copy {
    uint32_t count;
    struct {
        char name[NAME];
        struct content content;
    } files[FILES];
};

struct disk_copy *disk_copy(void)
{
    struct disk_copy *copy = calloc(1, sizeof *copy);
    enter();
    for (int i = 0; i < FILES; i++) {
        if (disk.files[i].there) {
            memcpy(copy->files[copy->count].name, disk.files[i].name, NAME);
            content_set(&copy->files[copy->count++].content, &disk.files[i].now);
        }
    }
    leave(0);
    return copy;
}

void disk_restore(const struct disk_copy *copy)
{
    disk_end();
    for (uint32_t i = 0; i < copy->count; i++) {
        struct file *file = file_make(copy->files[i].name);
        file->there = file->there_durably = true;
        content_set(&file->now, &copy->files[i].content);
        content_set(&file->durable, &copy->files[i].content);
    }
}

void disk_copy_free(struct disk_copy *copy)
{
    for (uint32_t i = 0; i < copy->count; i++) {
        content_free(&copy->files[i].content);
    }
    free(copy);
}
