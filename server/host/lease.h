// Follows the cluster for the worlds of this server: opens those that become its own, ends those that are no
// longer, and moves worlds to other servers. Loop thread only, except for what the cluster's threads call.
//
//     cluster ──ours──▶ fetched from the store, beside the loop ──▶ registry
//             ──lost──▶ left
//     move:   an image for the store ─▶ the other server fetches ─▶ it is frozen ─▶ all durable ─▶ given ─▶ left
//             the world runs during this long part                 └──── stopped ────┘
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
    const char *brokers; // as in store_options, and so are the next four
    const char *authorities, *credentials;
    const char *certificate, *key;
    const char *data;             // the data folder, with its id (host_folder_id)
    const char *name, *tcp, *web; // of this server: name, and addresses as clients reach it
    bool tls;                     // both addresses use TLS
    struct store *store;
};

// Joins the cluster, but does nothing else before host_lease_start. NULL with text.
struct host_lease *host_lease_create(struct net_loop *loop, const struct host_lease_options *options,
                                     char text[CLUSTER_TEXT_SIZE]);
struct cluster *host_lease_cluster(struct host_lease *lease);
// Starts to follow the cluster. Called once the worlds of the store have come back. False if memory runs out.
bool host_lease_start(struct host_lease *lease, struct host_keeping *keeping, struct host_registry *registry,
                      struct host_sessions *sessions);
// Ends all moves, because the server goes down: worlds stay here. NULL is allowed, also below.
void host_lease_end_moves(struct host_lease *lease);
// Stops all work in the store for other servers.
void host_lease_stop(struct host_lease *lease);
// Leaves the cluster, when the store is closed: other servers know from now on that this one has ended.
void host_lease_destroy(struct host_lease *lease);

// Whether a world can move there now. False with *error: CONFLICT.
bool host_lease_may_move(const struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                         struct protocol_error *error);
// Moves a world for which host_lease_may_move is true. on_done (it may be NULL) is called once, unless the server ends
// before. Its error is NULL if the other server has the world.
void host_lease_move(struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                     void (*on_done)(void *context, const struct protocol_error *error), void *context);
// Moves every world to the least-loaded server, and accepts no new ones. on_empty is called when no world is
// left that could go, when no server takes worlds, or after most_ms.
void host_lease_drain(struct host_lease *lease, uint32_t most_ms, void (*on_empty)(void *context),
                      void *context);

struct host_lease_counts {
    uint64_t moves, moves_failed;
    double stop_max_s; // longest time in seconds that a world was frozen for a move
};
void host_lease_counts(const struct host_lease *lease, struct host_lease_counts *counts);

// ---------------------------------------------------------------------------------------------------------
// folder_id.c: the id of a folder of worlds, in a file of its own beside the store's

enum { HOST_FOLDER_ID_SIZE = 17 }; // 16 hex digits

// Reads the id, or makes one. Only one server at a time uses a folder, so a server that finds worlds of an earlier run on
// the same folder knows that this run has ended. False if the id can neither be read nor made.
bool host_folder_id(const char *folder, char id[HOST_FOLDER_ID_SIZE]);

#endif
