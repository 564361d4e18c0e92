// Outgoing messages: numbers and remembers requests, and sends them at once or when they can go.
//
// Invariant: while the connection is not up, or calls are due, new calls queue behind them, so that ids ascend on the
// wire.
#include "outbox.h"

#include "protocol/message.h"

#include <stdlib.h>
#include <string.h>

const char weft_leave[] = "\x93\x02\xad"
                          "session.leave"
                          "\x90";

// ---------------------------------------------------------------------------------------------------------
// Onto the wire

// Sends the head and then the parameters' map; without parameters it sends [].
static bool send_message(struct weft_client *client, bool is_request, uint32_t msgid, const char *method,
                         const msgpack_sbuffer *params, struct weft_error *error)
{
    msgpack_sbuffer head;
    msgpack_packer p;
    msgpack_sbuffer_init(&head);
    msgpack_packer_init(&p, &head, msgpack_sbuffer_write);
    int bad = msgpack_pack_array(&p, is_request ? 4 : 3);
    bad |= msgpack_pack_int(&p, is_request ? PROTOCOL_REQUEST : PROTOCOL_NOTIFICATION);
    if (is_request) {
        bad |= msgpack_pack_uint32(&p, msgid);
    }
    bad |= msgpack_pack_str_with_body(&p, method, strlen(method));
    bad |= msgpack_pack_array(&p, params ? 1 : 0);
    const bool sent = bad ? weft_fail_memory(error) : client->transport->send(client, &head, params, error);
    msgpack_sbuffer_destroy(&head);
    return sent;
}

bool weft_outbox_greet(struct weft_client *client, const msgpack_sbuffer *params, struct weft_error *error)
{
    return send_message(client, true, client->hello_id, "session.hello", params, error);
}

// Calls that name a stream have to wait while that stream is subscribed again.
static bool has_to_wait(const struct weft_client *client, enum weft_role role, struct weft_packed params)
{
    return (role == WEFT_ROLE_SET || role == WEFT_ROLE_UNSUBSCRIBE || role == WEFT_ROLE_ACK) &&
           weft_visit_waits(&client->visit, params);
}

// Sends the same with the id under which the server knows the stream.
static bool send_renamed(struct weft_client *client, bool is_request, uint32_t msgid, const char *method,
                         const msgpack_sbuffer *params, struct weft_error *error)
{
    const enum weft_role role = weft_client_notes(client) && params ? weft_role_of(method) : WEFT_ROLE_PLAIN;
    bool sent = true;
    msgpack_sbuffer renamed;
    msgpack_sbuffer_init(&renamed);
    if (role == WEFT_ROLE_SET || role == WEFT_ROLE_UNSUBSCRIBE || role == WEFT_ROLE_ACK) {
        sent =
            weft_visit_rename(&client->visit, (struct weft_packed){params->data, params->size}, &renamed) ||
            weft_fail_memory(error);
    }
    sent = sent && send_message(client, is_request, msgid, method, renamed.size ? &renamed : params, error);
    msgpack_sbuffer_destroy(&renamed);
    return sent;
}

// Sends a call of the list. The call may be answered, and gone from the list, before this returns. False with *error.
static bool send_kept(struct weft_client *client, struct weft_pending *pending, struct weft_error *error)
{
    const uint64_t ticket = pending->ticket;
    char *kept = pending->kept;
    const char *method = pending->method;
    const struct weft_packed packed = pending->params;
    const msgpack_sbuffer params = {.size = packed.size, .data = (char *)packed.data, .alloc = packed.size};
    pending->kept = NULL; // so that nothing else frees it meanwhile
    pending->due = false;
    pending->sent = true;
    const bool sent = send_renamed(client, true, pending->msgid, method, packed.size ? &params : NULL, error);
    pending = weft_calls_find(&client->calls, ticket);
    if (pending) {
        pending->kept = kept;
    } else {
        free(kept);
    }
    return sent;
}

// ---------------------------------------------------------------------------------------------------------
// When it can go

// Returns the first call that can go. A call that waits for its stream lets others pass: it gets a new id on every
// connection anyway.
static struct weft_pending *next_due(struct weft_client *client)
{
    const bool goes = client->follow.going != WEFT_GOING_NOT;
    for (uint32_t i = 0; i < client->calls.count; i++) {
        struct weft_pending *pending = &client->calls.items[i];
        if (!goes && client->follow.probing && pending->again && pending->sent) {
            return NULL;
        }
        if (pending->due && (pending->own || !goes) && !has_to_wait(client, pending->role, pending->params)) {
            return pending;
        }
    }
    if (!goes) {
        client->follow.probing = false; // all are answered
    }
    return NULL;
}

void weft_outbox_flush(struct weft_client *client)
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
        if (!due->method) {
            weft_fail(&error, WEFT_KIND_TRANSPORT, "LOST", "it was asked before weft_resume, and never came");
        } else if (send_kept(client, due, &error) || weft_client_is_cut(client)) {
            continue;
        }
        due = weft_calls_find(&client->calls, ticket);
        if (due && weft_calls_take(&client->calls, due->msgid, &taken)) {
            weft_client_finish(client, &taken, &error, NULL);
        }
    }
}

static bool check_params(const char *method, const struct weft_params *params, struct weft_error *error)
{
    const char *fault = params ? weft_params_fault(params) : NULL;
    return !fault || weft_fail(error, WEFT_KIND_LOCAL, "USAGE", "%s: %s", method, fault);
}

// Marks a call as due: it goes out at the next flush.
static bool put_due(struct weft_client *client, struct weft_pending *pending, const char *method,
                    const msgpack_sbuffer *params, uint64_t *ticket, struct weft_error *error)
{
    pending->due = true;
    const bool put = weft_calls_keep(&client->calls, pending, method, params, error) &&
                     weft_calls_add(&client->calls, pending, error);
    if (!put) {
        free(pending->kept);
    }
    client->flush_due = true;
    *ticket = pending->ticket;
    return put;
}

bool weft_outbox_subscribe(struct weft_client *client, uint32_t id, weft_reply_fn *fn, uint64_t *ticket,
                           struct weft_error *error)
{
    const struct weft_stream *stream = weft_visit_stream(&client->visit, id);
    struct weft_pending pending = {.role = WEFT_ROLE_RESUBSCRIBE, .stream = id, .fn = fn, .own = fn != NULL};
    return put_due(client, &pending, "stream.subscribe", &stream->params, ticket, error);
}

bool weft_outbox_ask(struct weft_client *client, const char *method, const struct weft_params *params,
                     weft_reply_fn *fn, uint64_t *ticket, struct weft_error *error)
{
    struct weft_pending pending = {.role = weft_role_of(method), .fn = fn, .own = true};
    return check_params(method, params, error) &&
           put_due(client, &pending, method, params ? &params->buffer : NULL, ticket, error);
}

// ---------------------------------------------------------------------------------------------------------
// Requests

static bool may_send(const struct weft_client *client, struct weft_error *error)
{
    if (client->lost) {
        return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
    }
    if (client->closing) {
        return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "the client is being closed");
    }
    return true;
}

// Keeps what is needed to ask again, if that may become necessary. If no more may be kept, a call that could do without
// is sent without a copy.
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
    struct weft_error mine = {0}; // *error is only for calls that fail by themselves
    if (!keep(client, &pending, method, packed, lent, error)) {
        return false;
    }
    const bool waits = client->state != WEFT_STATE_UP || client->flush_due || weft_client_holds(client) ||
                       has_to_wait(client, pending.role, pending.params);
    if (waits && !pending.method) {
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%s has to wait, and too much does already",
                         method);
    }
    pending.sent = !waits;
    pending.due = waits;
    // It is in the list before the bytes go, because the answer may come while they are still being written.
    if (!weft_calls_add(&client->calls, &pending, error)) {
        free(pending.kept);
        return false;
    }
    if (ticket) {
        *ticket = pending.ticket;
    }
    client->greeted = client->greeted || pending.role == WEFT_ROLE_HELLO;
    if (pending.role == WEFT_ROLE_END) {
        weft_client_stay_away(client);
    }
    if (waits) {
        return true;
    }
    if (pending.method ? send_kept(client, weft_calls_find(&client->calls, pending.ticket), &mine)
                       : send_message(client, true, pending.msgid, method, packed, &mine)) {
        return true;
    }
    // It is asked again when the connection is back.
    if (client->state == WEFT_STATE_AWAY && strcmp(mine.code, "CLOSED") == 0) {
        return true;
    }
    // If the connection broke, or the answer came before the last byte was sent, fn has been called already.
    if (!weft_calls_forget(&client->calls, pending.ticket)) {
        return true;
    }
    if (error) {
        *error = mine;
    }
    return false;
}

bool weft_outbox_request(struct weft_client *client, const char *method, const struct weft_params *params,
                         bool lent, weft_reply_fn *fn, void *context, uint64_t *ticket,
                         struct weft_error *error)
{
    const msgpack_sbuffer *packed = params ? &params->buffer : NULL;
    if (!may_send(client, error) || !check_params(method, params, error)) {
        return false;
    }
    if (!weft_client_follows(client) || weft_role_of(method) != WEFT_ROLE_HELLO) {
        return request(client, method, packed, lent, fn, context, ticket, error);
    }
    msgpack_sbuffer greeting;
    msgpack_sbuffer_init(&greeting);
    const bool asked = weft_visit_greeting(&client->visit, packed, &greeting)
                           ? request(client, method, &greeting, false, fn, context, ticket, error)
                           : weft_fail_memory(error);
    msgpack_sbuffer_destroy(&greeting);
    return asked;
}

bool weft_call_async(struct weft_client *client, const char *method, const struct weft_params *params,
                     weft_reply_fn *fn, void *context, struct weft_error *error)
{
    return weft_outbox_request(client, method, params, false, fn, context, NULL, error);
}

bool weft_notify(struct weft_client *client, const char *method, const struct weft_params *params,
                 struct weft_error *error)
{
    const msgpack_sbuffer *packed = params ? &params->buffer : NULL;
    if (!may_send(client, error) || !check_params(method, params, error)) {
        return false;
    }
    const enum weft_role role = weft_client_notes(client) ? weft_role_of(method) : WEFT_ROLE_PLAIN;
    if (role == WEFT_ROLE_END) {
        weft_client_stay_away(client);
    }
    if (client->state != WEFT_STATE_UP) {
        return weft_fail(error, WEFT_KIND_TRANSPORT, "AWAY", "%s was not sent: %s", method,
                         client->loss.text);
    }
    if (packed && has_to_wait(client, role, (struct weft_packed){packed->data, packed->size})) {
        return weft_fail(error, WEFT_KIND_TRANSPORT, "AWAY", "%s was not sent: its stream is not back",
                         method);
    }
    return send_renamed(client, false, 0, method, packed, error);
}

bool weft_frame_ack(struct weft_client *client, const struct weft_frame *frame, struct weft_error *error)
{
    if (frame->part + 1 < frame->parts) {
        return true;
    }
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "stream", frame->stream);
    weft_params_u64(&params, "seq", frame->seq);
    const bool told = weft_notify(client, "stream.ack", &params, error);
    weft_params_deinit(&params);
    return told;
}
