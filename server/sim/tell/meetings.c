// What is told of contact between bodies: what the last tick left of it.

#include "sim/state/state.h"

void sim_meetings_of(const struct sim *sim, struct sim_meetings *meetings)
{
    *meetings = sim->meetings;
}
