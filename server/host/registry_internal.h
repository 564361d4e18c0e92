// Declares what the files of the registry share. No other file includes this.
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
    uint64_t tick_ns; // as in world_options
    struct base_budget *frames;
    size_t lossless_bytes; // as in world_options
    uint64_t hold_ns;      // as in world_options
    uint32_t worlds_max;   // without views, for which there is room besides
    uint32_t views;
    uint32_t sessions_max;
    struct store *store;
    uint64_t bin_seconds;
    uint32_t last_id;        // used without a store
    struct host_totals past; // of worlds that are gone

    struct base_mutex mutex;
    struct host_world *first_signalled, *last_signalled;
};

// Returns the index of the world with this id among all, or the index that it would have.
uint32_t host_registry_place(const struct host_registry *registry, uint32_t id);
// Frees a world. No turn of it runs or will run. Any thread.
void host_world_free(struct host_world *world);
// Tells that a removed world's last turn has ended. Any thread.
void host_world_idle(struct host_world *world);

#endif
