// Reads the address of brokers, and connects to one of them, for the store and for the cluster.
#ifndef WEFT_STORE_NATS_CONNECT_H
#define WEFT_STORE_NATS_CONNECT_H

#include "store/nats_credentials.h"

#include <nats/nats.h>
#include <stdbool.h>

enum { STORE_NATS_NAME_SIZE = 33, STORE_NATS_URL_SIZE = 1024, STORE_NATS_SERVERS_MAX = 16 };

// An address: nats://[USER:PASSWORD@]HOST[:PORT],…[/NAME], or tls://…
struct store_nats_address {
    bool tls;
    const char *authorities, *certificate, *key; // Files; NULL: none. The caller owns the texts.
    // NULL: none. The caller owns it, and keeps it as long as the connection.
    struct store_nats_credentials *credentials;
    char text[STORE_NATS_URL_SIZE + STORE_NATS_SERVERS_MAX * 128];
    const char *servers[STORE_NATS_SERVERS_MAX];
    int count;
    char name[STORE_NATS_NAME_SIZE];
};
// Reads an address. False if the text is not one.
bool store_nats_address_read(const char *url, struct store_nats_address *out);

// Callbacks of a connection. The library's threads call them, and none after `closed`.
struct store_nats_hearers {
    natsConnectionHandler connected, disconnected, closed;
    void *context;
};
natsStatus store_nats_connect_heard(const struct store_nats_address *address,
                                    const struct store_nats_hearers *hearers,
                                    natsConnection **out); // Connects. `hearers` may be NULL.

#endif
