// The line: what happens to a session when its connection is lost.
//
//     up ──lost──▶ away ──▶ trying ──stands──▶ greeting ──answered──▶ up
//                   ▲  ▲──────┘ └─── lost ───────┘
//                   └── if the session can go on, within its time; else lost for good
//
// reach.c connects and greets, and the owner of the socket waits; follow.c decides where.
#ifndef WEFT_CLIENT_LINE_H
#define WEFT_CLIENT_LINE_H

#include "internal.h"

// Bound of one attempt to connect again.
enum { WEFT_TRY_MS = 10000 };
enum { WEFT_OPENING_MS = 10000 }; // how long a server may take to open a world that ran elsewhere

// Remembers the reason and ends all calls under way. Only the first reason is kept.
void weft_line_lose(struct weft_client *client, const struct weft_error *error);
// The connection is lost. True if the client is now away, or was already, to come back; false if it is lost for good.
bool weft_line_go_away(struct weft_client *client, const struct weft_error *error);
uint32_t weft_line_retry_ms(struct weft_client *client); // delay until the next attempt
// Begins an attempt to connect to that address.
bool weft_line_try(struct weft_client *client, const struct weft_address *address, struct weft_error *error);
void weft_line_greet(struct weft_client *client); // the connection is up
// The greeting is answered: either failure or result is nil.
void weft_line_greeted(struct weft_client *client, const msgpack_object *failure,
                       const msgpack_object *result);
// Another server has greeted. It knows nothing of the calls under way.
void weft_line_arrive(struct weft_client *client, const msgpack_object *hello);
void weft_line_tell(struct weft_client *client, enum weft_line line, const msgpack_object *hello,
                    const struct weft_error *error);

#endif
