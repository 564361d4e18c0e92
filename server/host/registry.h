// The worlds of a server: by id and by name, from world.create to their end.
//
// Loop thread only, but for what the worlds themselves call (signals, which any thread may give).
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
struct document;
struct host_registry;
struct host_runner;
struct host_world;
struct host_worlds;
struct net_loop;
struct protocol_error;
struct store;

enum { HOST_NAME_SIZE = PROTOCOL_LIMIT_NAME_BYTES + 1 };

// Of a world that shows the past of another to one session.
struct host_view {
    uint32_t of;                    // the other; 0: this is a world by itself
    uint32_t session;               // nobody else may use it
    void (*on_gone)(void *context); // it has ended
    void *context;
};

// Who waits for an image of a world as it is: the caller's, until on_present is called. bytes: its own reference; NULL: there is none,
// since the world failed or ends, or there was no memory.
struct host_present_wait {
    struct host_present_wait *next;
    bool asked; // the image that is under way is for it
    void (*on_present)(struct host_present_wait *wait, struct base_buffer *bytes);
};

struct host_registry_limits {
    uint32_t worlds;      // at a time
    uint32_t sessions;    // that may ask of a world at a time
    struct store *store;  // keeps the worlds; NULL: nothing does
    uint64_t bin_seconds; // how long it has those that were deleted
    uint64_t tick_ns;     // that a tick may take before its world is slowed; 0: as much as it takes
    size_t frame_bytes;   // of all worlds and relayed streams together; 0: the limit of api.json
    size_t
        lossless_bytes; // backlogs of all lossless streams of a world; 0: the limit of api.json, and so below
    bool names_apart;   // no two worlds may be given names that look alike
    uint64_t hold_ns;   // that one of these may hold its world and take nothing
};

// on_signal runs on the loop soon after host_registry_next_signalled has something to give. NULL, with a
// log line, without memory.
struct host_registry *host_registry_create(struct net_loop *loop, struct host_runner *runner,
                                           const struct host_registry_limits *limits,
                                           void (*on_signal)(void *context), void *context);
// What the frames of all worlds are charged to; those of relayed streams are to be as well.
struct base_budget *host_registry_frames(const struct host_registry *registry);
// Destroys all worlds; the runner must have been destroyed before. NULL is allowed.
void host_registry_destroy(struct host_registry *registry);

// Makes a world with the settings given (generated struct of world.create, as decoded). NULL with *error:
// INVALID, CONFLICT (name taken), LIMIT (worlds), MEMORY.
struct host_world *host_registry_add(struct host_registry *registry,
                                     const struct protocol_world_create_params *settings,
                                     struct protocol_error *error);
// What a store is given of a document when it becomes a world. Any thread.
struct host_image {
    struct base_buffer *bytes; // NULL: there was no memory
    uint64_t hash;
};
struct host_image host_image_of(struct document *document); // of which nobody holds anything from now on
// The same for a world that a document describes, under this name (NULL: the default one). The document is emptied
// if the world is made, and is the caller's to destroy in any case. The image may be NULL: then it is made here.
struct host_world *host_registry_open(struct host_registry *registry, struct document *document,
                                      const struct host_image *image, const struct protocol_string *name,
                                      struct protocol_error *error);
// A view of a world: this document, which is emptied, is shown, and what world_post_document brings later. It has an id and
// counts as none of the worlds that there may be. NULL with *error: MEMORY, LIMIT (ids).
struct host_world *host_registry_show(struct host_registry *registry, const struct host_view *view,
                                      struct document *document, struct protocol_error *error);
// One that the store has, as it was there, under its id.
struct host_restored {
    uint32_t id;
    const char *name;
    struct document *document; // as in host_registry_open
    struct world_kept kept;
};
struct host_world *host_registry_restore(struct host_registry *registry, const struct host_restored *restored,
                                         struct protocol_error *error);
// on_kept once the world is durable as it was made and the servers that share worlds can know of it: at once where it need not wait.
// NULL: the server ends before, or the store does not take it; or, taken, its name is one that another server has given.
void host_registry_when_kept(struct host_world *world,
                             void (*on_kept)(void *context, const struct host_world *world, bool taken),
                             void *context);
// wait->on_present with an image of the world at a boundary that is still to come, after all that was posted to it, once all that it
// holds is durable.
void host_registry_when_present(struct host_world *world, struct host_present_wait *wait);
void host_registry_presented(struct host_world *world, struct base_buffer *bytes,
                             bool ends);              // takes the bytes; ends: no more come
void host_registry_kept(struct host_world *world);    // it is durable
void host_registry_claimed(struct host_world *world); // others can know of it
// It never will be: who waits for that is told, and the world ends. Nothing happens where nobody waits.
void host_registry_not_kept(struct host_world *world, bool taken);
// An open world. NULL if there is none.
struct host_world *host_registry_find(const struct host_registry *registry, const struct protocol_ref *ref);
// A closing one: what it waits for may be cut short by world.pause. NULL if there is none, or if it has ended and only its last
// words wait for a commit.
struct host_world *host_registry_find_closing(const struct host_registry *registry,
                                              const struct protocol_ref *ref);
const struct host_worlds *host_registry_worlds(const struct host_registry *registry); // for names (names.h)
struct store *host_registry_store(const struct host_registry *registry); // NULL: nothing keeps the worlds
uint64_t host_registry_bin_seconds(const struct host_registry *registry);
// By id, open or closing.
struct host_world *host_registry_find_any(const struct host_registry *registry, uint32_t id);
// All worlds by id, closing ones and views included.
uint32_t host_registry_count(const struct host_registry *registry);
uint32_t host_registry_views(const struct host_registry *registry); // how many of them are
struct host_world *host_registry_at(const struct host_registry *registry, uint32_t position);

// The server goes down: all worlds refuse edits and cut running steps short.
void host_registry_shutdown(const struct host_registry *registry);

void host_registry_close(struct host_world *world);
// The same for a world that another server has: it ends here, and what the store has of it stays. lost: it was taken, so nothing
// that waits for the store is answered any more.
void host_registry_leave(struct host_world *world, bool lost);
// Before its first world: it is one of several servers that share worlds.
void host_registry_join(struct host_registry *registry, struct cluster *cluster);
struct cluster *host_registry_cluster(const struct host_registry *registry); // NULL: none
// False: others may have its worlds by now, so nothing is told of them before that is known (cluster_fresh).
bool host_registry_fresh(const struct host_registry *registry);
// Frees the world, at once or when its turn has ended. The pointer is not the caller's after this. Views of it end.
void host_registry_remove(struct host_world *world);

// A world that has output, or NULL. It is taken from the list: the caller empties its outbox, or signals it
// again.
struct host_world *host_registry_next_signalled(struct host_registry *registry);
void host_registry_signal(struct host_world *world); // any thread

struct host_totals {
    uint64_t ticks, ticks_late, lateness_max_us, frames_dropped, frames_slow;
    uint64_t lateness_us, time_lost_us;
    double held_s; // waiting for lossless streams
    double phase_s[WORLD_PHASE_COUNT];
};
// Of all worlds, deleted ones included.
void host_registry_totals(const struct host_registry *registry, struct host_totals *totals);

#endif
