// Reads the address of brokers, and connects to one of them, for the store and for the cluster.
#ifndef WEFT_STORE_NATS_CONNECT_H
#define WEFT_STORE_NATS_CONNECT_H

#include "store/nats_credentials.h"

#include <nats/nats.h>
#include <stdbool.h>

enum { NT_NAME_SIZE = 33, NT_URL_SIZE = 1024, NT_SERVERS_MAX = 16 };

// An address: nats://[USER:PASSWORD@]HOST[:PORT],…[/NAME], or tls://…
struct nt_address {
    bool tls;
    const char *authorities, *certificate, *key; // Files; NULL: none. The caller owns the texts.
    // NULL: none. The caller owns it, and keeps it as long as the connection.
    struct nt_credentials *credentials;
    char text[NT_URL_SIZE + NT_SERVERS_MAX * 128];
    const char *servers[NT_SERVERS_MAX];
    int count;
    char name[NT_NAME_SIZE];
};
// Reads an address. False: the text is none.
bool nt_address_read(const char *url, struct nt_address *out);

// Callbacks of a connection. The library's threads call them, and none after `closed`.
struct nt_hearers {
    natsConnectionHandler connected, disconnected, closed;
    void *context;
};
natsStatus nt_connect_heard(const struct nt_address *address, const struct nt_hearers *hearers,
                            natsConnection **out); // Connects. `hearers` may be NULL.

#endif
