// What the files of the registry share. Nobody else includes this.
#ifndef WEFT_HOST_REGISTRY_INTERNAL_H
#define WEFT_HOST_REGISTRY_INTERNAL_H

#include "base/thread.h"
#include "host/world_internal.h"

struct net_timer;
struct net_wake;

struct host_registry {
    struct net_loop *loop;
    struct host_runner *runner;
    struct net_wake *wake;
    struct net_timer *give_back; // NULL: no world was freed lately
    struct host_worlds worlds;
    struct base_mutex worlds_mutex;
    uint64_t tick_ns; // as world_options has it
    struct base_budget *frames;
    size_t lossless_bytes; // the same
    uint64_t hold_ns;      // the same
    uint32_t worlds_max;   // without views, of which there is room for as many as there may be
    uint32_t views;
    uint32_t sessions_max;
    struct store *store;
    uint64_t bin_seconds;
    uint32_t last_id;        // where there is no store
    struct host_totals past; // of worlds that are gone

    struct base_mutex mutex;
    struct host_world *first_signalled, *last_signalled;
};

// Where a world of this id is among all, or would be.
uint32_t host_registry_place(const struct host_registry *registry, uint32_t id);
// No turn of it runs or will. Any thread.
void host_world_free(struct host_world *world);
void host_world_idle(struct host_world *world); // removed, and its last turn has ended; any thread

#endif
