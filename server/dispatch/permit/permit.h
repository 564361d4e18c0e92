// Decides who may do what. This is the one place that does: every message passes it before its parameters are decoded.
//
//     admit     has this session shown a token, has its person messages left, may it do such things at all
//     find      is the world here, and if not, what may this session be told of it
//     permit    has it the role in this world that the method needs; what it may not see is not there
//     room      has the person who made the world room for what is added to it
//
// Loop thread only. Where no tokens are asked for each may do everything, but for control that somebody holds.
#ifndef WEFT_DISPATCH_PERMIT_PERMIT_H
#define WEFT_DISPATCH_PERMIT_PERMIT_H

#include "protocol/generated/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access;
struct dispatch_call;
struct dispatch_later;
struct dispatch_quotas;
struct dispatch_server;
struct document;
struct host_session;
struct host_sessions;
struct host_world;
struct protocol_error;
struct protocol_ref;
struct world_packet;
struct world_request;

// ---------------------------------------------------------------------------------------------------------
// Methods

// method is PROTOCOL_METHOD_COUNT where there is none of that name.
bool dispatch_permit_admit(struct dispatch_server *server, struct host_session *session,
                           enum protocol_method method, size_t size, struct protocol_error *error);
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
// Says in the request what its world has to see to, because only the world can tell what the edit comes to: edit.undo and edit.redo
// have no parameters that tell it, and what edits bring is counted when they are applied.
void dispatch_permit_bound(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, struct world_request *request);

// ---------------------------------------------------------------------------------------------------------
// role.c: worlds

// The role of a session in a world: ADMIN for no restriction, ANYONE if the world is hidden from it.
enum protocol_role dispatch_permit_role(const struct dispatch_server *server,
                                        const struct host_session *session, uint32_t world);
// The world of this server that a method finds. NULL with *error of a world that is not here: MOVED, with where it is; BUSY, if it is on
// its way; INTERNAL, if no server can run it; else NOT_FOUND, which is also what a session is told that may not look at it.
struct host_world *dispatch_permit_find(const struct dispatch_server *server,
                                        const struct host_session *session, enum protocol_method method,
                                        const struct protocol_ref *ref, struct protocol_error *error);
void dispatch_permit_missing(const struct dispatch_server *server, const struct host_session *session,
                             const struct protocol_ref *ref, struct protocol_error *error); // the error alone
// A view is its session's alone. False with *error: DENIED.
bool dispatch_permit_use(const struct host_world *world, const struct host_session *session,
                         struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------
// quota.c: what the person who made a world may have in all worlds that they made. What an edit brings is counted by its world when it
// is applied; here it is held against what there is by then, so that most are refused early.

bool dispatch_permit_room(const struct dispatch_server *server, const struct host_session *session,
                          struct host_world *world, const struct world_request *request,
                          struct protocol_error *error);
// The same for a world that is about to be there: a document that was opened, branched, or restored. maker is the person who asks, or
// who made it; NULL: nobody.
bool dispatch_permit_room_whole(const struct dispatch_later *later, const char *maker,
                                const struct document *document, struct protocol_error *error);
// A world counts for the person who made it from now on.
void dispatch_permit_charge(const struct dispatch_server *server, struct host_world *world);

// ---------------------------------------------------------------------------------------------------------
// control.c: one session may hold the right to play, pause, step and reset a world.

void dispatch_permit_control_tell(struct dispatch_server *server, struct host_sessions *sessions); // changes
void dispatch_permit_control_release(const struct dispatch_server *server, uint32_t session);

// ---------------------------------------------------------------------------------------------------------
// book.c: what is written down

// False, with a log line, without memory. Before the first message; book may be NULL.
bool dispatch_permit_start(struct dispatch_server *server, struct host_sessions *sessions,
                           struct access *book, const struct dispatch_quotas *quotas);
void dispatch_permit_stop(struct dispatch_server *server); // when the loop has ended
// A world was made for this request: its person owns it.
void dispatch_permit_made(struct dispatch_later *later, struct host_world *world);
// The error for the maker of a world that is never kept. taken: because of its name.
void dispatch_permit_not_kept(const struct dispatch_server *server, bool taken, struct protocol_error *error);
// Answers a call when the book is on the disk; result stays valid as long as the call's zone.
bool dispatch_permit_save(struct dispatch_call *call, const void *result);

#endif
