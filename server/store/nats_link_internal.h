// Declares what the files that speak to brokers share. They alone know the client library, nats.c.
//
//     nats_connect.c      addresses of brokers, and connections to them
//     nats_credentials.c  signing in with a file
//     nats_link.c         messages and their answers
//     nats_check.c        whether brokers are what they have to be
//     nats_streams.c      a list's stream, read and cut
//     nats_lists.c        what is known of lists without their streams, and ids
//
// Subscriptions stay until their connection is closed. nats.c before 3.6 crashes if one is destroyed while a
// message comes for it. So there are two, one for answers and one for messages that are read, and nothing is
// used here that makes others.
#ifndef WEFT_STORE_NATS_LINK_INTERNAL_H
#define WEFT_STORE_NATS_LINK_INTERNAL_H

#include "base/thread.h"
#include "store/nats_connect.h"
#include "store/nats_link.h"

#include <nats/nats.h>
#include <stdatomic.h>

enum { STORE_NATS_WAIT_MS = 3000, STORE_NATS_SUBJECT_SIZE = STORE_NATS_NAME_SIZE + 64 };

struct store_nats_link {
    struct store_nats_link_events events;
    struct store_nats_credentials credentials; // credentials of the connection
    natsConnection *connection;
    natsSubscription *answers;
    jsCtx *js;
    kvStore *lists;
    natsInbox *inbox;
    natsSubscription *lots; // messages that are read
    natsInbox *lots_inbox;
    uint64_t lots_asked;
    struct base_mutex walking;       // one walk at a time
    char name[STORE_NATS_NAME_SIZE]; // name of the deployment
    int replicas;
    size_t payload;
    struct base_mutex mutex;
    struct base_cond quiet;
    bool closed, answered; // the library calls no more: for the connection, for answers
    atomic_bool given_up;  // it failed to open: nobody is told of changes
};

// Fills *error from what the library says, and returns the code.
enum fault_code store_nats_fail(struct store_error *error, uint32_t list, natsStatus status, int code,
                                const char *doing);

// Does the same for a connection that was not made. Wrong addresses and certificates do not pass.
enum fault_code store_nats_fail_connect(struct store_error *error, const struct store_nats_address *address,
                                        natsStatus status, const char *doing);
// Sets whether an error passes by itself, and returns the code.
enum fault_code store_nats_passing(struct store_error *error, bool passing, enum fault_code status);

// Checks the files of certificates, so that an error names the wrong one.
enum fault_code store_nats_check_files(const struct store_nats_address *address, struct store_error *error);

// Connects. `link`, which may be NULL, is told of changes, and at last that the connection is closed.
natsStatus store_nats_connect(const struct store_nats_address *address, struct store_nats_link *link,
                              natsConnection **out);
// Sets `closed` or `answered`, and wakes the thread that waits for both.
void store_nats_settle(struct store_nats_link *link, bool *over);

void store_nats_stream_name(const struct store_nats_link *link, uint32_t list,
                            char out[STORE_NATS_SUBJECT_SIZE]);
const char *store_nats_subject_end(enum store_nats_kind kind);
void store_nats_subject_name(const struct store_nats_link *link, uint32_t list, const char *end,
                             char out[STORE_NATS_SUBJECT_SIZE]);

// Checks that the connected broker is new enough and has JetStream.
enum fault_code store_nats_check_version(struct store_nats_link *link, struct store_error *error);
// Checks that brokers sync what they acknowledge. store_nats_link_open says how they are asked. `named` is the number
// of brokers in the address.
enum fault_code store_nats_check_sync(const struct store_nats_link_place *place, int named,
                                      struct store_error *error);

#endif
