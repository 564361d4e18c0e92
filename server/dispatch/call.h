// The types that every room of dispatch gets: the server as methods see it, and one call of a method of class server. Such a method
// is answered on the loop, without a world's inbox, at once or later (later.h). Loop thread only.
//
// Each of these methods has one function, dispatch_IDENT. They are declared from the list of methods, so a missing one is a link
// error.
#ifndef WEFT_DISPATCH_CALL_H
#define WEFT_DISPATCH_CALL_H

#include "host/slots.h"
#include "protocol/generated/api.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct access;
struct base_budget;
struct dispatch_elsewhere;
struct dispatch_hello_failing;
struct dispatch_hello_failures;
struct dispatch_later;
struct dispatch_past_seeker;
struct dispatch_permits;
struct host_lease;
struct host_registry;
struct host_session;
struct net_loop;
struct protocol_error;
struct world_packet;

struct dispatch_server {
    struct host_registry *registry;
    struct host_lease *lease; // NULL: no other server shares its worlds
    struct net_loop *loop;
    struct host_slots slots;                    // places on worker threads
    struct access *book;                        // tokens and roles; NULL: the server asks for no tokens
    struct base_budget *budget;                 // bytes of messages that are not applied yet
    const struct dispatch_elsewhere *elsewhere; // passes calls on to other servers; NULL: there are none
    uint32_t threads;                           // simulation threads
    uint64_t started_ns;                        // base_now_ns
    uint64_t twin_differences;                  // times that a client reported stream.differs
    bool stopping;                              // the server goes down
    struct protocol_raw limits;                 // the packed limits of server.info, as options changed them

    // State of the rooms.
    struct dispatch_later *working;           // later.c: calls that have a worker, or wait for one
    struct dispatch_permits *permits;         // permit/: NULL before dispatch_start
    struct dispatch_past_seeker *seekers;     // past/: one for each session that looks at a world's past
    struct dispatch_hello_failing *failing;   // hello/: calls with a wrong token, whose answers are delayed
    struct dispatch_hello_failures *failures; // hello/: failures by client address; NULL: none so far
    uint64_t adopted_ns;                      // base_now_ns when the book last adopted new tokens
};

struct dispatch_call {
    struct dispatch_server *server;
    // The session that gets the answer. session.hello may change it to the one that is resumed (hello/hello.h).
    struct host_session *session;
    enum protocol_method method;
    uint32_t world;    // id of the world that it names; 0: none
    bool wants_answer; // it is a request, not a notification
    uint32_t msgid;
    struct world_packet **packet; // the message; NULL once dispatch_later_begin took it
    bool later;                   // dispatch_later_begin took the call: it will be answered through that
    const void *params;           // generated struct of the method
    // Called once the answer is on its way; NULL: nothing is.
    void (*after)(struct dispatch_call *call);
    void *after_context;
    msgpack_zone *zone;     // memory that lasts until the answer is packed
    msgpack_packer *packer; // a function that returns true without `later` packs its result here
    struct protocol_error *error;
};

typedef bool (*dispatch_function)(struct dispatch_call *call); // false: refused, with the error set

#define DISPATCH_DECLARE_SERVER(ident) bool dispatch_##ident(struct dispatch_call *call);
#define DISPATCH_DECLARE_QUERY(ident)
#define DISPATCH_DECLARE_EDIT(ident)
#define DISPATCH_DECLARE_INPUT(ident)
#define DISPATCH_DECLARE_CONTROL(ident)
#define DISPATCH_DECLARE(class, ident, name) DISPATCH_DECLARE_##class(ident)
PROTOCOL_METHODS(DISPATCH_DECLARE)

#endif
