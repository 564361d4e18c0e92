// Pairs of rigid shapes that are pushed apart side by side (kernels/touch_lanes.c; solve/rigid_meet.c has the equations).
//
// A lane is a pair. No two lanes of one struct have a piece in common that moves. A pair has up to SIM_TOUCH_LANES_POINTS points. A lane
// without a pair has no mass that moves and no point; what else is in it, and in points that are not there, does not matter.
#ifndef WEFT_SIM_STATE_TOUCH_LANES_H
#define WEFT_SIM_STATE_TOUCH_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_TOUCH_LANES = 8, SIM_TOUCH_LANES_POINTS = 4 };

typedef double sim_touch_lane_doubles[SIM_TOUCH_LANES];

// A piece or a collider, as it stands now.
struct sim_touch_lanes_side {
    sim_touch_lane_doubles axes[3][3], inverse[3][3]; // 1/(kg m^2)
    sim_touch_lane_doubles w;                         // 1/kg; 0 for what does not move
    sim_touch_lane_doubles impulses[3], torques[3];   // what the kernel gives it: kg m, kg m^2
};

// A point; for each field see struct sim_touch_point.
struct sim_touch_lanes_point {
    sim_touch_lane_doubles there; // 1 or 0
    sim_touch_lane_doubles core[2][3], local[2][3], arms[2][3], between[3], start;
    sim_touch_lane_doubles pushed, rubbed[3]; // the kernel changes these
};

struct sim_touch_lanes {
    uint32_t count; // lanes in use
    bool back;      // the last point comes first
    double out;     // m: what overlaps comes apart by so much in a substep
    sim_touch_lane_doubles apart[3], normal[3],
        radii;                            // middle of a less that of b, m; from b to a; sum of both radii, m
    sim_touch_lane_doubles holds, slides; // coefficients of friction
    sim_touch_lane_doubles many;          // 1 if the pair has several points, else 0
    sim_touch_lane_doubles moved;         // the kernel's: 1 if it gave anything, else 0
    struct sim_touch_lanes_side sides[2];
    struct sim_touch_lanes_point points[SIM_TOUCH_LANES_POINTS];
};

#endif
