#include "world/answer/read_only.h"

#include "world/keep/durable.h"
#include "world/state.h"

const char *world_read_only(const struct world *world)
{
    return world->view.of != 0 ? world->view.read_only : world_journal_read_only(world);
}
