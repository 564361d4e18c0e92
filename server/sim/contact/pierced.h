// Counts the triangles, loose edges and loose particles of bodies that meet something and reach into the cores of colliders
// and rigid pieces (core.h). Each counts once for each collider. Elements of which no corner can move are left out.
#ifndef WEFT_SIM_CONTACT_PIERCED_H
#define WEFT_SIM_CONTACT_PIERCED_H

#include "sim/state/state.h"

// Counts what one collider at a frame pierces of one body that meets something, with its rows as they are.
uint64_t sim_pierced_at(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape,
                        const struct sim_frame *frame);
// The same for all rigid pieces that it meets. A piece that can give way pierces what cannot move as well.
uint64_t sim_pierced_by_pieces(const struct sim *sim, const struct sim_body *body);
// Tells and counts the elements of a body whose balls (collide.h) are as its rows, that a convex shape pierces within this substep.
typedef void sim_pierced_found(void *context, uint32_t element);
uint64_t sim_pierced_find(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape,
                          sim_pierced_found *found, void *context);
// Counts when a substep has ended, and keeps the greatest count of the tick in sim->meetings. An element that passes through a
// core within the substep counts as well. While nothing is pressed or held back, only every fourth substep and the last one are
// looked at. Planes and height fields are looked at in the last substep alone, because nothing leaves them unseen.
void sim_pierced_look(struct sim *sim);
// Finds whether something was deep in a collider when the tick began: in the first substep, after colliders have pushed.
void sim_pressed_look(struct sim *sim);
// pressed.c: finds whether a pin that moves has come much too near to something, when a substep has ended.
void sim_pressed_by_pins(struct sim *sim);

#endif
