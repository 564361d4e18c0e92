// HTTP/1.1, as little of it as browsers need to get here: GET and HEAD of files and pages, and the way to a
// WebSocket.
//
//     accept -> head, at most 8 KiB -+-> answer, written -> the next head (keep-alive), or the end
//         ^          |               +-> /ws: a session with the listener's handler; no more of it here
//         |          +-> not HTTP, or not in time: an answer that says so, and the end
//         +--- at most so many at a time: for a new one goes that of which nothing came for longest
//
// One request is answered at a time: while an answer is being written the connection is held, so what a peer
// asks in advance stays in its socket, and it can have us keep one answer in memory, of which the body is
// shared.
#include "net/net_internal.h"

#include "base/log.h"
#include "net/crew.h"
#include "net/http_files.h"
#include "net/http_head.h"
#include "net/http_origin.h"
#include "net/ws_wire.h"

#include <stdlib.h>
#include <string.h>

enum {
    HTTP_CONNECTIONS = 256,
    HTTP_HEAD_MS = 10000,
    HTTP_IDLE_MS = 60000,
    HTTP_STALL_MS = 30000,
    HTTP_PING_MS = 20000,
    HTTP_DEAD_MS = 90000,
    HTTP_STUCK_MS = 5000, // without progress: an answer may give way
    HTTP_SWEEP_MS_MAX = 1000,
};

struct net_http {
    struct net_listener *listener;
    struct net_http_options options;
    struct net_files *files;
    struct net_timer *sweep;
};

// ---------------------------------------------------------------------------------------------------------
// What is asked for

static void send_file(struct net_conn *conn, const struct net_http_request *request,
                      const struct net_file *file)
{
    bool encoded = file->gzip.bytes && request->gzip;
    const struct net_file_body *body = encoded ? &file->gzip : &file->plain;
    bool same = net_http_tag_matches(request->if_none_match, body->tag);
    net_http_send(conn,
                  &(struct net_http_answer){
                      .status = same ? 304 : 200,
                      .type = same ? NULL : file->type,
                      .bytes = same ? NULL : body->bytes,
                      .tag = body->tag,
                      .immutable = file->immutable,
                      .encoded = encoded && !same,
                      .varies = file->gzip.bytes != NULL,
                  },
                  request->head_only);
}

static void send_made(struct net_conn *conn, const struct net_http_page *page, struct base_buffer *bytes,
                      int status)
{
    const bool head_only = conn->http.head_only;
    if (!bytes) {
        net_http_refuse(conn, 500, head_only, NULL, "the server has run out of memory");
        return;
    }
    net_http_send(conn, &(struct net_http_answer){.status = status, .type = page->type, .bytes = bytes},
                  head_only);
}

static void on_made(struct net_wish *wish)
{
    if (wish->conn->state < NET_CONN_FINISHING) {
        send_made(wish->conn, wish->page, wish->bytes, wish->status);
    }
}

// Pages are made on the thread of whoever has them.
static void wish_page(struct net_conn *conn, const struct net_http_page *page)
{
    struct net_wish *wish = calloc(1, sizeof *wish);
    if (!wish) {
        net_conn_close(conn, uv_strerror(UV_ENOMEM));
        return;
    }
    *wish = (struct net_wish){.conn = conn,
                              .page = page,
                              .context = conn->listener->http->options.context,
                              .status = 200,
                              .made = on_made};
    conn->handles_open++;
    conn->http.answering = true;
    net_near_hold(conn, true);
    net_lane_ask(conn->loop->lane, wish);
}

static void send_page(struct net_conn *conn, const struct net_http_page *page)
{
    if (conn->loop->lane) {
        wish_page(conn, page);
        return;
    }
    int status = 200;
    struct base_buffer *bytes = page->make(conn->listener->http->options.context, &status);
    send_made(conn, page, bytes, status);
    base_buffer_unref(bytes);
}

static void refuse_websocket(struct net_conn *conn, bool head_only)
{
    conn->http.last = true;
    net_http_refuse(conn, 503, head_only, "Retry-After: 5\r\n", "as many sessions are open as are allowed");
}

static void begin_websocket(struct net_conn *conn, const char *key, size_t key_size)
{
    if (!net_websocket_begin(conn, key, key_size)) {
        net_conn_close(conn, "the server has run out of memory");
        return;
    }
    conn->listener->stats.http_open--;
    conn->listener->stats.http_requests++;
}

static void open_websocket(struct net_conn *conn, const struct net_http_request *request)
{
    const struct net_http *http = conn->listener->http;
    bool head_only = request->head_only;
    if (!request->upgrade_websocket || head_only) {
        net_http_refuse(conn, 426, head_only, NULL, "this is for WebSockets; / is for people");
    } else if (request->websocket_version != 13) {
        net_http_refuse(conn, 426, head_only, NULL, "version 13 of WebSocket is spoken here");
    } else if (!net_ws_key_valid(request->websocket_key.data, request->websocket_key.size)) {
        net_http_refuse(conn, 400, head_only, NULL, "Sec-WebSocket-Key must be 16 bytes in base 64");
    } else if (!net_origin_allowed(request->origin, request->host, http->options.origins,
                                   conn->secure != NULL)) {
        net_http_refuse(conn, 403, head_only, NULL,
                        "pages of this origin may not connect; --origin allows more");
    } else if (!net_conn_adopt(conn)) {
        refuse_websocket(conn, head_only);
    } else if (conn->far) {
        conn->http.key_size = (uint8_t)request->websocket_key.size;
        memcpy(conn->http.key, request->websocket_key.data, conn->http.key_size);
    } else {
        begin_websocket(conn, request->websocket_key.data, request->websocket_key.size);
    }
}

static void send_nothing_built(struct net_conn *conn, const struct net_http_request *request)
{
    net_http_refuse(
        conn, 503, request->head_only, NULL,
        "this server runs, but the studio's files are not there.\n\n"
        "Build them with `make build` (it needs nodejs and npm), or say where they are with --studio DIR,\n"
        "and start weftd again. WebSockets are served at /ws, /healthz and /metrics say how it does");
}

static void answer_request(struct net_conn *conn, const struct net_http_request *request)
{
    const struct net_http *http = conn->listener->http;
    bool websocket = net_http_text_is(request->path, "/ws");
    // Browsers always say how they call a server, and where a page came from that opens a WebSocket.
    if (request->host.data && (!websocket || request->origin.data) &&
        !net_host_allowed(request->host, http->options.hosts, http->options.origins)) {
        net_http_refuse(
            conn, 403, request->head_only, NULL,
            "this server is not known by this name; call it by its address, or name it with --host");
        return;
    }
    if (websocket) {
        open_websocket(conn, request);
        return;
    }
    for (uint32_t i = 0; i < http->options.page_count; i++) {
        if (net_http_text_is(request->path, http->options.pages[i].path)) {
            send_page(conn, &http->options.pages[i]);
            return;
        }
    }
    const struct net_file *file = net_files_find(http->files, request->path);
    if (file) {
        send_file(conn, request, file);
    } else if (net_http_text_is(request->path, "/")) {
        send_nothing_built(conn, request);
    } else {
        net_http_refuse(conn, 404, request->head_only, NULL, "there is nothing at this path");
    }
}

// ---------------------------------------------------------------------------------------------------------
// Connections

static size_t http_take(struct net_conn *conn, const uint8_t *data, size_t size)
{
    struct net_http_scanner *scanner = &conn->http.scanner;
    if (scanner->used == 0) {
        conn->http.since_ms = uv_now(&conn->loop->uv);
    }
    size_t consumed = 0;
    enum net_http_scan scan = net_http_scan_feed(scanner, data, size, &consumed);
    if (scan == NET_HTTP_BAD || scan == NET_HTTP_TOO_LARGE) {
        net_http_refuse_head(conn, scan == NET_HTTP_BAD ? 400 : 431, false);
        return consumed;
    }
    if (scan == NET_HTTP_MORE) {
        net_message_keep(conn, data, consumed);
        return consumed;
    }
    *scanner = (struct net_http_scanner){0};
    net_message_hand_up(conn, data, consumed);
    return consumed;
}

static void on_message(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    (void)context;
    struct net_http_request request;
    int status = net_http_parse((const char *)bytes, size, &request);
    if (status) {
        net_http_refuse_head(conn, status, request.head_only);
    } else {
        conn->http.last = request.close;
        conn->http.head_only = request.head_only;
        conn->http.by_name = net_host_is_name(request.host);
        answer_request(conn, &request);
    }
    free(bytes);
}

static void on_bad_stream(void *context, struct net_conn *conn, enum protocol_scan_status status)
{
    (void)context;
    (void)conn;
    (void)status; // never called: what is no head is answered
}

static void on_end(void *context, struct net_conn *conn)
{
    (void)context;
    conn->http.last = true;
    if (!conn->http.answering) {
        net_near_finish(conn, NET_END_NORMAL, "the peer left");
    }
}

static void on_drained(void *context, struct net_conn *conn)
{
    (void)context;
    conn->http.answering = false;
    conn->http.since_ms = uv_now(&conn->loop->uv);
    if (conn->http.last) {
        net_near_finish(conn, NET_END_NORMAL, "all is answered");
    } else {
        net_near_hold(conn, false);
    }
}

static void on_closed(void *context, struct net_conn *conn, const char *reason)
{
    (void)context; // never called: a connection that was not adopted has nobody to tell
    (void)conn;
    (void)reason;
}

static const struct net_framing http_framing = {.take = http_take};

static const struct net_conn_handler http_handler = {
    .on_message = on_message,
    .on_bad_stream = on_bad_stream,
    .on_end = on_end,
    .on_closed = on_closed,
    .on_drained = on_drained,
};

static void http_admitted(struct net_conn *conn, bool yes)
{
    if (!yes) {
        conn->handler = &http_handler;
        refuse_websocket(conn, false);
        return;
    }
    begin_websocket(conn, conn->http.key, conn->http.key_size);
    net_outbox_kick(conn); // its greeting
    net_near_hold(conn, false);
}

static bool http_begin(struct net_conn *conn)
{
    conn->listener->stats.http_open++;
    conn->framing = &http_framing;
    conn->handler = &http_handler;
    conn->http.since_ms = uv_now(&conn->loop->uv);
    net_near_drain_mark(conn, 0);
    return true;
}

static void http_gone(struct net_conn *conn)
{
    if (!conn->websocket) { // else it counts among those
        conn->listener->stats.http_open--;
    }
    net_websocket_end(conn);
}

// Since when nothing has come of it; UINT64_MAX: it is at work. An answer that is being read is work, so is
// one that has just begun not to be.
static uint64_t useless_since_ms(const struct net_conn *conn)
{
    if (conn->framing != &http_framing || conn->state >= NET_CONN_FINISHING) {
        return UINT64_MAX;
    }
    if (!conn->http.answering) {
        return conn->http.since_ms;
    }
    uint64_t stuck_ms = uv_now(&conn->loop->uv) - conn->alive_ms;
    return stuck_ms > HTTP_STUCK_MS ? conn->alive_ms : UINT64_MAX;
}

// Another that does nothing may go for it.
static bool http_room(struct net_listener *listener)
{
    if (listener->stats.http_open < listener->http->options.connections) {
        return true;
    }
    struct net_conn *found = NULL;
    uint64_t since_ms = UINT64_MAX;
    for (struct net_conn *conn = listener->owned.loop->conns; conn; conn = conn->next) {
        if (conn->listener == listener && useless_since_ms(conn) < since_ms) {
            found = conn;
            since_ms = useless_since_ms(conn);
        }
    }
    if (found) {
        net_conn_close(found, "another connection needs its place");
    }
    return found != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Time-outs

static void watch_http(const struct net_http *http, struct net_conn *conn, uint64_t now_ms)
{
    uint64_t waited_ms = now_ms - conn->http.since_ms;
    bool in_head = conn->http.scanner.used > 0;
    if (conn->http.answering || conn->state == NET_CONN_ENDED) {
        if (now_ms - conn->alive_ms > http->options.stall_ms) {
            net_conn_close(conn, "the peer does not read its answer");
        }
    } else if (in_head && waited_ms > http->options.head_ms) {
        net_http_refuse_head(conn, 408, false);
    } else if (!in_head && waited_ms > http->options.idle_ms) {
        net_near_finish(conn, NET_END_NORMAL, "idle for too long");
    }
}

static void watch_websocket(const struct net_http *http, struct net_conn *conn, uint64_t now_ms)
{
    if (conn->held && !conn->outbox.writing) {
        conn->alive_ms = now_ms; // it is we who do not read
    }
    uint64_t silent_ms = now_ms - conn->alive_ms;
    if (silent_ms > http->options.dead_ms) {
        net_conn_close(conn, "the peer does not answer pings");
    } else if (silent_ms > http->options.ping_ms) {
        net_websocket_ask(conn, now_ms, http->options.ping_ms);
    }
}

static void on_sweep(void *context)
{
    const struct net_http *http = context;
    struct net_loop *loop = http->listener->owned.loop;
    uint64_t now_ms = uv_now(&loop->uv);
    for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        if (conn->listener != http->listener || !conn->begun || conn->state >= NET_CONN_FINISHING) {
            continue;
        }
        size_t queue = uv_stream_get_write_queue_size((uv_stream_t *)&conn->tcp);
        if (queue != conn->queue_seen) {
            conn->queue_seen = queue;
            conn->alive_ms = now_ms;
        }
        if (conn->framing == &http_framing) {
            watch_http(http, conn, now_ms);
        } else {
            watch_websocket(http, conn, now_ms);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Listening

static uint32_t or_else(uint32_t value, uint32_t otherwise)
{
    return value > 0 ? value : otherwise;
}

static void fill_in(struct net_http_options *options)
{
    options->connections = or_else(options->connections, HTTP_CONNECTIONS);
    options->head_ms = or_else(options->head_ms, HTTP_HEAD_MS);
    options->idle_ms = or_else(options->idle_ms, HTTP_IDLE_MS);
    options->stall_ms = or_else(options->stall_ms, HTTP_STALL_MS);
    options->ping_ms = or_else(options->ping_ms, HTTP_PING_MS);
    options->dead_ms = or_else(options->dead_ms, HTTP_DEAD_MS);
}

// A quarter of the shortest time-out: so exact they are.
static uint32_t sweep_period_ms(const struct net_http_options *options)
{
    const uint32_t times[] = {options->head_ms, options->idle_ms, options->stall_ms, options->ping_ms,
                              options->dead_ms};
    uint32_t period = HTTP_SWEEP_MS_MAX;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        period = times[i] / 4 < period ? times[i] / 4 : period;
    }
    return period > 0 ? period : 1;
}

static void listener_on_shut(struct net_owned *owned)
{
    struct net_listener *listener = (struct net_listener *)owned;
    net_timer_stop(listener->http->sweep);
    listener->http->sweep = NULL;
}

static void listener_deinit(struct net_owned *owned)
{
    struct net_listener *listener = (struct net_listener *)owned;
    if (listener->home) {
        net_shadow_deinit(listener); // whose files they are
    } else {
        net_files_destroy(listener->http->files);
    }
    free(listener->http);
}

static bool start_sweep(struct net_http *http, struct net_listener *listener)
{
    uint32_t period_ms = sweep_period_ms(&http->options);
    http->sweep = net_timer_start(listener->owned.loop, period_ms, period_ms, on_sweep, http);
    return http->sweep != NULL;
}

static bool http_spread(struct net_listener *listener)
{
    const struct net_crew *crew = listener->owned.loop->crew;
    for (uint32_t i = 0; crew && i < crew->count; i++) {
        struct net_listener *shadow = listener->shadows[i];
        struct net_http *http = calloc(1, sizeof *http);
        if (!http) {
            return false;
        }
        http->options = listener->http->options;
        http->files = listener->http->files;
        http->listener = shadow;
        shadow->http = http;
        shadow->owned.on_shut = listener_on_shut;
        shadow->owned.deinit = listener_deinit;
        if (!start_sweep(http, shadow)) {
            return false;
        }
    }
    return true;
}

static struct net_http *http_create(struct net_loop *loop, const struct net_http_options *options)
{
    struct net_http *http = calloc(1, sizeof *http);
    if (!http) {
        return NULL;
    }
    http->options = *options;
    fill_in(&http->options);
    http->options.connections = (http->options.connections + loop->loops - 1) / loop->loops;
    const char *reason;
    http->files = net_files_load(options->folder, &reason);
    if (!http->files) {
        base_log(BASE_LOG_WARN, "the files in %s are not served: %s", options->folder, reason);
        http->files = net_files_load(NULL, &reason);
    }
    uint32_t period_ms = sweep_period_ms(&http->options);
    http->sweep = net_timer_start(loop, period_ms, period_ms, on_sweep, http);
    if (!http->files || !http->sweep) {
        net_timer_stop(http->sweep);
        net_files_destroy(http->files);
        free(http);
        return NULL;
    }
    return http;
}

static void http_insecure(struct net_conn *conn)
{
    http_begin(conn);
    conn->http.last = true;
    net_http_refuse(conn, 400, false, NULL, "TLS is spoken at this port: https:// is meant, not http://");
}

static const struct net_service http_service = {.room = http_room,
                                                .begin = http_begin,
                                                .gone = http_gone,
                                                .insecure = http_insecure,
                                                .admitted = http_admitted,
                                                .protocol = "http/1.1"};

struct net_listener *net_listen_http(struct net_loop *loop, const char *address,
                                     const struct net_limits *limits, const struct net_http_options *options,
                                     void *(*on_accept)(void *context, struct net_conn *conn),
                                     const struct net_conn_handler *handler, void *context,
                                     const char **reason)
{
    struct net_listener *listener =
        net_listener_create(loop, address, &http_service, limits, on_accept, handler, context, reason);
    if (!listener) {
        return NULL;
    }
    listener->http = http_create(loop, options);
    if (!listener->http) {
        *reason = uv_strerror(UV_ENOMEM);
        net_listener_close(listener);
        return NULL;
    }
    listener->http->listener = listener;
    listener->owned.on_shut = listener_on_shut;
    listener->owned.deinit = listener_deinit;
    *reason = net_listener_spread(listener) && http_spread(listener) ? net_listener_start(listener)
                                                                     : uv_strerror(UV_ENOMEM);
    if (*reason) {
        net_listener_close(listener);
        return NULL;
    }
    return listener;
}
