// Methods of class server that are answered after their function has returned: by a worker, the store, or another machine. Loop thread,
// unless a function says otherwise.
//
//     method ── begin ──▶ returns true, packs nothing
//                 └──▶ … answer or refuse, exactly once, whether or not the session still exists
//
// The request counts as unanswered until then. A session may have only so many of them, and a server that goes down waits for them.
// in_order: later messages of the session wait until this one is answered. The session is found again by its id. If it has
// ended meanwhile the answer is dropped, and the method undoes what it did for it.
#ifndef WEFT_DISPATCH_LATER_H
#define WEFT_DISPATCH_LATER_H

#include "host/slots.h"
#include "protocol/generated/api.h"
#include "world/world.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct dispatch_call;
struct dispatch_server;
struct host_session;
struct host_sessions;
struct protocol_error;

struct dispatch_later {
    struct host_slot slot; // the first member; used by dispatch_later_work
    struct dispatch_server *server;
    struct host_sessions *sessions;
    struct world_asker asker;    // the session as it was when it asked
    struct world_packet *packet; // the message, owned: the method's parameters stay valid
    enum protocol_method method;
    bool wants_answer;
    bool in_order;
    uint32_t msgid;
    size_t bytes;   // size of the message, which the session's unanswered requests count
    uint32_t world; // the world that it is about, for the audit log; 0: none or not known

    void (*work)(void *context);
    void (*done)(void *context, bool worked);
    void *context;
    atomic_bool stop;            // the result of the work is of no use any more
    bool told;                   // it was refused already, because the server goes down
    struct dispatch_later *next; // in dispatch_server.working
};

// Takes the call's message and its answer. NULL with call->error (MEMORY, BUSY), and nothing has changed.
struct dispatch_later *dispatch_later_begin(struct dispatch_call *call, bool in_order);
// NULL if the session has ended or was answered.
struct host_session *dispatch_later_session(const struct dispatch_later *later);
// Answer the call; result is the generated struct of the method's result. Both free `later` and the parameters.
void dispatch_later_answer(struct dispatch_later *later, const void *result);
void dispatch_later_refuse(struct dispatch_later *later, const struct protocol_error *error);

// Runs work on a worker as soon as there is a place for it (host/slots.h), and then done on the loop, which answers. worked is false, and
// work did not run, if the session ended before or the server goes down. Long work asks dispatch_later_stopped now and then, and
// may return early if it is true.
void dispatch_later_work(struct dispatch_later *later, enum host_weight weight, void (*work)(void *context),
                         void (*done)(void *context, bool worked), void *context);
bool dispatch_later_stopped(const struct dispatch_later *later); // any thread
// Stops the work for a session that has ended. 0: for all sessions, because the server goes down; then all but light work is refused
// with SHUTDOWN at once, although a worker may go on with it for a while.
void dispatch_later_stop(struct dispatch_server *server, uint32_t session);

#endif
