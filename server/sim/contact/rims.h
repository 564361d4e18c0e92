// Rims: what tears have made of one particle, as long as it lies in one place.
//
// When a particle splits (constraint/torn.h), those that came of it lie in one place, and so they do when a world is reset. Features
// with such particles touch and have no direction between them, so contact neither pushes them nor holds them apart. Particles
// of one body that came of one particle and lie in one place count as one: their features are neighbours, as those with a common
// particle are, and none of them cross.
//
// Once they have parted, contact keeps their features apart as all others. So it matters how they part. At the end of a substep
// features that had such particles in common when it began, and have none any more, must not cross and must be LEAST apart.
// Those that would not be are put into one place again, with their centre of mass kept. If nothing else helps, all are: then the
// surface is where it would be without its tears.
#ifndef WEFT_SIM_CONTACT_RIMS_H
#define WEFT_SIM_CONTACT_RIMS_H

#include "sim/contact/meet.h"
#include "sim/contact/truncate.h"
#include "sim/state/torn.h"

// Whether a body has particles that may count as one. The functions below are for such bodies alone.
static inline bool sim_rims_any(const struct sim_body *body)
{
    return body->torn && body->torn->used > 0;
}

// Do an edge and a triangle of one body, by their rows, have a particle in common by this rule? x: places by row.
bool sim_rims_touch(const struct sim *sim, const struct sim_row *x, const uint32_t rows[5]);
// Before rows are held back: puts together what must not part in this substep.
void sim_rims_hold(struct sim *sim);
// While they are (truncate.h, `bind`): what came of one particle and is in one place goes the same part of its way. What would
// part wrongly, since other rows are held back, does not move.
void sim_rims_bind(const struct sim_truncation *truncation, bool all);

#endif
