// Hashes of 53 bits of a part of the state, by which a tick finds what edits have changed (solve/sleep.h).
#ifndef WEFT_SIM_TELL_HASH_H
#define WEFT_SIM_TELL_HASH_H

#include "sim/state/state.h"

// Of the settings, and of what edits have made of a body: masses, pins, contact, its constraints. Positions and velocities have no
// part in it.
uint64_t sim_inputs_hash(const struct sim *sim, const struct sim_body *body);
// Of body->inputs, and of the colliders that may touch the body where it sleeps.
uint64_t sim_surroundings_hash(const struct sim *sim, const struct sim_body *body);

#endif
