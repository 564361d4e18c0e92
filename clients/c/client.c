// What both modes share: numbering calls, remembering who waits for which answer, and telling apart what
// comes.
//
// Invariants: each call under way is in `pending` exactly once and its callback is called exactly once, be it
// with the reason for which the connection ended. Once `lost` is set nothing is sent and nothing is
// delivered.
#include "internal.h"
#include "secure.h"

#include <stdlib.h>
#include <string.h>

enum { REQUEST, RESPONSE, NOTIFICATION };

struct weft_client *weft_client_create(const struct weft_transport *transport, struct weft_error *error)
{
    struct weft_client *client = calloc(1, sizeof *client);
    if (!client) {
        weft_fail_memory(error);
        return NULL;
    }
    client->transport = transport;
    client->fd = -1;
    weft_inbox_init(&client->inbox);
    return client;
}

void weft_client_destroy(struct weft_client *client)
{
    weft_inbox_deinit(&client->inbox);
    weft_secure_destroy(client->secure);
    free(client->pending);
    free(client);
}

// ---------------------------------------------------------------------------------------------------------
// Calls under way

static bool take_pending(struct weft_client *client, uint32_t msgid, struct weft_pending *taken)
{
    for (uint32_t i = 0; i < client->pending_count; i++) {
        if (client->pending[i].msgid != msgid)
            continue;
        *taken = client->pending[i];
        client->pending_count--;
        memmove(client->pending + i, client->pending + i + 1,
                (client->pending_count - i) * sizeof *client->pending);
        return true;
    }
    return false;
}

static bool reserve_pending(struct weft_client *client, struct weft_error *error)
{
    if (client->pending_count < client->pending_capacity)
        return true;
    if (client->pending_count >= WEFT_CALLS_MAX)
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%d calls are under way", WEFT_CALLS_MAX);
    const uint32_t capacity = client->pending_capacity ? client->pending_capacity * 2 : 16;
    struct weft_pending *pending = realloc(client->pending, capacity * sizeof *pending);
    if (!pending)
        return weft_fail_memory(error);
    client->pending = pending;
    client->pending_capacity = capacity;
    return true;
}

bool weft_client_forget(struct weft_client *client, uint32_t msgid)
{
    struct weft_pending taken;
    return take_pending(client, msgid, &taken);
}

static void finish_call(struct weft_client *client, const struct weft_pending *pending,
                        const struct weft_error *error, struct weft_reply *reply)
{
    if (!pending->fn)
        return;
    client->delivering++;
    pending->fn(pending->context, client, error, reply);
    client->delivering--;
}

void weft_client_lose(struct weft_client *client, const struct weft_error *error)
{
    if (client->lost)
        return;
    const struct weft_error loss = *error;
    client->lost = true;
    client->loss = loss;
    while (client->pending_count) {
        struct weft_pending pending;
        take_pending(client, client->pending[0].msgid, &pending);
        finish_call(client, &pending, &loss, NULL);
    }
}

void weft_client_lose_at_end(struct weft_client *client)
{
    struct weft_error error;
    if (client->last_words[0])
        weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the server at %s closed the connection: %s",
                  client->address, client->last_words);
    else
        weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the server at %s closed the connection",
                  client->address);
    weft_client_lose(client, &error);
}

// ---------------------------------------------------------------------------------------------------------
// What comes

static void take_response(struct weft_client *client, struct weft_message *message)
{
    const msgpack_object *items = message->root.via.array.ptr;
    struct weft_pending pending;
    if (items[1].type != MSGPACK_OBJECT_POSITIVE_INTEGER || items[1].via.u64 > UINT32_MAX ||
        !take_pending(client, (uint32_t)items[1].via.u64, &pending)) {
        client->stats.ignored++;
        return;
    }
    if (items[2].type != MSGPACK_OBJECT_NIL) {
        struct weft_error error;
        weft_error_from(&error, &items[2]);
        finish_call(client, &pending, &error, NULL);
        return;
    }
    struct weft_reply reply = {.result = items[3], .bytes = message->bytes, .zone = message->zone};
    message->bytes = NULL;
    message->zone = NULL;
    finish_call(client, &pending, NULL, &reply);
    weft_reply_destroy(&reply);
}

static void take_frame(struct weft_client *client, const msgpack_object *fields, msgpack_zone *zone)
{
    struct weft_frame frame;
    struct weft_error error;
    if (!weft_frame_init(&frame, fields, zone, &error)) {
        weft_client_lose(client, &error);
        return;
    }
    client->delivering++;
    client->on_frame(client->on_frame_context, client, &frame);
    client->delivering--;
}

// An `error` about the stream itself is the last thing before the server closes: it is the reason to give.
static void note_last_words(struct weft_client *client, const msgpack_object *fields)
{
    const msgpack_object *said = weft_get(fields, "error");
    size_t size;
    weft_string(weft_get(fields, "method"), &size);
    if (!said || size)
        return;
    struct weft_error error;
    weft_error_from(&error, said);
    weft_text_copy(client->last_words, sizeof client->last_words, error.text, strlen(error.text));
}

static void take_notification(struct weft_client *client, const msgpack_object *name,
                              const msgpack_object *params, msgpack_zone *zone)
{
    const msgpack_object *fields = weft_at(params, 0);
    if (fields && fields->type != MSGPACK_OBJECT_MAP)
        fields = NULL;
    const bool is_frame = weft_string_is(name, "stream.frame");
    if (is_frame)
        client->stats.frames++;
    if (weft_string_is(name, "error"))
        note_last_words(client, fields);
    if (is_frame && client->on_frame) {
        take_frame(client, fields, zone);
        return;
    }
    if (!client->on_notification) {
        client->stats.ignored++;
        return;
    }
    char method[WEFT_METHOD_SIZE];
    weft_string_copy(name, method, sizeof method);
    client->delivering++;
    client->on_notification(client->on_notification_context, client, method, fields);
    client->delivering--;
}

static bool on_message(void *context, struct weft_message *message)
{
    struct weft_client *client = context;
    const msgpack_object *root = &message->root;
    const msgpack_object *items = root->type == MSGPACK_OBJECT_ARRAY ? root->via.array.ptr : NULL;
    const uint32_t count = weft_count(root);
    client->stats.messages_in++;
    if (items && count == 4 && weft_u64(&items[0], UINT64_MAX) == RESPONSE) {
        take_response(client, message);
    } else if (items && count == 3 && weft_u64(&items[0], UINT64_MAX) == NOTIFICATION &&
               items[1].type == MSGPACK_OBJECT_STR && items[2].type == MSGPACK_OBJECT_ARRAY) {
        take_notification(client, &items[1], &items[2], message->zone);
    } else if (items && count == 4 && weft_u64(&items[0], UINT64_MAX) == REQUEST) {
        client->stats.ignored++;
    } else {
        struct weft_error error;
        weft_fail(&error, WEFT_KIND_TRANSPORT, "PROTOCOL",
                  "what the server at %s sends is not MessagePack-RPC", client->address);
        weft_client_lose(client, &error);
    }
    return !client->lost && !client->closing;
}

bool weft_client_receive(struct weft_client *client, const uint8_t *data, size_t size)
{
    struct weft_error error;
    client->stats.bytes_in += size;
    if (!client->lost && !weft_inbox_feed(&client->inbox, data, size, on_message, client, &error))
        weft_client_lose(client, &error);
    return !client->lost;
}

// ---------------------------------------------------------------------------------------------------------
// What goes

// The parameters' map follows the head on the wire; none is [].
static bool send_message(struct weft_client *client, bool is_request, uint32_t msgid, const char *method,
                         const struct weft_params *params, struct weft_error *error)
{
    const char *fault = params ? weft_params_fault(params) : NULL;
    if (fault)
        return weft_fail(error, WEFT_KIND_LOCAL, "USAGE", "%s: %s", method, fault);
    msgpack_sbuffer head;
    msgpack_packer p;
    msgpack_sbuffer_init(&head);
    msgpack_packer_init(&p, &head, msgpack_sbuffer_write);
    int bad = msgpack_pack_array(&p, is_request ? 4 : 3);
    bad |= msgpack_pack_int(&p, is_request ? REQUEST : NOTIFICATION);
    if (is_request)
        bad |= msgpack_pack_uint32(&p, msgid);
    bad |= msgpack_pack_str_with_body(&p, method, strlen(method));
    bad |= msgpack_pack_array(&p, params ? 1 : 0);
    const bool sent = bad ? weft_fail_memory(error)
                          : client->transport->send(client, &head, params ? &params->buffer : NULL, error);
    msgpack_sbuffer_destroy(&head);
    return sent;
}

static bool may_send(const struct weft_client *client, struct weft_error *error)
{
    if (client->lost)
        return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
    if (client->closing)
        return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "the client is being closed");
    return true;
}

bool weft_client_request(struct weft_client *client, const char *method, const struct weft_params *params,
                         weft_reply_fn *fn, void *context, uint32_t *msgid, struct weft_error *error)
{
    if (!may_send(client, error) || !reserve_pending(client, error))
        return false;
    const uint32_t id = client->msgid_next++;
    // Before the bytes go: the answer may come while they are still being written.
    client->pending[client->pending_count++] =
        (struct weft_pending){.msgid = id, .fn = fn, .context = context};
    if (msgid)
        *msgid = id;
    if (send_message(client, true, id, method, params, error))
        return true;
    // Where the connection broke, or the answer was quicker than the last byte, fn has been called already.
    return !weft_client_forget(client, id);
}

bool weft_call_async(struct weft_client *client, const char *method, const struct weft_params *params,
                     weft_reply_fn *fn, void *context, struct weft_error *error)
{
    return weft_client_request(client, method, params, fn, context, NULL, error);
}

bool weft_notify(struct weft_client *client, const char *method, const struct weft_params *params,
                 struct weft_error *error)
{
    return may_send(client, error) && send_message(client, false, 0, method, params, error);
}

// ---------------------------------------------------------------------------------------------------------
// Settings

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
    if (client->inbox.size == 0)
        protocol_scan_init(&client->inbox.scan, &client->inbox.limits);
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
    stats->calls_under_way = client->pending_count;
}

void weft_reply_destroy(struct weft_reply *reply)
{
    if (reply->zone)
        msgpack_zone_free(reply->zone);
    free(reply->bytes);
    memset(reply, 0, sizeof *reply);
}

const char weft_leave[] = "\x93\x02\xad"
                          "session.leave"
                          "\x90";

void weft_close(struct weft_client *client)
{
    if (client)
        client->transport->close(client);
}
