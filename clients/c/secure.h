// TLS in memory, for both transports: feed takes bytes from the socket and gives plaintext; put takes plaintext, and
// take returns the bytes to write. Nothing here reads or writes a socket.
//
//     create ─▶ (take ─▶ socket ─▶ feed)*, until ready ─▶ put, take, feed … ─▶ end
#ifndef WEFT_CLIENT_SECURE_H
#define WEFT_CLIENT_SECURE_H

#include "internal.h"

struct weft_secure;

// Whether this connection uses TLS. *tls is what the program asked for; NULL: nothing. tls:// in an address asks for it
// as well.
bool weft_secure_wanted(const struct weft_address *address, const struct weft_tls *tls);
// NULL with *error: USAGE or FILE for a fault in tls, MEMORY.
struct weft_secure *weft_secure_create(const struct weft_tls *tls, const char *host,
                                       struct weft_error *error);
bool weft_secure_restart(
    struct weft_secure *secure); // prepares for another connection; false if memory runs out
bool weft_secure_rename(struct weft_secure *secure,
                        const char *host);            // like restart, for a connection to another host
void weft_secure_destroy(struct weft_secure *secure); // NULL is allowed

// the handshake is done, and the server's certificate is valid
bool weft_secure_ready(const struct weft_secure *secure);

// Takes bytes of the socket, and hands the plaintext to `receive` for the client. False with *error: the bytes are not
// TLS, or the server's certificate is not valid.
typedef bool weft_receive_fn(struct weft_client *client, const uint8_t *data, size_t size);
bool weft_secure_feed(struct weft_secure *secure, weft_receive_fn *receive, struct weft_client *client,
                      const uint8_t *data, size_t size, struct weft_error *error);
bool weft_secure_ended(const struct weft_secure *secure); // the server said that it sends no more
bool weft_secure_put(struct weft_secure *secure, const void *data, size_t size, struct weft_error *error);
// Tells the server that nothing follows, if that is still possible.
void weft_secure_end(struct weft_secure *secure);
// Moves the bytes to write to *bytes, which the caller frees with free(). 0 if there are none, or if memory runs out.
size_t weft_secure_take(struct weft_secure *secure, char **bytes);

#endif
