// Looks at a write-ahead log before SQLite does. SQLite takes the transactions before the first that does not
// fit, and goes on as if later ones had never been. That is right after a power cut, if that transaction was
// never synced. It is wrong if what was synced has been damaged since. The two can be told apart if a later
// transaction follows: none is begun before the one before it is synced.
#ifndef WEFT_STORE_WAL_H
#define WEFT_STORE_WAL_H

#include "store/vfs.h"

// Checks a log. FAULT_NONE, also if there is no such file; DAMAGED (*error says where); IO; MEMORY. *frames:
// for a log that is damaged in its middle, the number of its last frame that ends a transaction and is whole;
// else 0.
enum fault_code store_wal_check(const char *vfs, const char *path, uint64_t *frames,
                                struct store_error *error);

#endif
