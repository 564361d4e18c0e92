// Bodies that are pushed in ways of their own: by a gravity of their own, by forces on them and on their particles.
#ifndef WEFT_SIM_SOLVE_PUSH_H
#define WEFT_SIM_SOLVE_PUSH_H

#include "base/parallel.h"
#include "sim/state/state.h"

// A tick begins: finds the bodies that are pushed, and what a substep gives to their particles.
void sim_push_begin(struct sim *sim, struct base_parallel *parallel);
// Before a substep sets out: what fields of force give to particles where they are then.
void sim_push_substep(struct sim *sim, struct base_parallel *parallel);
// A tick has ended well: forces whose time is over end.
void sim_push_end(struct sim *sim);
// A field of force as kernels read it, in the tick that begins.
void sim_force_set(const struct sim *sim, const struct sim_force *force, struct sim_force_now *out);
// Bits: the fields that act on the body, either those that move the air or the others.
uint32_t sim_forces_on(const struct sim *sim, const struct sim_body *body, bool blow);
// Whether a force on the body ends by itself.
bool sim_push_passes(const struct sim_body *body);

#endif
