// What the files share that speak to brokers. They alone know the client library, nats.c.
//
//     nats_connect.c      where brokers are, and connections to them
//     nats_credentials.c  who the server is to them, by a file
//     nats_link.c         messages and their answers
//     nats_check.c        whether brokers are what they have to be
//     nats_streams.c      a list's stream, read and cut
//     nats_lists.c        what is known of lists without their streams, and ids
//
// Subscriptions stay until their connection is closed: one that is destroyed while something comes for it crashes nats.c
// before 3.6. So there are two, for answers and for what is read, and nothing here is used that makes others.
#ifndef WEFT_STORE_NATS_LINK_INTERNAL_H
#define WEFT_STORE_NATS_LINK_INTERNAL_H

#include "base/thread.h"
#include "store/nats_connect.h"
#include "store/nats_link.h"

#include <nats/nats.h>
#include <stdatomic.h>

enum { NT_WAIT_MS = 3000, NT_SUBJECT_SIZE = NT_NAME_SIZE + 64 };

struct nt_link {
    struct nt_link_events events;
    struct nt_credentials credentials; // of the connection
    natsConnection *connection;
    natsSubscription *answers;
    jsCtx *js;
    kvStore *lists;
    natsInbox *inbox;
    natsSubscription *lots; // of messages that are read
    natsInbox *lots_inbox;
    uint64_t lots_asked;
    struct base_mutex walking; // one at a time
    char name[NT_NAME_SIZE];   // of the deployment
    int replicas;
    size_t payload;
    struct base_mutex mutex;
    struct base_cond quiet;
    bool closed, answered; // the library calls no more: of the connection, of answers
    atomic_bool given_up;  // before it was open: nobody is told of changes
};

// Of what the library says; gives the status back.
enum store_status nt_fail(struct store_error *error, uint32_t list, natsStatus status, int code,
                          const char *doing);

// The same of a connection that does not come about: wrong words and certificates stay wrong.
enum store_status nt_fail_connect(struct store_error *error, const struct nt_address *address,
                                  natsStatus status, const char *doing);
// Says of an error whether it passes; gives the status back.
enum store_status nt_passing(struct store_error *error, bool passing, enum store_status status);

// Files of certificates, which wrong ones are named of.
enum store_status nt_check_files(const struct nt_address *address, struct store_error *error);

// link, which may be NULL, hears of changes, and at last that it is closed.
natsStatus nt_connect(const struct nt_address *address, struct nt_link *link, natsConnection **out);
void nt_settle(struct nt_link *link, bool *over); // one of closed and answered: for who waits for both

void nt_stream_name(const struct nt_link *link, uint32_t list, char out[NT_SUBJECT_SIZE]);
const char *nt_subject_end(enum nt_kind kind);
void nt_subject_name(const struct nt_link *link, uint32_t list, const char *end, char out[NT_SUBJECT_SIZE]);

// Whether the broker that is connected is new enough, and has JetStream.
enum store_status nt_check_version(struct nt_link *link, struct store_error *error);
// Whether brokers sync what they acknowledge: nt_link_open says how they are asked. named: how many there are, at least.
enum store_status nt_check_sync(const struct nt_link_place *place, int named, struct store_error *error);

#endif
