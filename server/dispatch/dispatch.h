// The face of dispatch: a message of a session goes from here to its answer, or to the inbox of the world that it is for.
//
//     dispatch.c   the life of it; a message on its way
//     call.h       what every room is handed: the server as methods see it, and one call
//     later        answers that come later: from a worker, a store, another machine
//     route/       which world a message names, what is particular about its method, and worlds that other servers run
//     permit/      who may do what: roles, control, quotas
//     hello/       session.hello, sessions that are resumed, presence
//     past/        what reads the past of a world: history, log, records, seek, branch, trash
//     admin/       the server itself: info, metrics, accounts; worlds made, opened, listed and moved
//
// Modules above include this header alone. Loop thread only.
#ifndef WEFT_DISPATCH_DISPATCH_H
#define WEFT_DISPATCH_DISPATCH_H

#include "access/access.h"
#include "protocol/generated/api.h"
#include "protocol/types.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_budget;
struct base_buffer;
struct dispatch;
struct host_lease;
struct host_registry;
struct host_session;
struct host_sessions;
struct net_loop;
struct protocol_error;

// ---------------------------------------------------------------------------------------------------------
// Life

// The limits of api.json that options set, by their names there.
#define DISPATCH_LIMITS(LIMIT)            \
    LIMIT(uint64_t, message_bytes)        \
    LIMIT(uint64_t, lossless_bytes)       \
    LIMIT(uint64_t, server_frame_bytes)   \
    LIMIT(uint32_t, sessions)             \
    LIMIT(uint32_t, sessions_per_address) \
    LIMIT(uint32_t, worlds)               \
    LIMIT(uint32_t, tick_ms)              \
    LIMIT(uint32_t, hold_ms)              \
    LIMIT(uint32_t, session_grace)        \
    LIMIT(uint64_t, person_messages)      \
    LIMIT(uint64_t, person_bytes)         \
    LIMIT(uint64_t, person_edits)         \
    LIMIT(uint64_t, person_worlds)        \
    LIMIT(uint64_t, person_bodies)        \
    LIMIT(uint64_t, person_particles)     \
    LIMIT(uint64_t, person_constraints)   \
    LIMIT(uint64_t, person_poses)

struct dispatch_limits {
#define LIMIT(type, name) type name;
    DISPATCH_LIMITS(LIMIT)
#undef LIMIT
};

// As the options have them; 0: no bound.
struct dispatch_quotas {
    struct access_rates rates;
    uint64_t worlds;             // of a person
    struct world_amount amounts; // in these together
};

// NULL, with a log line, without memory.
struct dispatch *dispatch_create(struct net_loop *loop, struct host_registry *registry, uint32_t threads,
                                 const struct dispatch_limits *limits);
// Before the first message. book may be NULL: then no tokens are asked for. False, with a log line, without memory.
bool dispatch_start(struct dispatch *dispatch, struct host_sessions *sessions, struct access *book,
                    const struct dispatch_quotas *quotas);
void dispatch_destroy(struct dispatch *dispatch); // when the loop has ended; NULL is allowed

// This server is one of several that share worlds.
void dispatch_join(struct dispatch *dispatch, struct host_lease *lease);
// No world is made from now on.
void dispatch_stop(struct dispatch *dispatch);

// ---------------------------------------------------------------------------------------------------------
// Messages

// One message of a session; takes the bytes (malloc'd). context is the dispatch. As
// host_sessions_options.on_message wants it.
void dispatch_message(void *context, struct host_session *session, uint8_t *bytes, size_t size);

// The same of one that came before, and is not answered: it was for another server then.
void dispatch_again(void *context, struct host_session *session, uint8_t *bytes, size_t size);

// Gives up all work for a session that has ended.
void dispatch_session_ended(struct dispatch *dispatch, uint32_t session);

// The budget that messages are charged to until they are applied. It lasts as long as the dispatch.
struct base_budget *dispatch_budget(const struct dispatch *dispatch);

// Texts of /metrics and /healthz. One reference; NULL without memory. *status is 503 when the server goes
// down.
struct base_buffer *dispatch_metrics(const struct dispatch *dispatch, const struct host_sessions *sessions);
struct base_buffer *dispatch_health(const struct dispatch *dispatch, int *status);

// ---------------------------------------------------------------------------------------------------------
// Calls for worlds that other servers run: whoever puts the server together knows what becomes of them.

struct dispatch_passed {
    const uint8_t *bytes; // the message
    size_t size;
    enum protocol_method method;
    bool wants_answer;
    uint32_t msgid;
    struct protocol_ref world; // that it names; or
    uint32_t stream;           // of a world that is not here; 0: none
};

struct dispatch_passed_counts {
    uint32_t lines, shared_lines;     // connections to other servers: of sessions, of streams that many share
    uint32_t streams, shared_streams; // of sessions alone; that many share
    uint32_t viewers;                 // of these
    uint64_t calls, notices, frames;  // passed on
    uint64_t bytes_in, bytes_out;     // of all lines
    uint64_t lost;                    // lines
    uint64_t refused, unanswered;     // calls: refused here; gone down with a line
    uint64_t distrusted;              // times that a server was not the right one
};

enum dispatch_went {
    DISPATCH_STAYS, // it is for this server
    DISPATCH_PASSED,
    DISPATCH_REFUSED // with *error
};

struct dispatch_elsewhere {
    enum dispatch_went (*pass)(void *context, struct host_session *session,
                               const struct dispatch_passed *passed, struct protocol_error *error);
    // The world is here: what waited for it elsewhere comes first (dispatch_again). False: something that the session asked of
    // it is still with another server, and what it asks now has to come behind that: it is passed on as well.
    bool (*came)(void *context, struct host_session *session, uint32_t world);
    void (*introduced)(void *context, struct host_session *session,
                       const struct protocol_session_hello_params *params); // session.hello
    void (*count)(void *context, struct dispatch_passed_counts *counts);
    void *context;
};

// From now on calls are passed on through this, which has to last as long as the dispatch.
void dispatch_pass_through(struct dispatch *dispatch, const struct dispatch_elsewhere *elsewhere);

enum { DISPATCH_ADDRESS_SIZE = 128 };

struct dispatch_place {
    uint32_t world;                      // its id
    char address[DISPATCH_ADDRESS_SIZE]; // of the server that runs it: HOST:PORT; empty: nobody yet, but soon
    bool tls;                            // it speaks that, by a certificate of HOST
};

// Finds the server that runs a world, as the cluster knows it. False: this one does, or none. registry is the host_registry; the form
// is that of relay_options.where.
bool dispatch_where(void *registry, const struct protocol_ref *ref, struct dispatch_place *place);

#endif
