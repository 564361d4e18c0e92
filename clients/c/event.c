// Event mode: the same client on a caller's libuv loop.
//
//     attach ─▶ resolve ─▶ connect ─▶ (next address) ─▶ connected ─▶ … ─▶ closing ─▶ released
//                               └── calls made meanwhile wait in `early` ──┘
//
// `held` counts what libuv still holds of this client: look-ups, sockets, timers. Closing asks for all of them back;
// when the last is returned, on_closed is called and the memory freed. Nothing else frees it, so every callback may
// close the client.
//
// When the client is away, the socket is closed, and the timer runs until the addresses are tried again. The timer also
// bounds how long connecting and greeting may take. There are two routes: `here`, to the current server, and `there`,
// to the server that the client goes to. When it has arrived they change places.
#include "follow.h"
#include "internal.h"
#include "line.h"
#include "outbox.h"
#include "receive.h"
#include "secure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { UNSENT_BYTES_DEFAULT = 64 << 20, KEEPALIVE_S = 10 };

struct weft_write {
    struct weft_event *event;
    struct weft_write *next; // in the list of early ones
    uv_write_t request;
    size_t size;  // size of the message, for the bound and the statistics
    char *sealed; // NULL: bytes are written as they are
    size_t sealed_size;
    char bytes[];
};

// A socket. libuv's close callback frees it.
struct line {
    struct weft_event *event;
    uv_tcp_t tcp;
    uv_connect_t connect;
};

// The way to one server.
struct route {
    struct weft_event *event;
    uv_getaddrinfo_t resolve;
    bool resolving;
    struct addrinfo *found;
    const struct addrinfo *target; // the next address to try
    struct line *line;             // NULL: none
    int last_status;
};

struct weft_event {
    struct weft_client *client;
    struct weft_attach_options options;
    uv_loop_t *loop;
    struct route routes[2];
    struct route *here, *there; // owned; there: the route to the server that it goes to
    uv_timer_t timer;
    uv_timer_t wake; // wakes follow.c
    struct weft_write *early, **early_end;
    size_t unsent;
    uint32_t held;
    bool timers_open;
    bool connected;   // includes the TLS handshake
    bool closed_here; // weft_close asked for it; it is not a failure
    char chunk[WEFT_CHUNK_SIZE];
};

static void try_next(struct weft_event *event, struct route *route);
static void on_timeout(uv_timer_t *timer);

static void release(struct weft_event *event)
{
    if (--event->held != 0 || !event->client->closing) {
        return;
    }
    struct weft_client *client = event->client;
    while (event->early) {
        struct weft_write *write = event->early;
        event->early = write->next;
        free(write);
    }
    for (int i = 0; i < 2; i++) {
        uv_freeaddrinfo(event->routes[i].found);
    }
    if (event->options.on_closed) {
        event->options.on_closed(event->options.context, client, event->closed_here ? NULL : &client->loss);
    }
    free(event);
    weft_client_destroy(client);
}

static void on_handle_closed(uv_handle_t *handle)
{
    release(handle->data);
}

static void on_line_closed(uv_handle_t *handle)
{
    struct line *line = handle->data;
    struct weft_event *event = line->event;
    free(line);
    release(event);
}

static void close_line(struct route *route)
{
    if (route->line) {
        uv_close((uv_handle_t *)&route->line->tcp, on_line_closed);
    }
    route->line = NULL;
}

static void shut(struct weft_event *event)
{
    if (event->client->closing) {
        return;
    }
    event->client->closing = true;
    // Holds a reference, so that nothing is released while this function runs.
    event->held++;
    for (int i = 0; i < 2; i++) {
        if (event->routes[i].resolving) {
            uv_cancel((uv_req_t *)&event->routes[i].resolve);
        }
        close_line(&event->routes[i]);
    }
    if (event->timers_open) {
        uv_close((uv_handle_t *)&event->timer, on_handle_closed);
        uv_close((uv_handle_t *)&event->wake, on_handle_closed);
    }
    event->timers_open = false;
}

static void fail(struct weft_event *event, const struct weft_error *error)
{
    if (event->client->closing || weft_line_go_away(event->client, error)) {
        return;
    }
    shut(event);
    weft_line_lose(event->client, error);
    release(event);
}

static void fail_status(struct weft_event *event, const char *code, const char *what, int status)
{
    struct weft_error error;
    weft_fail(&error, WEFT_KIND_TRANSPORT, code, "%s %s: %s", what, event->client->address,
              uv_strerror(status));
    fail(event, &error);
}

static void event_close(struct weft_client *client)
{
    struct weft_event *event = client->event;
    struct weft_error error;
    if (event->client->closing) {
        return;
    }
    event->closed_here = true;
    weft_client_stay_away(client);
    if (event->connected && event->unsent == 0 && !client->lost) { // sends what the system takes at once
        const uv_buf_t bytes = uv_buf_init((char *)weft_leave, WEFT_LEAVE_SIZE);
        (void)uv_try_write((uv_stream_t *)&event->here->line->tcp, &bytes, 1);
    }
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the connection was closed here");
    fail(event, &error);
}

// ---------------------------------------------------------------------------------------------------------
// Writing

static void on_written(uv_write_t *request, int status)
{
    struct weft_write *write = request->data;
    struct weft_event *event = write->event;
    event->unsent -= write->size;
    if (status == 0) {
        event->client->stats.bytes_out += write->sealed ? write->sealed_size : write->size;
    }
    free(write->sealed);
    free(write);
    if (status != 0 && status != UV_ECANCELED) {
        fail_status(event, "CLOSED", "cannot write to", status);
    }
}

static struct weft_write *write_create(struct weft_event *event, size_t size)
{
    struct weft_write *write = malloc(sizeof *write + size);
    if (write) {
        *write = (struct weft_write){.event = event, .size = size};
    }
    return write;
}

static void begin_write(struct weft_event *event, struct weft_write *write)
{
    const uv_buf_t bytes = write->sealed ? uv_buf_init(write->sealed, (unsigned)write->sealed_size)
                                         : uv_buf_init(write->bytes, (unsigned)write->size);
    write->request.data = write;
    const int status =
        uv_write(&write->request, (uv_stream_t *)&event->here->line->tcp, &bytes, 1, on_written);
    if (status != 0) {
        event->unsent -= write->size;
        free(write->sealed);
        free(write);
        fail_status(event, "CLOSED", "cannot write to", status);
    }
}

// Sends what TLS itself has to say. Sealed bytes go out in their order.
static void talk(struct weft_event *event)
{
    char *bytes;
    const size_t size = weft_secure_take(event->client->secure, &bytes);
    struct weft_error error;
    if (size == 0 || event->client->closing || weft_client_is_cut(event->client)) {
        free(bytes);
        return;
    }
    struct weft_write *write = write_create(event, 0);
    if (!write) {
        free(bytes);
        weft_fail_memory(&error);
        fail(event, &error);
        return;
    }
    write->sealed = bytes;
    write->sealed_size = size;
    begin_write(event, write);
}

// Writes a message that may be sent now.
static void send_write(struct weft_event *event, struct weft_write *write)
{
    struct weft_error error;
    if (event->client->secure) {
        talk(event);
        if (weft_client_is_cut(event->client)) {
            event->unsent -= write->size;
            free(write);
            return;
        }
        if (!weft_secure_put(event->client->secure, write->bytes, write->size, &error) ||
            (write->sealed_size = weft_secure_take(event->client->secure, &write->sealed)) == 0) {
            event->unsent -= write->size;
            free(write);
            weft_fail_memory(&error);
            fail(event, &error);
            return;
        }
    }
    begin_write(event, write);
}

static bool event_send(struct weft_client *client, const msgpack_sbuffer *head, const msgpack_sbuffer *body,
                       struct weft_error *error)
{
    struct weft_event *event = client->event;
    const size_t size = head->size + (body ? body->size : 0);
    if (size > event->options.unsent_bytes - event->unsent) {
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%zu bytes wait to be sent; %zu more are too many",
                         event->unsent, size);
    }
    struct weft_write *write = write_create(event, size);
    if (!write) {
        return weft_fail_memory(error);
    }
    memcpy(write->bytes, head->data, head->size);
    if (body) {
        memcpy(write->bytes + head->size, body->data, body->size);
    }
    event->unsent += size;
    if (event->connected) {
        send_write(event, write);
        if (event->client->closing || weft_client_is_cut(client)) {
            return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
        }
    } else {
        *event->early_end = write;
        event->early_end = &write->next;
    }
    return true;
}

// The connection is up: sends the messages that waited for it.
static void on_ready(struct weft_event *event)
{
    event->connected = true;
    if (event->client->state != WEFT_STATE_UP) {
        weft_line_greet(event->client);
        return;
    }
    uv_timer_stop(&event->timer);
    while (event->early && !event->client->closing) {
        struct weft_write *write = event->early;
        event->early = write->next;
        send_write(event, write);
    }
    event->early_end = &event->early;
    if (!event->client->closing && event->options.on_connected) {
        event->options.on_connected(event->options.context, event->client);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static void take_secure(struct weft_event *event, const uint8_t *bytes, size_t size)
{
    struct weft_client *client = event->client;
    struct weft_error error;
    if (!weft_secure_feed(client->secure, weft_receive, client, bytes, size, &error)) {
        talk(event); // sends an alert
        fail(event, client->lost ? &client->loss : &error);
        return;
    }
    talk(event);
    if (weft_client_is_cut(client)) {
        fail(event, &client->loss);
    } else if (weft_secure_ended(client->secure)) {
        weft_line_lose_at_end(client);
        fail(event, &client->loss);
    } else if (!event->connected && !client->closing && weft_secure_ready(client->secure)) {
        on_ready(event);
    }
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)wanted;
    struct weft_event *event = ((struct line *)handle->data)->event;
    *room = uv_buf_init(event->chunk, sizeof event->chunk);
}

// Runs after messages were taken: handles the answer to a greeting, sends calls that are due, and takes the steps to
// another server.
static void settle(struct weft_event *event)
{
    struct weft_client *client = event->client;
    if (client->closing) {
        return;
    }
    if (client->state == WEFT_STATE_UP && event->connected) {
        uv_timer_stop(&event->timer);
    }
    weft_outbox_flush(client);
    if (client->lost) {
        fail(event, &client->loss);
    }
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *bytes)
{
    struct weft_event *event = ((struct line *)stream->data)->event;
    struct weft_client *client = event->client;
    // Nothing more is read from a client that is being closed.
    if (event->client->closing) {
        return;
    }
    if (got > 0 && client->secure) {
        take_secure(event, (const uint8_t *)bytes->base, (size_t)got);
        settle(event);
    } else if (got > 0) {
        if (!weft_receive(client, (const uint8_t *)bytes->base, (size_t)got)) {
            fail(event, &client->loss);
        }
        settle(event);
    } else if (got == UV_EOF || (got == UV_ECONNRESET && client->last_words[0])) {
        weft_line_lose_at_end(client);
        fail(event, &client->loss);
    } else if (got < 0) {
        fail_status(event, "CLOSED", "lost the connection to", (int)got);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Connecting

// Starts what a new connection needs: reading, and with TLS the handshake.
static void begin_line(struct weft_event *event)
{
    const int status = uv_read_start((uv_stream_t *)&event->here->line->tcp, on_room, on_read);
    if (status != 0) {
        fail_status(event, "CONNECT", "cannot read from", status);
    } else if (event->client->secure) {
        talk(event);
    } else {
        on_ready(event);
    }
}

static void on_connected(uv_connect_t *request, int status)
{
    struct line *line = request->data;
    struct weft_event *event = line->event;
    struct route *route = event->there->line == line ? event->there : event->here;
    if (event->client->closing || route->line != line) {
        return;
    }
    if (status != 0) {
        route->last_status = status;
        close_line(route);
        try_next(event, route);
        return;
    }
    uv_tcp_nodelay(&line->tcp, 1);
    uv_tcp_keepalive(&line->tcp, 1, KEEPALIVE_S);
    if (route == event->there) {
        weft_follow_dialed(event->client, NULL);
        settle(event);
        return;
    }
    begin_line(event);
}

static struct line *open_line(struct weft_event *event)
{
    struct line *line = malloc(sizeof *line);
    if (!line || uv_tcp_init(event->loop, &line->tcp) != 0) {
        free(line);
        return NULL;
    }
    line->event = event;
    line->tcp.data = line;
    line->connect.data = line;
    event->held++;
    return line;
}

static void not_reached(struct weft_event *event, const struct route *route)
{
    struct weft_error error;
    if (route == event->here) {
        fail_status(event, "CONNECT", "cannot connect to", route->last_status);
        return;
    }
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot connect to %s: %s", event->client->follow.there,
              uv_strerror(route->last_status));
    weft_follow_dialed(event->client, &error);
    settle(event);
}

static void try_next(struct weft_event *event, struct route *route)
{
    while (route->target) {
        const struct addrinfo *target = route->target;
        route->target = target->ai_next;
        route->line = open_line(event);
        route->last_status = route->line ? uv_tcp_connect(&route->line->connect, &route->line->tcp,
                                                          target->ai_addr, on_connected)
                                         : UV_ENOMEM;
        if (route->last_status == 0) {
            return;
        }
        close_line(route);
    }
    not_reached(event, route);
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
    struct route *route = request->data;
    struct weft_event *event = route->event;
    const bool wanted =
        !event->client->closing && (route == event->here || event->client->follow.going == WEFT_GOING_DIALS);
    route->resolving = false;
    if (!wanted) {
        uv_freeaddrinfo(found);
    } else {
        route->found = found;
        route->target = found;
        route->last_status = status != 0 ? status : UV_EAI_NODATA;
        try_next(event, route);
    }
    release(event);
}

// Tries each address again.
static void begin_again(struct weft_event *event)
{
    struct weft_error error;
    if (weft_follow_elsewhere(event->client)) {
        return;
    }
    if (!weft_line_try(event->client, &event->client->home, &error)) {
        fail(event, &error);
        return;
    }
    event->here->target = event->here->found;
    uv_timer_start(&event->timer, on_timeout, WEFT_TRY_MS, 0);
    try_next(event, event->here);
}

static void on_timeout(uv_timer_t *timer)
{
    struct weft_event *event = timer->data;
    const bool first = event->client->state == WEFT_STATE_UP;
    struct weft_error error;
    if (event->client->state == WEFT_STATE_AWAY) {
        begin_again(event);
        return;
    }
    weft_fail(&error, WEFT_KIND_TRANSPORT, "TIMEOUT", "cannot connect to %s within %llu ms",
              event->client->address, (unsigned long long)(first ? event->options.timeout_ms : WEFT_TRY_MS));
    fail(event, &error);
}

static void wait_away(struct weft_event *event)
{
    uv_timer_start(&event->timer, on_timeout, weft_line_retry_ms(event->client), 0);
}

static void event_hang_up(struct weft_client *client)
{
    struct weft_event *event = client->event;
    uv_timer_stop(&event->timer);
    event->connected = false;
    close_line(event->here);
}

static void event_away(struct weft_client *client)
{
    event_hang_up(client);
    wait_away(client->event);
}

// ---------------------------------------------------------------------------------------------------------
// Going to another server, beside the connection that there is

static void on_wake(uv_timer_t *timer)
{
    settle(timer->data);
}

static void event_wake(struct weft_client *client)
{
    struct weft_event *event = client->event;
    const int64_t at = client->follow.wake_ms, now = weft_now_ms();
    if (!event->timers_open) {
        return;
    }
    uv_timer_stop(&event->wake);
    uv_update_time(event->loop);
    if (at != INT64_MAX) {
        uv_timer_start(&event->wake, on_wake, at > now ? (uint64_t)(at - now) : 0, 0);
    }
}

static void event_undial(struct weft_client *client)
{
    struct route *there = client->event->there;
    if (there->resolving) {
        uv_cancel((uv_req_t *)&there->resolve);
    }
    close_line(there);
    if (!there->resolving) {
        uv_freeaddrinfo(there->found);
    }
    there->found = NULL;
    there->target = NULL;
}

static void event_dial(struct weft_client *client)
{
    struct weft_event *event = client->event;
    struct route *there = event->there;
    const struct weft_address *address = &client->follow.address;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    event_undial(client);
    // A look-up that could not be cancelled is still under way.
    const int status = there->resolving ? UV_EBUSY
                                        : uv_getaddrinfo(event->loop, &there->resolve, on_resolved,
                                                         address->host, address->port, &hints);
    if (status == 0) {
        there->resolving = true;
        event->held++;
        return;
    }
    there->last_status = status;
    not_reached(event, there);
}

static void event_change(struct weft_client *client, bool leaves)
{
    struct weft_event *event = client->event;
    struct weft_error error;
    if (leaves && event->connected && event->unsent == 0 && !client->secure) {
        const uv_buf_t bytes = uv_buf_init((char *)weft_leave, WEFT_LEAVE_SIZE);
        (void)uv_try_write((uv_stream_t *)&event->here->line->tcp, &bytes, 1);
    }
    event_hang_up(client);
    event->here->line = event->there->line;
    event->there->line = NULL;
    uv_timer_start(&event->timer, on_timeout, WEFT_TRY_MS, 0);
    if (weft_line_try(client, &client->follow.address, &error)) {
        begin_line(event);
    } else {
        weft_line_lose(client, &error);
    }
}

static void event_settle(struct weft_client *client)
{
    struct weft_event *event = client->event;
    struct route *here = event->there;
    here->line = event->here->line;
    event->here->line = NULL;
    event->there = event->here;
    event->here = here;
    event_undial(client);
}

static const struct weft_transport on_loop = {.steps = &weft_follow_steps,
                                              .send = event_send,
                                              .close = event_close,
                                              .away = event_away,
                                              .hang_up = event_hang_up,
                                              .wake = event_wake,
                                              .dial = event_dial,
                                              .undial = event_undial,
                                              .change = event_change,
                                              .settle = event_settle};

struct weft_client *weft_attach(struct uv_loop_s *loop, const struct weft_attach_options *options,
                                struct weft_error *error)
{
    struct weft_client *client = weft_client_create(&on_loop, options->address, options->tls, error);
    if (!client) {
        return NULL;
    }
    struct weft_event *event = calloc(1, sizeof *event);
    if (!event) {
        weft_fail_memory(error);
        goto cleanup;
    }
    client->event = event;
    event->client = client;
    event->loop = loop;
    event->options = *options;
    event->options.address = NULL;
    event->options.tls = NULL;
    if (!event->options.unsent_bytes) {
        event->options.unsent_bytes = UNSENT_BYTES_DEFAULT;
    }
    event->early_end = &event->early;
    event->here = &event->routes[0];
    event->there = &event->routes[1];
    for (int i = 0; i < 2; i++) {
        event->routes[i].event = event;
        event->routes[i].resolve.data = &event->routes[i];
    }
    event->timer.data = event;
    event->wake.data = event;

    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const int status = uv_getaddrinfo(loop, &event->here->resolve, on_resolved, client->home.host,
                                      client->home.port, &hints);
    if (status != 0) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot look up %s: %s", client->address,
                  uv_strerror(status));
        goto cleanup;
    }
    event->here->resolving = true;
    // Neither fails on a live loop: a timer needs nothing from the system.
    uv_timer_init(loop, &event->timer);
    uv_timer_init(loop, &event->wake);
    event->timers_open = true;
    event->held = 3;
    if (options->timeout_ms) {
        uv_timer_start(&event->timer, on_timeout, options->timeout_ms, 0);
    }
    return client;

cleanup:
    free(event);
    weft_client_destroy(client);
    return NULL;
}
