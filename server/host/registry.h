// Keeps the worlds of a server by id and by name, from world.create to their end.
//
// Loop thread only, except for what the worlds themselves call (signals, which any thread may give).
//
//     create ─▶ open ──close (world.delete is posted)──▶ closing ──remove (WORLD_DELETED)──▶ freed, once no
//               found by id and name                     found only         turn of it runs
//                                                        if asked for
#ifndef WEFT_HOST_REGISTRY_H
#define WEFT_HOST_REGISTRY_H

#include "protocol/generated/api.h"
#include "protocol/types.h"
#include "world/world.h"

#include <stdbool.h>
#include <stdint.h>

struct base_buffer;
struct cluster;
struct cluster_server;
struct document;
struct host_registry;
struct host_runner;
struct host_world;
struct host_worlds;
struct net_loop;
struct protocol_error;
struct protocol_home;
struct store;

enum { HOST_NAME_SIZE = PROTOCOL_LIMIT_NAME_BYTES + 1 };

// A view: a world that shows the past of another to one session.
struct host_view {
    uint32_t of;                    // the other world; 0: this world is no view
    uint32_t session;               // no other session may use it
    void (*on_gone)(void *context); // the view has ended
    void *context;
};

// A wait for an image of a world's present state. The caller owns it, and it must live until on_present is called.
// on_present gets a reference to the bytes; NULL: there is no image, because the world failed or ends, or memory ran out.
struct host_present_wait {
    struct host_present_wait *next; // private
    bool asked;                     // private: the image that is being made is for it
    void (*on_present)(struct host_present_wait *wait, struct base_buffer *bytes);
};

struct host_registry_limits {
    uint32_t worlds;      // most worlds at a time
    uint32_t sessions;    // most sessions that use a world at a time
    struct store *store;  // keeps the worlds; NULL: nothing is kept
    uint64_t bin_seconds; // how long the store keeps deleted worlds
    uint64_t tick_ns;     // time that a tick may take before its world is slowed; 0: no bound
    // Bytes of frames of all worlds and relayed streams together; 0: the limit of api.json.
    size_t frame_bytes;
    // Bytes of the backlogs of all lossless streams of a world; 0: the limit of api.json, as below.
    size_t lossless_bytes;
    bool names_apart; // no two worlds may be given names that look alike
    uint64_t hold_ns; // time that one of these streams may hold its world while it takes nothing
};

// Creates a registry. on_signal is called on the loop when worlds have output (host_registry_next_signalled). NULL, with
// a log line, if memory runs out.
struct host_registry *host_registry_create(struct net_loop *loop, struct host_runner *runner,
                                           const struct host_registry_limits *limits,
                                           void (*on_signal)(void *context), void *context);
// Returns the budget to which frames of all worlds are charged. Frames of relayed streams must be charged to
// it too.
struct base_budget *host_registry_frames(const struct host_registry *registry);
// Destroys all worlds. The runner must have been destroyed before. NULL is allowed.
void host_registry_destroy(struct host_registry *registry);

// Makes a world with these settings (generated struct of world.create, as decoded). NULL with *error:
// INVALID, CONFLICT (name taken), LIMIT (worlds), MEMORY.
struct host_world *host_registry_add(struct host_registry *registry,
                                     const struct protocol_world_create_params *settings,
                                     struct protocol_error *error);
// The image that a store is given when a document becomes a world. Any thread.
struct host_image {
    struct base_buffer *bytes; // NULL: memory ran out
    uint64_t hash;
};
// Ends all grabs of the document, and makes its image.
struct host_image host_image_of(struct document *document);
// Makes a world of a document, under this name (NULL: the default one). The document is emptied if the world
// is made, and the caller destroys it in any case. The image may be NULL: then it is made here. NULL with
// *error, as above.
struct host_world *host_registry_open(struct host_registry *registry, struct document *document,
                                      const struct host_image *image, const struct protocol_string *name,
                                      struct protocol_error *error);
// Makes a view of a world. It shows this document, which is emptied, and later those of world_post_document.
// It has an id, and does not count as one of the worlds that there may be. NULL with *error: MEMORY, LIMIT
// (ids).
struct host_world *host_registry_show(struct host_registry *registry, const struct host_view *view,
                                      struct document *document, struct protocol_error *error);
// A world that comes back from the store, under its id.
struct host_restored {
    uint32_t id;
    const char *name;
    struct document *document; // as in host_registry_open
    struct world_kept kept;
};
// Adds a world from the store. NULL with *error, as above.
struct host_world *host_registry_restore(struct host_registry *registry, const struct host_restored *restored,
                                         struct protocol_error *error);
// Calls on_kept when a new world is durable and its keys in the cluster are written; at once if neither is needed. world
// is NULL if the server ends before, the store does not take it, or (taken) another server has given its name to
// another world.
void host_registry_when_kept(struct host_world *world,
                             void (*on_kept)(void *context, const struct host_world *world, bool taken),
                             void *context);
// Calls wait->on_present with an image of the world at a later boundary, after all that was posted to it,
// when all that the image holds is durable.
void host_registry_when_present(struct host_world *world, struct host_present_wait *wait);
// Passes an image to those that wait, and takes the reference to the bytes. ends: no more images come.
void host_registry_presented(struct host_world *world, struct base_buffer *bytes, bool ends);
void host_registry_kept(struct host_world *world);    // the new world is durable
void host_registry_claimed(struct host_world *world); // its keys in the cluster are written
// The new world will never be kept: calls on_kept with NULL, and ends the world. Does nothing if nobody waits.
void host_registry_not_kept(struct host_world *world, bool taken);
// Finds an open world. NULL: there is none.
struct host_world *host_registry_find(const struct host_registry *registry, const struct protocol_ref *ref);
// Finds a closing world, so that world.pause can cut short the step that it waits for. NULL if there is none, or it has
// ended and only its last answers wait for a commit.
struct host_world *host_registry_find_closing(const struct host_registry *registry,
                                              const struct protocol_ref *ref);
const struct host_worlds *host_registry_worlds(const struct host_registry *registry); // for names (names.h)
struct store *host_registry_store(const struct host_registry *registry);              // NULL: nothing is kept
uint64_t host_registry_bin_seconds(const struct host_registry *registry);
// Finds a world by id, open or closing.
struct host_world *host_registry_find_any(const struct host_registry *registry, uint32_t id);
// Counts all worlds, closing ones and views included. host_registry_at returns them by ascending id.
uint32_t host_registry_count(const struct host_registry *registry);
uint32_t host_registry_views(const struct host_registry *registry); // number of views
struct host_world *host_registry_at(const struct host_registry *registry, uint32_t position);

// Makes all worlds refuse edits and cut running steps short, because the server goes down.
void host_registry_shutdown(const struct host_registry *registry);

// Closes a world: it is found no longer, and its name is free. The caller posts world.delete.
void host_registry_close(struct host_world *world);
// Closes a world that another server runs now: it ends here, and the store keeps it. lost: the other server took it,
// so answers that wait for the store are refused. A world that is still being made counts as made.
void host_registry_leave(struct host_world *world, bool lost);
// Makes this server one of several that share worlds, before its first world.
void host_registry_join(struct host_registry *registry, struct cluster *cluster);
struct cluster *host_registry_cluster(const struct host_registry *registry); // NULL: this server is alone
// False if other servers may have taken its worlds, so that nothing may be sent about them now (cluster_fresh).
bool host_registry_fresh(const struct host_registry *registry);
// Frees the world, at once or when its turn has ended. The caller must not use the pointer after this. Its
// views end.
void host_registry_remove(struct host_world *world);

// Returns a world that has output and takes it off the list: the caller empties its outbox, or signals it
// again. NULL: there is none.
struct host_world *host_registry_next_signalled(struct host_registry *registry);
void host_registry_signal(struct host_world *world); // any thread

struct host_totals {
    uint64_t ticks, ticks_late, lateness_max_us, frames_dropped, frames_slow;
    uint64_t lateness_us, time_lost_us;
    double held_s; // seconds of waiting for lossless streams
    double phase_s[WORLD_PHASE_COUNT];
};
// Sums up all worlds, deleted ones included.
void host_registry_totals(const struct host_registry *registry, struct host_totals *totals);

// ---------------------------------------------------------------------------------------------------------
// Worlds of other servers

// Fills *out with the name and the addresses of a server.
void host_home_of(const struct cluster_server *server, struct protocol_home *out);
// Finds the other server that runs a world. False: no other server is known to. cluster may be NULL.
bool host_home_find(struct cluster *cluster, uint32_t world, struct protocol_home *out);

#endif
