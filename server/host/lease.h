// What a cluster of servers means for the worlds of this one: those that become its own are opened, those that are no longer end
// here, and those that are to go elsewhere go. Loop thread only, but for what the cluster's threads call.
//
//     cluster ──ours──▶ fetched from the store, beside the loop ──▶ registry
//             ──lost──▶ left
//     move:   an image for the store ─▶ the other fetches ─▶ it stands still ─▶ all durable ─▶ given ─▶ left
//             goes on as ever while all that takes long is done   └────── stopped ──────┘
#ifndef WEFT_HOST_LEASE_H
#define WEFT_HOST_LEASE_H

#include "cluster/cluster.h"

#include <stdbool.h>
#include <stdint.h>

struct host_keeping;
struct host_lease;
struct host_registry;
struct host_sessions;
struct net_loop;
struct protocol_error;
struct store;

struct host_lease_options {
    const char *brokers;                   // as those of the store
    const char *authorities, *credentials; // the same
    const char *certificate, *key;
    const char *data; // folder of worlds, where the id of the folder is kept
    const char *name, *tcp, *web;
    bool tls;
    struct store *store;
};

// NULL with a text. Nothing of it comes before host_lease_start.
struct host_lease *host_lease_create(struct net_loop *loop, const struct host_lease_options *options,
                                     char text[CLUSTER_TEXT_SIZE]);
struct cluster *host_lease_cluster(struct host_lease *lease);
// When the worlds of the store have come back.
bool host_lease_start(struct host_lease *lease, struct host_keeping *keeping, struct host_registry *registry,
                      struct host_sessions *sessions);
// The server goes down: what is on its way stays. NULL is allowed, and below.
void host_lease_end_moves(struct host_lease *lease);
// Nothing more is done in the store for others.
void host_lease_stop(struct host_lease *lease);
// When the store is closed: others know from now on that this server is over.
void host_lease_destroy(struct host_lease *lease);

// Whether a world can go there now. False with *error: CONFLICT.
bool host_lease_may_move(const struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                         struct protocol_error *error);
// One that can goes. on_done, which may be NULL, is called once, unless the server ends before; error NULL: the other has it.
void host_lease_move(struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                     void (*on_done)(void *context, const struct protocol_error *error), void *context);
// All worlds go, to who has least to do, and none comes. on_empty once none is left here that could go, or nobody is there who takes
// one, or after so long.
void host_lease_drain(struct host_lease *lease, uint32_t most_ms, void (*on_empty)(void *context),
                      void *context);

struct host_lease_counts {
    uint64_t moves, moves_failed;
    double stop_max_s; // that a world stood still here
};
void host_lease_counts(const struct host_lease *lease, struct host_lease_counts *counts);

#endif
