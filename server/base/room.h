// Files that cannot grow: one rule for all that is written. A disk without room, a quota and a limit of the process on the
// size of files are the same thing: what is written does not fit now, and may fit later.
#ifndef WEFT_BASE_ROOM_H
#define WEFT_BASE_ROOM_H

#include <stdbool.h>

// A write beyond the limit on the size of files (RLIMIT_FSIZE) fails with EFBIG from now on, and does not end the process.
void base_room_start(void);
bool base_room_lacks(
    int number); // whether this errno of a write says that there is no room: ENOSPC, EDQUOT, EFBIG

#endif
