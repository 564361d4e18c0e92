#include "disk.h"

#include "fibers.h"
#include "helper_disk.h"
#include "helper_vfs.h"

#include "base/clock.h"
#include "host/lease.h"
#include "store/backend.h"
#include "store/place.h"
#include "store/reserve.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static struct slowness {
    uint64_t write_ns, sync_ns;
} slow[DISKS];

static void on_call(uint32_t disk, enum disk_call call)
{
    const uint64_t most_ns = call == DISK_READS    ? 0
                             : call == DISK_WRITES ? slow[disk].write_ns
                                                   : slow[disk].sync_ns;
    if (most_ns > 0) {
        fibers_sleep_until(base_now_ns() + fibers_draw() % most_ns);
    }
}

static void sleep_us(int us)
{
    fibers_sleep_until(base_now_ns() + (uint64_t)us * 1000);
}

static void draw_bytes(void *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)out)[i] = (uint8_t)fibers_draw();
    }
}

void disks_start(void)
{
    vfs_register();
    (void)sqlite3_vfs_register(sqlite3_vfs_find(DISK), 1); // for whoever names none
    vfs_stand_on(sleep_us, draw_bytes);
    sqlite3_randomness(0, NULL); // what it draws begins again, of what it is given here
    disk_on_call(on_call);
    memset(slow, 0, sizeof slow);
    for (uint32_t disk = 0; disk < DISKS; disk++) {
        disk_use(disk);
        disk_start();
    }
    disk_use(0);
}

void disks_end(void)
{
    for (uint32_t disk = 0; disk < DISKS; disk++) {
        disk_use(disk);
        disk_end();
    }
    disk_use(0);
    disk_on_call(NULL);
    vfs_stand_on(NULL, NULL);
}

void disks_folder(uint32_t disk, char out[DISK_FOLDER_SIZE])
{
    (void)snprintf(out, DISK_FOLDER_SIZE, "/disk-%u/data", disk);
}

void disks_slow(uint32_t disk, uint64_t write_ns, uint64_t sync_ns)
{
    slow[disk] = (struct slowness){write_ns, sync_ns};
}

// ---------------------------------------------------------------------------------------------------------
// store/place.h: folders are there, and have their paths from the root

enum fault_code store_place_make(const char *path, struct store_error *error)
{
    return path[0] == '/' ? FAULT_NONE
                          : store_fail(error, FAULT_IO, 0, 0, "cannot make %s: it is on no disk", path);
}

char *store_place_absolute(const char *path)
{
    return strdup(path);
}

// ---------------------------------------------------------------------------------------------------------
// host/folder_id.c: as many ids as there are disks

bool host_folder_id(const char *folder, char id[HOST_FOLDER_ID_SIZE])
{
    unsigned number = 0;
    const bool right = sscanf(folder, "/disk-%2u/", &number) == 1;
    (void)snprintf(id, HOST_FOLDER_ID_SIZE, "%016x", number);
    return right;
}

// ---------------------------------------------------------------------------------------------------------
// store/reserve.h: room that is counted, and nothing in it

bool store_reserve_hold(struct store_reserve *reserve)
{
    if (reserve->held || reserve->bytes == 0) {
        return true;
    }
    reserve->held = disk_reserve(reserve->path, reserve->bytes);
    errno = ENOSPC;
    return reserve->held;
}

bool store_reserve_release(struct store_reserve *reserve)
{
    const bool held = reserve->held;
    reserve->held = false;
    return held && disk_reserve(reserve->path, 0);
}
