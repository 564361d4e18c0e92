// Where a world of the cluster is to be found by clients.
#ifndef WEFT_HOST_HOME_H
#define WEFT_HOST_HOME_H

#include "cluster/cluster.h"

#include <stdbool.h>
#include <stdint.h>

struct protocol_home;

void host_home_of(const struct cluster_server *server, struct protocol_home *out);
// False: it runs on no other server that is known. cluster may be NULL.
bool host_home_find(struct cluster *cluster, uint32_t world, struct protocol_home *out);

#endif
