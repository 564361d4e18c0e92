// How many triangles, loose edges and loose particles of bodies that meet something reach into the cores of colliders
// (core.h). Each counts once for each collider. Those of which no corner can move are left out.
#ifndef WEFT_SIM_CONTACT_PIERCED_H
#define WEFT_SIM_CONTACT_PIERCED_H

#include "sim/state/state.h"

// What one collider pierces of one body that meets something, at a frame, and rows as they are.
uint64_t sim_pierced_at(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape,
                        const struct sim_frame *frame);
// A substep has ended: the greatest count of the tick goes to sim->meetings. What passes through a core within the substep
// counts as well. While nothing is pressed or held back, it looks in every fourth substep and the last one only. Planes and
// height fields are looked at in the last substep alone, because nothing leaves them unseen.
void sim_pierced_look(struct sim *sim);
// In the first substep, after colliders have pushed: whether something was deep in a collider when the tick began.
void sim_pressed_look(struct sim *sim);
// pressed.c: a substep has ended: whether a pin that moves has come much too near to something.
void sim_pressed_by_pins(struct sim *sim);

#endif
