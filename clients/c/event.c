// Event mode: the same client on a caller's libuv loop.
//
//     attach ─▶ connecting (reach.c) ─▶ connected ─▶ … ─▶ closing ─▶ released
//                └─ calls made meanwhile wait in `early`
//
// `held` counts what libuv still holds of this client: look-ups, sockets, timers. Closing asks for all of them back;
// when the last is returned, on_closed is called and the memory freed. Nothing else frees it, so every callback may
// close the client.
//
// When the client is away, the socket is closed, and the alarm runs until the addresses are tried again. The alarm also
// bounds how long connecting and greeting may take.
#include "follow.h"
#include "internal.h"
#include "line.h"
#include "outbox.h"
#include "reach.h"
#include "secure.h"

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

struct look_up {
    struct weft_event *event;
    enum weft_side side;
    uv_getaddrinfo_t request;
    bool under_way;
};

struct weft_event {
    struct weft_client *client;
    struct weft_attach_options options;
    uv_loop_t *loop;
    struct look_up look_ups[2]; // by weft_side, as the lines
    struct line *lines[2];      // NULL: none
    uv_timer_t alarm;           // calls weft_reach_late
    uv_timer_t wake;            // wakes follow.c
    struct weft_write *early, **early_end;
    size_t unsent;
    uint32_t held;
    bool timers_open;
    bool closed_here; // weft_close asked for it; it is not a failure
    char chunk[WEFT_CHUNK_SIZE];
};

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

// Gives up the socket and the look-up.
static void event_shut(struct weft_client *client, enum weft_side side)
{
    struct weft_event *event = client->event;
    if (event->look_ups[side].under_way) {
        uv_cancel((uv_req_t *)&event->look_ups[side].request);
    }
    if (event->lines[side]) {
        uv_close((uv_handle_t *)&event->lines[side]->tcp, on_line_closed);
    }
    event->lines[side] = NULL;
}

static void shut(struct weft_event *event)
{
    if (event->client->closing) {
        return;
    }
    event->client->closing = true;
    // Holds a reference, so that nothing is released while this function runs.
    event->held++;
    event_shut(event->client, WEFT_HERE);
    event_shut(event->client, WEFT_THERE);
    if (event->timers_open) {
        uv_close((uv_handle_t *)&event->alarm, on_handle_closed);
        uv_close((uv_handle_t *)&event->wake, on_handle_closed);
    }
    event->timers_open = false;
}

static void event_lose(struct weft_client *client, const struct weft_error *error)
{
    struct weft_event *event = client->event;
    if (client->closing || weft_line_go_away(client, error)) {
        return;
    }
    shut(event);
    weft_line_lose(client, error);
    release(event);
}

static void event_close(struct weft_client *client)
{
    if (!client->closing) {
        client->event->closed_here = true;
        weft_reach_close(client);
    }
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
        weft_reach_fail(event->client, "cannot write to", uv_strerror(status));
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

// Returns libuv's status. The write is freed when it is done, or at once if it cannot begin.
static int begin_write(struct weft_event *event, struct weft_write *write)
{
    const uv_buf_t bytes = write->sealed ? uv_buf_init(write->sealed, (unsigned)write->sealed_size)
                                         : uv_buf_init(write->bytes, (unsigned)write->size);
    write->request.data = write;
    const int status =
        uv_write(&write->request, (uv_stream_t *)&event->lines[WEFT_HERE]->tcp, &bytes, 1, on_written);
    if (status != 0) {
        event->unsent -= write->size;
        free(write->sealed);
        free(write);
    }
    return status;
}

static bool event_say(struct weft_client *client, char *bytes, size_t size, struct weft_error *error)
{
    struct weft_write *write = write_create(client->event, 0);
    if (!write) {
        free(bytes);
        return weft_fail_memory(error);
    }
    write->sealed = bytes;
    write->sealed_size = size;
    const int status = begin_write(client->event, write);
    return status == 0 || weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "cannot write to %s: %s",
                                    client->address, uv_strerror(status));
}

// Writes a message that may be sent now.
static void send_write(struct weft_event *event, struct weft_write *write)
{
    struct weft_client *client = event->client;
    struct weft_error error;
    weft_reach_talk(client);
    if (weft_client_is_cut(client)) {
        event->unsent -= write->size;
        free(write);
        return;
    }
    if (client->secure && (!weft_secure_put(client->secure, write->bytes, write->size, &error) ||
                           (write->sealed_size = weft_secure_take(client->secure, &write->sealed)) == 0)) {
        event->unsent -= write->size;
        free(write);
        weft_fail_memory(&error);
        event_lose(client, &error);
        return;
    }
    const int status = begin_write(event, write);
    if (status != 0) {
        weft_reach_fail(client, "cannot write to", uv_strerror(status));
    }
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
    if (client->connected) {
        send_write(event, write);
        if (client->closing || weft_client_is_cut(client)) {
            return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
        }
    } else {
        *event->early_end = write;
        event->early_end = &write->next;
    }
    return true;
}

// The first connection is up: sends the messages that waited for it.
static void event_ready(struct weft_client *client)
{
    struct weft_event *event = client->event;
    while (event->early && !client->closing) {
        struct weft_write *write = event->early;
        event->early = write->next;
        send_write(event, write);
    }
    event->early_end = &event->early;
    if (!client->closing && event->options.on_connected) {
        event->options.on_connected(event->options.context, client);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)wanted;
    struct weft_event *event = ((struct line *)handle->data)->event;
    *room = uv_buf_init(event->chunk, sizeof event->chunk);
}

// Runs after each thing that happened: sends calls that are due, and takes the steps to another server.
static void settle(struct weft_event *event)
{
    struct weft_client *client = event->client;
    if (client->closing) {
        return;
    }
    if (client->state == WEFT_STATE_UP && client->connected) {
        uv_timer_stop(&event->alarm);
    }
    weft_outbox_flush(client);
    if (client->lost) {
        event_lose(client, &client->loss);
    }
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *bytes)
{
    struct weft_event *event = ((struct line *)stream->data)->event;
    // Nothing more is read from a client that is being closed.
    if (event->client->closing || got == 0) {
        return;
    }
    if (got > 0) {
        weft_reach_take(event->client, (const uint8_t *)bytes->base, (size_t)got);
    } else {
        weft_reach_ended(event->client, got == UV_EOF ? NULL : uv_strerror((int)got));
    }
    settle(event);
}

// ---------------------------------------------------------------------------------------------------------
// Connecting

static void on_connected(uv_connect_t *request, int status)
{
    struct line *line = request->data;
    struct weft_event *event = line->event;
    const enum weft_side side = event->lines[WEFT_THERE] == line ? WEFT_THERE : WEFT_HERE;
    if (event->client->closing || event->lines[side] != line) {
        return;
    }
    if (status == 0) {
        uv_tcp_nodelay(&line->tcp, 1);
        uv_tcp_keepalive(&line->tcp, 1, KEEPALIVE_S);
        status = side == WEFT_HERE ? uv_read_start((uv_stream_t *)&line->tcp, on_room, on_read) : 0;
    }
    weft_reach_connected(event->client, side, status == 0 ? NULL : uv_strerror(status));
    settle(event);
}

static const char *event_open(struct weft_client *client, enum weft_side side, const struct addrinfo *target)
{
    struct weft_event *event = client->event;
    struct line *line = malloc(sizeof *line);
    int status = line ? uv_tcp_init(event->loop, &line->tcp) : UV_ENOMEM;
    if (status != 0) {
        free(line);
        return uv_strerror(status);
    }
    line->event = event;
    line->tcp.data = line;
    line->connect.data = line;
    event->held++;
    event->lines[side] = line;
    status = uv_tcp_connect(&line->connect, &line->tcp, target->ai_addr, on_connected);
    if (status == 0) {
        return NULL;
    }
    event_shut(client, side);
    return uv_strerror(status);
}

static void event_take_over(struct weft_client *client)
{
    struct weft_event *event = client->event;
    struct line *line = event->lines[WEFT_THERE];
    event->lines[WEFT_HERE] = line;
    event->lines[WEFT_THERE] = NULL;
    // It fails only for a socket that is not connected.
    (void)uv_read_start((uv_stream_t *)&line->tcp, on_room, on_read);
}

static void on_looked_up(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
    struct look_up *look_up = request->data;
    struct weft_event *event = look_up->event;
    const struct weft_client *client = event->client;
    look_up->under_way = false;
    if (client->closing || (look_up->side == WEFT_THERE && client->follow.going != WEFT_GOING_DIALS)) {
        uv_freeaddrinfo(found);
    } else {
        weft_reach_found(event->client, look_up->side, found, status == 0 ? NULL : uv_strerror(status));
        settle(event);
    }
    release(event);
}

static void event_look_up(struct weft_client *client, enum weft_side side, const struct weft_address *address)
{
    struct weft_event *event = client->event;
    struct look_up *look_up = &event->look_ups[side];
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    // One that could not be cancelled is still under way.
    const int status = look_up->under_way ? UV_EBUSY
                                          : uv_getaddrinfo(event->loop, &look_up->request, on_looked_up,
                                                           address->host, address->port, &hints);
    if (status != 0) {
        weft_reach_found(client, side, NULL, uv_strerror(status));
        return;
    }
    look_up->under_way = true;
    event->held++;
}

// ---------------------------------------------------------------------------------------------------------
// Time

static void on_alarm(uv_timer_t *timer)
{
    struct weft_event *event = timer->data;
    weft_reach_late(event->client);
    settle(event);
}

static void event_alarm(struct weft_client *client, int64_t after_ms)
{
    struct weft_event *event = client->event;
    if (!event->timers_open) {
        return;
    }
    uv_timer_stop(&event->alarm);
    if (after_ms != WEFT_NO_ALARM) {
        uv_timer_start(&event->alarm, on_alarm, (uint64_t)after_ms, 0);
    }
}

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

static const struct weft_transport on_loop = {.steps = &weft_follow_steps,
                                              .ways = &weft_reach_ways,
                                              .send = event_send,
                                              .close = event_close,
                                              .lose = event_lose,
                                              .wake = event_wake,
                                              .alarm = event_alarm,
                                              .look_up = event_look_up,
                                              .open = event_open,
                                              .shut = event_shut,
                                              .take_over = event_take_over,
                                              .say = event_say,
                                              .ready = event_ready};

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
        weft_client_destroy(client);
        return NULL;
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
    for (int i = 0; i < 2; i++) {
        event->look_ups[i].event = event;
        event->look_ups[i].side = i == 0 ? WEFT_HERE : WEFT_THERE;
        event->look_ups[i].request.data = &event->look_ups[i];
    }
    event->alarm.data = event;
    event->wake.data = event;
    // Neither fails on a live loop: a timer needs nothing from the system.
    uv_timer_init(loop, &event->alarm);
    uv_timer_init(loop, &event->wake);
    event->timers_open = true;
    event->held = 2;
    weft_reach_begin(client, options->timeout_ms);
    return client;
}
