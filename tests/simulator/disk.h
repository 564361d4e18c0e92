// Disks of simulated servers: those in memory of tests/unit/store/helper_disk.h, on the simulated clock. The folder of server N is
// /disk-N/data. A disk can be slow, full, fail, and lose its power; what is left of it then is drawn.
#ifndef WEFT_SIMULATOR_DISK_H
#define WEFT_SIMULATOR_DISK_H

#include <stdint.h>

enum { DISK_FOLDER_SIZE = 32 };

void disks_start(void); // all are empty. In a fiber; no file may be open
void disks_end(void);

void disks_folder(uint32_t disk, char out[DISK_FOLDER_SIZE]);
// How long a write and a sync take from now on, at most; what each takes is drawn.
void disks_slow(uint32_t disk, uint64_t write_ns, uint64_t sync_ns);

#endif
