// Tells clients where a world of the cluster runs. Loop thread only.
#ifndef WEFT_HOST_HOME_H
#define WEFT_HOST_HOME_H

#include "cluster/cluster.h"

#include <stdbool.h>
#include <stdint.h>

struct protocol_home;

// Fills *out with the name and the addresses of a server.
void host_home_of(const struct cluster_server *server, struct protocol_home *out);
// Finds the other server that runs a world. False: no other server is known to. cluster may be NULL.
bool host_home_find(struct cluster *cluster, uint32_t world, struct protocol_home *out);

#endif
