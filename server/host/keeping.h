// What keeps the worlds of a server: the store, word of what has become durable there, and worlds that come back from it.
// Loop thread only, but for what the store's thread calls.
//
//     worlds ──records, marks, images──▶ store ──committed──▶ [list, position]… ──wake──▶ loop: gates open
#ifndef WEFT_HOST_KEEPING_H
#define WEFT_HOST_KEEPING_H

#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct host_keeping;
struct host_registry;
struct net_loop;

struct host_keeping_options {
    const char *folder; // NULL: worlds live in memory
    uint64_t keep_seconds, keep_bytes, bin_seconds;
    uint32_t worlds; // at a time, at most
};

// NULL with *error.
struct host_keeping *host_keeping_create(struct net_loop *loop, const struct host_keeping_options *options,
                                         struct store_error *error);
// When no world is left: what waits becomes durable. NULL is allowed.
void host_keeping_destroy(struct host_keeping *keeping);
struct store *host_keeping_store(struct host_keeping *keeping);

// The worlds that the store has come back, as they were, and word of commits goes to this registry from now on. What cannot
// be opened as what it was stays where it is, and is told in the log. False with *error where the store cannot be read.
bool host_keeping_recover(struct host_keeping *keeping, struct host_registry *registry,
                          struct store_error *error);

#endif
