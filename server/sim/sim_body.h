// Bodies: what one is made of, how it is prepared and attached, and what it tells.
#ifndef WEFT_SIM_SIM_BODY_H
#define WEFT_SIM_SIM_BODY_H

#include "base/fault.h"
#include "sim/sim_material.h"
#include "sim/sim_world.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;

// The tears of a body. Edges have the numbers that their order in the list of triangles gives them, from 0 (sim_mesh_hinges).
struct sim_tears {
    uint32_t own, used; // particles of the mesh as it was made; spares that came of splits
    const uint32_t
        *origins;          // of each of these spares the particle that it split from, which has a lower index
    const uint64_t *since; // and the stamp of that moment (sim_stamp)
    const uint32_t *triangles; // 3 each: corners now
    const uint32_t *cuts;      // edges that are cut, in the order in which they were
    uint32_t cut_count;
};

struct sim_body_desc {
    enum sim_body_kind kind;
    uint32_t particle_count;
    const double *positions;   // m, 3 particle_count; the rest shape and the start
    const float *velocities;   // m/s, 3 particle_count, or NULL: at rest
    const uint32_t *triangles; // 3 triangle_count (cloth)
    uint32_t triangle_count;
    const uint32_t *edges; // 2 edge_count (rope)
    uint32_t edge_count;
    const uint32_t *tets; // 4 tet_count (soft)
    uint32_t tet_count;
    const double *masses; // kg, one each; 0 is static; or NULL: from density
    // Orientations at the start, one each; NULL: particles have none, and pieces of a rigid body stand as the world does.
    const struct sim_turned *turned;
    const struct sim_rigid_shape *rigid; // of each piece of a rigid body; NULL: it is none
    double
        density; // cloth kg/m^2, rope kg/m, points kg each, soft and rigid kg/m^3; > 0; 0 takes the kind's default
    enum sim_stretch stretch_model;
    struct sim_yarns yarns; // read if that is orthotropic
    // u, v of each corner, 6 triangle_count; NULL: none. With them the warp of each triangle runs the way in which u grows, turned by
    // yarns.angle, and yarns.direction is not read.
    const float *uvs;
    struct sim_material stretch;
    enum sim_bend bend_model; // of triangles; DEFAULT: quadratic where the rest shape is flat, else dihedral
    struct sim_material bend;
    struct sim_material volume;
    const struct sim_rod *rod;  // of a rope; NULL: it is none. With one, stretch and bend follow from it
    enum sim_solid solid_model; // of tetrahedra; with one, stretch and volume are of no constraint
    struct sim_material solid;
    const double *weld; // m: vertices no farther apart become one particle; NULL: none do
    // m: r; contacts keep r from colliders, r_a + r_b between bodies. NaN: what the mesh allows if the body may meet anything,
    // else 0 (protocol/sizing).
    double thickness;
    struct sim_meeting meeting;
    const uint32_t *pins;
    uint32_t pin_count;
    const uint32_t *clamps; // of these, of a rod: their clamps hold the orientations of the start
    uint32_t clamp_count;
    struct sim_pressure pressure; // cloth
    struct sim_own_gravity gravity;
    struct sim_own_wind wind;
    struct sim_body_force force;
    struct sim_matching matching;
    struct sim_tear tear; // cloth
    const struct sim_tears
        *torn;         // of an image: then the spares stand among the particles. NULL: they are added
    bool restless;     // it never sleeps
    bool may_be_empty; // no element is needed: welding may have left none
    bool again;        // made again from an image: nobody asks whether its thickness suits it
};

enum sim_warning_code {
    SIM_COINCIDENT,  // particles
    SIM_ISOLATED,    // particles
    SIM_ZERO_LENGTH, // edges
    SIM_ZERO_AREA,   // triangles
    SIM_ZERO_VOLUME, // tetrahedra
    SIM_INVERTED,    // tetrahedra
    SIM_DUPLICATE,   // elements
    SIM_NONMANIFOLD, // triangles at edges that more than two share
    SIM_COLLAPSED,   // elements that welding left with a vertex twice
    SIM_LIGHT,       // particles that got the least mass there is
    SIM_LOCKING,     // names no element: a solid of which Poisson's ratio is near a half
    SIM_THICK,       // names no element: the body meets others and is thicker than is good for its edges
    SIM_WARNING_COUNT,
};
enum { SIM_WARNING_ELEMENTS = 16 };

struct sim_warning {
    enum sim_warning_code code;
    uint32_t count;                          // elements concerned
    uint32_t elements[SIM_WARNING_ELEMENTS]; // the first of them
    char text[SIM_TEXT_MAX];
};

// A body made ready aside: order in memory, unique edges, rest lengths, masses, colours. Pure: may run on
// any thread while the world that will take it runs.
struct sim_body_plan;

struct sim_body_plan *sim_body_prepare(const struct sim_body_desc *desc, double resolution, double extent,
                                       const struct sim_limits *limits, struct fault *fault);
void sim_body_plan_destroy(struct sim_body_plan *plan);           // NULL is allowed
uint64_t sim_body_plan_bytes(const struct sim_body_plan *plan);   // of memory, about
double sim_body_plan_thickness(const struct sim_body_plan *plan); // m, never NaN
uint32_t sim_body_plan_warnings(const struct sim_body_plan *plan, const struct sim_warning **warnings);
// Particle that each given vertex became (count: that of the desc), NULL where none were welded.
const uint32_t *sim_body_plan_welded(const struct sim_body_plan *plan, uint32_t *count);

struct sim_body_added {
    uint32_t body;
    uint32_t constraint_first[SIM_KIND_COUNT]; // ids first, first + 1, ...; 0 where count is 0
    uint32_t constraint_count[SIM_KIND_COUNT];
};

// Takes the plan's contents on success and destroys the plan then; on failure it is as before.
enum fault_code sim_body_attach(struct sim *sim, struct sim_body_plan *plan, struct sim_body_added *added,
                                struct fault *fault);

// Loose constraints that touched the body go with it: their ids are appended to *removed (malloc'd, the
// caller frees), ascending.
enum fault_code sim_body_remove(struct sim *sim, uint32_t body, uint32_t **removed, uint32_t *removed_count,
                                struct fault *fault);

struct sim_body_info {
    uint32_t body;
    enum sim_body_kind kind;
    uint32_t particle_count;
    const uint32_t *triangles; // as given; valid until the body is removed
    uint32_t triangle_count;
    const uint32_t
        *surface; // triangles that wind and normals act on: those, or the boundary of the tetrahedra
    uint32_t surface_count;
    const uint32_t *edges;
    uint32_t edge_count;
    const uint32_t *tets;
    uint32_t tet_count;
    uint32_t constraint_first[SIM_KIND_COUNT];
    uint32_t constraint_count[SIM_KIND_COUNT];
    enum sim_stretch stretch_model;
    struct sim_yarns yarns;
    const float *uvs; // of the corners of `triangles`; NULL: none; valid until the body is removed
    struct sim_material stretch;
    enum sim_bend bend_model; // never DEFAULT
    struct sim_material bend;
    struct sim_material volume;
    enum sim_solid solid_model;
    struct sim_material solid;
    double thickness;
    struct sim_meeting meeting;
    struct sim_pressure pressure;
    struct sim_own_gravity gravity;
    struct sim_own_wind wind;
    struct sim_body_force force;
    uint32_t force_count;         // particles that a force of their own acts on
    struct sim_matching matching; // places are valid until the body is changed or removed
    struct sim_tear tear;
    uint32_t pin_count;
    bool restless, asleep;
    bool turns;                          // some of its particles have orientations
    const struct sim_rod *rod;           // NULL: it is none; valid until the body is removed
    const struct sim_rigid_shape *rigid; // the same
};

// How far a solid has flowed, as equivalent logarithmic strains from the shape at which it was made: of the tetrahedron that has flowed
// most, and the mean by rest volumes. False if the body is no solid; both are 0 then.
bool sim_body_flowed(const struct sim *sim, uint32_t body, double *greatest, double *mean);
uint32_t sim_body_count(const struct sim *sim);
uint32_t sim_body_id_at(const struct sim *sim, uint32_t position); // by ascending id
bool sim_body_info(const struct sim *sim, uint32_t body, struct sim_body_info *info);
const char *sim_body_surface_name(const struct sim *sim, uint32_t body); // the sim's own; the body must exist

// Tears. A body that can tear has `most` particles more than its mesh.

// Sets the number that splits from now on are marked with. It is no part of the state; images tell it of each split.
void sim_stamp(struct sim *sim, uint64_t stamp);
// While `wait` is true ticks tear nothing, for a sim that runs ahead and then goes back to a still.
void sim_tears_wait(struct sim *sim, bool wait);
bool sim_can_tear(const struct sim *sim); // any body can: then a still cannot stand beside ticks
// Fills in what has torn of a body. False if the body cannot tear. The arrays are valid until the next step or edit.
bool sim_body_tears(const struct sim *sim, uint32_t body, struct sim_tears *tears);
// The two own particles of an edge of a body that can tear.
void sim_tear_edge(const struct sim *sim, uint32_t body, uint32_t edge, uint32_t ends[2]);
// The tears that the tick that ran last made in a body: spares from first_used on, cuts from first_cut on, and these triangles have other
// corners. False if it tore nothing.
struct sim_tear_tick {
    uint32_t first_used, first_cut;
    const uint32_t *triangles; // ascending
    uint32_t triangle_count;
};
bool sim_tore(const struct sim *sim); // whether that tick tore any body
bool sim_body_tore(const struct sim *sim, uint32_t body, struct sim_tear_tick *tick);

// NULL leaves a part as it is. A material becomes that of all constraints of its kind in the body.
struct sim_body_change {
    const struct sim_material *stretch, *bend, *volume;
    const struct sim_material *solid; // only of a body that has a solid model
    const double *thickness;
    const struct sim_meeting *meeting;
    const bool *restless;
    const struct sim_rest_shape *rest;
    const struct sim_pressure *pressure;
    const struct sim_own_gravity *gravity;
    const struct sim_own_wind *wind;
    const struct sim_body_force *force;
    const struct sim_matching *matching;
    const struct sim_tear *tear; // thresholds of a body that can tear; its `most` stays
};
// The shape at which constraints of a body rest from now on. Where its particles begin, and what a reset gives them, stays.
struct sim_rest_shape {
    const double *positions; // m, 3 each; NULL: the present ones
    bool angles;             // dihedral hinges rest at its angles,
    bool lengths;            // edges at its lengths and tetrahedra at its volumes
    bool places;             // and shape matching draws to it
};
enum fault_code sim_body_set(struct sim *sim, uint32_t body, const struct sim_body_change *change,
                             struct fault *fault);

// Tells what is inside a closed surface. False if the body has no pressure.
struct sim_pressure_told {
    double volume;    // m^3, enclosed at this boundary
    double reference; // m^3
    double
        pressure; // Pa above that outside: of a gas by its law, of a kept volume what the last substep needed
};
bool sim_body_pressure(const struct sim *sim, uint32_t body, struct sim_pressure_told *told);

// Tells of shape matching. False if the body has none.
struct sim_match_told {
    uint32_t regions;
    double position[3]; // m, the centre of mass; static particles count as in the solve
    double rotation[4]; // x y z w: the rotation of the body as a whole from its shape at rest
    double distance;    // m, of particles from their goals: the root of the mean square, by mass
    double energy;      // J; 0 if the compliance is 0
    double
        force; // N: sizes of the forces on all particles in the last substep, added up; 0 before there was one
};
bool sim_body_match(const struct sim *sim, uint32_t body, struct sim_match_told *told);

// Arrays in the caller's order, for particles first ... first + count - 1 of a body that has them.
void sim_body_positions(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, float *out);
void sim_body_positions64(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, double *out);
void sim_body_velocities(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, float *out);
void sim_body_inverse_masses(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count,
                             float *out);
void sim_body_rest_positions(const struct sim *sim, uint32_t body, double *out); // 3 particle_count
void sim_body_masses(const struct sim *sim, uint32_t body, double *out);         // pinned ones keep theirs
void sim_body_pins(const struct sim *sim, uint32_t body, uint32_t *out);         // pin_count, ascending
bool sim_body_follows(const struct sim *sim, uint32_t body); // some pin follows a collider
// Fills in the collider that each pin follows (pin_count, in the order of sim_body_pins); 0: none.
void sim_body_pin_colliders(const struct sim *sim, uint32_t body, uint32_t *out);
// Returns how many pins clamp, and fills in their particles (room for pin_count), ascending. turn: only those whose clamps turn with
// a collider.
uint32_t sim_body_clamps(const struct sim *sim, uint32_t body, bool turn, uint32_t *particles);
// Returns how many pins of the body follow the collider, and fills in their particles (room for pin_count), ascending.
uint32_t sim_collider_pins(const struct sim *sim, uint32_t collider, uint32_t body, uint32_t *particles);
bool sim_body_pins_softly(const struct sim *sim, uint32_t body); // some pin is soft
// Arrays that tell of each pin, in the order of sim_body_pins.
struct sim_pins_told {
    double *compliances; // m/N; 0: it is hard; SIM_PIN_NONE: it has no spring
    double *distances;   // m; SIM_PIN_NONE: it has no limit
    double *targets;     // m, 3 each: where it holds, or draws to; NULL: not wanted
    double *forces;      // N, 3 each: of a soft pin on its particle, in the last substep; NULL: not wanted
};
void sim_body_pins_tell(const struct sim *sim, uint32_t body, const struct sim_pins_told *out);
// Unit quaternions x, y, z, w of particles, four numbers each: the first of w, x, y, z that is not 0 is positive. Four zeros for a
// particle without an orientation. It may be asked within sim_hooks.on_substep as well.
void sim_body_rotations(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, float *out);
// The same, exact: whole multiples of 2^-30.
void sim_body_rotations64(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, double *out);
bool sim_body_turns(const struct sim *sim, uint32_t body); // some of its particles have orientations
// How orientations turn, rad/s in the world, three numbers each; zeros of a particle without one. At a boundary.
void sim_body_spins(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, float *out);
// The same in their own units, with how they turn; zeros if the body has none.
void sim_body_turned(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count,
                     struct sim_turned *out);
// Normals of all particles (3 particle_count): area-weighted, unit, zero where there is no triangle.
void sim_body_normals(const struct sim *sim, uint32_t body, float *out);

#endif
