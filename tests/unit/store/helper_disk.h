// A disk in memory, as a table of file operations for SQLite, on which the power can be cut: what was written and not synced
// is then lost, kept, torn at sectors, or done in another order. Calls can be made to fail, and the room to end.
//
//     a file = what is durable + operations since then, in order; reading sees all of them
#ifndef WEFT_TESTS_HELPER_DISK_H
#define WEFT_TESTS_HELPER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK "weft-test-disk"

// There are several, each with its own power and room. Files whose names begin with /disk-N/ are on the one with that number, all
// others on the first. What follows is done to the one that was named last; to begin with, the first.
enum { DISKS = 8 };
void disk_use(uint32_t number);

// Told of each call before it is done, so that it may take its time. NULL: nobody is.
enum disk_call { DISK_READS, DISK_WRITES, DISK_SYNCS };
void disk_on_call(void (*hears)(uint32_t disk, enum disk_call call));

// Room that nothing is written into, in place of what it had; of the disk that the name is on. False: there is none.
bool disk_reserve(const char *name, uint64_t bytes);

void disk_start(void); // empty, with all as it should be. No file may be open.
void disk_end(void);

// The power goes at the n-th operation that changes something, from now on (0: never): it and all after it fail.
void disk_cut_at(uint64_t n);
bool disk_is_cut(void);
// The state of the disk then. No file may be open.
void disk_power_on(uint64_t seed);

void disk_sync_works(bool works); // false: syncs do nothing, and say that all is well
// The n-th call from now on fails, whatever it is (0: none); and those after it, if for good. A sync that fails leaves what
// it was to sync where a later one does not find it.
void disk_fail_at(uint64_t n, bool for_good);
bool disk_has_failed(void);
void disk_lacks(int number); // which errno a write gives from now on that finds no room; ENOSPC to begin with
void disk_room(int64_t bytes); // that all files together may have; -1: no bound
uint64_t disk_used(void);

// The files, for what is to be done to them between two openings.
uint32_t disk_files(void);
const char *disk_name(uint32_t file);
size_t disk_size(uint32_t file);
uint8_t *disk_bytes(uint32_t file);
void disk_truncate(uint32_t file, size_t size);
void disk_remove(uint32_t file);

struct disk_copy;
struct disk_copy *disk_copy(void);               // of all files as they are read now
void disk_restore(const struct disk_copy *copy); // no file may be open
void disk_copy_free(struct disk_copy *copy);

#endif
