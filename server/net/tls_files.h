// A server's certificate, its key, and whose certificates of clients it takes: files, as OpenSSL's context.
#ifndef WEFT_NET_TLS_FILES_H
#define WEFT_NET_TLS_FILES_H

#include "net/net.h"

#include <openssl/types.h>

// A reference, for a new connection, which takes one of its own. Any thread of a loop.
SSL_CTX *net_tls_context(const struct net_tls *tls);

#endif
