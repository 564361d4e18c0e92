// Woven cloth: what a triangle with warp and weft stores (kinds/orthotropic.c), and how a body makes it (body/fabric.c).
#ifndef WEFT_SIM_STATE_FABRIC_H
#define WEFT_SIM_STATE_FABRIC_H

#include "sim/state/store.h"

// Params of an orthotropic constraint. A and B are the gradients of u (along the warp) and v (along the weft) of corners 1 and 2,
// 1/m. The compliance is 1/k11 in m/N. LIMIT is the greatest length of 1 m of yarn, m.
enum sim_weave_param {
    SIM_WEAVE_A,
    SIM_WEAVE_B = SIM_WEAVE_A + 2,
    SIM_WEAVE_DENSE = SIM_WEAVE_B + 2, // 1/area, 1/m^2
    SIM_WEAVE_DRAWS,                   // r = k12/k11: how a strain of the weft counts along the warp
    SIM_WEAVE_WEFT,                    // Y2/k11
    SIM_WEAVE_SHEAR,                   // G/k11
    SIM_WEAVE_LIMIT,
    SIM_WEAVE_PARAMS,
    SIM_WEAVE_SHAPE =
        SIM_WEAVE_DRAWS, // the params before are those of the shape at rest, the others of the material
};
_Static_assert((int)SIM_WEAVE_PARAMS <= (int)SIM_PARAMS_MAX, "sim_values has room for a weave");

#define SIM_WEAVE_NO_LIMIT 1e30f

// ground/yarns.c

// Fills the sine and the cosine of an angle of at most SIM_YARN_ANGLE_MAX, rad.
void sim_turn_of(double angle, double turn[2]);
// Fills the unit vectors of warp and weft in the plane of a unit normal. False if `along` stands upright on it.
bool sim_yarns_in(const double along[3], const double turn[2], const double normal[3], double warp[3],
                  double weft[3]);
// body/fabric.c

// Fills the params of the shape: a triangle whose corners 1 and 2 are at these offsets from corner 0, in quanta of q metres, and
// whose warp runs along `along` (of any length) as seen in its plane, turned by the angle of this sine and cosine about its
// normal. A warp that stands upright on the triangle runs along the edge to corner 1 instead, and then *upright is set. False if
// the triangle has no area.
bool sim_weave_at_rest(const double offsets[][3], double q, const double along[3], const double turn[2],
                       float params[SIM_PARAMS_MAX], bool *upright);
// Fills the params that follow from the material.
void sim_weave_material(const struct sim_material *material, float params[SIM_PARAMS_MAX]);

#endif
