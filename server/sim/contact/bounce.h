// Restitution between bodies (sim_meeting.restitution). It changes velocities where a substep ends, after everything that moves
// positions, so it takes nothing from what contact promises.
#ifndef WEFT_SIM_CONTACT_BOUNCE_H
#define WEFT_SIM_CONTACT_BOUNCE_H

#include "sim/contact/meet.h"

// Gives what hit in an island the speed that it lacks, by the pairs that were pushed last. sim->predicted, sim->previous and the rows
// are those of the substep that ends.
void sim_island_bounce(struct sim *sim, const struct sim_island *island);

#endif
