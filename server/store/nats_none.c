// Refuses to open the backend, because the client library of NATS was missing when this was built.
#include "store/nats.h"

struct store *store_nats_open(const struct store_options *options, struct store_error *error)
{
    (void)options;
    store_fail(error, FAULT_IO, 0, 0, "this weftd was built without libnats, so it knows no brokers");
    return NULL;
}
