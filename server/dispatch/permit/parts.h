// Private to the files of this room.
#ifndef WEFT_DISPATCH_PERMIT_PARTS_H
#define WEFT_DISPATCH_PERMIT_PARTS_H

#include "dispatch/dispatch.h"

#include <stdbool.h>
#include <stdint.h>

struct dispatch_permit_maker;
struct dispatch_server;
struct host_session;
struct host_sessions;
struct host_world;
struct net_timer;
struct protocol_error;

struct dispatch_permits {
    struct dispatch_server *server;
    struct host_sessions *sessions;
    struct dispatch_quotas quotas;
    struct net_timer *timer;
    struct dispatch_permit_maker *makers; // quota.c
    uint64_t expired_ns; // monotonic: when the book was last looked through for what has expired
};

// control.c. Whether the session may play, pause, step and reset the world. False with *error (DENIED) if another session holds control.
bool dispatch_permit_control(const struct host_session *session, const struct host_world *world,
                             struct protocol_error *error);

// quota.c. Whether quotas apply to what this session adds.
bool dispatch_permit_is_bounded(const struct dispatch_server *server, const struct host_session *session);
// Whether this person may make one more world. False with *error (LIMIT).
bool dispatch_permit_room_for_world(const struct dispatch_server *server, const char *maker,
                                    struct protocol_error *error);
// Charges every world to the person who made it, unless it is charged already.
void dispatch_permit_charge_all(const struct dispatch_server *server);
void dispatch_permit_makers_destroy(struct dispatch_permits *permits);

#endif
