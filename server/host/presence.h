// Who is in a world, and what others see of them: names, cameras, cursors, selections, what they hold, whether their
// connection is lost. And what they say. Loop thread only; no world knows of it, so it delays no edit and reaches no state.
//
//     presence.set ─▶ the person's entry, version n ──every 1/30 s──▶ whoever joined and has seen less than n
//
// A reader that has much unsent is passed over: its place is its version, so when it has read it gets the newest of each, and
// nothing in between. Nothing is queued for it.
#ifndef WEFT_HOST_PRESENCE_H
#define WEFT_HOST_PRESENCE_H

#include "protocol/generated/api.h"

#include <stdbool.h>
#include <stdint.h>

struct host_session;
struct host_sessions;
struct host_world;
struct protocol_error;

// All that are in a world.
struct host_presence;
void host_presence_destroy(struct host_presence *presence); // NULL is allowed

void host_presence_join(struct host_session *session, uint32_t world); // or joined again, by another name
void host_presence_leave(struct host_session *session, uint32_t world);
void host_presence_away(struct host_session *session); // in all its worlds: its connection is lost
void host_presence_back(struct host_session *session); // or it is gone on with
// False with *error: NOT_FOUND (it has not joined), INVALID, LIMIT, MEMORY.
bool host_presence_set(struct host_session *session, struct host_world *world,
                       const struct protocol_presence_set_params *params, struct protocol_error *error);
bool host_presence_say(struct host_session *session, struct host_world *world,
                       const struct protocol_string *text, uint64_t *line, struct protocol_error *error);

#endif
