// Copies: two bodies that meet and have particles in exactly the same places.
//
// Features that coincide have no direction between them, so contact cannot push them apart, and they have no sides that it could
// keep. When a tick begins, bodies with equally many particles are compared by some of their places. In its first substep, elements
// whose corners coincide are moved apart along their normal, by twice the least gap that contact keeps. The body with the lower id
// goes to the side that its normals point to, the other body to the other side. From the next substep on contact knows the sides,
// and moves them farther apart.
#ifndef WEFT_SIM_CONTACT_COPIES_H
#define WEFT_SIM_CONTACT_COPIES_H

#include "sim/contact/meet.h"

// Finds them: each body with the nearest one before it that it is a copy of.
void sim_copies_find(struct sim *sim);
// Before rows are held back: moves them apart.
void sim_copies_part(struct sim *sim);
// Do an edge and a triangle of two copies, by their rows, touch in a place where particles of both are? Nothing passes there.
bool sim_copies_touch(const struct sim *sim, const uint32_t rows[5]);

#endif
