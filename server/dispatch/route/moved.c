#include "dispatch/route/moved.h"

#include "cluster/cluster.h"
#include "dispatch/call.h"
#include "dispatch/permit/permit.h"
#include "host/home.h"
#include "host/names.h"
#include "host/registry.h"
#include "protocol/error.h"
#include "protocol/utf8/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void dispatch_no_world(struct protocol_error *error, const struct protocol_ref *ref)
{
    char what[PROTOCOL_FIELD_MAX];
    if (ref->id != 0)
        snprintf(what, sizeof what, "%" PRIu32, ref->id);
    else
        snprintf(what, sizeof what, "\"%.*s\"", (int)(ref->name.size < 80 ? ref->name.size : 80),
                 ref->name.size == 0 ? "" : ref->name.data);
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world", "no world %s; world.list lists them", what);
    snprintf(error->value, sizeof error->value, "%s", what);
    // The glance took the name as it came.
    protocol_utf8_clean(error->value, strlen(error->value));
}

uint32_t dispatch_cluster_id(struct cluster *cluster, const struct protocol_ref *ref)
{
    char name[HOST_NAME_SIZE];
    if (ref->id != 0 || ref->name.size >= sizeof name)
        return ref->id;
    host_name_copy(name, &ref->name);
    return cluster_find(cluster, name);
}

void dispatch_missing(const struct dispatch_server *server, const struct host_session *session,
                      const struct protocol_ref *ref, struct protocol_error *error)
{
    struct cluster *cluster = host_registry_cluster(server->registry);
    const uint32_t id = cluster != NULL ? dispatch_cluster_id(cluster, ref) : 0;
    const enum cluster_place place = id != 0 && dispatch_role(server, session, id) != PROTOCOL_ROLE_ANYONE
                                         ? cluster_where(cluster, id, NULL)
                                         : CLUSTER_NOWHERE;
    struct protocol_home home;
    char what[16], why[CLUSTER_TEXT_SIZE];
    snprintf(what, sizeof what, "%" PRIu32, id);
    if (place == CLUSTER_NOWHERE)
        dispatch_no_world(error, ref);
    else if (place == CLUSTER_ELSEWHERE && host_home_find(cluster, id, &home))
        protocol_error_moved(error, what, &home);
    else if (place == CLUSTER_FAILED && cluster_why(cluster, id, why))
        protocol_error_set(
            error, PROTOCOL_CODE_INTERNAL, "world",
            "world %s cannot be run by any server: %.200s; world.move says which is to try again", what, why);
    else
        protocol_error_set(error, PROTOCOL_CODE_BUSY, "world",
                           "world %s is on its way from one server to another; try again", what);
}
