// Which server runs a world that this one has not, as the cluster knows it: for calls that are passed on.
#include "instance/instance.h"

#include "cluster/cluster.h"
#include "host/names.h"
#include "host/registry.h"
#include "relay/relay.h"

#include <stdio.h>
#include <string.h>

static uint32_t id_of(struct cluster *cluster, const struct protocol_ref *world)
{
    char name[HOST_NAME_SIZE];
    if (world->id != 0 || world->name.size == 0 || world->name.size >= sizeof name)
        return world->id;
    host_name_copy(name, &world->name);
    return cluster_find(cluster, name);
}

bool instance_where(void *context, const struct protocol_ref *world, struct relay_place *place)
{
    const struct host_registry *registry = context;
    struct cluster *cluster = host_registry_cluster(registry);
    struct cluster_server server;
    const uint32_t id = cluster != NULL ? id_of(cluster, world) : 0;
    if (id == 0)
        return false;
    *place = (struct relay_place){.world = id};
    switch (cluster_where(cluster, id, &server)) {
    case CLUSTER_ELSEWHERE:
        if (strlen(server.tcp) >= sizeof place->address)
            return false;
        place->tls = server.tls;
        snprintf(place->address, sizeof place->address, "%s", server.tcp);
        return true;
    case CLUSTER_BETWEEN:
        return true;   // it is asked again
    case CLUSTER_HERE: // on its way here, or from here
        return host_registry_find(registry, &(struct protocol_ref){.id = id}) == NULL;
    default:
        return false;
    }
}
