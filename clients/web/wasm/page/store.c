// The store's folders and brokers: a page has none, so what it keeps is in memory.
#include "store/backend.h"
#include "store/nats.h"
#include "store/sqlite.h"

struct store *store_sqlite_open(const struct store_options *options, const char *vfs,
                                struct store_error *error)
{
    (void)vfs;
    store_fail(error, FAULT_IO, 0, 0, "%s: there are no folders in a page", options->folder);
    return NULL;
}

struct store *store_nats_open(const struct store_options *options, struct store_error *error)
{
    store_fail(error, FAULT_IO, 0, 0, "%s: there are no brokers in a page", options->brokers);
    return NULL;
}
