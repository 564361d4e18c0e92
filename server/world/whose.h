// Decides which person owns an edit. Ids of edits are told apart by their owner.
#ifndef WEFT_WORLD_WHOSE_H
#define WEFT_WORLD_WHOSE_H

#include "world/world.h"

// Returns the owner as records name it. The text lives as long as the asker.
static inline struct protocol_string world_owner_name(const struct world_asker *asker)
{
    return protocol_text(asker->user);
}

#endif
