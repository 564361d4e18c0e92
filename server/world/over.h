// The end of a world whose work nobody will see: a tick, a batch or an undo that is under way has a grace, then it is given up.
#ifndef WEFT_WORLD_OVER_H
#define WEFT_WORLD_OVER_H

#include "world/call.h"

// Whether the grace is over for work of this session; 0: it is nobody's. A deletion does not end work of its own session, which
// is to be done before it.
bool world_time_is_up(const struct world *world, uint32_t session);
// Always false: refuses what is asked of a world whose time is up, or whose document is broken since work was given up.
bool world_refuse_broken(struct world_call *call);

#endif
