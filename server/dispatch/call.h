// Every room of dispatch is handed this: the server, as far as methods see it, and one call of a method of class server. Such a
// method is answered on the loop, without a world's inbox, at once or later (later.h).
//
// There is one function for each of these methods, declared from the list of methods: one that is missing is a link error.
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
    struct host_slots slots;                    // of workers
    struct access *book;                        // tokens and roles; NULL: no tokens are asked for
    struct base_budget *budget;                 // of messages
    const struct dispatch_elsewhere *elsewhere; // worlds of other servers; NULL: there are none
    uint32_t threads;
    uint64_t started_ns;
    uint64_t twin_differences; // that twins told of (stream.differs)
    bool stopping;
    struct protocol_raw limits; // of server.info, with what the options changed

    // The rooms keep these.
    struct dispatch_later *working;           // those that have a worker, or wait for one
    struct dispatch_permits *permits;         // NULL before dispatch_start
    struct dispatch_past_seeker *seekers;     // these show the past
    struct dispatch_hello_failing *failing;   // calls with a wrong token, which wait for their answers
    struct dispatch_hello_failures *failures; // how often an address was wrong; NULL: none ever was
    uint64_t adopted_ns;                      // monotonic: when the book was last read for new tokens
};

struct dispatch_call {
    struct dispatch_server *server;
    struct host_session *session; // that is answered: session.hello may have another go on (hello/hello.h)
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

typedef bool (*dispatch_function)(struct dispatch_call *call); // false: refused, error is set

#define DISPATCH_DECLARE_SERVER(ident) bool dispatch_##ident(struct dispatch_call *call);
#define DISPATCH_DECLARE_QUERY(ident)
#define DISPATCH_DECLARE_EDIT(ident)
#define DISPATCH_DECLARE_INPUT(ident)
#define DISPATCH_DECLARE_CONTROL(ident)
#define DISPATCH_DECLARE(class, ident, name) DISPATCH_DECLARE_##class(ident)
PROTOCOL_METHODS(DISPATCH_DECLARE)

#endif
