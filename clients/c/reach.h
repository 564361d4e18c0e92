// Reaching a server: its addresses one after the other, TLS, and the greeting. The same for the first connection, for
// another after a loss, and for the one to the server that the client goes to.
//
//     look up ─▶ open ─▶ connected ─▶ TLS, if it is used ─▶ greeting, unless it is the first connection
//                  ▲ next ──┘
//
// It has no socket and does not wait. A transport (blocking.c, event.c) does what struct weft_transport says, and calls
// the functions below when something has happened.
#ifndef WEFT_CLIENT_REACH_H
#define WEFT_CLIENT_REACH_H

#include "internal.h"

extern const struct weft_ways weft_reach_ways; // for the table of a transport

// Begins with the first connection. timeout_ms bounds it; 0: nothing does.
void weft_reach_begin(struct weft_client *client, uint64_t timeout_ms);

// These tell what happened. why: the reason of a failure in words; NULL: it went well.
//
// A look-up has ended. Takes over `found`, which is NULL if there is a reason.
void weft_reach_found(struct weft_client *client, enum weft_side side, struct addrinfo *found,
                      const char *why);
void weft_reach_connected(struct weft_client *client, enum weft_side side, const char *why);
void weft_reach_take(struct weft_client *client, const uint8_t *bytes, size_t size); // bytes came
void weft_reach_ended(struct weft_client *client, const char *why); // no bytes will come; NULL: it hung up
void weft_reach_late(struct weft_client *client);                   // the time of transport->alarm has come

// Sends what TLS itself has to say, such as a part of the handshake or the answer to a change of keys. A transport calls
// it before it seals a message, and after it sent one.
void weft_reach_talk(struct weft_client *client);
// Loses the connection for a failure: "cannot write to HOST:PORT: why".
void weft_reach_fail(struct weft_client *client, const char *what, const char *why);
// The same for an error of TLS. A server's last error explains more than the way in which it hung up.
void weft_reach_fail_for(struct weft_client *client, const struct weft_error *error);
// Leaves the server, and ends everything.
void weft_reach_close(struct weft_client *client);

#endif
