// Orientations: a second kind of row, which stands beside the first under the same number.
//
//   turns   four int32 a row: the unit quaternion x, y, z, w in units of 2^-30; all 0: the row has none
//   spins   three floats, how the row turns, and the inverse inertia; an inertia of 0 for what is held
//   joints  four floats, the rotation from a rod's segment to the next one at rest; all 0: there is no joint
//
// Pieces of rigid bodies have other numbers in spins and joints (rigid.h).
//
// Only bodies that are made with orientations (sim_body.turned) have any, and the arrays are NULL in a world without such a body. A
// particle has one orientation at most: a rod keeps that of a segment at the particle at which the segment begins.
//
// A quaternion and its negative are one orientation. Between ticks the first of w, x, y, z that is not 0 is positive; within a tick
// the sign is free.
#ifndef WEFT_SIM_STATE_TURN_H
#define WEFT_SIM_STATE_TURN_H

#include "sim/sim.h"

#define SIM_TURN_ONE 1073741824.0f // 2^30
#define SIM_TURN_QUANTUM 0x1p-30
#define SIM_INVERSE_INERTIA_MAX 1e18  // 1/(kg m^2)
#define SIM_INVERSE_INERTIA_MIN 1e-20 // of what is not held
#define SIM_SPIN_MAX 1e6f             // rad/s

struct sim_turn {
    int32_t q[4];
};

struct sim_spin {
    float v[3]; // rad/s, in the world
    float w;    // inverse inertia, 1/(kg m^2); 0: the orientation is held, or there is none
};

struct sim_joint {
    float rest[4]; // x, y, z, w, of length 1
};

// Gives a quaternion the sign that it has between ticks.
static inline void sim_turn_sign(int32_t q[4])
{
    const int32_t first = q[3] != 0 ? q[3] : q[0] != 0 ? q[0] : q[1] != 0 ? q[1] : q[2];
    for (int i = 0; first < 0 && i < 4; i++) {
        q[i] = (int32_t)(0U - (uint32_t)q[i]);
    }
}

static inline bool sim_turn_is(const int32_t q[4])
{
    return (q[0] | q[1] | q[2] | q[3]) != 0;
}

#endif
