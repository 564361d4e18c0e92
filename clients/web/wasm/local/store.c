// The store's folders: a page has none, so what it keeps is in memory.
#include "store/backend.h"
#include "store/sqlite.h"

struct store *store_sqlite_open(const struct store_options *options, const char *vfs,
                                struct store_error *error)
{
    (void)vfs;
    store_fail(error, STORE_IO, 0, 0, "%s: there are no folders in a page", options->folder);
    return NULL;
}
