// Stills: what a tick is about to change is copied first.
#ifndef WEFT_SIM_TELL_STILL_H
#define WEFT_SIM_TELL_STILL_H

#include "sim/state/state.h"

// Rows that a task is about to change: of velocities when a tick begins, of positions when it ends.
void sim_still_velocities(const struct sim *sim, uint32_t first_row, uint32_t count);
void sim_still_positions(const struct sim *sim, uint32_t first_row, uint32_t count);
void sim_still_velocities_done(const struct sim *sim); // of all rows
void sim_still_positions_done(const struct sim *sim);

#endif
