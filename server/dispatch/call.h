// Methods of class server: answered on the loop, without a world's inbox, at once or later (dispatch/later.h).
//
// One function for each, declared from the list of methods: one that is missing is a link error.
#ifndef WEFT_DISPATCH_CALL_H
#define WEFT_DISPATCH_CALL_H

#include "host/slots.h"
#include "protocol/generated/api.h"
#include "protocol/params.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct base_budget;
struct base_buffer;
struct dispatch_access;
struct dispatch_elsewhere;
struct dispatch_later;
struct dispatch_limits;
struct dispatch_seeker;
struct host_lease;
struct host_registry;
struct host_session;
struct net_loop;
struct protocol_error;
struct world_packet;

// What the server is, as far as these methods tell.
struct dispatch_server {
    struct host_registry *registry;
    struct host_lease *lease; // NULL: no other server shares its worlds
    struct net_loop *loop;
    struct host_slots slots;                    // of workers
    struct dispatch_later *working;             // that have one, or wait for it
    struct dispatch_access *access;             // who may do what (dispatch/permit/permit.c)
    struct dispatch_seeker *seekers;            // what shows the past (dispatch/past/seek.c)
    struct base_budget *budget;                 // of messages
    const struct dispatch_elsewhere *elsewhere; // worlds of other servers; NULL: there are none
    uint32_t threads;
    uint64_t started_ns;
    uint64_t twin_differences; // that twins told of (stream.differs)
    bool stopping;
    struct protocol_raw limits; // of server.info, with what the options changed
};

struct dispatch_call {
    struct dispatch_server *server;
    struct host_session
        *session; // that is answered: session.hello may have another go on (dispatch/hello/resume.h)
    enum protocol_method method;
    uint32_t world;    // that it names, if it does; 0: none
    bool wants_answer; // a request, else a notification
    uint32_t msgid;
    struct world_packet **packet; // the message; NULL once it is dispatch_later_begin's
    bool later;                   // it is, and the answer with it
    const void *params;           // generated struct of the method
    // Once the answer is on its way; NULL: nothing more is to be done.
    void (*after)(struct dispatch_call *call);
    void *after_context;
    msgpack_zone *zone;     // memory for the result
    msgpack_packer *packer; // the result goes here, whole, if the function returns true
    struct protocol_error *error;
};

// Why a world that was made is not there after all: what answers who made it, where it is never kept. taken: it is for its name.
void dispatch_not_kept(const struct dispatch_server *server, bool taken, struct protocol_error *error);
// False with the call's error MOVED: who makes a world is to do so at another server, which has less to do.
bool dispatch_is_for_here(struct dispatch_call *call);
// The limits of api.json with those that the options set, as server.info has them. One reference; NULL
// without memory.
struct base_buffer *dispatch_pack_limits(const struct dispatch_limits *limits);

typedef bool (*dispatch_function)(struct dispatch_call *call); // false: refused, error is set

#define DISPATCH_DECLARE_SERVER(ident) bool dispatch_##ident(struct dispatch_call *call);
#define DISPATCH_DECLARE_QUERY(ident)
#define DISPATCH_DECLARE_EDIT(ident)
#define DISPATCH_DECLARE_INPUT(ident)
#define DISPATCH_DECLARE_CONTROL(ident)
#define DISPATCH_DECLARE(class, ident, name) DISPATCH_DECLARE_##class(ident)
PROTOCOL_METHODS(DISPATCH_DECLARE)

#endif
