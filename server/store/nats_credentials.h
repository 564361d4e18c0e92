// Signs in to brokers with credentials: a file with a user's JWT and seed, as nsc writes it.
#ifndef WEFT_STORE_NATS_CREDENTIALS_H
#define WEFT_STORE_NATS_CREDENTIALS_H

#include <nats/nats.h>
#include <stdbool.h>

enum { NT_FILE_SIZE = 4096 };

// A connection reads its file whenever it connects, so that a renewed one takes effect. This struct must live
// as long as the connection.
struct nt_credentials {
    char file[NT_FILE_SIZE];
    // In the last call of natsConnection_Connect a signature could not be sent. Belongs to the calling
    // thread.
    bool signature_lost;
};

// Fills *out and returns it. If file is NULL there are no credentials, and it returns NULL.
struct nt_credentials *nt_credentials_of(struct nt_credentials *out, const char *file);
// Makes a connection with these options sign in with the credentials.
natsStatus nt_credentials_use(struct nt_credentials *credentials, natsOptions *options);

#endif
