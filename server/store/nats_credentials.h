// Signs in to brokers with credentials: a file with a user's JWT and seed, as nsc writes it.
#ifndef WEFT_STORE_NATS_CREDENTIALS_H
#define WEFT_STORE_NATS_CREDENTIALS_H

#include <nats/nats.h>
#include <stdbool.h>

enum { STORE_NATS_FILE_SIZE = 4096 };

// A connection reads its file whenever it connects, so that a renewed one takes effect. This struct must live
// as long as the connection.
struct store_nats_credentials {
    char file[STORE_NATS_FILE_SIZE];
    // In the last call of natsConnection_Connect a signature could not be sent. Belongs to the calling
    // thread.
    bool signature_lost;
};

// Fills *out and returns it. If file is NULL there are no credentials, and it returns NULL.
struct store_nats_credentials *store_nats_credentials_of(struct store_nats_credentials *out,
                                                         const char *file);
// Makes a connection with these options sign in with the credentials.
natsStatus store_nats_credentials_use(struct store_nats_credentials *credentials, natsOptions *options);

#endif
