// The part that both modes share: a client's life, its settings, and the callbacks that end a call or a stream.
//
// Invariant: each call under way is in `calls` exactly once. Its callback is called exactly once, if need be with the
// reason why the connection ended.
#include "internal.h"
#include "secure.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t weft_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct weft_client *weft_client_create(const struct weft_transport *transport, const char *text,
                                       const struct weft_tls *tls, struct weft_error *error)
{
    struct weft_address address;
    if (!weft_address_parse(text, &address, error)) {
        return NULL;
    }
    struct weft_client *client = calloc(1, sizeof *client);
    if (!client) {
        weft_fail_memory(error);
        return NULL;
    }
    client->transport = transport;
    client->fd = -1;
    client->follow.on = true;
    client->follow.wake_ms = INT64_MAX;
    client->home = address;
    weft_client_name(client, &address);
    weft_inbox_init(&client->inbox);
    if (!weft_secure_wanted(&address, tls)) {
        return client;
    }
    client->secure = weft_secure_create(tls, address.host, error);
    if (client->secure) {
        return client;
    }
    weft_client_destroy(client);
    return NULL;
}

void weft_client_destroy(struct weft_client *client)
{
    weft_inbox_deinit(&client->inbox);
    weft_secure_destroy(client->secure);
    weft_calls_deinit(&client->calls);
    weft_visit_deinit(&client->visit);
    for (size_t i = 0; i < sizeof client->routes / sizeof *client->routes; i++) {
        if (client->routes[i].found) {
            freeaddrinfo(client->routes[i].found);
        }
    }
    free(client->peer);
    free(client);
}

void weft_client_name(struct weft_client *client, const struct weft_address *address)
{
    snprintf(client->address, sizeof client->address, strchr(address->host, ':') ? "[%s]:%s" : "%s:%s",
             address->host, address->port);
}

void weft_client_stay_away(struct weft_client *client)
{
    client->visit.key[0] = '\0';
    client->transport->steps->end(client);
}

void weft_close(struct weft_client *client)
{
    if (client) {
        client->transport->close(client);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Callbacks

void weft_client_finish(struct weft_client *client, struct weft_pending *pending,
                        const struct weft_error *error, struct weft_reply *reply)
{
    free(pending->kept);
    if (!pending->fn) {
        return;
    }
    client->delivering++;
    pending->fn(pending->context, client, error, reply);
    client->delivering--;
}

void weft_client_tell_closed(struct weft_client *client, uint32_t stream, const struct weft_error *error)
{
    msgpack_object_kv entries[2] = {
        {.key = {.type = MSGPACK_OBJECT_STR, .via = {.str = {6, "stream"}}},
         .val = {.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via = {.u64 = stream}}},
        {.key = {.type = MSGPACK_OBJECT_STR, .via = {.str = {6, "reason"}}},
         .val = {.type = MSGPACK_OBJECT_STR, .via = {.str = {(uint32_t)strlen(error->text), error->text}}}}};
    const msgpack_object fields = {.type = MSGPACK_OBJECT_MAP, .via = {.map = {2, entries}}};
    if (!client->on_notification) {
        return;
    }
    client->delivering++;
    client->on_notification(client->on_notification_context, client, "stream.closed", &fields);
    client->delivering--;
}

void weft_reply_destroy(struct weft_reply *reply)
{
    if (reply->zone) {
        msgpack_zone_free(reply->zone);
    }
    free(reply->bytes);
    memset(reply, 0, sizeof *reply);
}

// ---------------------------------------------------------------------------------------------------------
// Settings

void weft_resume(struct weft_client *client, const struct weft_resume_options *options)
{
    client->resumes = options != NULL;
    client->resume = options ? *options : (struct weft_resume_options){0};
}

void weft_follow(struct weft_client *client, bool on)
{
    client->follow.on = on;
}

void weft_on_line(struct weft_client *client, weft_line_fn *fn, void *context)
{
    client->on_line = fn;
    client->on_line_context = context;
}

const char *weft_address(const struct weft_client *client)
{
    return client->address;
}

void weft_set_timeout(struct weft_client *client, int timeout_ms)
{
    client->timeout_ms = timeout_ms;
}

void weft_on_wait(struct weft_client *client, weft_wait_fn *fn, void *context)
{
    client->on_wait = fn;
    client->on_wait_context = context;
}

void weft_set_message_max(struct weft_client *client, size_t bytes, uint32_t nodes)
{
    client->inbox.limits.bytes = bytes;
    client->inbox.limits.nodes = nodes;
    if (client->inbox.size == 0) {
        protocol_scan_init(&client->inbox.scan, &client->inbox.limits);
    }
}

void weft_on_notification(struct weft_client *client, weft_notification_fn *fn, void *context)
{
    client->on_notification = fn;
    client->on_notification_context = context;
}

void weft_on_frame(struct weft_client *client, weft_frame_fn *fn, void *context)
{
    client->on_frame = fn;
    client->on_frame_context = context;
}

void weft_stats(const struct weft_client *client, struct weft_stats *stats)
{
    *stats = client->stats;
    stats->calls_under_way = client->calls.count;
}
