// Whose an edit is: ids of edits are told apart by it.
#ifndef WEFT_WORLD_WHOSE_H
#define WEFT_WORLD_WHOSE_H

#include "world/world.h"

// As records name them. It lives as long as the asker.
static inline struct protocol_string world_whose(const struct world_asker *asker)
{
    return protocol_text(asker->user);
}

#endif
