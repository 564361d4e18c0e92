// Worlds that are not here: there is none, or another server of the cluster runs it.
#ifndef WEFT_DISPATCH_ROUTE_MOVED_H
#define WEFT_DISPATCH_ROUTE_MOVED_H

#include <stdint.h>

struct cluster;
struct dispatch_server;
struct host_session;
struct protocol_error;
struct protocol_ref;

void dispatch_no_world(struct protocol_error *error, const struct protocol_ref *ref); // NOT_FOUND
// As the cluster knows it; 0: not at all.
uint32_t dispatch_cluster_id(struct cluster *cluster, const struct protocol_ref *ref);
// Of a world that is not here: MOVED, with where it is; BUSY, where it is on its way; INTERNAL, where no server can run it; else NOT_FOUND. Who may not look at it is told
// the last.
void dispatch_missing(const struct dispatch_server *server, const struct host_session *session,
                      const struct protocol_ref *ref, struct protocol_error *error);

#endif
