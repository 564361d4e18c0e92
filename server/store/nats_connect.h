// Where brokers are, and a connection to one of them: for the store, and for who tells servers of each other.
#ifndef WEFT_STORE_NATS_CONNECT_H
#define WEFT_STORE_NATS_CONNECT_H

#include "store/nats_credentials.h"

#include <nats/nats.h>
#include <stdbool.h>

enum { NT_NAME_SIZE = 33, NT_URL_SIZE = 1024, NT_SERVERS_MAX = 16 };

// nats://[USER:PASSWORD@]HOST[:PORT],…[/NAME], or tls://…
struct nt_address {
    bool tls;
    const char *authorities, *certificate, *key; // files; NULL: none. The caller's
    struct nt_credentials *credentials; // NULL: none. The caller's, for as long as a connection is there
    char text[NT_URL_SIZE + NT_SERVERS_MAX * 128];
    const char *servers[NT_SERVERS_MAX];
    int count;
    char name[NT_NAME_SIZE];
};
bool nt_address_read(const char *url, struct nt_address *out);

// Who hears of the connection; the library's threads, which call nothing more after closed.
struct nt_hearers {
    natsConnectionHandler connected, disconnected, closed;
    void *context;
};
natsStatus nt_connect_heard(const struct nt_address *address, const struct nt_hearers *hearers,
                            natsConnection **out); // hearers may be NULL

#endif
