// Certificates made where they are needed, and a client's side of TLS in memory.
#ifndef WEFT_TESTS_UNIT_NET_HELPER_TLS_H
#define WEFT_TESTS_UNIT_NET_HELPER_TLS_H

#include "net/net.h"

#include <openssl/ssl.h>

// A folder with cert.pem (of a server called localhost, that vouches for itself) and key.pem, good from so many seconds
// from now, for so many. Removed by helper_tls_remove. Ends the program where it cannot be made.
struct helper_tls {
    char folder[64], cert[96], key[96];
};
void helper_tls_make(struct helper_tls *tls, long from_s, long for_s);
void helper_tls_remove(const struct helper_tls *tls);

// A client that trusts that certificate, between two memory BIOs.
struct helper_tls_client {
    SSL_CTX *context;
    SSL *ssl;
    BIO *in, *out;
};
void helper_tls_client_init(struct helper_tls_client *client, const struct helper_tls *tls);
void helper_tls_client_deinit(struct helper_tls_client *client);

#endif
