// Incoming messages: tells answers, notifications and frames apart, and hands them on.
#include "receive.h"
#include "line.h"

#include "protocol/message.h"

#include <string.h>

// Notes what an answer says about the session. Exactly one of error and result is not NULL.
static void learn(struct weft_client *client, const struct weft_pending *pending,
                  const struct weft_error *error, const msgpack_object *result)
{
    struct weft_visit *visit = &client->visit;
    const struct weft_packed params = pending->params;
    if (pending->role == WEFT_ROLE_RESUBSCRIBE) {
        struct weft_stream *stream = weft_visit_stream(visit, pending->stream);
        const uint64_t id = result ? weft_u64(weft_get(result, "stream"), 0) : 0;
        client->flush_due = true; // sends what waited for it
        if (stream && id > 0 && id <= UINT32_MAX) {
            stream->at_server = (uint32_t)id;
        } else if (stream && error && !pending->own) {
            weft_visit_drop_stream(visit, pending->stream);
            weft_client_tell_closed(client, pending->stream, error);
        }
        return;
    }
    if (error || !pending->method) {
        return;
    }
    switch (pending->role) {
    case WEFT_ROLE_HELLO:
        weft_visit_begin(visit, &params, result);
        break;
    case WEFT_ROLE_JOIN:
        weft_visit_joined(visit, result);
        break;
    case WEFT_ROLE_LEAVE:
        weft_visit_left(visit, params);
        break;
    case WEFT_ROLE_SUBSCRIBE:
        weft_visit_subscribed(visit, params, result);
        break;
    case WEFT_ROLE_SET:
        weft_visit_set(visit, params);
        break;
    case WEFT_ROLE_UNSUBSCRIBE:
        weft_visit_unsubscribed(visit, params);
        break;
    default:
        break;
    }
}

static void take_response(struct weft_client *client, struct weft_message *message)
{
    const msgpack_object *items = message->root.via.array.ptr;
    const uint64_t msgid = items[1].type == MSGPACK_OBJECT_POSITIVE_INTEGER ? items[1].via.u64 : UINT64_MAX;
    struct weft_pending pending;
    if (client->state == WEFT_STATE_GREETING && msgid == client->hello_id) {
        weft_line_greeted(client, &items[2], &items[3]);
        return;
    }
    struct weft_pending *asked =
        msgid <= UINT32_MAX ? weft_calls_asked(&client->calls, (uint32_t)msgid) : NULL;
    const bool refused = items[2].type != MSGPACK_OBJECT_NIL;
    struct weft_error error;
    if (refused) {
        weft_error_from(&error, &items[2]);
    }
    if (asked && refused && client->transport->steps->takes(client, asked, &error)) {
        return;
    }
    if (!asked || !weft_calls_take(&client->calls, (uint32_t)msgid, &pending)) {
        client->stats.ignored++;
        return;
    }
    client->follow.probing = client->follow.probing && !pending.again;
    if (refused) {
        learn(client, &pending, &error, NULL);
        weft_client_finish(client, &pending, &error, NULL);
        return;
    }
    learn(client, &pending, NULL, &items[3]);
    struct weft_reply reply = {.result = items[3], .bytes = message->bytes, .zone = message->zone};
    message->bytes = NULL;
    message->zone = NULL;
    weft_client_finish(client, &pending, NULL, &reply);
    weft_reply_destroy(&reply);
}

static void take_frame(struct weft_client *client, const msgpack_object *fields, msgpack_zone *zone)
{
    struct weft_frame frame;
    struct weft_error error;
    if (!weft_frame_init(&frame, fields, zone, &error)) {
        weft_line_lose(client, &error);
        return;
    }
    if (weft_client_notes(client) && !weft_visit_frame(&client->visit, &frame)) {
        return;
    }
    client->delivering++;
    client->on_frame(client->on_frame_context, client, &frame);
    client->delivering--;
}

// A server sends an `error` about the connection itself just before it closes: that is the reason to report.
static void note_last_words(struct weft_client *client, const msgpack_object *fields)
{
    const msgpack_object *said = weft_get(fields, "error");
    size_t size;
    weft_string(weft_get(fields, "method"), &size);
    if (!said || size) {
        return;
    }
    struct weft_error error;
    weft_error_from(&error, said);
    weft_text_copy(client->last_words, sizeof client->last_words, error.text, strlen(error.text));
}

static void take_notification(struct weft_client *client, const msgpack_object *name,
                              const msgpack_object *params, msgpack_zone *zone)
{
    const msgpack_object *fields = weft_at(params, 0);
    if (fields && fields->type != MSGPACK_OBJECT_MAP) {
        fields = NULL;
    }
    const bool is_frame = weft_string_is(name, "stream.frame");
    if (is_frame) {
        client->stats.frames++;
    }
    if (weft_string_is(name, "error")) {
        note_last_words(client, fields);
    }
    if (weft_client_follows(client) && weft_get(fields, "address")) {
        char address[WEFT_ADDRESS_SIZE];
        weft_string_copy(weft_get(fields, "address"), address, sizeof address);
        client->transport->steps->told(client, address);
        if (weft_string_is(name, "stream.closed") && address[0]) {
            weft_visit_stream_moved(&client->visit, fields);
            return;
        }
    }
    if (weft_client_notes(client) && !weft_visit_hear(&client->visit, name, fields)) {
        return;
    }
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
    if (items && count == 4 && weft_u64(&items[0], UINT64_MAX) == PROTOCOL_RESPONSE) {
        take_response(client, message);
    } else if (items && count == 3 && weft_u64(&items[0], UINT64_MAX) == PROTOCOL_NOTIFICATION &&
               items[1].type == MSGPACK_OBJECT_STR && items[2].type == MSGPACK_OBJECT_ARRAY) {
        take_notification(client, &items[1], &items[2], message->zone);
    } else if (items && count == 4 && weft_u64(&items[0], UINT64_MAX) == PROTOCOL_REQUEST) {
        client->stats.ignored++;
    } else {
        struct weft_error error;
        weft_fail(&error, WEFT_KIND_TRANSPORT, "PROTOCOL",
                  "what the server at %s sends is not MessagePack-RPC", client->address);
        weft_line_lose(client, &error);
    }
    return !weft_client_is_cut(client) && !client->closing;
}

bool weft_receive(struct weft_client *client, const uint8_t *data, size_t size)
{
    struct weft_error error;
    client->stats.bytes_in += size;
    if (!weft_client_is_cut(client) &&
        !weft_inbox_feed(&client->inbox, data, size, on_message, client, &error)) {
        weft_line_lose(client, &error);
    }
    return !weft_client_is_cut(client);
}
