// Takes, reserves and changes names of worlds. Loop thread only, except for host_name_reserve.
#ifndef WEFT_HOST_NAMES_H
#define WEFT_HOST_NAMES_H

#include "host/registry.h"

// Whether the two names are equal.
bool host_name_is(const char *name, const struct protocol_string *string);
void host_name_copy(char out[HOST_NAME_SIZE], const struct protocol_string *name);
// Whether a world other than `except` has the name or has reserved it.
bool host_name_taken(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except);
// Checks a name. False with *error: INVALID (empty), CONFLICT (taken).
bool host_name_check(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except, struct protocol_error *error);

// Whether the name looks different from all others (access/likeness.h). This is demanded only if the server asks for
// tokens. False with *error: CONFLICT. error may be NULL.
bool host_name_apart(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except, struct protocol_error *error);
void host_name_look(struct host_world *world); // notes how the world's new name looks

// Checks a name against worlds of other servers, except the world of this id, as far as they are known here.
// If two servers give the same name at the same moment, the brokers let one of them bind it (cluster/cluster.h). error may be
// NULL.
bool host_name_check_elsewhere(const struct host_worlds *worlds, const struct protocol_string *name,
                               uint32_t id, struct protocol_error *error);

// Reserve a name for renaming a world, then adopt or release it by the id that was given. The loop reserves before it
// posts world.set; the world's simulation thread reserves when edit.undo gives an earlier name back. The loop adopts or
// releases when the world has answered. False with *error: INVALID (empty), CONFLICT (taken or reserved by another
// world), MEMORY.
bool host_name_reserve(struct host_world *world, const struct protocol_string *name, uint32_t *id,
                       struct protocol_error *error);
void host_name_adopt(struct host_world *world, uint32_t id);
void host_name_release(struct host_world *world, uint32_t id);
void host_name_release_all(struct host_world *world); // for a world that is freed

#endif
