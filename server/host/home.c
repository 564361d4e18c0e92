#include "host/home.h"

#include "protocol/error.h"
#include "protocol/utf8/utf8.h"

#include <stdio.h>
#include <string.h>

void host_home_of(const struct cluster_server *server, struct protocol_home *out)
{
    *out = (struct protocol_home){0};
    snprintf(out->server, sizeof out->server, "%s", server->name);
    snprintf(out->address, sizeof out->address, "%s%s", server->tls ? "tls://" : "", server->tcp);
    if (server->web[0] != '\0') {
        snprintf(out->web, sizeof out->web, "%s%s", server->tls ? "https://" : "http://", server->web);
    }
    protocol_utf8_clean(out->server, strlen(out->server));
    protocol_utf8_clean(out->address, strlen(out->address));
    protocol_utf8_clean(out->web, strlen(out->web));
}

bool host_home_find(struct cluster *cluster, uint32_t world, struct protocol_home *out)
{
    struct cluster_server server;
    *out = (struct protocol_home){0};
    if (cluster == NULL || cluster_where(cluster, world, &server) != CLUSTER_ELSEWHERE) {
        return false;
    }
    host_home_of(&server, out);
    return true;
}
