// The regions of fields of force.
#ifndef WEFT_SIM_KERNELS_REGION_H
#define WEFT_SIM_KERNELS_REGION_H

#include "sim/kernels/wide.h"

// 1 where t is 0 or less, 0 where it is 1 or more, and smooth between.
SIM_INLINE wf fade_out(wf t)
{
    t = w_min(w_max(t, w_set(0)), w_set(1));
    return w_set(1) - ((t * t) * t) * (t * (w_set(6) * t - w_set(15)) + w_set(10));
}

// The share of a place that is so far beyond where fading begins.
SIM_INLINE wf share_of(const struct sim_force_now *field, wf beyond)
{
    return fade_out(beyond * w_set(field->per_margin));
}

SIM_INLINE wf region_of(const struct sim_force_now *field, const struct w_vec *r)
{
    const wf ball = share_of(field, w_sqrt(w_dot(*r, *r)) - w_set(field->radius));
    wf beyond = w_abs(r->x[0]) - w_set(field->half_extents[0]);
    for (int axis = 1; axis < 3; axis++) {
        beyond = w_max(beyond, w_abs(r->x[axis]) - w_set(field->half_extents[axis]));
    }
    return ball * share_of(field, beyond);
}

#endif
