// Event mode: the same client on a caller's libuv loop.
//
//     attach ─▶ resolve ─▶ connect ─▶ (next address) ─▶ connected ─▶ … ─▶ closing ─▶ released
//                               └── calls made meanwhile wait in `early` ──┘
//
// `held` counts what libuv still knows of this client: the look-up, the socket, the timer. Closing asks for
// all of them back; when the last is returned, on_closed is called and the memory freed. Nothing else frees
// it, so every callback may close the client.
//
// Away, the socket is closed, and then the timer runs until the addresses are tried once more. It also bounds how long
// connecting and greeting may take.
#include "internal.h"
#include "secure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { UNSENT_BYTES_DEFAULT = 64 << 20, KEEPALIVE_S = 10 };

struct weft_write {
    struct weft_event *event;
    struct weft_write *next; // among early ones
    uv_write_t request;
    size_t size;  // of the message, as it is bounded and counted
    char *sealed; // NULL: bytes are what is written
    size_t sealed_size;
    char bytes[];
};

struct weft_event {
    struct weft_client *client;
    struct weft_attach_options options;
    uv_loop_t *loop;
    uv_getaddrinfo_t resolve;
    uv_tcp_t tcp;
    uv_timer_t timer;
    uv_connect_t connect;
    struct addrinfo *found;
    const struct addrinfo *target; // being tried
    struct weft_write *early, **early_end;
    size_t unsent;
    uint32_t held;
    bool resolving, tcp_open, timer_open;
    bool connected;   // and with TLS, hands are shaken
    bool closed_here; // by weft_close, not for a failure
    int last_status;
    char chunk[WEFT_CHUNK_SIZE];
};

static void try_next(struct weft_event *event);
static void on_timeout(uv_timer_t *timer);

static void release(struct weft_event *event)
{
    if (--event->held != 0 || !event->client->closing)
        return;
    struct weft_client *client = event->client;
    while (event->early) {
        struct weft_write *write = event->early;
        event->early = write->next;
        free(write);
    }
    if (event->found)
        uv_freeaddrinfo(event->found);
    if (event->options.on_closed)
        event->options.on_closed(event->options.context, client, event->closed_here ? NULL : &client->loss);
    free(event);
    weft_client_destroy(client);
}

static void on_handle_closed(uv_handle_t *handle)
{
    release(handle->data);
}

static void shut(struct weft_event *event)
{
    if (event->client->closing)
        return;
    event->client->closing = true;
    // Of its own, so that nothing is released while this function runs.
    event->held++;
    if (event->resolving)
        uv_cancel((uv_req_t *)&event->resolve);
    if (event->timer_open)
        uv_close((uv_handle_t *)&event->timer, on_handle_closed);
    event->timer_open = false;
    if (event->tcp_open)
        uv_close((uv_handle_t *)&event->tcp, on_handle_closed);
    event->tcp_open = false;
}

static void fail(struct weft_event *event, const struct weft_error *error)
{
    if (event->client->closing || weft_client_go_away(event->client, error))
        return;
    shut(event);
    weft_client_lose(event->client, error);
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
    if (event->client->closing)
        return;
    event->closed_here = true;
    weft_client_stay_away(client);
    if (event->connected && event->unsent == 0 && !client->lost) { // as far as the system takes it at once
        const uv_buf_t bytes = uv_buf_init((char *)weft_leave, WEFT_LEAVE_SIZE);
        (void)uv_try_write((uv_stream_t *)&event->tcp, &bytes, 1);
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
    if (status == 0)
        event->client->stats.bytes_out += write->sealed ? write->sealed_size : write->size;
    free(write->sealed);
    free(write);
    if (status != 0 && status != UV_ECANCELED)
        fail_status(event, "CLOSED", "cannot write to", status);
}

static struct weft_write *write_create(struct weft_event *event, size_t size)
{
    struct weft_write *write = malloc(sizeof *write + size);
    if (write)
        *write = (struct weft_write){.event = event, .size = size};
    return write;
}

static void begin_write(struct weft_event *event, struct weft_write *write)
{
    const uv_buf_t bytes = write->sealed ? uv_buf_init(write->sealed, (unsigned)write->sealed_size)
                                         : uv_buf_init(write->bytes, (unsigned)write->size);
    write->request.data = write;
    const int status = uv_write(&write->request, (uv_stream_t *)&event->tcp, &bytes, 1, on_written);
    if (status != 0) {
        event->unsent -= write->size;
        free(write->sealed);
        free(write);
        fail_status(event, "CLOSED", "cannot write to", status);
    }
}

// What TLS has to say by itself. What was sealed goes out in its order.
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

// Of a message that may go now.
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
    if (size > event->options.unsent_bytes - event->unsent)
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%zu bytes wait to be sent; %zu more are too many",
                         event->unsent, size);
    struct weft_write *write = write_create(event, size);
    if (!write)
        return weft_fail_memory(error);
    memcpy(write->bytes, head->data, head->size);
    if (body)
        memcpy(write->bytes + head->size, body->data, body->size);
    event->unsent += size;
    if (event->connected) {
        send_write(event, write);
        if (event->client->closing || weft_client_is_cut(client))
            return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
    } else {
        *event->early_end = write;
        event->early_end = &write->next;
    }
    return true;
}

// The connection stands: what waited for that goes out.
static void on_ready(struct weft_event *event)
{
    event->connected = true;
    if (event->client->state != WEFT_STATE_UP) {
        weft_client_greet(event->client);
        return;
    }
    uv_timer_stop(&event->timer);
    while (event->early && !event->client->closing) {
        struct weft_write *write = event->early;
        event->early = write->next;
        send_write(event, write);
    }
    event->early_end = &event->early;
    if (!event->client->closing && event->options.on_connected)
        event->options.on_connected(event->options.context, event->client);
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static void take_secure(struct weft_event *event, const uint8_t *bytes, size_t size)
{
    struct weft_client *client = event->client;
    struct weft_error error;
    if (!weft_secure_feed(client->secure, weft_client_receive, client, bytes, size, &error)) {
        talk(event); // an alert
        fail(event, client->lost ? &client->loss : &error);
        return;
    }
    talk(event);
    if (weft_client_is_cut(client)) {
        fail(event, &client->loss);
    } else if (weft_secure_ended(client->secure)) {
        weft_client_lose_at_end(client);
        fail(event, &client->loss);
    } else if (!event->connected && !client->closing && weft_secure_ready(client->secure)) {
        on_ready(event);
    }
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)wanted;
    struct weft_event *event = handle->data;
    *room = uv_buf_init(event->chunk, sizeof event->chunk);
}

// After what came was taken: a greeting that was answered, calls that are due.
static void settle(struct weft_event *event)
{
    struct weft_client *client = event->client;
    if (client->closing || client->state != WEFT_STATE_UP || !event->connected)
        return;
    uv_timer_stop(&event->timer);
    weft_client_flush(client);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *bytes)
{
    struct weft_event *event = stream->data;
    struct weft_client *client = event->client;
    if (event->client->closing)
        return;
    if (got > 0 && client->secure) {
        take_secure(event, (const uint8_t *)bytes->base, (size_t)got);
        settle(event);
    } else if (got > 0) {
        if (!weft_client_receive(client, (const uint8_t *)bytes->base, (size_t)got))
            fail(event, &client->loss);
        settle(event);
    } else if (got == UV_EOF || (got == UV_ECONNRESET && client->last_words[0])) {
        weft_client_lose_at_end(client);
        fail(event, &client->loss);
    } else if (got < 0) {
        fail_status(event, "CLOSED", "lost the connection to", (int)got);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Connecting

static void on_tcp_failed_closed(uv_handle_t *handle)
{
    struct weft_event *event = handle->data;
    if (!event->client->closing)
        try_next(event);
    release(event);
}

static void on_connected(uv_connect_t *request, int status)
{
    struct weft_event *event = request->data;
    if (event->client->closing)
        return;
    if (status != 0) {
        event->last_status = status;
        event->tcp_open = false;
        uv_close((uv_handle_t *)&event->tcp, on_tcp_failed_closed);
        return;
    }
    uv_tcp_nodelay(&event->tcp, 1);
    uv_tcp_keepalive(&event->tcp, 1, KEEPALIVE_S);
    status = uv_read_start((uv_stream_t *)&event->tcp, on_room, on_read);
    if (status != 0) {
        fail_status(event, "CONNECT", "cannot read from", status);
        return;
    }
    if (event->client->secure)
        talk(event);
    else
        on_ready(event);
}

static void try_next(struct weft_event *event)
{
    while (event->target) {
        const struct addrinfo *target = event->target;
        event->target = target->ai_next;
        int status = uv_tcp_init(event->loop, &event->tcp);
        if (status != 0) {
            event->last_status = status;
            continue;
        }
        event->tcp.data = event;
        event->tcp_open = true;
        event->held++;
        event->connect.data = event;
        status = uv_tcp_connect(&event->connect, &event->tcp, target->ai_addr, on_connected);
        if (status == 0)
            return;
        event->last_status = status;
        event->tcp_open = false;
        uv_close((uv_handle_t *)&event->tcp, on_tcp_failed_closed);
        return;
    }
    fail_status(event, "CONNECT", "cannot connect to", event->last_status);
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
    struct weft_event *event = request->data;
    event->resolving = false;
    event->found = found;
    if (!event->client->closing) {
        if (status != 0) {
            fail_status(event, "CONNECT", "cannot connect to", status);
        } else {
            event->target = found;
            event->last_status = UV_EAI_NODATA;
            try_next(event);
        }
    }
    release(event);
}

// Each address once more.
static void begin_again(struct weft_event *event)
{
    struct weft_error error;
    if (!weft_client_try(event->client, &error)) {
        fail(event, &error);
        return;
    }
    event->target = event->found;
    uv_timer_start(&event->timer, on_timeout, WEFT_TRY_MS, 0);
    try_next(event);
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
    uv_timer_start(&event->timer, on_timeout, weft_client_retry_ms(event->client), 0);
}

static void on_line_closed(uv_handle_t *handle)
{
    struct weft_event *event = handle->data;
    if (!event->client->closing)
        wait_away(event);
    release(event);
}

static void event_away(struct weft_client *client)
{
    struct weft_event *event = client->event;
    uv_timer_stop(&event->timer);
    event->connected = false;
    if (event->tcp_open)
        uv_close((uv_handle_t *)&event->tcp, on_line_closed);
    else
        wait_away(event);
    event->tcp_open = false;
}

static const struct weft_transport on_loop = {.send = event_send, .close = event_close, .away = event_away};

struct weft_client *weft_attach(struct uv_loop_s *loop, const struct weft_attach_options *options,
                                struct weft_error *error)
{
    struct weft_address address;
    if (!weft_address_parse(options->address, &address, error))
        return NULL;
    struct weft_client *client = weft_client_create(&on_loop, error);
    struct weft_event *event = calloc(1, sizeof *event);
    if (!client || !event) {
        weft_fail_memory(error);
        goto cleanup;
    }
    snprintf(client->address, sizeof client->address, strchr(address.host, ':') ? "[%s]:%s" : "%s:%s",
             address.host, address.port);
    if (weft_secure_wanted(&address, options->tls)) {
        client->secure = weft_secure_create(options->tls, address.host, error);
        if (!client->secure)
            goto cleanup;
    }
    client->event = event;
    event->client = client;
    event->loop = loop;
    event->options = *options;
    event->options.address = NULL;
    event->options.tls = NULL;
    if (!event->options.unsent_bytes)
        event->options.unsent_bytes = UNSENT_BYTES_DEFAULT;
    event->early_end = &event->early;
    event->resolve.data = event;
    event->timer.data = event;

    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const int status = uv_getaddrinfo(loop, &event->resolve, on_resolved, address.host, address.port, &hints);
    if (status != 0) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot look up %s: %s", client->address,
                  uv_strerror(status));
        goto cleanup;
    }
    event->resolving = true;
    // Neither fails on a live loop: a timer needs nothing from the system.
    uv_timer_init(loop, &event->timer);
    event->timer_open = true;
    event->held = 2;
    if (options->timeout_ms)
        uv_timer_start(&event->timer, on_timeout, options->timeout_ms, 0);
    return client;

cleanup:
    free(event);
    if (client) {
        client->event = NULL;
        weft_client_destroy(client);
    }
    return NULL;
}
