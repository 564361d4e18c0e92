// The functions for one world of the registry that modules above host use. Its struct is private to host. Loop thread only.
#ifndef WEFT_HOST_WORLD_H
#define WEFT_HOST_WORLD_H

#include "document/document.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_present;
struct host_session;
struct host_world;
struct protocol_error;
struct protocol_presence_set_params;

uint32_t host_world_id(const struct host_world *world);
const char *host_world_name(const struct host_world *world); // empty for views

// Views: worlds that show the past of another to one session.
bool host_world_is_view(const struct host_world *world);
// The id of the world whose past a view shows; for any other world its own id. Roles are those in the world of this id.
uint32_t host_world_shown(const struct host_world *world);
// Whether the session may use the world: a view is for one session only.
bool host_world_is_for(const struct host_world *world, uint32_t session);

bool host_world_is_closing(const struct host_world *world);
// Whether another server takes the world over, and it has not ended here yet.
bool host_world_is_leaving(const struct host_world *world);
// Keeps a copy of a session's message to a world that is leaving. Once the world has ended here the message is handled again
// (host_sessions_options.on_again). The session is charged for it. False if memory runs out or the session has no room.
bool host_world_keep_asked(struct host_world *world, struct host_session *session, const uint8_t *bytes,
                           size_t size);

// The world's face (world_face), its latest durable revision (world_durable), and its answer to world.get (world_published). The last is
// false if the answer must come from the world, or tells something that is not durable.
void host_world_face(const struct host_world *world, struct world_face *face);
void host_world_durable(const struct host_world *world, struct world_durable *durable);
bool host_world_published(const struct host_world *world, struct world_published *published);
struct document_constants host_world_constants(const struct host_world *world);
void host_world_load(const struct host_world *world, struct world_load *load);

void host_world_play(struct host_world *world); // makes it play in real time; before its first turn
// See world_post_document and world_take_document.
void host_world_post_document(struct host_world *view, struct document *document);
struct document *host_world_take_document(struct host_world *view);

// Counts the world in a person's quota from now on. Once for each world.
void host_world_charge(struct host_world *world, struct world_quota *quota);
bool host_world_is_charged(const struct host_world *world);

// The session that holds control of the world; 0: none does.
uint32_t host_world_control(const struct host_world *world);
void host_world_set_control(struct host_world *world, uint32_t session);
// Whether members have been told of the present control, and notes that they have.
bool host_world_control_is_told(const struct host_world *world);
void host_world_tell_control(struct host_world *world);

// Changes what members of the world see of a session (presence.set). False with *error: INVALID.
bool host_world_show(const struct host_world *world, struct host_present *present,
                     const struct protocol_presence_set_params *params, struct protocol_error *error);

#endif
