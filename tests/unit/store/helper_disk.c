#include "helper_disk.h"

#include "helper_disk_files.h"
#include "helper_vfs.h"

#include "base/assert.h"
#include "base/thread.h"
#include "protocol/array/reserve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

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
    char name[DISK_NAME_SIZE]; // "": free
    bool there, there_durably;
    struct content now, durable;
    struct change *changes;
    size_t change_count, change_room;
    uint32_t open;
};

static struct disk {
    struct file files[DISK_FILES_MAX];
    uint64_t cut_at, changes;
    bool cut, sync_ignored;
    uint64_t fail_at, calls;
    bool fail_for_good, failed;
    bool bounded; // by room
    uint64_t room;
    uint64_t reserved; // of it, for a file without content
    int lacks;
} disks[DISKS];

static struct disk *disk = disks; // the test's; while a file operation is under way, that one's
static uint32_t used_by_test;
static struct base_mutex mutex = {PTHREAD_MUTEX_INITIALIZER};
static void (*on_call)(uint32_t disk, enum disk_call call);

// ---------------------------------------------------------------------------------------------------------
// Contents

static void content_write(struct content *content, int64_t at, const uint8_t *bytes, size_t size)
{
    const size_t end = (size_t)at + size;
    BASE_ASSERT(array_reserve(&content->bytes, &content->room, end));
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
    BASE_ASSERT(array_reserve(&file->changes, &file->change_room, file->change_count + 1));
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
    *file = (struct file){0};
}

static struct file *file_find(const char *name)
{
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        if (disk->files[i].name[0] != 0 && strcmp(disk->files[i].name, name) == 0) {
            return &disk->files[i];
        }
    }
    return NULL;
}

static struct file *file_make(const char *name)
{
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        if (disk->files[i].name[0] == 0) {
            (void)snprintf(disk->files[i].name, DISK_NAME_SIZE, "%s", name);
            return &disk->files[i];
        }
    }
    abort();
}

// ---------------------------------------------------------------------------------------------------------
// What goes wrong

static bool fails(void)
{
    if (disk->fail_at == 0) {
        return false;
    }
    disk->calls++;
    if (disk->calls == disk->fail_at || (disk->fail_for_good && disk->calls > disk->fail_at)) {
        disk->failed = true;
        return true;
    }
    return false;
}

static bool is_cut(void)
{
    disk->changes++;
    disk->cut = disk->cut || (disk->cut_at != 0 && disk->changes >= disk->cut_at);
    return disk->cut;
}

static uint64_t used(void)
{
    uint64_t bytes = 0;
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        bytes += disk->files[i].there ? disk->files[i].now.size : 0;
    }
    return bytes + disk->reserved;
}

static bool lacks_room(uint64_t more)
{
    return disk->bounded && more > 0 && used() + more > disk->room;
}

static void enter_disk(uint32_t number)
{
    base_mutex_lock(&mutex);
    disk = &disks[number];
}

static void enter(void)
{
    enter_disk(used_by_test);
}

static void leave(void)
{
    disk = &disks[used_by_test];
    base_mutex_unlock(&mutex);
}

// Paths that begin with /disk-N/ are on the disk with that number, all others on the first.
static uint32_t disk_of_name(const char *name)
{
    unsigned number = 0;
    return sscanf(name, "/disk-%2u/", &number) == 1 && number < DISKS ? number : 0;
}

// Before anything is locked: the call may take its time.
static void call(uint32_t number, enum disk_call what)
{
    if (on_call) {
        on_call(number, what);
    }
}

// ---------------------------------------------------------------------------------------------------------
// The files, for whoever opens them

static uint32_t disk_of_file(int number)
{
    return (uint32_t)number / DISK_FILES_MAX;
}

static struct file *file_of(int number)
{
    return &disk->files[number % DISK_FILES_MAX];
}

bool disk_call_fails(int number)
{
    enter_disk((uint32_t)number / DISK_FILES_MAX);
    const bool failed = fails();
    leave();
    return failed;
}

static struct file *open_file(const char *name, bool create)
{
    if (fails()) {
        return NULL;
    }
    struct file *file = file_find(name);
    if (!file || !file->there) {
        if (!create || is_cut()) {
            return NULL;
        }
        file = file ? file : file_make(name);
        file->there = true;
    }
    file->open++;
    return file;
}

int disk_file_open(const char *name, bool create)
{
    const uint32_t on = disk_of_name(name);
    enter_disk(on);
    const struct file *file = open_file(name, create);
    const int number = file ? (int)(on * DISK_FILES_MAX) + (int)(file - disk->files) : -1;
    leave();
    return number;
}

void disk_file_close(int number)
{
    enter_disk(disk_of_file(number));
    file_of(number)->open--;
    leave();
}

bool disk_file_read(int number, void *bytes, size_t size, int64_t at, size_t *got)
{
    call(disk_of_file(number), DISK_READS);
    enter_disk(disk_of_file(number));
    const struct content *now = &file_of(number)->now;
    const bool failed = fails();
    if (!failed) {
        const size_t left = (size_t)at < now->size ? now->size - (size_t)at : 0;
        *got = left < size ? left : size;
        memset(bytes, 0, size);
        if (*got > 0) {
            memcpy(bytes, now->bytes + at, *got);
        }
    }
    leave();
    return !failed;
}

static enum disk_outcome write_file(struct file *file, const void *bytes, size_t size, int64_t at)
{
    if (is_cut() || fails()) {
        return DISK_FAILED;
    }
    const uint64_t end = (uint64_t)at + size;
    if (lacks_room(end > file->now.size ? end - file->now.size : 0)) {
        errno = disk->lacks;
        return DISK_FULL;
    }
    note_change(file, at, bytes, size);
    return DISK_DONE;
}

enum disk_outcome disk_file_write(int number, const void *bytes, size_t size, int64_t at)
{
    call(disk_of_file(number), DISK_WRITES);
    enter_disk(disk_of_file(number));
    const enum disk_outcome outcome = write_file(file_of(number), bytes, size, at);
    leave();
    return outcome;
}

bool disk_file_cut(int number, int64_t size)
{
    call(disk_of_file(number), DISK_WRITES);
    enter_disk(disk_of_file(number));
    const bool failed = is_cut() || fails();
    if (!failed) {
        note_change(file_of(number), size, NULL, 0);
    }
    leave();
    return !failed;
}

static bool sync_file(struct file *file)
{
    const bool failing = fails();
    if (is_cut() || failing) {
        for (size_t i = 0; i < file->change_count && failing; i++) {
            file->changes[i].dropped = true;
        }
        return false;
    }
    if (disk->sync_ignored) {
        return true;
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
    return true;
}

bool disk_file_sync(int number)
{
    call(disk_of_file(number), DISK_SYNCS);
    enter_disk(disk_of_file(number));
    const bool synced = sync_file(file_of(number));
    leave();
    return synced;
}

bool disk_file_size(int number, int64_t *size)
{
    enter_disk(disk_of_file(number));
    *size = (int64_t)file_of(number)->now.size;
    const bool failed = fails();
    leave();
    return !failed;
}

// Which files there are, but not what is in them.
static void sync_folder(void)
{
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        struct file *file = &disk->files[i];
        file->there_durably = file->there;
        if (!file->there) {
            forget_changes(file);
            file->durable.size = 0;
        }
    }
}

static enum disk_outcome delete_file(struct file *file, bool sync)
{
    if (!file || !file->there) {
        return DISK_NOT_THERE;
    }
    if (is_cut() || fails()) {
        return DISK_FAILED;
    }
    file->there = false;
    note_change(file, 0, NULL, 0);
    if (sync && !disk->sync_ignored) {
        sync_folder();
    }
    return DISK_DONE;
}

enum disk_outcome disk_file_delete(const char *name, bool sync)
{
    call(disk_of_name(name), DISK_SYNCS);
    enter_disk(disk_of_name(name));
    const enum disk_outcome outcome = delete_file(file_find(name), sync);
    leave();
    return outcome;
}

bool disk_file_there(const char *name, int64_t *size)
{
    enter_disk(disk_of_name(name));
    const struct file *file = file_find(name);
    const bool there = file && file->there;
    *size = there ? (int64_t)file->now.size : 0;
    leave();
    return there;
}

// ---------------------------------------------------------------------------------------------------------
// The test's side

void disk_use(uint32_t number)
{
    used_by_test = number;
    disk = &disks[number];
}

void disk_on_call(void (*hears)(uint32_t disk, enum disk_call call))
{
    on_call = hears;
}

bool disk_reserve(const char *name, uint64_t bytes)
{
    enter_disk(disk_of_name(name));
    const bool has_room = !is_cut() && !lacks_room(bytes);
    disk->reserved = has_room ? bytes : disk->reserved;
    leave();
    return has_room;
}

void disk_end(void)
{
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        if (disk->files[i].open > 0) {
            abort();
        }
        file_free(&disk->files[i]);
    }
    disk->cut = disk->sync_ignored = disk->failed = disk->fail_for_good = false;
    disk->cut_at = disk->fail_at = disk->calls = disk->changes = 0;
    disk->bounded = false;
    disk->room = disk->reserved = 0;
    disk->lacks = ENOSPC;
}

void disk_start(void)
{
    disk_end();
    vfs_register();
}

void disk_cut_at(uint64_t n)
{
    enter();
    disk->cut_at = n == 0 ? 0 : disk->changes + n;
    leave();
}

bool disk_is_cut(void)
{
    enter();
    const bool cut = disk->cut;
    leave();
    return cut;
}

void disk_sync_works(bool works)
{
    disk->sync_ignored = !works;
}

void disk_fail_at(uint64_t n, bool for_good)
{
    enter();
    disk->calls = 0;
    disk->fail_at = n;
    disk->fail_for_good = for_good;
    disk->failed = false;
    leave();
}

bool disk_has_failed(void)
{
    enter();
    const bool failed = disk->failed;
    leave();
    return failed;
}

void disk_lacks(int number)
{
    enter();
    disk->lacks = number;
    leave();
}

void disk_room(int64_t bytes)
{
    enter();
    disk->bounded = bytes >= 0;
    disk->room = bytes >= 0 ? (uint64_t)bytes : 0;
    leave();
}

uint64_t disk_used(void)
{
    enter();
    const uint64_t bytes = used();
    leave();
    return bytes;
}

// ---------------------------------------------------------------------------------------------------------
// The power comes back

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
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        if (disk->files[i].open > 0) {
            abort();
        }
        if (disk->files[i].name[0] != 0) {
            power_on_file(&disk->files[i], &random);
        }
    }
    disk->cut = false;
    disk->cut_at = 0;
}

// ---------------------------------------------------------------------------------------------------------
// Files between two openings

static struct file *nth(uint32_t n)
{
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        if (disk->files[i].there && n-- == 0) {
            return &disk->files[i];
        }
    }
    abort();
}

uint32_t disk_files(void)
{
    uint32_t count = 0;
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        count += disk->files[i].there;
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
        char name[DISK_NAME_SIZE];
        struct content content;
    } files[DISK_FILES_MAX];
};

struct disk_copy *disk_copy(void)
{
    struct disk_copy *copy = calloc(1, sizeof *copy);
    enter();
    for (int i = 0; i < DISK_FILES_MAX; i++) {
        if (disk->files[i].there) {
            memcpy(copy->files[copy->count].name, disk->files[i].name, DISK_NAME_SIZE);
            content_set(&copy->files[copy->count++].content, &disk->files[i].now);
        }
    }
    leave();
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
