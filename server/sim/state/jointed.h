// The places of the params of a joint (kinds/joint.c says what they are).
#ifndef WEFT_SIM_STATE_JOINTED_H
#define WEFT_SIM_STATE_JOINTED_H

#include "sim/sim.h"

#include <stdint.h>

struct sim;

enum {
    SIM_JOINTED_MODEL, // enum sim_joint_model
    SIM_JOINTED_NEAR,  // anchor of the piece, m, in its frame: three numbers
    SIM_JOINTED_FAR =
        4, // of the second side: in the frame of its piece or segment, or in the world; three numbers
    SIM_JOINTED_FINE = 7, // what is to be added to the three before
    SIM_JOINTED_SHARE =
        10,               // weights of the second and third corner of a triangle, or of a segment's end and 0
    SIM_JOINTED_OWN = 12, // rotation from the joint's frame to that of the piece: x, y, z, w
    SIM_JOINTED_OTHER = 16,     // to that of the second side
    SIM_JOINTED_TURN_GIVE = 20, // rad/(N m)
    SIM_JOINTED_LIMITED,        // 1, or 0: the limits do not count
    SIM_JOINTED_LOW,            // as they were given
    SIM_JOINTED_HIGH,
    SIM_JOINTED_MIDDLE,                        // cosine and sine of the middle of both
    SIM_JOINTED_HALF = SIM_JOINTED_MIDDLE + 2, // and of half of what is between
    SIM_JOINTED_MOTOR = SIM_JOINTED_HALF + 2,  // enum sim_motor
    SIM_JOINTED_TARGET,                        // as it was given
    SIM_JOINTED_AIM,                           // its cosine and sine, for an angle
    SIM_JOINTED_MOST = SIM_JOINTED_AIM + 2,    // N m or N; 0: as much as it takes
    SIM_JOINTED_MOTOR_GIVE,
    SIM_JOINTED_FORCE,  // N: it breaks above; 0: never
    SIM_JOINTED_PARTED, // 1 if it has broken, else 0
    SIM_JOINTED_PARAMS,
    // Scratch. The sum of what held the anchors in this tick, kg m: three numbers.
    SIM_JOINTED_TALLY = SIM_JOINTED_PARAMS,
    // The multipliers of this substep: of the anchors, of the orientation, of a limit, of the motor.
    SIM_JOINTED_LAM = SIM_JOINTED_TALLY + 3,
    SIM_JOINTED_LAM_TURN = SIM_JOINTED_LAM + 3,
    SIM_JOINTED_LAM_LIMIT = SIM_JOINTED_LAM_TURN + 3,
    SIM_JOINTED_LAM_MOTOR,
    SIM_JOINTED_GIVE, // its compliance, or k'
    SIM_JOINTED_SCRATCH = SIM_JOINTED_GIVE - SIM_JOINTED_PARAMS,
};

// Whether the second side is a segment of a rod: the particle at which it begins, whose row has its orientation, the one at which it
// ends, and the first again.
static inline bool sim_jointed_segment(const uint32_t rows[SIM_JOINT_CORNERS])
{
    return rows[2] != rows[1] && rows[3] == rows[1];
}

// Whether the rows and all params can be those of a joint (constraint/constraint_jointed.c), whatever bodies the rows are of.
bool sim_joint_row_valid(const uint32_t *rows, const float *params);
// The number of two rows among those that joints hold together.
static inline uint64_t sim_joined_pair(uint32_t row, uint32_t other)
{
    return row < other ? (uint64_t)row << 32 | other : (uint64_t)other << 32 | row;
}

// Whether a joint that has not broken holds both rows. They then pass through each other. Known once a tick has begun.
bool sim_rigid_joined(const struct sim *sim, uint32_t row, uint32_t other);

#endif
