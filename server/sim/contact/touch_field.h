// Edges and triangles against height fields. Every instruction set has the same: a search through a field differs from lane to
// lane.
#ifndef WEFT_SIM_CONTACT_TOUCH_FIELD_H
#define WEFT_SIM_CONTACT_TOUCH_FIELD_H

#include "sim/contact/collide.h"

// As sim_touch of those features whose bit is set in `are`.
uint32_t sim_touch_field(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                         const struct sim_row *rows, const struct sim_row *starts,
                         const uint32_t (*places)[SIM_LANES], uint32_t are, enum sim_touch_kind kind,
                         bool passes, struct sim_touches *out);

// Whether a leaf, which must be one of `balls`, may go past something in this substep, and whether it may touch.
bool sim_field_fast(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t lane);
bool sim_field_near(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t lane, bool fast);

#endif
