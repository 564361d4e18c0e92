// What both modes share: numbering calls, remembering who waits for which answer, telling apart what comes, and going on with
// a session when its connection is lost.
//
// Invariants: each call under way is in `calls` exactly once and its callback is called exactly once, be it with the reason
// for which the connection ended. Once `lost` is set nothing is sent and nothing is delivered. While the line is not up, or
// calls are due, new ones queue behind them, so that ids ascend on the wire.
#include "internal.h"
#include "secure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REQUEST, RESPONSE, NOTIFICATION };
// Where others may have what the server had, they are not left waiting for long.
enum { RETRY_FIRST_MS = 100, RETRY_MAX_MS = 5000, RETRY_OTHERS_MS = 1000, RETRY_DOUBLES_MAX = 10 };

int64_t weft_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct weft_client *weft_client_create(const struct weft_transport *transport, struct weft_error *error)
{
    struct weft_client *client = calloc(1, sizeof *client);
    if (!client) {
        weft_fail_memory(error);
        return NULL;
    }
    client->transport = transport;
    client->fd = -1;
    client->follow.on = true;
    client->follow.wake_ms = INT64_MAX;
    weft_inbox_init(&client->inbox);
    return client;
}

void weft_client_destroy(struct weft_client *client)
{
    weft_inbox_deinit(&client->inbox);
    weft_secure_destroy(client->secure);
    weft_calls_deinit(&client->calls);
    weft_visit_deinit(&client->visit);
    free(client->peer);
    free(client);
}

// ---------------------------------------------------------------------------------------------------------
// The end of a connection

static void finish_call(struct weft_client *client, struct weft_pending *pending,
                        const struct weft_error *error, struct weft_reply *reply)
{
    free(pending->kept);
    if (!pending->fn)
        return;
    client->delivering++;
    pending->fn(pending->context, client, error, reply);
    client->delivering--;
}

static void finish_all(struct weft_client *client, bool sent_only, const struct weft_error *error)
{
    struct weft_pending pending;
    while (weft_calls_take_first(&client->calls, sent_only, &pending))
        finish_call(client, &pending, error, NULL);
}

static void tell_line(struct weft_client *client, enum weft_line line, const msgpack_object *hello,
                      const struct weft_error *error)
{
    client->delivering++;
    if (client->resume.on_line)
        client->resume.on_line(client->resume.context, client, line, hello, error);
    else if (client->on_line)
        client->on_line(client->on_line_context, client, line, hello, error);
    client->delivering--;
}

void weft_client_tell_line(struct weft_client *client, enum weft_line line, const msgpack_object *hello)
{
    tell_line(client, line, hello, NULL);
}

void weft_client_name(struct weft_client *client, const struct weft_address *address)
{
    snprintf(client->address, sizeof client->address, strchr(address->host, ':') ? "[%s]:%s" : "%s:%s",
             address->host, address->port);
}

// Is what the session has to do with noted?
static bool is_noted(const struct weft_client *client)
{
    return client->resumes || client->follow.on;
}

// May another connection do better?
static bool may_pass(const struct weft_error *error)
{
    static const char *const codes[] = {"CLOSED", "CONNECT", "TIMEOUT", "TLS"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (error->kind == WEFT_KIND_TRANSPORT && strcmp(error->code, codes[i]) == 0)
            return true;
    return false;
}

void weft_client_lose(struct weft_client *client, const struct weft_error *error)
{
    if (client->lost || weft_client_go_away(client, error))
        return;
    struct weft_error loss = *error;
    if (client->told_away && may_pass(error))
        weft_fail(&loss, WEFT_KIND_TRANSPORT, "CLOSED",
                  "the connection was lost, and there is no other: %.400s", error->text);
    client->lost = true;
    client->loss = loss;
    finish_all(client, false, &loss);
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
// Away and back

bool weft_client_go_away(struct weft_client *client, const struct weft_error *error)
{
    if (client->lost || client->closing)
        return false;
    if (client->transport->steps->cut(client, error))
        return true;
    if (!client->resumes || client->visit.key[0] == '\0')
        return false;
    if (client->state == WEFT_STATE_AWAY)
        return true;
    const int64_t now = weft_now_ms();
    if (!client->told_away) {
        // What is on its way when the grace ends is heard of a little later here.
        const uint32_t grace_ms = client->visit.grace_ms;
        client->away_until_ms =
            now + (client->resume.limit_ms ? client->resume.limit_ms : (int64_t)grace_ms + grace_ms / 10);
        client->away_since_ms = now;
        client->failures = 0;
    }
    if (!may_pass(error) || now >= client->away_until_ms)
        return false;
    client->loss = *error;
    client->state = WEFT_STATE_AWAY;
    client->flush_due = false;
    weft_calls_cut(&client->calls);
    weft_visit_cut(&client->visit);
    client->transport->away(client);
    if (!client->told_away) {
        const struct weft_error loss = client->loss;
        client->told_away = true;
        tell_line(client, WEFT_AWAY, NULL, &loss);
    }
    return true;
}

void weft_client_stay_away(struct weft_client *client)
{
    client->visit.key[0] = '\0';
    client->transport->steps->end(client);
}

// Between half and the whole of what is due, so that the clients of a server that was started anew do not come all at once.
uint32_t weft_client_retry_ms(struct weft_client *client)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint32_t doubles = client->failures < RETRY_DOUBLES_MAX ? client->failures++ : RETRY_DOUBLES_MAX;
    const uint32_t due = RETRY_FIRST_MS << doubles;
    const uint32_t most = client->visit.other_count > 0 ? RETRY_OTHERS_MS : RETRY_MAX_MS;
    const uint32_t whole = due < most ? due : most;
    const uint32_t delay = whole / 2 + (uint32_t)(now.tv_nsec / 1000) % (whole / 2 + 1);
    const int64_t left = client->away_until_ms - weft_now_ms();
    return left < 0 ? 0 : left < delay ? (uint32_t)left : delay;
}

bool weft_client_try(struct weft_client *client, const struct weft_address *address, struct weft_error *error)
{
    weft_client_name(client, address);
    client->state = WEFT_STATE_TRYING;
    client->last_words[0] = '\0';
    weft_inbox_reset(&client->inbox);
    return !client->secure || weft_secure_rename(client->secure, address->host) || weft_fail_memory(error);
}

void weft_client_arrive(struct weft_client *client, const msgpack_object *hello)
{
    struct weft_error error;
    weft_fail(&error, WEFT_KIND_TRANSPORT, "LOST",
              "the server that it was asked of is gone, and nobody knows what became of it");
    weft_visit_part(&client->visit);
    weft_visit_begin(&client->visit, NULL, hello);
    client->told_away = false;
    client->state = WEFT_STATE_UP;
    client->flush_due = true;
    weft_calls_cut(&client->calls);
    finish_all(client, true, &error);
    for (uint32_t i = 0; i < client->calls.count; i++)
        client->calls.items[i].refused = false;
}

void weft_client_refuse(struct weft_client *client, const struct weft_error *error)
{
    struct weft_pending taken;
    for (uint32_t i = 0; i < client->calls.count;) {
        const struct weft_pending *pending = &client->calls.items[i];
        if (pending->refused && weft_calls_take(&client->calls, pending->msgid, &taken)) {
            finish_call(client, &taken, error, NULL);
            i = 0; // it may have asked something else
        } else {
            i++;
        }
    }
}

static bool send_message(struct weft_client *client, bool is_request, uint32_t msgid, const char *method,
                         const msgpack_sbuffer *params, struct weft_error *error);

void weft_client_greet(struct weft_client *client)
{
    struct weft_error error;
    msgpack_sbuffer params;
    uint32_t *unanswered = malloc(WEFT_CALLS_MAX * sizeof *unanswered);
    msgpack_sbuffer_init(&params);
    client->state = WEFT_STATE_GREETING;
    client->hello_id = client->calls.msgid_next++;
    bool sent = unanswered != NULL;
    if (client->follow.going == WEFT_GOING_GREETS)
        sent =
            sent && msgpack_sbuffer_write(&params, client->visit.hello.data, client->visit.hello.size) == 0;
    else
        sent = sent && weft_visit_resumption(&client->visit, unanswered,
                                             weft_calls_unanswered(&client->calls, unanswered), &params);
    free(unanswered);
    sent = sent ? send_message(client, true, client->hello_id, "session.hello", &params, &error)
                : weft_fail_memory(&error);
    msgpack_sbuffer_destroy(&params);
    if (!sent && !weft_client_is_cut(client))
        weft_client_lose(client, &error);
}

void weft_client_tell_closed(struct weft_client *client, uint32_t stream, const struct weft_error *error)
{
    msgpack_object_kv entries[2] = {
        {.key = {.type = MSGPACK_OBJECT_STR, .via = {.str = {6, "stream"}}},
         .val = {.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via = {.u64 = stream}}},
        {.key = {.type = MSGPACK_OBJECT_STR, .via = {.str = {6, "reason"}}},
         .val = {.type = MSGPACK_OBJECT_STR, .via = {.str = {(uint32_t)strlen(error->text), error->text}}}}};
    const msgpack_object fields = {.type = MSGPACK_OBJECT_MAP, .via = {.map = {2, entries}}};
    if (!client->on_notification)
        return;
    client->delivering++;
    client->on_notification(client->on_notification_context, client, "stream.closed", &fields);
    client->delivering--;
}

static bool check_params(const char *method, const struct weft_params *params, struct weft_error *error)
{
    const char *fault = params ? weft_params_fault(params) : NULL;
    return !fault || weft_fail(error, WEFT_KIND_LOCAL, "USAGE", "%s: %s", method, fault);
}

// It goes out at the next flush.
static bool put_due(struct weft_client *client, struct weft_pending *pending, const char *method,
                    const msgpack_sbuffer *params, uint64_t *ticket, struct weft_error *error)
{
    pending->due = true;
    const bool put = weft_calls_keep(&client->calls, pending, method, params, error) &&
                     weft_calls_add(&client->calls, pending, error);
    if (!put)
        free(pending->kept);
    client->flush_due = true;
    *ticket = pending->ticket;
    return put;
}

bool weft_client_subscribe(struct weft_client *client, uint32_t id, weft_reply_fn *fn, uint64_t *ticket,
                           struct weft_error *error)
{
    const struct weft_stream *stream = weft_visit_stream(&client->visit, id);
    struct weft_pending pending = {.role = WEFT_ROLE_RESUBSCRIBE, .stream = id, .fn = fn, .own = fn != NULL};
    return put_due(client, &pending, "stream.subscribe", &stream->params, ticket, error);
}

bool weft_client_ask(struct weft_client *client, const char *method, const struct weft_params *params,
                     weft_reply_fn *fn, uint64_t *ticket, struct weft_error *error)
{
    struct weft_pending pending = {.role = weft_role_of(method), .fn = fn, .own = true};
    return check_params(method, params, error) &&
           put_due(client, &pending, method, params ? &params->buffer : NULL, ticket, error);
}

static void subscribe_again(struct weft_client *client)
{
    for (uint32_t i = 0; i < client->visit.stream_count;) {
        const uint32_t id = client->visit.streams[i].id;
        struct weft_error error;
        uint64_t ticket;
        const bool asked = weft_client_subscribe(client, id, NULL, &ticket, &error);
        i += asked;
        if (asked)
            continue;
        weft_visit_drop_stream(&client->visit, id);
        weft_client_tell_closed(client, id, &error);
    }
}

static void take_greeting(struct weft_client *client, const msgpack_object *failure,
                          const msgpack_object *result)
{
    struct weft_error error;
    if (client->follow.going == WEFT_GOING_GREETS) {
        const bool refused = failure->type != MSGPACK_OBJECT_NIL;
        if (refused)
            weft_error_from(&error, failure);
        client->transport->steps->greeted(client, refused ? &error : NULL, result);
        return;
    }
    if (failure->type != MSGPACK_OBJECT_NIL) {
        static const char *const passing[] = {"LIMIT", "BUSY", "SHUTDOWN"};
        weft_error_from(&error, failure);
        bool again = error.kind == WEFT_KIND_SERVER;
        for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
            again = again || strcmp(error.code, passing[i]) == 0;
        if (again) {
            error.kind = WEFT_KIND_TRANSPORT;
            strcpy(error.code, "CLOSED");
        } else {
            weft_client_stay_away(client);
        }
        weft_client_lose(client, &error);
        return;
    }
    const bool resumed = weft_bool(weft_get(result, "resumed"), false);
    struct weft_view lost;
    weft_visit_begin(&client->visit, NULL, result);
    client->state = WEFT_STATE_UP;
    client->told_away = false;
    client->flush_due = true;
    if (resumed) {
        weft_view_u32(weft_get(result, "lost"), &lost);
        weft_calls_again(&client->calls, lost.u32, lost.count);
        weft_view_deinit(&lost);
        if (client->follow.going == WEFT_GOING_NOT)
            subscribe_again(client);
    } else {
        client->follow.going = WEFT_GOING_NOT;
        weft_visit_clear(&client->visit);
        weft_fail(&error, WEFT_KIND_TRANSPORT, "LOST",
                  "the session is gone, and nobody knows what became of what it was asked");
        finish_all(client, true, &error);
        weft_calls_again(&client->calls, NULL, 0);
    }
    tell_line(client, resumed ? WEFT_BACK : WEFT_ANEW, result, NULL);
}

// ---------------------------------------------------------------------------------------------------------
// What comes

// What an answer says of the session. Exactly one of error and result is not NULL.
static void learn(struct weft_client *client, const struct weft_pending *pending,
                  const struct weft_error *error, const msgpack_object *result)
{
    struct weft_visit *visit = &client->visit;
    const struct weft_packed params = pending->params;
    if (pending->role == WEFT_ROLE_RESUBSCRIBE) {
        struct weft_stream *stream = weft_visit_stream(visit, pending->stream);
        const uint64_t id = result ? weft_u64(weft_get(result, "stream"), 0) : 0;
        client->flush_due = true; // what waited for it
        if (stream && id > 0 && id <= UINT32_MAX) {
            stream->at_server = (uint32_t)id;
        } else if (stream && error && !pending->own) {
            weft_visit_drop_stream(visit, pending->stream);
            weft_client_tell_closed(client, pending->stream, error);
        }
        return;
    }
    if (error || !pending->method)
        return;
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
        take_greeting(client, &items[2], &items[3]);
        return;
    }
    struct weft_pending *asked =
        msgid <= UINT32_MAX ? weft_calls_asked(&client->calls, (uint32_t)msgid) : NULL;
    const bool refused = items[2].type != MSGPACK_OBJECT_NIL;
    struct weft_error error;
    if (refused)
        weft_error_from(&error, &items[2]);
    if (asked && refused && client->transport->steps->takes(client, asked, &error))
        return;
    if (!asked || !weft_calls_take(&client->calls, (uint32_t)msgid, &pending)) {
        client->stats.ignored++;
        return;
    }
    client->follow.probing = client->follow.probing && !pending.again;
    if (refused) {
        learn(client, &pending, &error, NULL);
        finish_call(client, &pending, &error, NULL);
        return;
    }
    learn(client, &pending, NULL, &items[3]);
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
    if (is_noted(client) && !weft_visit_frame(&client->visit, &frame))
        return;
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
    if (weft_client_follows(client) && weft_get(fields, "address")) {
        char address[WEFT_ADDRESS_SIZE];
        weft_string_copy(weft_get(fields, "address"), address, sizeof address);
        client->transport->steps->told(client, address);
        if (weft_string_is(name, "stream.closed") && address[0]) {
            weft_visit_stream_moved(&client->visit, fields);
            return;
        }
    }
    if (is_noted(client) && !weft_visit_hear(&client->visit, name, fields))
        return;
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
    return !weft_client_is_cut(client) && !client->closing;
}

bool weft_client_receive(struct weft_client *client, const uint8_t *data, size_t size)
{
    struct weft_error error;
    client->stats.bytes_in += size;
    if (!weft_client_is_cut(client) &&
        !weft_inbox_feed(&client->inbox, data, size, on_message, client, &error))
        weft_client_lose(client, &error);
    return !weft_client_is_cut(client);
}

// ---------------------------------------------------------------------------------------------------------
// What goes

// The parameters' map follows the head on the wire; none is [].
static bool send_message(struct weft_client *client, bool is_request, uint32_t msgid, const char *method,
                         const msgpack_sbuffer *params, struct weft_error *error)
{
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
    const bool sent = bad ? weft_fail_memory(error) : client->transport->send(client, &head, params, error);
    msgpack_sbuffer_destroy(&head);
    return sent;
}

// What names a stream has to wait while that is subscribed again.
static bool has_to_wait(const struct weft_client *client, enum weft_role role, struct weft_packed params)
{
    return (role == WEFT_ROLE_SET || role == WEFT_ROLE_UNSUBSCRIBE || role == WEFT_ROLE_ACK) &&
           weft_visit_waits(&client->visit, params);
}

// The same with the stream under the name that the server knows.
static bool send_renamed(struct weft_client *client, bool is_request, uint32_t msgid, const char *method,
                         const msgpack_sbuffer *params, struct weft_error *error)
{
    const enum weft_role role = is_noted(client) && params ? weft_role_of(method) : WEFT_ROLE_PLAIN;
    bool sent = true;
    msgpack_sbuffer renamed;
    msgpack_sbuffer_init(&renamed);
    if (role == WEFT_ROLE_SET || role == WEFT_ROLE_UNSUBSCRIBE || role == WEFT_ROLE_ACK)
        sent =
            weft_visit_rename(&client->visit, (struct weft_packed){params->data, params->size}, &renamed) ||
            weft_fail_memory(error);
    sent = sent && send_message(client, is_request, msgid, method, renamed.size ? &renamed : params, error);
    msgpack_sbuffer_destroy(&renamed);
    return sent;
}

// A call of the list, which may be answered, and gone from it, before this returns. False with *error.
static bool send_kept(struct weft_client *client, struct weft_pending *pending, struct weft_error *error)
{
    const uint64_t ticket = pending->ticket;
    char *kept = pending->kept;
    const char *method = pending->method;
    const struct weft_packed packed = pending->params;
    const msgpack_sbuffer params = {.size = packed.size, .data = (char *)packed.data, .alloc = packed.size};
    pending->kept = NULL; // nobody else frees it meanwhile
    pending->due = false;
    pending->sent = true;
    const bool sent = send_renamed(client, true, pending->msgid, method, packed.size ? &params : NULL, error);
    pending = weft_calls_find(&client->calls, ticket);
    if (pending)
        pending->kept = kept;
    else
        free(kept);
    return sent;
}

// The first that can go. What waits for its stream lets others pass: of every connection it is asked under a new id anyway.
static struct weft_pending *next_due(struct weft_client *client)
{
    const bool goes = client->follow.going != WEFT_GOING_NOT;
    for (uint32_t i = 0; i < client->calls.count; i++) {
        struct weft_pending *pending = &client->calls.items[i];
        if (!goes && client->follow.probing && pending->again && pending->sent)
            return NULL;
        if (pending->due && (pending->own || !goes) && !has_to_wait(client, pending->role, pending->params))
            return pending;
    }
    if (!goes)
        client->follow.probing = false; // all are answered
    return NULL;
}

void weft_client_flush(struct weft_client *client)
{
    client->transport->steps->turn(client);
    while (client->flush_due && client->state == WEFT_STATE_UP && !client->lost && !client->closing) {
        struct weft_pending *due = next_due(client), taken;
        struct weft_error error;
        if (!due) {
            client->flush_due = weft_client_holds(client);
            return;
        }
        const uint64_t ticket = due->ticket;
        if (!due->method)
            weft_fail(&error, WEFT_KIND_TRANSPORT, "LOST", "it was asked before weft_resume, and never came");
        else if (send_kept(client, due, &error) || weft_client_is_cut(client))
            continue;
        due = weft_calls_find(&client->calls, ticket);
        if (due && weft_calls_take(&client->calls, due->msgid, &taken))
            finish_call(client, &taken, &error, NULL);
    }
}

static bool may_send(const struct weft_client *client, struct weft_error *error)
{
    if (client->lost)
        return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
    if (client->closing)
        return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "the client is being closed");
    return true;
}

// What is needed to ask it again, where that may come to it. What can be asked once alone is so where no more may be kept.
static bool keep(struct weft_client *client, struct weft_pending *pending, const char *method,
                 const msgpack_sbuffer *packed, bool lent, struct weft_error *error)
{
    pending->role = weft_role_of(method);
    const bool needed = client->resumes || (weft_client_follows(client) && pending->role != WEFT_ROLE_PLAIN);
    if (lent) {
        pending->method = method;
        pending->params = (struct weft_packed){packed ? packed->data : NULL, packed ? packed->size : 0};
    } else if (needed || (weft_client_follows(client) && client->greeted)) {
        return weft_calls_keep(&client->calls, pending, method, packed, error) || !needed;
    }
    return true;
}

static bool request(struct weft_client *client, const char *method, const msgpack_sbuffer *packed, bool lent,
                    weft_reply_fn *fn, void *context, uint64_t *ticket, struct weft_error *error)
{
    struct weft_pending pending = {.fn = fn, .context = context, .sent = true};
    struct weft_error mine = {0}; // *error is for those that fail alone
    if (!keep(client, &pending, method, packed, lent, error))
        return false;
    const bool waits = client->state != WEFT_STATE_UP || client->flush_due || weft_client_holds(client) ||
                       has_to_wait(client, pending.role, pending.params);
    if (waits && !pending.method)
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%s has to wait, and too much does already",
                         method);
    pending.sent = !waits;
    pending.due = waits;
    // Before the bytes go: the answer may come while they are still being written.
    if (!weft_calls_add(&client->calls, &pending, error)) {
        free(pending.kept);
        return false;
    }
    if (ticket)
        *ticket = pending.ticket;
    client->greeted = client->greeted || pending.role == WEFT_ROLE_HELLO;
    if (pending.role == WEFT_ROLE_END)
        weft_client_stay_away(client);
    if (waits)
        return true;
    if (pending.method ? send_kept(client, weft_calls_find(&client->calls, pending.ticket), &mine)
                       : send_message(client, true, pending.msgid, method, packed, &mine))
        return true;
    // It is asked again when the connection is back.
    if (client->state == WEFT_STATE_AWAY && strcmp(mine.code, "CLOSED") == 0)
        return true;
    // Where the connection broke, or the answer was quicker than the last byte, fn has been called already.
    if (!weft_calls_forget(&client->calls, pending.ticket))
        return true;
    if (error)
        *error = mine;
    return false;
}

bool weft_client_request(struct weft_client *client, const char *method, const struct weft_params *params,
                         bool lent, weft_reply_fn *fn, void *context, uint64_t *ticket,
                         struct weft_error *error)
{
    const msgpack_sbuffer *packed = params ? &params->buffer : NULL;
    if (!may_send(client, error) || !check_params(method, params, error))
        return false;
    if (!weft_client_follows(client) || weft_role_of(method) != WEFT_ROLE_HELLO)
        return request(client, method, packed, lent, fn, context, ticket, error);
    msgpack_sbuffer greeting;
    msgpack_sbuffer_init(&greeting);
    const bool asked = weft_visit_greeting(packed, &greeting)
                           ? request(client, method, &greeting, false, fn, context, ticket, error)
                           : weft_fail_memory(error);
    msgpack_sbuffer_destroy(&greeting);
    return asked;
}

bool weft_call_async(struct weft_client *client, const char *method, const struct weft_params *params,
                     weft_reply_fn *fn, void *context, struct weft_error *error)
{
    return weft_client_request(client, method, params, false, fn, context, NULL, error);
}

bool weft_notify(struct weft_client *client, const char *method, const struct weft_params *params,
                 struct weft_error *error)
{
    const msgpack_sbuffer *packed = params ? &params->buffer : NULL;
    if (!may_send(client, error) || !check_params(method, params, error))
        return false;
    const enum weft_role role = is_noted(client) ? weft_role_of(method) : WEFT_ROLE_PLAIN;
    if (role == WEFT_ROLE_END)
        weft_client_stay_away(client);
    if (client->state != WEFT_STATE_UP)
        return weft_fail(error, WEFT_KIND_TRANSPORT, "AWAY", "%s was not sent: %s", method,
                         client->loss.text);
    if (packed && has_to_wait(client, role, (struct weft_packed){packed->data, packed->size}))
        return weft_fail(error, WEFT_KIND_TRANSPORT, "AWAY", "%s was not sent: its stream is not back",
                         method);
    return send_renamed(client, false, 0, method, packed, error);
}

bool weft_frame_ack(struct weft_client *client, const struct weft_frame *frame, struct weft_error *error)
{
    if (frame->part + 1 < frame->parts)
        return true;
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "stream", frame->stream);
    weft_params_u64(&params, "seq", frame->seq);
    const bool told = weft_notify(client, "stream.ack", &params, error);
    weft_params_deinit(&params);
    return told;
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
    stats->calls_under_way = client->calls.count;
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
