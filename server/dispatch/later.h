// Methods of class server whose answer comes after they have returned: from a worker, a store, another machine. Loop thread.
//
//     method ── begin ──▶ returns true, packs nothing
//                 └──▶ … answer or refuse, once and soon or late, whether or not the session is still there
//
// The request counts as unanswered until then: its session has only so many, and is waited for where the server goes down,
// as long as for any answer. Where its order matters, what comes from the session behind it waits for it. The session is
// found again by its id; once it has ended an answer goes nowhere, and what was done for it is the method's to undo.
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
    struct host_slot slot; // first; of dispatch_later_work
    struct dispatch_server *server;
    struct host_sessions *sessions;
    struct world_asker asker;    // as it was when it asked
    struct world_packet *packet; // the message: parameters of the method stay valid
    enum protocol_method method;
    bool wants_answer;
    bool in_order;
    uint32_t msgid;
    size_t bytes;   // that it is counted with
    uint32_t world; // that it is about, for the audit log; 0: none, or nobody said so

    void (*work)(void *context);
    void (*done)(void *context, bool worked);
    void *context;
    atomic_bool stop;            // nobody waits for the work
    bool told;                   // refused, since the server goes down and the work may take long
    struct dispatch_later *next; // of those that work
};

// in_order: the session is not read until this is answered. NULL with call->error: MEMORY, BUSY; nothing has changed.
struct dispatch_later *dispatch_later_begin(struct dispatch_call *call, bool in_order);
struct host_session *dispatch_later_session(const struct dispatch_later *later); // NULL: it has ended
// result is the generated struct of the method. Both free `later`, with the parameters.
void dispatch_later_answer(struct dispatch_later *later, const void *result);
void dispatch_later_refuse(struct dispatch_later *later, const struct protocol_error *error);

// work runs on a worker, where there is one for it (host/slots.h), then done on the loop, which answers. Not worked: the
// session has ended meanwhile, or the server goes down. What takes long asks now and then whether it may stop for that.
void dispatch_later_work(struct dispatch_later *later, enum host_weight weight, void (*work)(void *context),
                         void (*done)(void *context, bool worked), void *context);
bool dispatch_later_stopped(const struct dispatch_later *later); // any thread
// Loop thread: work for that session has no use any more; 0: of all, since the server goes down. Then what may take long is
// refused at once, and no session waits for it; its worker ends when it ends.
void dispatch_later_stop(struct dispatch_server *server, uint32_t session);

#endif
