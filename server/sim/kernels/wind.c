// Wind on triangles, once a substep before the prediction. With gusts it is the mean of what air.c found at the corners.
//
//   u = wind - mean velocity of the corners;  n = unit normal, turned so that u.n >= 0
//   F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n],  a third to each corner
//   S = 1/2 rho A [(u.n) |Cd - Cl| + |Cl| |u|],    of which no part of F/u is more
//
// It is smooth where the wind blows along the triangle, and a plate that faces the wind feels
// 1/2 rho A Cd |u|^2. Of a closed surface only what looks to the wind is pushed: its corners turn outwards, and its
// inside is in the lee.
//
// All triangles see the velocities at the substep's start: one that saw what its neighbours were given already would
// get less, by place in the order, and a level cloth in still air would ripple. What they give a particle is added up
// (`predicted` holds it: sum h F/3, and sum h S/3 as the fourth), and the prediction takes it (motion.c):
//
//   dv = w sum(h F/3) min(1, 1/(w sum(h S/3)))
//
// The matrix from v to sum h F/3 is symmetric, positive and below the diagonal one of sums h S/3; so no step goes past
// where the force ends, however light the particle: it is stable for every h.
//
// Triangles are coloured and batched like constraints, so that no two of a colour push the same particle. In lanes
// without a triangle all corners are one static row: there is no area to push.

#include "sim/kernels/wind.h"

void SIM_ISA(sim_wind_blow)(struct sim *sim, struct sim_tile *tile)
{
    blow(sim, tile, AIR_SAME);
}

void SIM_ISA(sim_wind_blow_gusts)(struct sim *sim, struct sim_tile *tile)
{
    blow(sim, tile, AIR_GUSTS);
}
