// Listening sockets, and what happens when there are too many connections or too few files.
//
// A connection over limits.connections is accepted and closed at once: one that is left in the kernel's queue
// would look to its peer like a server that hangs. Running out of files is worse: accept fails, what waits
// cannot even be refused, and libuv asks again without end. So the limit is kept below what the process may
// open, and the loop holds one file in reserve, which is given up so that the next accept succeeds and can be
// refused, and is taken back right after. (libuv does the same with a file of its own, all that waits at
// once; this one is for the day on which another thread takes that file first.)
#include "net/net_internal.h"

#include "base/assert.h"
#include "base/log.h"
#include "net/crew.h"
#include "net/far.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    LISTEN_BACKLOG = 4096,  // a full one makes newcomers wait for a second, and then for three
    LISTEN_FILES_KEPT = 64, // for everything that is not a connection
    LISTEN_LOOK_MS = 100,
};

static void complain(struct net_listener *listener, const char *why)
{
    listener->stats.refused++;
    base_log(BASE_LOG_WARN, "a connection is refused: %s", why);
}

static void spare_take_back(struct net_loop *loop)
{
    if (loop->spare_given) {
        loop->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        loop->spare_given = loop->spare_fd < 0;
    }
}

static void out_of_files(struct net_listener *listener, int status)
{
    struct net_loop *loop = listener->owned.loop;
    if (loop->spare_fd >= 0) {
        close(loop->spare_fd);
        loop->spare_fd = -1;
        loop->spare_given = true;
        return; // libuv accepts again at once
    }
    complain(listener, uv_strerror(status));
    struct net_conn *youngest = loop->conns;
    while (youngest && youngest->state == NET_CONN_CLOSING) {
        youngest = youngest->next; // its file is closed already
    }
    if (youngest) {
        // Another thread took the file that was given up. One connection goes, so that the others stay.
        net_conn_close(youngest, "the server has run out of files");
    } else {
        // Nothing of ours to give: leave the processor to those who can close something.
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

// From 1.49 on libuv says nothing where its own reserve is gone as well, and asks again without end. So it is looked
// for: somebody waits, and no file can be opened.
static void look_for_files(void *context)
{
    struct net_listener *listener = context;
    uv_os_fd_t file;
    if (uv_fileno((uv_handle_t *)&listener->owned.uv.tcp, &file)) {
        return;
    }
    struct pollfd waiting = {.fd = file, .events = POLLIN};
    if (poll(&waiting, 1, 0) <= 0) {
        return;
    }
    int probe = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (probe >= 0) {
        close(probe);
    } else if (errno == EMFILE || errno == ENFILE) {
        out_of_files(listener, uv_translate_sys_error(errno));
    }
}

// ---------------------------------------------------------------------------------------------------------
// Accepting

static void on_given(uv_handle_t *handle)
{
    free(handle);
}

// False without memory: it waits still.
static bool give_away(struct net_listener *listener, struct net_lane *lane, struct net_listener *shadow)
{
    uv_tcp_t *tcp = malloc(sizeof *tcp);
    if (!tcp || uv_tcp_init(&listener->owned.loop->uv, tcp)) {
        free(tcp);
        return false;
    }
    // A handle cannot change its loop, so another gets a file of its own for the same socket.
    int file = -1, given = -1;
    if (uv_accept((uv_stream_t *)&listener->owned.uv.tcp, (uv_stream_t *)tcp) == 0 &&
        uv_fileno((uv_handle_t *)tcp, &file) == 0) {
        given = fcntl(file, F_DUPFD_CLOEXEC, 0);
    }
    if (given < 0) {
        complain(listener, strerror(errno));
    } else if (!net_lane_give(lane, shadow, given)) {
        complain(listener, "too many come at once");
        close(given);
    }
    uv_close((uv_handle_t *)tcp, on_given);
    return true;
}

static bool accept_for(struct net_listener *listener, struct net_loop *loop)
{
    struct net_lane *lane = loop->crew && !loop->spare_given ? net_crew_choose(loop->crew) : NULL;
    if (lane) {
        return give_away(listener, lane, listener->shadows[lane - loop->crew->lanes]);
    }
    // If TLS has to begin first, room has to be there once it has.
    bool room = listener->limits.tls || listener->service->room(listener);
    if (loop->spare_given || !room) {
        complain(listener, room ? uv_strerror(UV_EMFILE) : "as many are open as are allowed");
    }
    return net_conn_accept(listener, loop->spare_given || !room);
}

// One connection waits, in the hands of libuv, which listens no further before it is taken.
static void accept_one(struct net_listener *listener)
{
    struct net_loop *loop = listener->owned.loop;
    if (uv_is_closing((uv_handle_t *)&listener->owned.uv.tcp)) {
        return;
    }
    if (!net_share_accept(loop)) {
        net_share_accept_later(listener, false);
        return;
    }
    // It may have been given up for nothing (a full table of files hides an empty queue): then there is room.
    spare_take_back(loop);
    if (!accept_for(listener, loop)) {
        base_log(BASE_LOG_WARN, "a connection waits: %s", uv_strerror(UV_ENOMEM));
        net_share_accept_later(listener, true);
    }
    spare_take_back(loop);
}

static void on_connection(uv_stream_t *server, int status)
{
    struct net_listener *listener = server->data;
    if (status == UV_EMFILE || status == UV_ENFILE || status == UV_ENOMEM || status == UV_ENOBUFS) {
        out_of_files(listener, status);
        return;
    }
    if (status) {
        complain(listener, uv_strerror(status));
        return;
    }
    accept_one(listener);
}

// Asks for as many files as the limit needs, and lowers the limit to what is granted.
static uint32_t connections_granted(uint32_t wanted)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files)) {
        return wanted;
    }
    rlim_t needed = (rlim_t)wanted + LISTEN_FILES_KEPT;
    if (files.rlim_cur < needed) {
        struct rlimit raised = files;
        raised.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            files = raised;
        }
    }
    if (files.rlim_cur >= needed) {
        return wanted;
    }
    uint32_t granted =
        files.rlim_cur > LISTEN_FILES_KEPT ? (uint32_t)(files.rlim_cur - LISTEN_FILES_KEPT) : 1;
    base_log(BASE_LOG_WARN, "the system allows %" PRIu64 " files: at most %" PRIu32 " connections",
             (uint64_t)files.rlim_cur, granted);
    return granted;
}

struct net_listener *net_listener_create(struct net_loop *loop, const char *address,
                                         const struct net_service *service, const struct net_limits *limits,
                                         void *(*on_accept)(void *context, struct net_conn *conn),
                                         const struct net_conn_handler *handler, void *context,
                                         const char **reason)
{
    struct sockaddr_storage parsed;
    *reason = net_address_parse(address, &parsed);
    if (*reason) {
        return NULL;
    }
    if (loop->stopping) {
        *reason = "the loop has stopped";
        return NULL;
    }
    struct net_listener *listener = calloc(1, sizeof *listener);
    if (!listener) {
        *reason = uv_strerror(UV_ENOMEM);
        return NULL;
    }
    uv_tcp_t *tcp = &listener->owned.uv.tcp;
    int status = uv_tcp_init(&loop->uv, tcp);
    if (status) {
        *reason = uv_strerror(status);
        free(listener);
        return NULL;
    }
    net_owned_init(&listener->owned, loop);
    listener->service = service;
    listener->limits = *limits;
    listener->limits.connections = connections_granted(limits->connections);
    net_loop_reserve(loop, listener->limits.connections + LISTEN_FILES_KEPT - 1);
    loop->turns.accept = accept_one;
    // Each loop has its share, of which one message can always be.
    const uint64_t share = listener->limits.receive_bytes / loop->loops;
    const uint64_t least = listener->limits.message.bytes;
    listener->limits.receive_bytes = loop->loops > 1 && share < least ? least : share;
    listener->on_accept = on_accept;
    listener->handler = *handler;
    listener->context = context;

    status = uv_tcp_bind(tcp, (const struct sockaddr *)&parsed, 0);
    if (status) {
        *reason = uv_strerror(status);
        net_owned_release(&listener->owned);
        return NULL;
    }
    *reason = NULL;
    return listener;
}

const char *net_listener_start(struct net_listener *listener)
{
    int status = uv_listen((uv_stream_t *)&listener->owned.uv.tcp, LISTEN_BACKLOG, on_connection);
    if (status) {
        return uv_strerror(status);
    }
    listener->look =
        net_timer_start(listener->owned.loop, LISTEN_LOOK_MS, LISTEN_LOOK_MS, look_for_files, listener);
    return listener->look ? NULL : uv_strerror(UV_ENOMEM);
}

// ---------------------------------------------------------------------------------------------------------
// On the lanes

static void shadow_deinit(struct net_owned *owned)
{
    net_shadow_deinit((struct net_listener *)owned);
}

void net_shadow_deinit(struct net_listener *shadow)
{
    net_owned_unuse(&shadow->home->owned);
}

static struct net_listener *shadow_create(struct net_listener *listener, struct net_loop *loop)
{
    struct net_listener *shadow = calloc(1, sizeof *shadow);
    if (!shadow || uv_tcp_init(&loop->uv, &shadow->owned.uv.tcp)) {
        free(shadow);
        return NULL;
    }
    net_owned_init(&shadow->owned, loop);
    shadow->owned.deinit = shadow_deinit;
    shadow->service = listener->service;
    shadow->limits = listener->limits;
    shadow->on_accept = net_far_accept;
    shadow->handler = net_far_handler;
    if (!listener->handler.on_end) {
        shadow->handler.on_end = NULL;
    }
    shadow->context = shadow;
    shadow->home = listener;
    listener->owned.users++;
    shadow->next_shadow = loop->shadows;
    loop->shadows = shadow;
    return shadow;
}

bool net_listener_spread(struct net_listener *listener)
{
    const struct net_crew *crew = listener->owned.loop->crew;
    for (uint32_t i = 0; crew && i < crew->count; i++) {
        listener->shadows[i] = shadow_create(listener, crew->lanes[i].loop);
        if (!listener->shadows[i]) {
            return false;
        }
        net_loop_reserve(crew->lanes[i].loop, listener->limits.connections + LISTEN_FILES_KEPT - 1);
    }
    return true;
}

static bool sessions_room(struct net_listener *listener)
{
    (void)listener;
    return true; // or not: who comes is told
}

static bool sessions_begin(struct net_conn *conn)
{
    struct net_listener *listener = conn->listener;
    conn->framing = &net_framing_messages;
    if (listener->stats.open + listener->far_open >= listener->limits.connections &&
        !(listener->handler.on_full && listener->handler.on_full(listener->context, conn))) {
        complain(listener, "as many are open as are allowed");
        return false;
    }
    return net_conn_adopt(conn);
}

// [2, "error", [{"error": [1, "INVALID: ..."], "method": ""}]], as everything that refuses a stream says it.
#define INSECURE_TEXT \
    "INVALID: TLS is spoken at this port: connect with tls://HOST:PORT, or --tls; the connection ends"
static const uint8_t insecure_before[] = "\x93\x02\xa5"
                                         "error"
                                         "\x91\x82\xa5"
                                         "error"
                                         "\x92\x01\xd9";
static const uint8_t insecure_after[] = "\xa6"
                                        "method"
                                        "\xa0";

static void sessions_insecure(struct net_conn *conn)
{
    const size_t before = sizeof insecure_before - 1, after = sizeof insecure_after - 1;
    const size_t text = sizeof INSECURE_TEXT - 1;
    struct base_buffer *words = base_buffer_create(before + 1 + text + after, NULL);
    if (!words) {
        net_conn_close(conn, uv_strerror(UV_ENOMEM));
        return;
    }
    uint8_t *at = words->data;
    memcpy(at, insecure_before, before);
    at[before] = (uint8_t)text;
    memcpy(at + before + 1, INSECURE_TEXT, text);
    memcpy(at + before + 1 + text, insecure_after, after);
    net_near_send(conn, words);
    base_buffer_unref(words);
    net_near_finish(conn, NET_END_PROTOCOL, "it does not speak TLS");
}

static void sessions_admitted(struct net_conn *conn, bool yes)
{
    if (yes) {
        net_near_hold(conn, false);
    } else {
        net_conn_refuse(conn);
    }
}

static const struct net_service sessions = {.room = sessions_room,
                                            .begin = sessions_begin,
                                            .insecure = sessions_insecure,
                                            .admitted = sessions_admitted,
                                            .protocol = "weft"};

struct net_listener *net_listen(struct net_loop *loop, const char *address, const struct net_limits *limits,
                                void *(*on_accept)(void *context, struct net_conn *conn),
                                const struct net_conn_handler *handler, void *context, const char **reason)
{
    struct net_listener *listener =
        net_listener_create(loop, address, &sessions, limits, on_accept, handler, context, reason);
    if (listener) {
        *reason = net_listener_spread(listener) ? net_listener_start(listener) : uv_strerror(UV_ENOMEM);
        if (*reason) {
            net_owned_release(&listener->owned);
            listener = NULL;
        }
    }
    return listener;
}

void net_listener_address(const struct net_listener *listener, char *out, size_t size)
{
    struct sockaddr_storage bound = {0};
    int length = sizeof bound;
    uv_tcp_getsockname(&listener->owned.uv.tcp, (struct sockaddr *)&bound, &length);
    net_address_format((const struct sockaddr *)&bound, out, size);
}

uint32_t net_listener_connections(const struct net_listener *listener)
{
    return listener->limits.connections;
}

static void add_stats(struct net_stats *stats, const struct net_stats *more)
{
    stats->accepted += more->accepted;
    stats->refused += more->refused;
    stats->bytes_in += more->bytes_in;
    stats->bytes_out += more->bytes_out;
    stats->frames_sent += more->frames_sent;
    stats->frames_dropped += more->frames_dropped;
    stats->open += more->open;
    stats->http_requests += more->http_requests;
    stats->http_refused += more->http_refused;
    stats->http_open += more->http_open;
    stats->handshakes += more->handshakes;
    stats->handshakes_failed += more->handshakes_failed;
}

void net_listener_stats(const struct net_listener *listener, struct net_stats *stats)
{
    *stats = listener->stats;
    const struct net_crew *crew = listener->owned.loop->crew;
    for (uint32_t i = 0; crew && i < crew->count && listener->shadows[i]; i++) {
        struct base_mutex *mutex = &listener->owned.loop->crew->lanes[i].mutex;
        base_mutex_lock(mutex);
        add_stats(stats, &listener->shadows[i]->told);
        base_mutex_unlock(mutex);
    }
    stats->tls_expires = listener->limits.tls ? net_tls_expires(listener->limits.tls) : 0;
}

void net_listener_close(struct net_listener *listener)
{
    if (listener) {
        net_share_accept_leave(listener);
        net_timer_stop(listener->look);
        net_owned_release(&listener->owned);
    }
}
