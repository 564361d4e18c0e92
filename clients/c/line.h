// The line: what becomes of a session when its connection is lost.
//
//     up ──lost──▶ away ──▶ trying ──stands──▶ greeting ──answered──▶ up
//                   ▲  ▲──────┘ └─── lost ───────┘
//                   └── where the session can be gone on with, within its time; else lost for good
//
// Whoever owns the socket waits, tries and greets; follow.c decides where.
#ifndef WEFT_CLIENT_LINE_H
#define WEFT_CLIENT_LINE_H

#include "internal.h"

// To come back by: how long one connection may take.
enum { WEFT_TRY_MS = 10000 };
enum { WEFT_OPENING_MS = 10000 }; // so long a server is given to open a world that ran elsewhere

// Remembers why and ends all calls under way. Only the first reason is kept.
void weft_line_lose(struct weft_client *client, const struct weft_error *error);
// The same for an end of the stream.
void weft_line_lose_at_end(struct weft_client *client);
// The connection is lost: is, or was already, the client away, to come back? Else it is to be lost for good.
bool weft_line_go_away(struct weft_client *client, const struct weft_error *error);
uint32_t weft_line_retry_ms(struct weft_client *client); // until another connection is tried
// Another connection is tried, to that address.
bool weft_line_try(struct weft_client *client, const struct weft_address *address, struct weft_error *error);
void weft_line_greet(struct weft_client *client); // it stands
// The greeting is answered: failure is nil, or result is.
void weft_line_greeted(struct weft_client *client, const msgpack_object *failure,
                       const msgpack_object *result);
// Another server has greeted, which knows nothing of what was asked.
void weft_line_arrive(struct weft_client *client, const msgpack_object *hello);
void weft_line_tell(struct weft_client *client, enum weft_line line, const msgpack_object *hello,
                    const struct weft_error *error);

#endif
