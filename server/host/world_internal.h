// A world in the registry, as the files of host see it. Those above ask world.h.
#ifndef WEFT_HOST_WORLD_INTERNAL_H
#define WEFT_HOST_WORLD_INTERNAL_H

#include "access/access.h"
#include "host/gate.h"
#include "host/leaving.h"
#include "host/notices.h"
#include "host/registry.h"
#include "host/world.h"

#include <stdbool.h>
#include <stdint.h>

struct base_mutex;
struct cluster;
struct host_presence;
struct host_reservation;
struct host_runner_entry;
struct store;
struct world;
struct world_event;

struct host_world {
    uint32_t id;
    char name[HOST_NAME_SIZE];       // empty: none of its own (views)
    struct access_likeness likeness; // likeness of the name, if names must not look alike
    struct world *world;
    struct host_gate gate;
    struct host_notices notices;
    struct host_presence *presence; // NULL: no session ever joined
    bool closing;
    bool charged;                   // it counts for the person who made it
    bool elsewhere;                 // it closes because another server has it
    struct host_leaving leaving;    // requests for that server, to be asked when the world is gone
    uint32_t control;               // session that plays and pauses it; 0: each session with the role
    uint32_t control_told;          // value of `control` that members were told
    uint64_t starved_ns;            // when connections were last cut for this world's frames
    struct world_event *last_reply; // reply to world.delete; NULL: it was not deleted
    struct host_registry *registry;
    const struct host_worlds *worlds; // all worlds
    struct store *store;              // keeps the world under its id; NULL: nothing is kept
    // Called when it is durable as it was made and other servers know of it; NULL: nobody waits for that.
    void (*on_kept)(void *context, const struct host_world *world, bool taken);
    void *on_kept_context;
    bool stored, claimed; // it is durable; other servers know of it
    // Waits for images of its present state, the first that was asked for first. NULL: there are none.
    struct host_present_wait *present_waits;
    struct host_runner_entry *entry;
    struct host_view view;
    struct host_reservation *reservations; // in names.c
    uint32_t last_reservation;

    // Guarded by the registry's mutex.
    bool signalled;
    bool idle; // removed, and no turn runs
    struct host_world *next_signalled;
};

// All worlds of a registry, by ascending id.
struct host_worlds {
    struct host_world **items;
    uint32_t count, most;
    bool apart;              // no two of them may be given names that look alike
    struct cluster *cluster; // cluster of servers that share them; NULL: this server is alone
    // Held by a thread that changes which worlds there are, their names, or which of them close, and by
    // simulation threads that ask for a name (names.h).
    struct base_mutex *mutex;
};

#endif
