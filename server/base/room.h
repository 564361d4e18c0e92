// "No room": one rule for all writes to files. A full disk, a quota, and the process's limit on the size of files are the same
// thing here: a write does not fit now, and may fit later.
#ifndef WEFT_BASE_ROOM_H
#define WEFT_BASE_ROOM_H

#include <stdbool.h>

// Ignores SIGXFSZ: a write beyond RLIMIT_FSIZE then fails with EFBIG, and does not end the process. Called once, at the start.
void base_room_start(void);
// Whether the errno of a write says that there is no room: ENOSPC, EDQUOT or EFBIG.
bool base_room_lacks(int number);

#endif
