// The questions about one world of the registry that modules above host ask. They do not see what is in it. Loop thread only.
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
const char *host_world_name(const struct host_world *world); // empty: it has none of its own (views)

// Views: worlds that show the past of another to one session.
bool host_world_is_view(const struct host_world *world);
// The id of the world whose past a view shows; of any other world its own. Roles are those in this one.
uint32_t host_world_shown(const struct host_world *world);
bool host_world_is_for(const struct host_world *world, uint32_t session); // a view is for one session alone

bool host_world_is_closing(const struct host_world *world);
// Whether it is about to go on at another server, and is not gone yet.
bool host_world_is_leaving(const struct host_world *world);
// Keeps a copy of a message that is asked of a world that is leaving, until it is gone. The session is charged for it. False: there is
// no memory, or the session has no room.
bool host_world_keep_asked(struct host_world *world, struct host_session *session, const uint8_t *bytes,
                           size_t size);

// Its state, up to which records it is durable, and its answer to world.get. The last is false if nothing was published, or if
// something of it may still be lost.
void host_world_face(const struct host_world *world, struct world_face *face);
void host_world_durable(const struct host_world *world, struct world_durable *durable);
bool host_world_published(const struct host_world *world, struct world_published *published);
struct document_constants host_world_constants(const struct host_world *world);
void host_world_load(const struct host_world *world, struct world_load *load);

void host_world_play(struct host_world *world); // in real time; before its first turn
// A view shows this document from its next boundary on, which takes it. And takes from a view a document that it has shown or passed over;
// NULL: there is none.
void host_world_post_document(struct host_world *view, struct document *document);
struct document *host_world_take_document(struct host_world *view);

// It counts for the quota of a person from now on; once for each world.
void host_world_charge(struct host_world *world, struct world_quota *quota);
bool host_world_is_charged(const struct host_world *world);

// The session that holds control of it; 0: none does. Whether those who joined have been told of it is remembered here.
uint32_t host_world_control(const struct host_world *world);
void host_world_set_control(struct host_world *world, uint32_t session);
bool host_world_control_is_told(const struct host_world *world);
void host_world_tell_control(struct host_world *world); // they are told from now on

// Changes what others see of a session in it. False with *error: INVALID.
bool host_world_show(const struct host_world *world, struct host_present *present,
                     const struct protocol_presence_set_params *params, struct protocol_error *error);

#endif
