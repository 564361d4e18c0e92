// weftd: options, log, threads, loop, scene, listener; then it runs until it is told to stop.
#include "access/access.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/room.h"
#include "base/thread.h"
#include "dispatch/dispatch.h"
#include "early.h"
#include "host/keeping.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/session.h"
#include "host/world.h"
#include "instance/instance.h"
#include "net/net.h"
#include "options.h"
#include "protocol/error.h"
#include "protocol/generated/api.h"
#include "protocol/scene/scene.h"
#include "relay/relay.h"
#include "world/world.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    EXIT_USAGE = 2,
    EXIT_BY_SIGNAL = 128,
    GRACE_MS = 1500, // from the signal, for answers
    EXPIRES_SOON_DAYS = 14,
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    LAST_MS = 20000, // leaks are looked for at the end
    WORKERS_MS = LAST_MS,
#else
    LAST_MS = 400,    // and for all else
    WORKERS_MS = 100, // and for workers, whose work nobody needs once there is no session
#endif
    WORLDS_MS = 600,                  // from the signal, for worlds to hand over what is kept of them
    DRAIN_MS = 60000,                 // for worlds to go to other servers
    PATIENCE_MS = 60000,              // for brokers that start when this does
    ASK_AGAIN_MS = 250,               // meanwhile
    LOG_MS = 200,                     // for the reader of the log
    MEMORY_BYTES = 256 * 1024 * 1024, // of the past, where it is in memory only
};

#define TLS_MARK " (tls)" // behind an address

struct server {
    struct options options;
    struct net_limits limits;
    struct net_tls *tls;       // NULL: plain
    struct net_tls *relay_tls; // as other servers are spoken to that speak it; NULL: there are none
    struct instance instance;
    char listens[OPTIONS_ADDRESS_SIZE], listens_http[OPTIONS_ADDRESS_SIZE]; // as bound; empty: it does not
    struct access *access;                                                  // NULL: no tokens are asked for
    struct access_audit *audit;                                             // NULL: nothing is written down
    struct document *scene;                                                 // NULL: none
    char scene_name[PROTOCOL_LIMIT_NAME_BYTES + 1];
    bool ending;
    uint64_t end_ns; // when the process ends, whatever is under way
};

// Something does not end, as a message that a worker decodes: nothing else cuts it short. Nothing here outlives the
// process, so nothing is lost that would not be lost anyway.
static void on_time_up(int number)
{
    static const char line[] = "warn: time is up: what is still under way is dropped\n";
    struct pollfd log = {.fd = STDERR_FILENO, .events = POLLOUT};
    (void)number;
    if (poll(&log, 1, 0) == 1 && write(STDERR_FILENO, line, sizeof line - 1) < 0) {
        _exit(EXIT_SUCCESS);
    }
    _exit(EXIT_SUCCESS);
}

// Whatever waits for whatever: all threads but this one block signals, and this one is never without ears for this one. After
// most_ms, or when the whole time is over, if that is sooner.
static void end_in_time(const struct server *server, uint64_t most_ms)
{
    const uint64_t now_ns = base_now_ns();
    const uint64_t left_ms = server->end_ns > now_ns ? (server->end_ns - now_ns) / 1000000 : 0;
    const uint64_t us = 1000 * (most_ms < left_ms ? most_ms : left_ms) + 1; // 0 would be never
    const struct itimerval in = {
        .it_value = {.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)}};
    struct sigaction action = {.sa_handler = on_time_up};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &in, NULL);
}

// Ends the loop when no session is left; only workers hold it then.
static void on_sessions_empty(void *context)
{
    struct server *server = context;
    const uint64_t now_ns = base_now_ns();
    const uint64_t worlds_ns = server->end_ns - UINT64_C(1000000) * (GRACE_MS + LAST_MS - WORLDS_MS);
    const uint64_t worlds_ms = worlds_ns > now_ns ? (worlds_ns - now_ns) / 1000000 : 0;
    end_in_time(server, worlds_ms > WORKERS_MS ? worlds_ms : WORKERS_MS);
    net_loop_stop(server->instance.loop);
}

// An operator wants to know in time, and again with each new certificate.
static void tell_certificate(const struct net_tls *tls, const char *what)
{
    const time_t expires = (time_t)net_tls_expires(tls);
    const int64_t days = (net_tls_expires(tls) - (int64_t)time(NULL)) / (24 * 60 * 60);
    struct tm utc = {0};
    char date[32] = "?";
    if (gmtime_r(&expires, &utc)) {
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    }
    base_log(days < EXPIRES_SOON_DAYS ? BASE_LOG_WARN : BASE_LOG_INFO,
             "TLS: the certificate %s is good until %s", what, date);
    if (net_tls_key_is_open(tls)) {
        base_log(BASE_LOG_WARN, "TLS: everybody on this machine may read the key");
    }
}

// Reads the files again that others exchange. Returns false if there are none; then the signal ends the server.
static bool read_again(struct server *server)
{
    char text[OPTIONS_TEXT_SIZE];
    if (server->audit) {
        access_audit_reopen(server->audit);
    }
    if (server->tls && net_tls_reload(server->tls, text, sizeof text)) {
        tell_certificate(server->tls, "that was read again");
    } else if (server->tls) {
        base_log(BASE_LOG_ERROR, "TLS: the certificate stays what it was: %s", text);
    }
    if (server->relay_tls && !net_tls_reload(server->relay_tls, text, sizeof text)) {
        base_log(BASE_LOG_ERROR, "--relay-ca: all stays what it was: %s", text);
    }
    return options_can_read_again(&server->options);
}

static void go_down(void *context)
{
    struct server *server = context;
    server->end_ns = base_now_ns() + UINT64_C(1000000) * (GRACE_MS + LAST_MS);
    end_in_time(server, GRACE_MS + LAST_MS);
    instance_go_down(&server->instance);
    host_sessions_stop(server->instance.sessions, GRACE_MS);
}

static void on_signal(void *context, int signal)
{
    struct server *server = context;
    if (signal == SIGHUP && read_again(server)) {
        return;
    }
    if (server->ending) {
        _exit(EXIT_BY_SIGNAL + signal);
    }
    server->ending = true;
    base_log(BASE_LOG_INFO, "going down: a second signal ends it at once");
    if (server->instance.lease && server->options.drain) {
        host_lease_drain(server->instance.lease, DRAIN_MS, go_down, server);
    } else {
        go_down(server);
    }
}

static const char *file_or_none(const char *path)
{
    return path[0] != '\0' ? path : NULL;
}

// Opens the store. A past that is in memory only has a bound that needs no option.
static bool open_store(struct server *server)
{
    const struct options *options = &server->options;
    const bool lasts = options->data[0] != '\0', brokers = options->store[0] != '\0';
    struct store_error error = {0};
    struct early early;
    if (brokers) {
        early_begin(&early);
    }
    server->instance.keeping =
        host_keeping_create(server->instance.loop,
                            &(struct host_keeping_options){
                                .folder = lasts ? options->data : NULL,
                                .brokers = brokers ? options->store : NULL,
                                .check = options->store_check,
                                .authorities = file_or_none(options->store_ca),
                                .certificate = file_or_none(options->store_cert),
                                .key = file_or_none(options->store_key),
                                .credentials = file_or_none(options->store_creds),
                                .check_credentials = file_or_none(options->store_check_creds),
                                .brokers_alone = options->store_brokers_alone,
                                .patience_ms = PATIENCE_MS,
                                .keep_seconds = lasts ? options->keep_seconds : UINT64_MAX,
                                .keep_bytes = lasts ? options->keep_bytes : MEMORY_BYTES,
                                .bin_seconds = options->bin_seconds,
                                .worlds = options->worlds_max,
                            },
                            &error);
    if (brokers) {
        early_end(&early);
    }
    if (!server->instance.keeping) {
        fprintf(stderr, "weftd: --data %s%s: %s\n", options->data, brokers ? " with --store" : "",
                error.fault.text);
    } else if (brokers && strcmp(options->store_check, "none") == 0) {
        base_log(BASE_LOG_WARN,
                 "nobody asked the brokers of --store whether they sync what they acknowledge: "
                 "a power cut may cost what was answered");
    }
    return server->instance.keeping != NULL;
}

static bool read_certificate(struct server *server)
{
    const struct options *options = &server->options;
    const struct net_tls_files files = {options->tls_cert, options->tls_key, options->tls_client_ca};
    char text[OPTIONS_TEXT_SIZE];
    if (!options_has_tls(options)) {
        return true;
    }
    server->tls = net_tls_create(&files, text, sizeof text);
    if (!server->tls) {
        fprintf(stderr, "weftd: TLS: %s\n", text);
    }
    return server->tls != NULL;
}

static bool open_access(struct server *server)
{
    const struct options *options = &server->options;
    char error[ACCESS_ERROR_SIZE];
    uint32_t tokens = 0;
    if (options->audit[0] != '\0' && !(server->audit = access_audit_open(options->audit, error))) {
        fprintf(stderr, "weftd: --audit: %s\n", error);
        return false;
    }
    if (!options->tokens) {
        return true;
    }
    server->access = access_open(options->access, options->data[0] != '\0', error);
    if (!server->access) {
        fprintf(stderr, "weftd: --access: %s\n", error);
        return false;
    }
    (void)access_tokens(server->access, &tokens);
    if (tokens == 0) {
        base_log(BASE_LOG_WARN,
                 "there is no token yet, so nobody can do anything: weftd %s %s --token-new NAME makes one",
                 options->data[0] != '\0' ? "--data" : "--access",
                 options->data[0] != '\0' ? options->data : options->access);
    }
    return true;
}

static bool create(struct server *server)
{
    const struct options *options = &server->options;
    server->limits = (struct net_limits){
        .message = {.bytes = options->message_bytes_max,
                    .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH,
                    .nodes = PROTOCOL_LIMIT_MESSAGE_NODES},
        .first_bytes = options->tokens ? PROTOCOL_LIMIT_HELLO_BYTES : 0,
        .receive_bytes = PROTOCOL_LIMIT_RECEIVE_BYTES,
        .connections = options->sessions_max,
        .message_ms = PROTOCOL_LIMIT_MESSAGE_MS,
        .tls = server->tls,
    };
    const struct dispatch_limits told = {
        .message_bytes = options->message_bytes_max,
        .sessions = options->sessions_max,
        .sessions_per_address = options->sessions_per_address_max,
        .worlds = options->worlds_max,
        .tick_ms = options->tick_ms_max,
        .lossless_bytes = options->lossless_bytes,
        .server_frame_bytes = options->server_frame_bytes,
        .hold_ms = options->hold_ms,
        .session_grace = options->session_grace,
        .person_messages = options->person_messages,
        .person_bytes = options->person_bytes,
        .person_edits = options->person_edits,
        .person_worlds = options->person_worlds,
        .person_bodies = options->person_bodies,
        .person_particles = options->person_particles,
        .person_constraints = options->person_constraints,
        .person_poses = options->person_poses,
    };
    const struct dispatch_quotas quotas = {
        .rates.a_second = {options->person_messages, options->person_bytes, options->person_edits},
        .worlds = options->person_worlds,
        .amounts = {.bodies = options->person_bodies,
                    .particles = options->person_particles,
                    .constraints = options->person_constraints,
                    .poses = options->person_poses},
    };
    server->instance.runner = host_runner_create(options->threads);
    server->instance.loop = net_loop_create();
    if (!server->instance.runner || !server->instance.loop ||
        !net_loop_spread(server->instance.loop, options->loops)) {
        return false;
    }
    if (!open_store(server) || !open_access(server)) {
        return false;
    }
    return instance_create(&server->instance, &(struct instance_options){
                                                  .limits = told,
                                                  .quotas = quotas,
                                                  .threads = options->threads,
                                                  .bin_seconds = options->bin_seconds,
                                                  .loopback_too = options->sessions_per_address_asked,
                                                  .access = server->access,
                                                  .audit = server->audit,
                                                  .on_empty = on_sessions_empty,
                                                  .context = server,
                                              });
}

static void tell_warnings(const struct server *server)
{
    const struct protocol_list list =
        !server->scene ? (struct protocol_list){0} : document_warnings(server->scene);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct protocol_warning *warning = (const struct protocol_warning *)list.items + i;
        base_log(BASE_LOG_WARN, "--scene: %.*s: %.*s", (int)warning->code.size, warning->code.data,
                 (int)warning->text.size, warning->text.data);
    }
}

// Tells the address at which clients find the server: the host that was given with the port that is bound, or both as given.
// Otherwise it is the address at which the server listens; for all addresses of this machine, the machine's name.
static void tell_address(const struct server *server, bool http, char out[CLUSTER_ADDRESS_SIZE])
{
    char host[OPTIONS_ADVERTISE_SIZE];
    const char *bound = http ? server->listens_http : server->listens;
    const char *port = strrchr(bound, ':');
    out[0] = '\0';
    if (!port) {
        return;
    }
    snprintf(host, sizeof host, "%s", server->options.advertise);
    char *comma = strchr(host, ',');
    if (comma) {
        *comma = '\0';
    }
    const char *part = http && comma ? comma + 1 : host;
    const bool whole = strchr(part, ':') && part[strlen(part) - 1] != ']';
    if (part[0] == '\0' && strncmp(bound, "0.0.0.0:", 8) != 0 && strncmp(bound, "[::]:", 5) != 0) {
        snprintf(out, CLUSTER_ADDRESS_SIZE, "%s", bound);
    } else if (part[0] == '\0' && gethostname(host, sizeof host - 1) == 0) {
        snprintf(out, CLUSTER_ADDRESS_SIZE, "%.100s%s", host, port);
    } else {
        snprintf(out, CLUSTER_ADDRESS_SIZE, "%.120s%s", part, whole ? "" : port);
    }
}

static bool read_relay_trust(struct server *server)
{
    const struct options *options = &server->options;
    char text[OPTIONS_TEXT_SIZE];
    server->relay_tls = net_tls_create_trust(
        &(struct net_tls_trust){options->relay_ca, options->tls_cert, options->tls_key}, text, sizeof text);
    if (!server->relay_tls) {
        fprintf(stderr, "weftd: --relay-ca: %s\n", text);
    }
    return server->relay_tls != NULL;
}

// The store has found the brokers as they have to be; what is missing yet is who leads the buckets of servers and worlds.
static struct host_lease *lease_patiently(struct server *server, const struct host_lease_options *options,
                                          char text[CLUSTER_TEXT_SIZE])
{
    const struct timespec between = {.tv_nsec = ASK_AGAIN_MS * 1000000L};
    const uint64_t until_ns = base_now_ns() + UINT64_C(1000000) * PATIENCE_MS;
    uint64_t tell_ns = 0;
    struct host_lease *lease;
    while (!(lease = host_lease_create(server->instance.loop, options, text)) && base_now_ns() < until_ns) {
        if (base_now_ns() >= tell_ns) {
            base_log(BASE_LOG_WARN, "the brokers are waited for: who has which world: %s", text);
            tell_ns = base_now_ns() + UINT64_C(10000000000);
        }
        nanosleep(&between, NULL);
    }
    return lease;
}

static bool join_cluster(struct server *server)
{
    const struct options *options = &server->options;
    char name[CLUSTER_NAME_SIZE] = "", tcp[CLUSTER_ADDRESS_SIZE], web[CLUSTER_ADDRESS_SIZE],
         text[CLUSTER_TEXT_SIZE];
    if (options->store[0] == '\0') {
        return true;
    }
    if (!read_relay_trust(server)) {
        return false;
    }
    tell_address(server, false, tcp);
    tell_address(server, true, web);
    snprintf(name, sizeof name, "%s", options->server_name);
    if (name[0] == '\0') {
        (void)gethostname(name, sizeof name - 1);
    }
    struct host_lease *lease = lease_patiently(server,
                                               &(struct host_lease_options){
                                                   .brokers = options->store,
                                                   .authorities = file_or_none(options->store_ca),
                                                   .certificate = file_or_none(options->store_cert),
                                                   .key = file_or_none(options->store_key),
                                                   .credentials = file_or_none(options->store_creds),
                                                   .data = options->data,
                                                   .name = name,
                                                   .tcp = tcp,
                                                   .web = web,
                                                   .tls = server->tls != NULL,
                                                   .store = host_keeping_store(server->instance.keeping),
                                               },
                                               text);
    if (!lease) {
        fprintf(stderr, "weftd: --store: %s\n", text);
    }
    return lease && instance_join(&server->instance, lease, options->sessions_max, server->relay_tls);
}

static bool recover(struct server *server)
{
    struct store_error error = {0};
    if (instance_recover(&server->instance, &error)) {
        return true;
    }
    if (error.fault.text[0] != '\0') {
        fprintf(stderr, "weftd: --data %s: %s\n", server->options.data, error.fault.text);
    }
    return false;
}

// Reads the scene that --scene names. A name without a folder or an ending is a scene of the gallery, if there is one.
static bool read_scene(struct server *server)
{
    const char *path = server->options.scene;
    char found[SCENE_PATH_SIZE];
    struct scene scene;
    struct fault fault;
    struct protocol_error error = {0};
    if (path[0] == '\0') {
        return true;
    }
    if (!strpbrk(path, "/.") && scene_gallery_find(path, found)) {
        path = found;
    }
    if (!scene_read(path, &scene, &fault)) {
        fprintf(stderr, "weftd: --scene: %s\n", fault.text);
        return false;
    }
    snprintf(server->scene_name, sizeof server->scene_name, "%s", scene.name);
    server->scene = document_from(scene.document, scene.size, &error);
    scene_deinit(&scene);
    if (!server->scene) {
        fprintf(stderr, "weftd: --scene: %s: %s\n", path, error.text);
    }
    return server->scene != NULL;
}

// As a world that runs, unless it is there from before.
static bool open_scene(struct server *server)
{
    const struct protocol_string name = protocol_text(server->scene_name);
    struct protocol_error error = {0};
    if (!server->scene) {
        return true;
    }
    if (host_registry_find(server->instance.registry, &(struct protocol_ref){.name = name})) {
        base_log(BASE_LOG_INFO, "world \"%s\" is there already: --scene is not opened again",
                 server->scene_name);
        return true;
    }
    struct host_world *world =
        host_registry_open(server->instance.registry, server->scene, NULL, &name, &error);
    if (!world) {
        fprintf(stderr, "weftd: --scene: %s\n", error.text);
        return false;
    }
    host_world_play(world);
    tell_warnings(server);
    return true;
}

// With what others share, and what was here before.
static bool come_back(struct server *server)
{
    struct early early;
    if (server->options.store[0] != '\0') {
        early_begin(&early);
    }
    const bool back = join_cluster(server) && recover(server);
    if (server->options.store[0] != '\0') {
        early_end(&early);
    }
    return back && open_scene(server);
}

static struct base_buffer *make_metrics(void *context, int *status)
{
    const struct server *server = context;
    (void)status;
    return dispatch_metrics(server->instance.dispatch, server->instance.sessions);
}

static struct base_buffer *make_health(void *context, int *status)
{
    const struct server *server = context;
    return dispatch_health(server->instance.dispatch, status);
}

static const struct net_http_page pages[] = {
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", make_metrics},
    {"/healthz", "text/plain; charset=utf-8", make_health},
};

// False only if it was asked for: that another server has the usual port is no reason not to start.
static bool listen_for_browsers(struct server *server)
{
    struct options *options = &server->options;
    if (options->http[0] == '\0') {
        return true;
    }
    early_find_studio(options);
    const struct net_http_options http = {
        .folder = options->studio,
        .origins = options->origins,
        .hosts = options->hosts,
        .pages = pages,
        .page_count = sizeof pages / sizeof pages[0],
        .context = server,
    };
    char bound[OPTIONS_ADDRESS_SIZE];
    const char *reason;
    if (host_sessions_listen_http(server->instance.sessions, options->http, &server->limits, &http, bound,
                                  sizeof bound, &reason)) {
        fprintf(stderr, "listening http %s%s\n", bound, server->tls ? TLS_MARK : "");
        snprintf(server->listens_http, sizeof server->listens_http, "%s", bound);
        return true;
    }
    if (options->http_asked) {
        fprintf(stderr, "weftd: cannot listen on %s: %s\n", options->http, reason);
        return false;
    }
    base_log(BASE_LOG_WARN, "no studio: cannot listen on %s: %s; --http takes another address", options->http,
             reason);
    return true;
}

// Each takes a file. False if more were asked for than there can be: who did counts on them.
static bool has_files(const struct server *server)
{
    const uint32_t most = host_sessions_most(server->instance.sessions);
    if (!server->options.sessions_asked || most >= server->options.sessions_max) {
        return true;
    }
    fprintf(stderr,
            "weftd: --max-sessions %" PRIu32 ": the system lets this process have files for %" PRIu32
            " (ulimit -Hn, or LimitNOFILE of the service)\n",
            server->options.sessions_max, most);
    return false;
}

static bool listen_for_clients(struct server *server)
{
    char bound[OPTIONS_ADDRESS_SIZE];
    const char *reason;
    if (!host_sessions_listen(server->instance.sessions, server->options.listen, &server->limits, bound,
                              sizeof bound, &reason)) {
        fprintf(stderr, "weftd: cannot listen on %s: %s\n", server->options.listen, reason);
        return false;
    }
    if (!has_files(server)) {
        return false;
    }
    if (!net_signals_watch(server->instance.loop, on_signal, server)) {
        fprintf(stderr, "weftd: cannot watch for SIGINT, SIGTERM and SIGHUP\n");
        return false;
    }
    // Programs that start weftd read the address from this line: it has one form and comes first.
    fprintf(stderr, "listening rpc %s%s\n", bound, server->tls ? TLS_MARK : "");
    snprintf(server->listens, sizeof server->listens, "%s", bound);
    if (!listen_for_browsers(server)) {
        return false;
    }
    if (!net_address_is_loopback(bound) && !server->options.tokens) {
        base_log(BASE_LOG_WARN, "%s is no loopback address: whoever reaches it may do everything", bound);
    } else if (!net_address_is_loopback(bound) && !options_has_tls(&server->options)) {
        base_log(BASE_LOG_WARN,
                 "%s is no loopback address, and nothing is encrypted: tokens can be read on the way", bound);
    }
    base_log(BASE_LOG_INFO, "weftd " PROTOCOL_VERSION " with %" PRIu32 " simulation thread%s, %s",
             server->options.threads, server->options.threads == 1 ? "" : "s",
             sim_isa_name(server->options.isa));
    if (server->tls) {
        tell_certificate(server->tls, "in use");
    }
    return true;
}

static void destroy(struct server *server)
{
    instance_destroy(&server->instance);
    net_tls_destroy(server->tls);
    net_tls_destroy(server->relay_tls);
    access_close(server->access);
    access_audit_close(server->audit, LOG_MS);
    document_destroy(server->scene);
}

int main(int argc, char **argv)
{
    struct server server = {0};
    char text[OPTIONS_TEXT_SIZE];
    switch (options_read(argc, argv, &server.options, text)) {
    case OPTIONS_RUN:
        break;
    case OPTIONS_HELP:
        options_help(stdout);
        return EXIT_SUCCESS;
    case OPTIONS_VERSION:
        printf("weftd " PROTOCOL_VERSION "\n");
        return EXIT_SUCCESS;
    case OPTIONS_WRONG:
        fprintf(stderr, "weftd: %s\n", text);
        return EXIT_USAGE;
    }
    if (server.options.token_new[0] != '\0') {
        return early_make_token(&server.options);
    }
    base_memory_start();
    base_log_set(server.options.log_level, server.options.log_json);
    if (!base_log_start()) {
        base_log(BASE_LOG_WARN, "no thread for the log: who does not read it will hold up everything");
    }
    base_float_assert();
    signal(SIGPIPE, SIG_IGN);
    base_room_start();
    early_raise_files();
    sim_isa_choose(server.options.isa);

    // It listens before worlds come back: nobody waits for that to be told that the port is taken, and who connects meanwhile
    // waits for them.
    int code = EXIT_FAILURE;
    if (!read_certificate(&server) || !read_scene(&server)) {
        code = EXIT_USAGE;
    } else if (create(&server) && listen_for_clients(&server) && come_back(&server)) {
        net_loop_run(server.instance.loop);
        end_in_time(&server, GRACE_MS + LAST_MS); // what is left is wanted: the last of what is kept
        base_log(BASE_LOG_INFO, "down");
        code = EXIT_SUCCESS;
    }
    destroy(&server);
    base_log_stop(LOG_MS);
    return code;
}
