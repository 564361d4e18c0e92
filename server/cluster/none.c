// The cluster of a build without brokers, such as a page: no cluster is opened, so there is none to ask, and each answer is that of
// a cluster without servers.
#include "cluster/cluster.h"

#include <stddef.h>
#include <stdio.h>

struct cluster *cluster_open(const struct cluster_options *options, char text[CLUSTER_TEXT_SIZE])
{
    (void)options;
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "this weftd was built without libnats, so it knows no brokers");
    return NULL;
}

void cluster_close(struct cluster *cluster)
{
    (void)cluster;
}

enum cluster_place cluster_where(struct cluster *cluster, uint32_t world, struct cluster_server *server)
{
    (void)cluster;
    (void)world;
    (void)server;
    return CLUSTER_NOWHERE;
}

bool cluster_why(struct cluster *cluster, uint32_t world, char text[CLUSTER_TEXT_SIZE])
{
    (void)cluster;
    (void)world;
    text[0] = 0;
    return false;
}

uint32_t cluster_find(struct cluster *cluster, const char *label)
{
    (void)cluster;
    (void)label;
    return 0;
}

bool cluster_label(struct cluster *cluster, uint32_t world, char label[CLUSTER_NAME_SIZE])
{
    (void)cluster;
    (void)world;
    label[0] = 0;
    return false;
}

struct cluster_world *cluster_worlds(struct cluster *cluster, uint32_t *count)
{
    (void)cluster;
    *count = 0;
    return NULL;
}

struct cluster_server *cluster_servers(struct cluster *cluster, uint32_t *count)
{
    (void)cluster;
    *count = 0;
    return NULL;
}

bool cluster_self(struct cluster *cluster, struct cluster_server *server)
{
    (void)cluster;
    (void)server;
    return false;
}

bool cluster_lightest(struct cluster *cluster, bool not_here, struct cluster_server *server)
{
    (void)cluster;
    (void)not_here;
    (void)server;
    return false;
}

bool cluster_heir(struct cluster *cluster, uint32_t world, struct cluster_server *server)
{
    (void)cluster;
    (void)world;
    (void)server;
    return false;
}

bool cluster_may_go(struct cluster *cluster, uint32_t world, const struct cluster_server *to)
{
    (void)cluster;
    (void)world;
    (void)to;
    return true;
}

bool cluster_server_named(struct cluster *cluster, const char *name, struct cluster_server *server)
{
    (void)cluster;
    (void)name;
    (void)server;
    return false;
}

bool cluster_fresh(struct cluster *cluster)
{
    (void)cluster;
    return true;
}

void cluster_counts(struct cluster *cluster, struct cluster_counts *counts)
{
    (void)cluster;
    *counts = (struct cluster_counts){0};
}

void cluster_tell(struct cluster *cluster, const struct cluster_load *load, bool draining)
{
    (void)cluster;
    (void)load;
    (void)draining;
}

void cluster_claim(struct cluster *cluster, uint32_t world, const char *label)
{
    (void)cluster;
    (void)world;
    (void)label;
}

void cluster_release(struct cluster *cluster, uint32_t world)
{
    (void)cluster;
    (void)world;
}

void cluster_look(struct cluster *cluster, uint32_t world)
{
    (void)cluster;
    (void)world;
}

void cluster_fail(struct cluster *cluster, uint32_t world, bool lasting, const char *why)
{
    (void)lasting;
    (void)cluster;
    (void)world;
    (void)why;
}

enum cluster_naming cluster_name(struct cluster *cluster, uint32_t world, const char *label)
{
    (void)cluster;
    (void)world;
    (void)label;
    return CLUSTER_AWAY;
}

void cluster_unname(struct cluster *cluster, uint32_t world, const char *label)
{
    (void)cluster;
    (void)world;
    (void)label;
}

bool cluster_send(struct cluster *cluster, uint32_t world, const char *run, char text[CLUSTER_TEXT_SIZE])
{
    (void)cluster;
    (void)world;
    (void)run;
    text[0] = 0;
    return false;
}

enum cluster_place cluster_take(struct cluster *cluster, uint32_t world, const char *label,
                                char text[CLUSTER_TEXT_SIZE])
{
    (void)cluster;
    (void)world;
    (void)label;
    text[0] = 0;
    return CLUSTER_NOWHERE;
}

void cluster_prepare(struct cluster *cluster, uint32_t world, const char *run)
{
    (void)cluster;
    (void)world;
    (void)run;
}

void cluster_give(struct cluster *cluster, uint32_t world, const char *run)
{
    (void)cluster;
    (void)world;
    (void)run;
}

bool cluster_next(struct cluster *cluster, struct cluster_event *event)
{
    (void)cluster;
    (void)event;
    return false;
}
