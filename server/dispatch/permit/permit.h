// Decides which session may do what. Nothing else does: every message passes here before its parameters are decoded.
//
//     admit     Has this session shown a token, is its person within the rates, does its role in the server allow the method?
//     find      Is the world here? If not, what may this session be told of it?
//     permit    Does its role in this world allow the method? A world that it may not see is NOT_FOUND.
//     room      Is the person who made the world within their quota with what is added?
//
// A server that asks for no tokens allows everything, except for control of a world that another session holds. Functions that
// return bool return false with *error set. Loop thread only.
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

// Admits a message of `size` bytes. method is PROTOCOL_METHOD_COUNT if no method has the name that it gives.
bool dispatch_permit_admit(struct dispatch_server *server, struct host_session *session,
                           enum protocol_method method, size_t size, struct protocol_error *error);
// Whether the session may call the method on this world. packet is the message, from which the error takes the world's name; it may
// be NULL.
bool dispatch_permit(const struct dispatch_server *server, const struct host_session *session,
                     enum protocol_method method, const struct host_world *world, struct world_packet *packet,
                     struct protocol_error *error);
// The same for a method of class server that has a field `world`. *world is the id of the world; 0 if the message names none.
bool dispatch_permit_named(const struct dispatch_server *server, const struct host_session *session,
                           struct world_packet *packet, enum protocol_method method, uint32_t *world,
                           struct protocol_error *error);
// The same for each of the edits of a batch.
bool dispatch_permit_edits(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, const struct world_request *request,
                           struct protocol_error *error);
// Sets the bounds in a request that its world has to check, because only the world knows what the edit will do: edit.undo and
// edit.redo may reset the world, and what an edit adds is counted when it is applied.
void dispatch_permit_bound(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, struct world_request *request);

// ---------------------------------------------------------------------------------------------------------
// role.c: worlds

// The role of a session in a world: ADMIN for no restriction, ANYONE if the world is hidden from it.
enum protocol_role dispatch_permit_role(const struct dispatch_server *server,
                                        const struct host_session *session, uint32_t world);
// Finds a world of this server. NULL with *error if it is not here: MOVED, with its server; BUSY, if it is between two servers;
// INTERNAL, if no server can run it; else NOT_FOUND. A session that may not see the world gets NOT_FOUND in any case.
struct host_world *dispatch_permit_find(const struct dispatch_server *server,
                                        const struct host_session *session, enum protocol_method method,
                                        const struct protocol_ref *ref, struct protocol_error *error);
// Sets only that error.
void dispatch_permit_missing(const struct dispatch_server *server, const struct host_session *session,
                             const struct protocol_ref *ref, struct protocol_error *error);
// Whether the session may use this world at all: a view belongs to one session. DENIED; NOT_FOUND on a server that asks for tokens.
bool dispatch_permit_use(const struct host_world *world, const struct host_session *session,
                         struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------
// quota.c: the quota of a person for all worlds that they made. A world counts what an edit adds when it applies the edit. The check
// here is against the counts known by now, so that most edits that do not fit are refused early.

bool dispatch_permit_room(const struct dispatch_server *server, const struct host_session *session,
                          struct host_world *world, const struct world_request *request,
                          struct protocol_error *error);
// The same for a whole document that is about to become a world: opened, branched or restored. maker is the person to whom the world
// will be charged; NULL: nobody.
bool dispatch_permit_room_whole(const struct dispatch_later *later, const char *maker,
                                const struct document *document, struct protocol_error *error);
// Charges a world to the person who made it, from now on.
void dispatch_permit_charge(const struct dispatch_server *server, struct host_world *world);

// ---------------------------------------------------------------------------------------------------------
// control.c: one session may hold the right to play, pause, step and reset a world.

// Sends world.controlled for every world whose control has changed since it was last sent.
void dispatch_permit_control_tell(struct dispatch_server *server, struct host_sessions *sessions);
// Releases the control that a session which has ended holds.
void dispatch_permit_control_release(const struct dispatch_server *server, uint32_t session);

// ---------------------------------------------------------------------------------------------------------
// book.c: changes of the book, and its file

// dispatch_start: called before the first message; book may be NULL. False, with a log line, if memory runs out.
bool dispatch_permit_start(struct dispatch_server *server, struct host_sessions *sessions,
                           struct access *book, const struct dispatch_quotas *quotas);
void dispatch_permit_stop(struct dispatch_server *server); // once the loop has ended
// Makes the person behind this request the owner of the world that was made for it.
void dispatch_permit_made(struct dispatch_later *later, struct host_world *world);
// Sets the error for a request whose new world could not be kept. taken: another world has its name.
void dispatch_permit_not_kept(const struct dispatch_server *server, bool taken, struct protocol_error *error);
// Writes the book on a worker, and answers the call when it is durable. result is in the call's zone. False with call->error: MEMORY.
bool dispatch_permit_save(struct dispatch_call *call, const void *result);

#endif
