// Names of worlds: taken, reserved, changed. Loop thread only, but for host_name_reserve.
#ifndef WEFT_HOST_NAMES_H
#define WEFT_HOST_NAMES_H

#include "host/registry.h"

bool host_name_is(const char *name, const struct protocol_string *string);
void host_name_copy(char out[HOST_NAME_SIZE], const struct protocol_string *name);
// By a world other than `except`, or reserved by one.
bool host_name_taken(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except);
// False with *error: INVALID (empty), CONFLICT (taken).
bool host_name_check(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except, struct protocol_error *error);

// Where tokens are asked for, no two worlds of a server are given names that look alike (access/likeness.h). False with *error:
// CONFLICT. error may be NULL.
bool host_name_apart(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except, struct protocol_error *error);
void host_name_look(struct host_world *world); // its name is another one

// The same of worlds that other servers have, but for the one of this id, as far as it is known here: of two that two servers name
// alike within the same moment each has it. error may be NULL.
bool host_name_check_elsewhere(const struct host_worlds *worlds, const struct protocol_string *name,
                               uint32_t id, struct protocol_error *error);

// Renaming: reserve before world.set is posted, or when a world is about to take back that it was renamed (its simulation
// thread), then adopt or release when the world has answered, by the id that was
// given. False with *error: INVALID (empty), CONFLICT (taken or reserved by another world), MEMORY.
bool host_name_reserve(struct host_world *world, const struct protocol_string *name, uint32_t *id,
                       struct protocol_error *error);
void host_name_adopt(struct host_world *world, uint32_t id);
void host_name_release(struct host_world *world, uint32_t id);
void host_name_release_all(struct host_world *world); // it is freed

#endif
