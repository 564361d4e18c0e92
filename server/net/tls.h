// TLS over memory, without sockets: what one side of a connection makes of the bytes that came, and the bytes that have to
// go out for it. OpenSSL between the two halves of a BIO pair.
//
//     ciphertext in  -> [ network half | SSL's half ] -> net_tls_open -> plaintext
//     ciphertext out <- [ network half | SSL's half ] <- net_tls_seal <- plaintext
//
// A net_tls_side belongs to one thread at a time: the loop's, or a worker's while that shakes hands for it.
#ifndef WEFT_NET_TLS_H
#define WEFT_NET_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_TLS_RECORD_BYTES = 16 * 1024, // of plaintext
    NET_TLS_PAIR_BYTES = 17 * 1024,   // of ciphertext in either direction: a record, and what surrounds it
    NET_TLS_REASON_MAX = 96,
    NET_TLS_FIRST_BYTE = 0x16, // of all that speaks TLS: a record of the handshake
};

struct net_tls;
struct net_tls_side;
struct ssl_ctx_st;

// Bytes that go out; grows as they come. Zeroed at first, freed with free(data).
struct net_tls_bytes {
    uint8_t *data;
    size_t size, capacity;
};

enum net_tls_outcome {
    NET_TLS_MORE,   // all was used, and more has to come
    NET_TLS_DONE,   // hands are shaken; what was not used is what comes behind
    NET_TLS_ENDED,  // the peer said that it sends no more
    NET_TLS_FAILED, // what came is no TLS, or not as it has to be; `out` may hold an alert
};

// The server's side of a new connection. protocol: its name in ALPN; a peer that offers names must offer this one. NULL
// without memory.
struct net_tls_side *net_tls_side_create(const struct net_tls *tls, const char *protocol);
// The other side, of net_tls_create_trust: of a server that has to be called name (a host, or an address in numbers). Its first
// words are what net_tls_shake gives for no bytes.
struct net_tls_side *net_tls_side_dial(const struct net_tls *tls, const char *protocol, const char *name);
void net_tls_side_destroy(struct net_tls_side *side); // NULL is allowed

enum net_tls_outcome net_tls_shake(struct net_tls_side *side, const uint8_t *in, size_t size, size_t *used,
                                   struct net_tls_bytes *out);
// Plaintext goes to plain, which has to have room for in_size + 2 * NET_TLS_PAIR_BYTES.
enum net_tls_outcome net_tls_open(struct net_tls_side *side, const uint8_t *in, size_t in_size,
                                  uint8_t *plain, size_t plain_room, size_t *plain_size,
                                  struct net_tls_bytes *out);
// Room for so many more bytes of plaintext, so that sealing them moves nothing. False without memory.
bool net_tls_reserve(struct net_tls_bytes *out, size_t plain);
// One record of at most NET_TLS_RECORD_BYTES, appended to out. False without memory, or on a side that failed.
bool net_tls_seal(struct net_tls_side *side, const void *plain, size_t size, struct net_tls_bytes *out);
// Says that nothing follows (close_notify).
void net_tls_seal_end(struct net_tls_side *side, struct net_tls_bytes *out);
const char *net_tls_reason(const struct net_tls_side *side); // why it failed

// A reference to OpenSSL's context (SSL_CTX) of a server's certificate, its key, and whose certificates of clients it takes. It is
// for a new connection, which takes a reference of its own. Any thread of a loop (tls_files.c).
struct ssl_ctx_st *net_tls_context(const struct net_tls *tls);

#endif
