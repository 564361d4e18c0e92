// Credentials for brokers: a file with a user's JWT and seed, as nsc writes them.
#ifndef WEFT_STORE_NATS_CREDENTIALS_H
#define WEFT_STORE_NATS_CREDENTIALS_H

#include <nats/nats.h>
#include <stdbool.h>

enum { NT_FILE_SIZE = 4096 };

// A connection reads its file whenever it connects, so that a renewed one is taken. These have to stay as long as it does.
struct nt_credentials {
    char file[NT_FILE_SIZE];
    bool
        unlucky; // in the last call of natsConnection_Connect a signature could not be sent; of the thread that calls
};

// file may be NULL: then there are none, and it returns NULL. Otherwise it returns out.
struct nt_credentials *nt_credentials_of(struct nt_credentials *out, const char *file);
// Has a connection sign in with them.
natsStatus nt_credentials_use(struct nt_credentials *credentials, natsOptions *options);

#endif
