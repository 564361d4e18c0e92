#include "world/read_only.h"

#include "world/state.h"

const char *world_read_only(const struct world *world)
{
    return world->journal.read_only;
}
