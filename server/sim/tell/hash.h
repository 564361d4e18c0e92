// This header has hashes of parts of the state, 53 bits each. By them a tick finds what edits have changed (solve/sleep.h). They are functions of the
// state alone, so a copy of the sim finds the same. They use the hash object of the sim: one thread at a time.
#ifndef WEFT_SIM_TELL_HASH_H
#define WEFT_SIM_TELL_HASH_H

#include "sim/state/state.h"

// Both feed on the same parts as sim_hash. So an edit that one of them sees changes the hash of the sim as well.

// Returns the hash of the settings, and of what edits have made of a body: masses, pins, contact, its constraints. Positions and
// velocities have no part in it.
uint64_t sim_inputs_hash(const struct sim *sim, const struct sim_body *body);
// Returns the hash of body->inputs, of the colliders that may touch the body where it sleeps, and of the sides of slides that hold
// it.
uint64_t sim_surroundings_hash(const struct sim *sim, const struct sim_body *body);

#endif
