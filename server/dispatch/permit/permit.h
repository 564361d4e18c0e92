// Who may do what: the one place that says so, asked on the way of every message, before its parameters are decoded.
//
//     admit     has this session shown a token, has its person messages left, may it do such things at all
//     permit    has it the role in this world that the method needs; what it may not see is not there
//     room      has the person who made the world room for what is added to it
//
// Loop thread only. Where no tokens are asked for each may do everything, but for control that somebody holds.
#ifndef WEFT_DISPATCH_PERMIT_PERMIT_H
#define WEFT_DISPATCH_PERMIT_PERMIT_H

#include "access/access.h"
#include "protocol/generated/api.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dispatch_call;
struct dispatch_later;
struct dispatch_server;
struct document;
struct host_session;
struct host_sessions;
struct host_world;
struct protocol_error;
struct world_packet;
struct world_request;

// As the options have them; 0: no bound.
struct dispatch_quotas {
    struct access_rates rates;
    uint64_t worlds;             // of a person
    struct world_amount amounts; // in these together
};

struct dispatch_access {
    struct dispatch_server *server;
    struct host_sessions *sessions;
    struct access *book; // NULL: no tokens are asked for
    struct dispatch_quotas quotas;
    struct net_timer *timer;
    struct dispatch_failing *failing; // dispatch/hello/hello.c
    struct dispatch_failures *failures;
    struct dispatch_maker *makers;   // dispatch/permit/quota.c
    uint64_t expired_ns, adopted_ns; // monotonic: when that was done last
};

// False, with a log line, without memory. Before the first message; book may be NULL.
bool dispatch_access_start(struct dispatch_server *server, struct host_sessions *sessions,
                           struct access *book, const struct dispatch_quotas *quotas);
void dispatch_access_stop(struct dispatch_server *server); // when the loop has ended

// method is PROTOCOL_METHOD_COUNT where there is none of that name.
bool dispatch_admit(struct dispatch_server *server, struct host_session *session, enum protocol_method method,
                    size_t size, struct protocol_error *error);
// packet is what names the world; NULL: it was permitted before.
bool dispatch_permit(const struct dispatch_server *server, const struct host_session *session,
                     enum protocol_method method, const struct host_world *world, struct world_packet *packet,
                     struct protocol_error *error);
// The same for a method that is answered on the loop, if it names a world; *world is its id, 0 where it names none that
// can be told before it is decoded.
bool dispatch_permit_named(const struct dispatch_server *server, const struct host_session *session,
                           struct world_packet *packet, enum protocol_method method, uint32_t *world,
                           struct protocol_error *error);
// The same for each of the edits of a batch.
bool dispatch_permit_edits(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, const struct world_request *request,
                           struct protocol_error *error);
// dispatch/permit/bound.c: what its world has to see to.
void dispatch_bound(const struct dispatch_server *server, const struct host_session *session,
                    const struct host_world *world, struct world_request *request);

// dispatch/permit/quota.c: what the person who made a world may have in all worlds that they made. What an edit brings is counted by its
// world when it is applied; here it is held against what there is by then, so that most are refused early.
bool dispatch_is_bounded(const struct dispatch_server *server, const struct host_session *session);
bool dispatch_room(const struct dispatch_server *server, const struct host_session *session,
                   struct host_world *world, const struct world_request *request,
                   struct protocol_error *error);
// The same for a world that is about to be there: a document that was opened, branched, or had back from the bin. Of who
// asks, or who made it; NULL: nobody.
bool dispatch_room_whole(const struct dispatch_later *later, const char *maker,
                         const struct document *document, struct protocol_error *error);
// Whether somebody may make one more world.
bool dispatch_room_for_world(const struct dispatch_server *server, const char *maker,
                             struct protocol_error *error);
// A world counts for who made it from now on; all do that were not known to.
void dispatch_charge(const struct dispatch_server *server, struct host_world *world);
void dispatch_charge_all(const struct dispatch_server *server);
void dispatch_makers_destroy(struct dispatch_access *access);

// In a world, ADMIN for who may do everything; ANYONE: it is not to be seen.
enum protocol_role dispatch_role(const struct dispatch_server *server, const struct host_session *session,
                                 uint32_t world);
// A world was made for this request: its person owns it.
void dispatch_made(struct dispatch_later *later, struct host_world *world);
// Answers a call when the book is on the disk; result stays valid as long as the call's zone.
bool dispatch_save(struct dispatch_call *call, const void *result);

// session.hello and access.accept: whether a token is shown that is good. LATER: it is answered after a while.
enum dispatch_hello { DISPATCH_HELLO_GOOD, DISPATCH_HELLO_REFUSED, DISPATCH_HELLO_LATER };
enum dispatch_hello dispatch_hello(struct dispatch_call *call, const struct protocol_string *token);
// Something was shown that is good for nothing: refuses after a while, the longer the more often, and ends the session.
enum dispatch_hello dispatch_hello_fail(struct dispatch_call *call, const char *field, const char *text);
void dispatch_hello_stop(struct dispatch_access *access);

// dispatch/permit/control.c
bool dispatch_control_permits(const struct host_session *session, const struct host_world *world,
                              struct protocol_error *error);
void dispatch_control_tell(struct dispatch_server *server,
                           struct host_sessions *sessions); // what has changed
void dispatch_control_release(const struct dispatch_server *server, uint32_t session);

#endif
