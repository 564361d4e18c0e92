// Rails: what a constraint of the kind slide_rail stores, and where its rail is (kinds/slide_rail.c has the equations).
//
//     particles   0: the ring; 1 and 2: the first and the last particle of the rail, both of one body
//     rail        the particles of that body from the first to the last, in the order of their indices
//     along       segment + part: how far the ring is along the rail. It is state, which substeps change
#ifndef WEFT_SIM_STATE_RAIL_H
#define WEFT_SIM_STATE_RAIL_H

#include "sim/state/body.h"

enum sim_rail_param {
    SIM_RAIL_FRICTION, // mu
    SIM_RAIL_SEGMENT,  // 0 ... segments - 1; a whole number
    SIM_RAIL_PART,     // in [0, 1], of the segment: a multiple of 2^-16, and
    SIM_RAIL_FINE,     // what is to be added, a multiple of 2^-32 below 2^-16
    SIM_RAIL_PARAMS,
    SIM_RAIL_GIVE = SIM_RAIL_PARAMS, // its compliance, or k'
};

enum { SIM_RAIL_CORNERS = 3 };
enum { SIM_RAIL_SEGMENTS_MAX = 1 << 20 }; // so that a double holds `along` exactly
// Segments of the rails of all rings of a world. Finding where the rings are may look at all of them.
enum { SIM_RAILS_MAX = 1 << 24 };

// The part of the segment that a ring is at, as two floats that hold it exactly. t is in [0, 1].
static inline void sim_rail_part_set(double t, float *part, float *fine)
{
    const uint64_t steps = (uint64_t)(t * 4294967296.0 + 0.5);
    *part = (float)(uint32_t)(steps >> 16) * 0x1p-16f;
    *fine = (float)(uint32_t)(steps & 0xffff) * 0x1p-32f;
}

static inline double sim_rail_part(float part, float fine)
{
    return (double)part + (double)fine;
}

// Row of the rail's particle `at`, which is `first` or a later one.
static inline uint32_t sim_rail_row(const struct sim_body *body, uint32_t first, uint32_t at)
{
    return body->first_row + body->row_of[first + at];
}

// The point of a segment d that is nearest to a point p, both from the start of the segment.
struct sim_rail_near {
    double t;       // in [0, 1]
    double square;  // of the distance
    double length2; // of the segment
};

static inline struct sim_rail_near sim_rail_near(const double p[3], const double d[3])
{
    struct sim_rail_near near = {.length2 = (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]};
    const double along = (p[0] * d[0] + p[1] * d[1]) + p[2] * d[2];
    const double t = near.length2 > 0 ? along / near.length2 : 0;
    near.t = t > 0 ? (t < 1 ? t : 1) : 0;
    for (int axis = 0; axis < 3; axis++) {
        const double off = p[axis] - near.t * d[axis];
        near.square += off * off;
    }
    return near;
}

#endif
