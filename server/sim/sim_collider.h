// Colliders, and motions of them and of pins.
#ifndef WEFT_SIM_SIM_COLLIDER_H
#define WEFT_SIM_SIM_COLLIDER_H

#include "base/fault.h"
#include "sim/sim_world.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;

enum sim_collider_kind {
    SIM_PLANE,
    SIM_SPHERE,
    SIM_CAPSULE,
    SIM_BOX,
    SIM_CYLINDER,
    SIM_CONVEX,
    SIM_HEIGHT_FIELD
};

// Points that a convex collider may be given, and vertices that its hull may have.
enum { SIM_HULL_POINTS_MAX = 512, SIM_HULL_MAX = 128, SIM_HULL_TRIANGLES_MAX = 2 * SIM_HULL_MAX - 4 };
// Columns and rows that a height field may have, and heights of all in a sim.
enum { SIM_FIELD_SIDE_MAX = 256, SIM_FIELD_HEIGHTS_MAX = 262144 };

struct sim_collider {
    uint32_t id;
    enum sim_collider_kind kind; // fixed once added
    double position[3];          // m: a point of the plane, the centre of the others
    double rotation[4];          // x, y, z, w: any length in (0: see normal), unit length out
    double normal[3];            // the plane's: its rotated +y; in only where rotation is 0
    double radius;               // m: sphere, capsule, cylinder
    double length;               // m, along its rotated y: capsule, between the centres of its ends; cylinder
    double half_extents[3];      // m: box
    const double *points; // m, 3 each, in its frame: convex; out: the vertices of the hull, the sim's own
    uint32_t point_count;
    // m, along its y, over a grid about its origin: of each row along z all columns along x; out: the sim's own
    const double *heights;
    uint32_t height_count, columns; // height field
    double spacing;                 // m: height field
    double friction;                // mu
    double friction_kinetic;        // of what slides; above friction it counts as friction. Only if kinetic
    bool kinetic;
    double restitution;             // of what hits it, 0 ... 1 (struct sim_meeting)
    char surface[SIM_SURFACE_SIZE]; // name of its surface; empty: it has none
    // The surface runs beside how the collider itself moves, as that of a conveyor or a roller does; in the collider's frame.
    // Friction works against it. Only the part along the surface counts. Of length SIM_COLLIDER_SPEED_MAX and SIM_SURFACE_SPIN_MAX at most.
    double surface_velocity[3]; // m/s
    double surface_spin[3];     // rad/s, about the collider's position
    bool teleport; // in only, for sim_collider_set: it is in its new pose at once, with no velocity
};

// The fastest that contact and friction see a collider go: its position, and by rotation what of it is farthest from there
// (of a plane what is 1 m away). It goes no more than half as far in a tick as a particle may. What is faster jumps over the
// rest of its way.
#define SIM_COLLIDER_SPEED_MAX 50.0 // m/s
#define SIM_SURFACE_SPIN_MAX 1000.0 // rad/s

// The rotation that turns +y to the normal (any length > 0) by the shortest way, starting from another one.
void sim_rotation_to(const double from[4], const double normal[3], double rotation[4]);

enum fault_code sim_collider_add(struct sim *sim, const struct sim_collider *collider, uint32_t *id,
                                 struct fault *fault);
// Position and rotation are reached over the next tick, and what lies on the collider is carried along, unless it teleports;
// all else changes at once.
enum fault_code sim_collider_set(struct sim *sim, const struct sim_collider *collider, struct fault *fault);
enum fault_code sim_collider_remove(struct sim *sim, uint32_t id, struct fault *fault);
uint32_t sim_collider_count(const struct sim *sim);
bool sim_collider_runs(const struct sim_collider *collider); // its surface has a velocity or a spin
void sim_collider_at(const struct sim *sim, uint32_t position,
                     struct sim_collider *collider);                             // by ascending id
const char *sim_collider_surface_name(const struct sim *sim, uint32_t position); // the sim's own
// Gives three vertices for each triangle of a convex collider's hull, counterclockwise from outside. Other kinds have none. Needs
// room for 3 SIM_HULL_TRIANGLES_MAX, and returns how many triangles there are.
uint32_t sim_collider_triangles(const struct sim *sim, uint32_t position, uint32_t *corners);
// Whether a body's particles are so far apart that the collider may pass between them unhindered: its width across, and
// the body's thickness on both sides, are less than the mean of the edges. Both in metres; planes and height fields,
// solid below, are never passed, and a body that meets anything keeps its edges and triangles outside as well.
bool sim_collider_slips(const struct sim *sim, uint32_t position, uint32_t body, double *width, double *edge);
// The collider as it is after that many substeps of the tick under way. Between ticks the substep is 0.
void sim_collider_during(const struct sim *sim, uint32_t position, uint32_t substep,
                         struct sim_collider *collider);

// Motions: keyframes that move a collider, or particles while they are pinned. In each tick the target moves by
// Q(f(t + 1)) - Q(f(t)), f being the keyframes, t the age in ticks and Q the rounding to quanta: the sum of all
// steps is exact, a loop ends where it began, and what else moves the target adds to it. Rotations turn a collider
// about its position, on top of how it stands, and particles about a pivot that goes with the offsets. Poses add a way of
// its own to each particle: they are how a body that a program animated moves.

enum {
    SIM_MOTIONS_MAX = 256,          // in a sim
    SIM_MOTION_KEYS_MAX = 1048576,  // of all motions together
    SIM_MOTION_POSES_MAX = 67108864 // numbers, of all motions together
};

struct sim_motion {
    uint32_t id;
    uint32_t collider;         // 0: particles of a body
    uint32_t body;             // 0 where it is a collider
    const uint32_t *particles; // each once; those that are not pinned are left alone
    uint32_t particle_count;
    const double *times;     // s, ascending, >= 0
    const double *offsets;   // m, 3 key_count, |x| <= 1000
    const double *rotations; // x, y, z, w of any length, 4 key_count; NULL: it does not turn
    const double *pivot;     // m, of particles that turn; NULL: their middle
    const double *arms;      // m, 3 particle_count: of particles from the pivot; NULL: as they stand
    const float *poses;      // m, 3 particle_count for each key, |x| <= 1000; NULL: all go alike
    uint32_t key_count;
    bool cubic;   // smooth between keyframes; else straight
    bool loop;    // at the last time begin again at 0
    uint64_t age; // ticks since it was added, or since sim_reset
};

// id is ignored; arrays are copied.
enum fault_code sim_motion_add(struct sim *sim, const struct sim_motion *motion, uint32_t *id,
                               struct fault *fault);
enum fault_code sim_motion_remove(struct sim *sim, uint32_t id, struct fault *fault);
uint32_t sim_motion_count(const struct sim *sim);
// By ascending id. Arrays are valid until the sim is edited.
void sim_motion_at(const struct sim *sim, uint32_t position, struct sim_motion *motion);
bool sim_collider_driven(const struct sim *sim, uint32_t collider); // some motion moves it

#endif
