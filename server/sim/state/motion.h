// Everything that moves particles from outside: grabs, colliders, and motions of colliders and of pins.
#ifndef WEFT_SIM_STATE_MOTION_H
#define WEFT_SIM_STATE_MOTION_H

#include "sim/state/rows.h"

struct sim_held {
    uint32_t id, body, index, row;
    int64_t target[3];
    float compliance;
    float multiplier[3]; // lambda in quanta
    float left[3];       // quanta of this substep's pull that the velocity was given in place of the position
};

// Soft pins side by side (kernels/soft.c).
struct sim_softs {
    uint32_t places[SIM_LANES];                          // where their rows stand, in bytes
    int32_t goal[3][SIM_LANES];                          // low words of their targets in this substep
    float compliance[SIM_LANES];                         // m/N; 0 or below: no spring
    float distance[SIM_LANES];                           // quanta; INFINITY: no limit
    float multiplier[3][SIM_LANES], limit[3][SIM_LANES]; // lambda of springs, and of limits, in quanta
    float
        left[3]
            [SIM_LANES]; // quanta of this substep's pull that the velocity was given in place of the position
};

struct sim_pose {
    int64_t position[3];
    double rotation[4]; // unit quaternion x, y, z, w
};

// A pose as the solve uses it.
struct sim_frame {
    int64_t position[3];
    double axes[3][3]; // its rotated x, y and z
};

// A particle holds on a collider until it slips, in a substep, so many times what friction can undo.
#define SIM_STICKS 4

enum { SIM_HULL_EDGES = 3 * SIM_HULL_MAX - 6 };

// A triangle, counterclockwise from outside: normal . p = offset on it. Inside each side, sides[k] . p > side_offsets[k].
struct sim_hull_face {
    double normal[3], offset, sides[3][3], side_offsets[3];
    uint32_t corners[3];
};

struct sim_hull_edge {
    double from[3], way[3], once; // once: 1 / way^2
};

// The same hull by whole faces, for contact of rigid pieces (rigid/polyhedron.c): triangles that lie in a plane, as far as floats tell, are one
// face. Corners of a face are counterclockwise from outside. An edge goes from one vertex to another, with a face on its left and
// another one on its right, seen from outside.
struct sim_polyhedron_face {
    double normal[3], offset; // no vertex is beyond normal . p = offset
    uint16_t first, count;    // of its corners
};

struct sim_polyhedron_edge {
    uint8_t from, to, left, right;
};

struct sim_polyhedron {
    uint32_t vertex_count, face_count, edge_count; // no faces: it has not been made
    double size;                                   // m: the sum of half of what it takes along its three axes
    struct sim_polyhedron_face faces[SIM_HULL_TRIANGLES_MAX];
    uint8_t corners[2 * SIM_HULL_EDGES];
    struct sim_polyhedron_edge edges[SIM_HULL_EDGES];
};

// A convex polyhedron in the frame of its collider or piece, m. It never changes, but for its faces, which are made when pieces may
// touch it.
struct sim_hull {
    uint32_t vertex_count, face_count, edge_count;
    double middle[3], radius,
        inner; // radius: of all from the middle; inner: the middle is no nearer to a face
    double vertices[SIM_HULL_MAX][3];
    struct sim_hull_face faces[SIM_HULL_TRIANGLES_MAX];
    struct sim_hull_edge edges[SIM_HULL_EDGES];
    struct sim_polyhedron whole;
};

enum { SIM_FIELD_LEVELS = 9 }; // of cells, of squares of 2 x 2 of these, ...

// Greatest heights in a square: of all, of edges that stand out, of vertices that do.
enum sim_field_tops { SIM_TOPS_ALL, SIM_TOPS_EDGES, SIM_TOPS_PEAKS, SIM_FIELD_TOPS };

// Heights over a grid about the origin of its collider, m; all below them is solid (field/field.h). It never changes.
struct sim_field {
    uint32_t columns, rows;  // vertices along x and z
    double spacing, half[2]; // half: of the rectangle, along x and z
    double most;             // the greatest height
    uint32_t levels, level_columns[SIM_FIELD_LEVELS], level_rows[SIM_FIELD_LEVELS];
    double *heights;                               // row after row
    float *tops[SIM_FIELD_TOPS][SIM_FIELD_LEVELS]; // of each square; -FLT_MAX: it has nothing of that
    uint8_t *ridges; // of each vertex: what of it and its edges stands out (SIM_RIDGE_)
};

// Names of which rows of settings.surfaces speak (rub.h).
struct sim_rub_names {
    uint32_t count;
    uint8_t
        places[2 *
               SIM_SURFACES_MAX]; // in order, each once: 2 row, or 2 row + 1 if it is the row's other name
    uint8_t pairs[SIM_SURFACES_MAX]
                 [2]; // of each row: numbers of its names, which are one more than their places
};

struct sim_shape {
    uint32_t id;
    enum sim_collider_kind kind;
    struct sim_pose from, to;    // when the tick begins, and ends; not what motions turn
    struct sim_pose missed;      // where a tick that failed would have left it: there it stands after a reset
    bool has_missed;             // until a tick ends well
    int64_t driven[3], drift[3]; // what of that way in this tick motions go; have gone so far
    double turn[4];              // what motions turn it by, where any does
    bool turned;
    struct sim_pose now;                    // at the end of the present substep
    struct sim_frame start, end;            // of the present substep
    bool moves, turns;                      // start and end differ; in rotation
    double radius, length, half_extents[3]; // m
    struct sim_hull *hull;                  // the shape's own; NULL unless it is convex
    struct sim_field *field;                // the same; NULL unless it is a height field
    float friction;
    float friction_kinetic, slides; // as given; what counts while it slides: no more than friction
    bool kinetic;                   // friction_kinetic is given
    float restitution;
    char surface[SIM_SURFACE_SIZE];              // its name
    uint32_t rub;                                // its number among those of which rows speak (rub.h)
    double surface_velocity[3], surface_spin[3]; // m/s, rad/s, in its frame: of the surface (sim.h)
    bool runs;                                   // any of them is not 0
    bool carries;                                // in the present substep: moves or runs
    double belt[3], belt_turn[3][3]; // if it runs, in a substep: the way at its position, m, and of its axes
};

// The place of a moment between keyframes.
struct sim_key {
    double offset[3];       // m
    double turn[4];         // since age 0
    uint32_t before, after; // the keys beside it
    double part;            // of the way between them
};

// A motion with arrays of its own.
struct sim_drive {
    struct sim_motion motion;
    uint32_t *particles;
    double *times, *offsets, *rotations, *arms;
    float *poses;
    uint64_t age;         // when the tick began
    struct sim_key start; // then
};

#endif
