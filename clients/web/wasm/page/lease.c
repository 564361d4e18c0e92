// host/lease.h in a page, which shares its worlds with no server.
#include "host/lease.h"

#include "base/assert.h"

#include <stddef.h>

struct cluster *host_lease_cluster(struct host_lease *lease)
{
    BASE_ASSERT(!lease);
    return NULL;
}

bool host_lease_may_move(const struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                         struct protocol_error *error)
{
    (void)lease;
    (void)world;
    (void)to;
    (void)error;
    BASE_ASSERT(false); // there is no server to go to
}

void host_lease_move(struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                     void (*on_done)(void *context, const struct protocol_error *error), void *context)
{
    (void)lease;
    (void)world;
    (void)to;
    (void)on_done;
    (void)context;
    BASE_ASSERT(false);
}

// None is ever created, so nothing below is called with one.
bool host_lease_start(struct host_lease *lease, struct host_keeping *keeping, struct host_registry *registry,
                      struct host_sessions *sessions)
{
    (void)lease;
    (void)keeping;
    (void)registry;
    (void)sessions;
    BASE_ASSERT(false);
    return false;
}

void host_lease_end_moves(struct host_lease *lease)
{
    BASE_ASSERT(!lease);
}

void host_lease_stop(struct host_lease *lease)
{
    BASE_ASSERT(!lease);
}

void host_lease_destroy(struct host_lease *lease)
{
    BASE_ASSERT(!lease);
}
