// Keeps the worlds of a server in a store, passes on what has become durable, and brings worlds back. Loop
// thread only, except for what the store's thread calls.
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
    const char *brokers; // brokers that decide what is in a world, with the folder beside them; NULL: none
    const char *check;   // how brokers are asked whether they sync (store_options)
    // Files for brokers and for that question (store_options); NULL: none.
    const char *authorities, *credentials, *check_credentials;
    uint32_t patience_ms;          // how long to wait for brokers, in ms (store_options)
    const char *certificate, *key; // files with which this server identifies itself to brokers; NULL: none
    bool brokers_alone;            // STORE_ACKS_BROKERS: entries are durable once brokers have them
    uint64_t keep_seconds, keep_bytes, bin_seconds; // store_options
    uint32_t worlds;                                // most worlds at a time
    // Opens the store in place of store_open; NULL: store_open does. host_keeping_destroy closes the store.
    struct store *(*open)(void *context, const struct store_options *options, struct store_error *error);
    // Called when the store failed, so that it is unknown what it holds. On the store's thread. NULL: the process ends.
    void (*on_failure)(void *context, const char *text);
    void *context; // context of both functions
};

// Opens the store. NULL with *error.
struct host_keeping *host_keeping_create(struct net_loop *loop, const struct host_keeping_options *options,
                                         struct store_error *error);
// Waits until everything is durable and closes the store. No world may be left. NULL is allowed.
void host_keeping_destroy(struct host_keeping *keeping);
struct store *host_keeping_store(struct host_keeping *keeping);

// Brings back the worlds of the store as they were. From now on commits open gates of worlds in this registry. A
// world that cannot be opened exactly as it was stays in the store, and a log line says so. False with *error
// if the store cannot be read.
bool host_keeping_recover(struct host_keeping *keeping, struct host_registry *registry,
                          struct store_error *error);

// The result of opening a world.
struct host_fetched {
    bool runs;
    bool lasting;    // it does not run, and another try would fail too
    const char *why; // why it does not run
};
// Opens one world that this server has to run from now on. Workers do the long part, and on_done is then called on the
// loop. moved: another server gave it, so grabs that were held there go on here. False if memory runs out, and on_done
// is not called.
bool host_keeping_fetch(struct host_keeping *keeping, uint32_t world, bool moved,
                        void (*on_done)(void *context, uint32_t world, const struct host_fetched *fetched),
                        void *context);

#endif
