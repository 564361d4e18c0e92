// TLS over memory, for both transports: what came from the socket goes in, plaintext comes out; plaintext goes in, and
// what has to go to the socket is taken out. Nothing here reads or writes a socket.
//
//     create ─▶ (take ─▶ socket ─▶ feed)*, until ready ─▶ put, take, feed … ─▶ end
#ifndef WEFT_CLIENT_SECURE_H
#define WEFT_CLIENT_SECURE_H

#include "internal.h"

struct weft_secure;

// May this connection be plain? *tls is what was asked for; NULL: nothing was. tls:// in an address asks for it as well.
bool weft_secure_wanted(const struct weft_address *address, const struct weft_tls *tls);
// NULL with *error: USAGE or FILE for what tls names, MEMORY.
struct weft_secure *weft_secure_create(const struct weft_tls *tls, const char *host,
                                       struct weft_error *error);
bool weft_secure_restart(struct weft_secure *secure); // for another connection; false without memory
bool weft_secure_rename(struct weft_secure *secure,
                        const char *host);            // restart, for a connection to another host
void weft_secure_destroy(struct weft_secure *secure); // NULL is allowed

bool weft_secure_ready(const struct weft_secure *secure); // hands are shaken, the server is who it has to be

// Bytes that came. What they hold is received for the client. False with *error: what came is no TLS,
// or the server is not who it has to be.
typedef bool weft_receive_fn(struct weft_client *client, const uint8_t *data, size_t size);
bool weft_secure_feed(struct weft_secure *secure, weft_receive_fn *receive, struct weft_client *client,
                      const uint8_t *data, size_t size, struct weft_error *error);
bool weft_secure_ended(const struct weft_secure *secure); // the server said that it sends no more
bool weft_secure_put(struct weft_secure *secure, const void *data, size_t size, struct weft_error *error);
// Says that nothing follows, where that can still be said.
void weft_secure_end(struct weft_secure *secure);
// What has to go out: moved to *bytes, to be freed by free(). 0 where there is nothing, or no memory.
size_t weft_secure_take(struct weft_secure *secure, char **bytes);

#endif
