// Outgoing messages: calls and notifications, sent at once or when they can go. Defines weft_call_async, weft_notify
// and weft_frame_ack.
#ifndef WEFT_CLIENT_OUTBOX_H
#define WEFT_CLIENT_OUTBOX_H

#include "internal.h"

// A notification of session.leave, which is the last message of a client.
enum { WEFT_LEAVE_SIZE = 17 };
extern const char weft_leave[];

// Sends a request and remembers it by a ticket. lent: method and params stay valid until fn is called, or the call is
// forgotten.
bool weft_outbox_request(struct weft_client *client, const char *method, const struct weft_params *params,
                         bool lent, weft_reply_fn *fn, void *context, uint64_t *ticket,
                         struct weft_error *error);
// Adds a call of follow.c, which goes out at the next flush.
bool weft_outbox_ask(struct weft_client *client, const char *method, const struct weft_params *params,
                     weft_reply_fn *fn, uint64_t *ticket, struct weft_error *error);
// Subscribes again to a stream that the server does not know. fn: of follow.c, or NULL.
bool weft_outbox_subscribe(struct weft_client *client, uint32_t stream, weft_reply_fn *fn, uint64_t *ticket,
                           struct weft_error *error);
void weft_outbox_flush(struct weft_client *client); // sends what is due; never inside a message
// Sends session.hello on another connection, with hello_id and before all that is due.
bool weft_outbox_greet(struct weft_client *client, const msgpack_sbuffer *params, struct weft_error *error);

#endif
