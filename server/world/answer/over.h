// Ends work that nobody will see the result of. A tick, a batch or an undo that is under way has a grace of
// 250 ms, and is then given up. Simulation thread.
#ifndef WEFT_WORLD_OVER_H
#define WEFT_WORLD_OVER_H

#include "world/answer/call.h"

// Whether the grace is over for work of this session; 0: work of no session. A deletion does not end work
// that its own session asked for before.
bool world_time_is_up(const struct world *world, uint32_t session);
// Refuses a request to a world whose time is up, or whose document is broken since work was given up. Always
// returns false.
bool world_refuse_broken(struct world_call *call);

#endif
