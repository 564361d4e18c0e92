// A server beside weftd for the tests of relay: it has no store and no options, and knows from a file which server runs a world:
//
//     relay_door FOLDER SILENCE_MS PATIENCE_MS [tokens | tls [CERT KEY]]
//
// FOLDER/worlds has a line "ID NAME ADDRESS" for each world that runs elsewhere, and is read again for each question; with tls those
// speak TLS, FOLDER/ca vouches for them, and CERT is shown to peers that ask for it.
// FOLDER/access are tokens, where they are asked for. Says where it listens as weftd does.
#include "access/access.h"
#include "base/clock.h"
#include "dispatch/dispatch.h"
#include "host/delivery.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/session.h"
#include "net/net.h"
#include "relay/relay.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 64 << 20, GRACE_MS = 2000, DISTRUST_MS = 1500, PATH_SIZE = 512 };

static struct door {
    const char *folder;
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_registry *registry;
    struct host_sessions *sessions;
    struct dispatch *dispatch;
    struct access *access;
    struct relay *relay;
    struct net_tls *tls;
} door;

static bool is_asked_for(const struct protocol_ref *world, uint32_t id, const char *name)
{
    return world->id != 0
               ? world->id == id
               : world->name.size == strlen(name) && memcmp(world->name.data, name, world->name.size) == 0;
}

static bool where(void *context, const struct protocol_ref *world, struct dispatch_place *place)
{
    char path[PATH_SIZE], name[80];
    (void)context;
    snprintf(path, sizeof path, "%s/worlds", door.folder);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file != NULL && !found &&
           fscanf(file, "%" SCNu32 " %79s %127s", &place->world, name, place->address) == 3) {
        found = is_asked_for(world, place->world, name);
    }
    place->tls = door.tls != NULL;
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static void on_worlds(void *context)
{
    (void)context;
    host_deliver(door.registry, door.sessions);
}

static void on_message(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    (void)context;
    dispatch_message(door.dispatch, session, bytes, size);
}

static void on_end(void *context, uint32_t session)
{
    (void)context;
    if (door.dispatch != NULL) {
        dispatch_session_ended(door.dispatch, session);
    }
    if (door.relay != NULL) {
        relay_session_ended(door.relay, session);
    }
}

static void on_away(void *context, uint32_t session, bool away)
{
    (void)context;
    relay_session_away(door.relay, session, away);
}

static void on_drained(void *context, struct host_session *session)
{
    (void)context;
    relay_session_drained(door.relay, session);
}

static void on_empty(void *context)
{
    (void)context;
    net_loop_stop(door.loop);
}

static void on_signal(void *context, int number)
{
    (void)context;
    (void)number;
    dispatch_stop(door.dispatch);
    relay_stop(door.relay);
    host_registry_shutdown(door.registry);
    host_sessions_stop(door.sessions, GRACE_MS);
}

static bool open_access(void)
{
    char path[PATH_SIZE], error[ACCESS_ERROR_SIZE];
    snprintf(path, sizeof path, "%s/access", door.folder);
    door.access = access_open(path, true, error);
    if (door.access == NULL) {
        fprintf(stderr, "relay_door: %s\n", error);
    }
    return door.access != NULL;
}

static bool trust(const char *cert, const char *key)
{
    char path[PATH_SIZE], error[256];
    snprintf(path, sizeof path, "%s/ca", door.folder);
    door.tls = net_tls_create_trust(&(struct net_tls_trust){path, cert, key}, error, sizeof error);
    if (door.tls == NULL) {
        fprintf(stderr, "relay_door: %s\n", error);
    }
    return door.tls != NULL;
}

static bool create(uint32_t silence_ms, uint32_t patience_ms)
{
    static const struct dispatch_quotas quotas;
    door.loop = net_loop_create();
    door.runner = host_runner_create(1);
    door.registry =
        host_registry_create(door.loop, door.runner,
                             &(struct host_registry_limits){.worlds = 16, .sessions = 1024}, on_worlds, NULL);
    door.sessions = host_sessions_create(&(struct host_sessions_options){
        .loop = door.loop,
        .registry = door.registry,
        .access = door.access,
        .grace_ms = 10000,
        .on_message = on_message,
        .on_end = on_end,
        .on_away = on_away,
        .on_drained = on_drained,
        .on_empty = on_empty,
    });
    door.dispatch = dispatch_create(door.loop, door.registry, 1,
                                    &(struct dispatch_limits){.message_bytes = MESSAGE_BYTES});
    door.relay = relay_create(&(struct relay_options){
        .loop = door.loop,
        .sessions = door.sessions,
        .tls = door.tls,
        .distrust_ms = DISTRUST_MS,
        .silence_ms = silence_ms,
        .patience_ms = patience_ms,
        .where = where,
        .again = dispatch_again,
        .again_context = door.dispatch,
    });
    if (door.relay == NULL) {
        return false;
    }
    dispatch_pass_through(door.dispatch, relay_elsewhere(door.relay));
    return dispatch_start(door.dispatch, door.sessions, door.access, &quotas);
}

static struct base_buffer *metrics(void *context, int *status)
{
    (void)context;
    (void)status;
    return dispatch_metrics(door.dispatch, door.sessions);
}

static bool listen_for_clients(void)
{
    const struct net_limits limits = {
        .message = {.bytes = MESSAGE_BYTES, .depth = 16, .nodes = 1 << 22},
        .receive_bytes = 8 * (uint64_t)MESSAGE_BYTES,
        .connections = 512,
    };
    char bound[64];
    const char *reason;
    if (!host_sessions_listen(door.sessions, "127.0.0.1:0", &limits, bound, sizeof bound, &reason) ||
        !net_signals_watch(door.loop, on_signal, NULL)) {
        return false;
    }
    fprintf(stderr, "listening rpc %s\n", bound);
    static const struct net_http_page page = {"/metrics", "text/plain; version=0.0.4; charset=utf-8",
                                              metrics};
    static const struct net_http_options http = {.pages = &page, .page_count = 1};
    if (!host_sessions_listen_http(door.sessions, "127.0.0.1:0", &limits, &http, bound, sizeof bound,
                                   &reason)) {
        return false;
    }
    fprintf(stderr, "listening http %s\n", bound);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        return 2;
    }
    door.folder = argv[1];
    signal(SIGPIPE, SIG_IGN);
    if (argc > 4 && strcmp(argv[4], "tokens") == 0 && !open_access()) {
        return EXIT_FAILURE;
    }
    if (argc > 4 && strcmp(argv[4], "tls") == 0 &&
        !trust(argc > 6 ? argv[5] : NULL, argc > 6 ? argv[6] : NULL)) {
        return EXIT_FAILURE;
    }
    if (!create((uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10)) ||
        !listen_for_clients()) {
        return EXIT_FAILURE;
    }
    net_loop_run(door.loop);
    host_runner_destroy(door.runner);
    host_registry_destroy(door.registry);
    dispatch_destroy(door.dispatch);
    host_sessions_destroy(door.sessions);
    relay_destroy(door.relay);
    net_loop_destroy(door.loop);
    net_tls_destroy(door.tls);
    access_close(door.access);
    return EXIT_SUCCESS;
}
