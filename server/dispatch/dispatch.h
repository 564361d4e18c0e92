// Takes messages of sessions: decodes and permits each, and then answers it here or posts it to the inbox of its world.
//
//     dispatch.c   create, start, stop, destroy
//     message.c    the way of a message
//     call.h       the types that every room gets: the server as methods see it, and one call
//     later        calls that are answered later: by a worker, the store, another machine
//     route/       finds the world of a message, and passes calls on to other servers
//     permit/      roles, control, quotas
//     hello/       session.hello, resumed sessions, presence
//     past/        methods that read the past of a world: history, log, records, seek, branch, trash
//     admin/       methods of the server itself: info, metrics, accounts; creates, opens, lists and moves worlds
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

// The limits that options of weftd set, by their names in api.json, which gives their units.
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

// The bounds of one person, as the options say; 0: no bound.
struct dispatch_quotas {
    struct access_rates rates;
    uint64_t worlds;             // worlds that the person made
    struct world_amount amounts; // bodies and so on, in all these worlds together
};

// NULL, with a log line, if memory runs out. loop and registry must outlive the dispatch. threads: number of simulation threads.
struct dispatch *dispatch_create(struct net_loop *loop, struct host_registry *registry, uint32_t threads,
                                 const struct dispatch_limits *limits);
// Called once, before the first message. book may be NULL: then the server asks for no tokens. False, with a log line, if memory runs
// out.
bool dispatch_start(struct dispatch *dispatch, struct host_sessions *sessions, struct access *book,
                    const struct dispatch_quotas *quotas);
void dispatch_destroy(struct dispatch *dispatch); // once the loop has ended; NULL is allowed

// Tells the dispatch that this server shares worlds with others.
void dispatch_join(struct dispatch *dispatch, struct host_lease *lease);
// The server goes down: no new world is made, and work that may take long is refused with SHUTDOWN.
void dispatch_stop(struct dispatch *dispatch);

// ---------------------------------------------------------------------------------------------------------
// Messages

// Takes one message of a session, with its malloc'd bytes. context is the dispatch. This is host_sessions_options.on_message.
void dispatch_message(void *context, struct host_session *session, uint8_t *bytes, size_t size);

// Takes a message a second time. It is not answered yet, because it was to be passed on to another server, but now this server runs
// its world.
void dispatch_again(void *context, struct host_session *session, uint8_t *bytes, size_t size);

// Gives up all work for a session that has ended.
void dispatch_session_ended(struct dispatch *dispatch, uint32_t session);

// The budget that messages are charged to until they are applied. It lasts as long as the dispatch.
struct base_budget *dispatch_budget(const struct dispatch *dispatch);

// The texts of /metrics and /healthz. The caller gets one reference; NULL if memory runs out. *status is the HTTP status: 200, or 503
// when the server goes down.
struct base_buffer *dispatch_metrics(const struct dispatch *dispatch, const struct host_sessions *sessions);
struct base_buffer *dispatch_health(const struct dispatch *dispatch, int *status);

// ---------------------------------------------------------------------------------------------------------
// Calls for worlds that other servers run. Dispatch does not know how they are passed on: the server's main program gives it functions
// (those of relay/).

struct dispatch_passed {
    const uint8_t *bytes; // the message
    size_t size;
    enum protocol_method method;
    bool wants_answer;
    uint32_t msgid;
    struct protocol_ref world; // the world that it names; or, if it names a stream,
    uint32_t stream;           // the session's id for it; 0: none
};

// A line is a connection to another server. Counts without "now" only grow.
struct dispatch_passed_counts {
    uint32_t lines, shared_lines;     // now: lines of one session; lines whose streams many sessions share
    uint32_t streams, shared_streams; // now: streams of one session; streams that many share
    uint32_t viewers;                 // now: streams of sessions that a shared stream serves
    uint64_t calls, notices, frames;  // passed on
    uint64_t bytes_in, bytes_out;     // through all lines
    uint64_t lost;                    // lines lost
    uint64_t refused, unanswered;     // calls refused here; calls lost with their line
    uint64_t distrusted;              // times that a server was not the one that its address names
};

enum dispatch_went {
    DISPATCH_STAYS,  // the message is for this server
    DISPATCH_PASSED, // it was passed on, or will be
    DISPATCH_REFUSED // with *error
};

struct dispatch_elsewhere {
    enum dispatch_went (*pass)(void *context, struct host_session *session,
                               const struct dispatch_passed *passed, struct protocol_error *error);
    // Called when a message is for a world that is here. Messages for it that waited to be passed on go first (dispatch_again). False
    // if another server still owes the session answers about this world: then this message must come behind them, and is passed on
    // too.
    bool (*came)(void *context, struct host_session *session, uint32_t world);
    // Called at each session.hello.
    void (*introduced)(void *context, struct host_session *session,
                       const struct protocol_session_hello_params *params);
    void (*count)(void *context, struct dispatch_passed_counts *counts);
    void *context;
};

// Passes calls on through *elsewhere from now on. It must live as long as the dispatch.
void dispatch_pass_through(struct dispatch *dispatch, const struct dispatch_elsewhere *elsewhere);

enum { DISPATCH_ADDRESS_SIZE = 128 };

struct dispatch_place {
    uint32_t world;                      // its id
    char address[DISPATCH_ADDRESS_SIZE]; // HOST:PORT of the server that runs it; empty: one soon will
    bool tls;                            // that server uses TLS, with a certificate for HOST
};

// Finds the server that runs a world, by the cluster's tables. False if this one does, or none. registry is the host_registry: this is
// relay_options.where.
bool dispatch_where(void *registry, const struct protocol_ref *ref, struct dispatch_place *place);

#endif
