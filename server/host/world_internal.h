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
    char name[HOST_NAME_SIZE];       // empty: it has none of its own (views)
    struct access_likeness likeness; // of the name, where names have to be told apart
    struct world *world;
    struct host_gate gate;
    struct host_notices notices;
    struct host_presence *presence; // NULL: nobody ever joined
    bool closing;
    bool charged;                   // it counts for the person who made it
    bool elsewhere;                 // it closes, for another server has it
    struct host_leaving leaving;    // what is to be asked of that once this is gone
    uint32_t control;               // session that plays and pauses it; 0: whose role it is
    uint32_t control_told;          // to those who joined
    uint64_t starved_ns;            // when connections were last cut for this world's frames
    struct world_event *last_reply; // to whoever deleted it; NULL: it was not deleted
    struct host_registry *registry;
    const struct host_worlds *worlds; // all of them
    struct store *store;              // keeps it under its id; NULL: nothing does
    // Once it is durable as it was made, and others know of it; NULL: nobody waits for that.
    void (*on_kept)(void *context, const struct host_world *world, bool taken);
    void *on_kept_context;
    bool stored, claimed; // of these two each
    struct host_present_wait
        *present_waits; // for an image of what it is, the first asked for before the others; NULL: nobody
    struct host_runner_entry *entry;
    struct host_view view;
    struct host_reservation *reservations; // names.c
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
    struct cluster *cluster; // of servers that share them; NULL: there is this one alone
    // Held by whoever changes which worlds there are, their names, or which of them close; and by simulation threads that
    // ask for a name (names.h).
    struct base_mutex *mutex;
};

#endif
