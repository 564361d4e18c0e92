// Tells what the last tick found of contact between bodies.

#include "sim/state/state.h"

void sim_meetings_of(const struct sim *sim, struct sim_meetings *meetings)
{
    *meetings = sim->meetings;
}
