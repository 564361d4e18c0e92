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
    const char *folder;  // NULL: worlds live in memory
    const char *brokers; // that decide what happened in a world, with the folder beside them; NULL: none
    const char *check;   // how they are asked whether they sync (store_options)
    const char *authorities, *credentials,
        *check_credentials;        // of brokers, and of that (store_options); NULL: none
    uint32_t patience_ms;          // that they are waited for (store_options)
    const char *certificate, *key; // by which brokers know this server (store_options); NULL: none
    bool brokers_alone;            // what they have is durable, whether the folder has it or not
    uint64_t keep_seconds, keep_bytes, bin_seconds;
    uint32_t worlds; // at a time, at most
    // Opens the store in place of store_open; NULL: that. What it gives is closed by this.
    struct store *(*open)(void *context, const struct store_options *options, struct store_error *error);
    // The store failed, and nobody can say what of it is there. Store's thread. NULL: the process ends.
    void (*on_failure)(void *context, const char *text);
    void *context; // of both
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

// What became of a world that was to be opened.
struct host_came {
    bool runs;
    bool lasting;    // it does not, and would not if it were tried again
    const char *why; // the same
};
// The same later, of one world that this server is to have now: what takes long is done beside the loop. False without memory: then
// nothing happens. moved: another server gave it, so what people hold there goes on here.
bool host_keeping_fetch(struct host_keeping *keeping, uint32_t world, bool moved,
                        void (*on_done)(void *context, uint32_t world, const struct host_came *came),
                        void *context);

#endif
