// Joints. A joint holds a rigid piece to another piece, to the world, to a particle, to a point of a triangle or to a segment of a rod
// (concepts/joints.md).
#ifndef WEFT_SIM_SIM_JOINT_H
#define WEFT_SIM_SIM_JOINT_H

#include <stdbool.h>
#include <stdint.h>

enum sim_joint_model {
    SIM_JOINT_BALL,     // the anchors stay together
    SIM_JOINT_FIXED,    // and neither side turns against the other
    SIM_JOINT_HINGE,    // they turn about the axis alone
    SIM_JOINT_SLIDER,   // neither turns, and they move along the axis alone
    SIM_JOINT_DISTANCE, // the anchors stay as far apart as the limits say
    SIM_JOINT_MODELS,
};
enum sim_motor {
    SIM_MOTOR_NONE,
    SIM_MOTOR_SPEED,  // comes to a speed, rad/s or m/s
    SIM_MOTOR_TARGET, // comes to an angle or a place, rad or m; with a compliance it is a spring
    SIM_MOTORS,
};

// Particles of a joint: its piece, and three of the second side. One that is not used repeats the first particle of its side; the
// world, as second side, repeats the piece. A segment has two: the one at which it begins, and the one at which it ends.
enum { SIM_JOINT_CORNERS = 4 };
#define SIM_JOINT_PLACE_MAX 1e9 // m: greatest coordinate of an anchor
#define SIM_JOINT_ANGLE_MAX 1e6 // rad: greatest limit or target; beyond half a turn a limit is none
#define SIM_JOINT_SPEED_MAX 1e6 // rad/s or m/s
#define SIM_JOINT_MOST_MAX 1e12 // N m or N
#define SIM_JOINT_COMPLIANCE_MAX 1e12

// Values of constraints of the kind joint besides the values of all kinds. Arrays have one number for each, if nothing else is
// said. NULL: as before, and for new ones the default.
struct sim_joint_values {
    enum sim_joint_model model; // of all; read where joints are added
    // The next three are read where joints are added. They are places and directions in the world as it is then.
    const double *
        anchors; // m, 6 each: of the piece, of the second side. NULL: the point of the second side, or the piece's centre
    const double *axes; // 3 each, of any length above 0. NULL: y
    // 3 each: of the corners of the triangle, or of the ends of the segment and 0. NULL: 1/3 each, or the point of the segment that is
    // nearest to the second anchor, and without anchors to the piece's centre.
    const double *weights;
    // Two each: of a hinge rad, of a slider and a distance m, of a ball 0 and the angle to which its axis may lean. The first above the
    // second: none. A joint stands at 0 when it is added. NULL: none, and for a distance the present length, twice.
    const double *limits;
    const double *turn_compliance; // rad/(N m), of what holds the orientation; default 0
    bool motor_given;
    enum sim_motor motor;           // of all
    const double *motor_target;     // rad/s, m/s, rad, m
    const double *motor_most;       // N m, N; 0: as much as it takes
    const double *motor_compliance; // rad/(N m), m/N; only with a target
};

// A joint as it is.
struct sim_joint_told {
    enum sim_joint_model model;
    double anchors[6]; // m, in the frame of each piece or segment; of the world there; of particles 0
    double frames
        [8]; // rotations from the joint's frame, whose third axis is the axis, to that of each piece: x, y, z, w
    double limits[2], turn_compliance;
    enum sim_motor motor;
    double motor_target, motor_most, motor_compliance;
    double angle[2]; // cosine and sine of the angle of a hinge
    double place;    // m: of a slider along its axis; between the anchors of a distance
};

#endif
