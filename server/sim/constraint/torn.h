// Tears apply: edges are cut, particles split, and constraints go with their triangles.
//
// The triangles at a particle fall into fans: two are of one fan if they share an edge at it that is not cut, in one step or in
// several. The fan with the lowest triangle keeps the particle; each other one gets the next spare, by its lowest triangle.
// Masses are shared by the fans' areas at rest. Spares have the place, the velocity and the place at rest of what they split from.
//
// Each constraint of such a body belongs to one triangle, or to two across an edge that is not cut. So a tear adds none: those at
// a triangle get other rows, and bending across a cut edge goes. Rows of one colour stay different, because constraints that meet
// at a spare met at its origin before. Nothing is allocated, and no constraint changes its place.
#ifndef WEFT_SIM_CONSTRAINT_TORN_H
#define WEFT_SIM_CONSTRAINT_TORN_H

#include "sim/state/state.h"

// Cuts an edge between two triangles and splits its ends where that opens them. False, and nothing is changed, if the spares that
// are left are too few. sim_torn_settle afterwards.
bool sim_torn_cut(struct sim *sim, struct sim_body *body, uint32_t edge);
// Gives constraints the rows of their triangles, removes bending across edges that were cut from `first_cut` on, and marks what
// follows from all that.
void sim_torn_settle(struct sim *sim, struct sim_body *body, uint32_t first_cut);
// Puts an image's tears into a body that was just attached. History has removed, or will remove, the bending across cuts.
enum fault_code sim_torn_put(struct sim *sim, struct sim_body *body, const struct sim_tears *tears,
                             struct fault *fault);
// Whether a constraint is gone because an edge was cut.
bool sim_torn_off(const struct sim *sim, const struct sim_body *body, uint32_t constraint);

#endif
