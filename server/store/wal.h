// Looks at a write-ahead log before SQLite does. SQLite takes the transactions up to the first that does not fit, and goes
// on as if those after it had never been: right after a power cut, when that one was never synced, and wrong when
// what was synced has been damaged since. The two can be told apart where a later transaction stands behind it: none is
// begun before the one before it is synced.
#ifndef WEFT_STORE_WAL_H
#define WEFT_STORE_WAL_H

#include "store/vfs.h"

// STORE_OK, DAMAGED (*error says where), IO, MEMORY. OK if there is no such file. *frames, of a log that is damaged in its
// middle: the number of its last frame that ends a transaction and is whole; else 0.
enum store_status store_wal_check(const char *vfs, const char *path, uint64_t *frames,
                                  struct store_error *error);

#endif
