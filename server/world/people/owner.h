// Decides which person owns an edit. Ids of edits are told apart by their owner.
#ifndef WEFT_WORLD_OWNER_H
#define WEFT_WORLD_OWNER_H

#include "world/world.h"

// The owner of an edit: a name that the person gave, or the session of a person without a name, while that
// session lasts.
struct world_owner {
    char user[65];    // empty: the session is the owner
    uint32_t session; // Session of an owner without a name. 0 without a name: the owner is gone.
};

// Returns the owner as records name it. The text lives as long as the asker.
static inline struct protocol_string world_owner_name(const struct world_asker *asker)
{
    return protocol_text(asker->user);
}

// Makes the owner of a name (world_owner_name) and a session.
struct world_owner world_owner_of(const struct protocol_string *user, uint32_t session);
// Whether both are the same person. Two owners that are gone are not.
bool world_owner_same(const struct world_owner *one, const struct world_owner *other);

#endif
