// Materials: the kinds of constraints, and the values of stretch, bending, solids, pressure, matching, rods, forces and tears that a
// body may have.
#ifndef WEFT_SIM_SIM_MATERIAL_H
#define WEFT_SIM_SIM_MATERIAL_H

#include "sim/sim_world.h"

#include <stdbool.h>
#include <stdint.h>

enum sim_body_kind { SIM_CLOTH, SIM_ROPE, SIM_POINTS, SIM_SOFT, SIM_RIGID };
// Kinds of constraints, in the order of solving. Each has a file in sim/kinds, which says what it is. A new one goes to
// the end, so that ids, bits and hashes of worlds without it stay.
#define SIM_KINDS(KIND)            \
    KIND(DISTANCE, distance)       \
    KIND(DIHEDRAL, dihedral)       \
    KIND(ISOMETRIC, isometric)     \
    KIND(QUADRATIC, quadratic)     \
    KIND(VOLUME, volume)           \
    KIND(JOIN, join)               \
    KIND(SLIDE, slide)             \
    KIND(SLIDE_RAIL, slide_rail)   \
    KIND(NEO_HOOKEAN, neo_hookean) \
    KIND(ORTHOTROPIC, orthotropic) \
    KIND(ROD_STRETCH, rod_stretch) \
    KIND(ROD_BEND, rod_bend)       \
    KIND(JOINT, joint)
#define SIM_KIND(NAME, name) SIM_##NAME,
enum sim_kind { SIM_KINDS(SIM_KIND) SIM_KIND_COUNT };
#undef SIM_KIND
// Parts of a body that constraints follow: each has a material.
enum sim_part { SIM_PART_STRETCH, SIM_PART_BEND, SIM_PART_VOLUMES, SIM_PART_SOLID, SIM_PART_COUNT };
// How a cloth stretches: by the lengths of its edges, or by the strains of its triangles along warp and weft (kinds/orthotropic.c).
enum sim_stretch { SIM_STRETCH_DISTANCE, SIM_STRETCH_ORTHOTROPIC };
enum sim_bend { SIM_BEND_NONE, SIM_BEND_DEFAULT, SIM_BEND_DIHEDRAL, SIM_BEND_ISOMETRIC, SIM_BEND_QUADRATIC };

// Plastic bodies: a hinge that is bent past its rest angle by more than `yield` gets another rest angle, and a tetrahedron that is
// strained by more gets another shape at rest (solve/creases.c).
struct sim_plastic {
    double yield; // rad, 0 ... SIM_YIELD_MAX; of a solid the equivalent strain, 0 ... SIM_STRAIN_MAX
    double rate;  // 1/s, 0 ... SIM_FLOW_RATE_MAX: how fast it flows; 0: never, and the body is elastic
    // rad, 0 ... SIM_CREASE_MAX: no rest angle goes farther from flat. Of a solid the strain from the shape at which it was made, 0 ...
    // SIM_STRAIN_MAX.
    double greatest;
};
#define SIM_STRAIN_MAX 1.0
#define SIM_YIELD_MAX 3.14159
#define SIM_FLOW_RATE_MAX 1e6
// 170 degrees. Near 180 a crease that is pressed flat would turn inside out.
#define SIM_CREASE_MAX 2.967
// A soft body is made of edges and volumes, or of tetrahedra of a material.
enum sim_solid { SIM_SOLID_NONE, SIM_SOLID_NEO_HOOKEAN };

// Units of C by kind: distance, join and slide m, dihedral rad, isometric and quadratic sqrt(1) (their energy over k_b),
// volume m^3, orthotropic 1. A compliance of orthotropic ones is in m/N and a damping in N s/m: both are those of a strip along the
// warp, for each metre that it is wide.
struct sim_material {
    double compliance; // alpha, [C]^2/J: m/N, rad/(N m), 1/J, m^5/N
    double damping;    // beta, J s/[C]^2: N s/m, ...
    double stiffness;  // k in [0, 1] of plain PBD instead of compliance; negative: XPBD
    // Only stretch has one, and only long_edges reads it: no edge gets longer than 1 + limit times its rest length. With 0,
    // edges without compliance keep their length and the others have no limit.
    double limit;
    // Only bend has one: B in N m. With 0 the compliance is the one given; else it follows from this one (body/rigidity.h).
    double rigidity;
    struct sim_plastic plastic; // only bend of the dihedral model and a solid have it
    // Only a solid has Young's modulus in Pa. Its compliance follows: 2 (1 + poisson)/young, in 1/Pa. Its damping is a viscosity in
    // Pa s, and it takes no stiffness.
    double young;
    // Only an orthotropic stretch has these, in N/m: what a strip pulls for each metre of width and each unit of strain, along the
    // warp and along the weft, and G of shear, by the sine of the angle. Its compliance follows from them (body/fabric.h), and a
    // limit holds along warp and weft alone, with long_edges or without.
    double warp, weft, shear;
    // Bending of an orthotropic cloth may have rigidities `warp`, `weft` and `bias` in N m instead of one: of strips cut along those
    // yarns, and at 45 degrees to them. A bias of 0 stands for ((sqrt(warp) + sqrt(weft))/2)^2. Each hinge has a compliance that
    // follows (body/bend_yarns.h), and the material's own is their harmonic mean.
    double bias;
    // Poisson's ratio of a solid; of an orthotropic stretch how much narrower a strip along the warp gets, in parts of its stretch.
    double poisson;
};
#define SIM_YOUNG_MIN 1e-3
#define SIM_YOUNG_MAX 1e15
#define SIM_POISSON_MAX 0.495
#define SIM_POISSON_DEFAULT 0.3
#define SIM_POISSON_LOCKS 0.45 // from here on linear tetrahedra are far too stiff (SIM_LOCKING)
#define SIM_LIMIT_MAX 10.0
#define SIM_FABRIC_MIN 1e-3 // N/m
#define SIM_FABRIC_MAX 1e9

// The warp of an orthotropic cloth in the shape at rest runs along `direction`, as seen in the plane of each triangle, turned by
// `angle` (rad) about the triangle's normal. The weft stands at a right angle to it.
struct sim_yarns {
    double direction[3], angle;
};
#define SIM_YARN_ANGLE_MAX 100.0
#define SIM_UV_MAX 1e6

// How a body meets itself and other bodies. All zero: it meets none. If self is false and group and mask are 0, friction decides
// nothing until one of them is set: it is kept and told, and is no part of the hash.
struct sim_meeting {
    bool self;            // its own triangles and edges meet each other
    uint32_t group, mask; // bits: two bodies meet where each one's group has a bit of the other's mask
    double friction;      // mu, 0 ... SIM_FRICTION_MAX; between two bodies sqrt(mu_a mu_b)
    // mu of what slides, in the same range; above friction it counts as friction. Only if kinetic: else it is friction.
    double friction_kinetic;
    bool kinetic;
    // Part of its speed across the surface with which a point leaves a collider or a body that it hits, 0 ... 1; of the body's and the
    // collider's or the other body's the greater one. It counts whatever the body meets, and always in the hash.
    double restitution;
    char surface[SIM_SURFACE_SIZE]; // name of its surface; empty: it has none. Always in the hash
};
// Pressure inside a body whose triangles form a closed surface (solve/pressure.c). All zero: there is none.
enum sim_pressure_model {
    SIM_PRESSURE_NONE,
    SIM_PRESSURE_GAS,    // a gas that expands: its pressure times the volume stays the same
    SIM_PRESSURE_VOLUME, // a volume that is kept
};
struct sim_pressure {
    enum sim_pressure_model model;
    // Value that it comes to, and present value. For a gas it is in Pa, by which its pressure is above that outside when the
    // surface encloses the reference volume. For a kept volume it is the share of the reference volume that is kept.
    double end, now;
    double seconds;    // until it comes to that, evenly; 0: it is there, and `now` is not read
    double ambient;    // Pa outside (gas)
    double compliance; // m^5/N (kept volume)
    double volume;     // m^3, the reference volume; 0: that of the rest shape
};
#define SIM_PRESSURE_MAX 1e7 // Pa
#define SIM_PRESSURE_AMBIENT 101325.0
#define SIM_PRESSURE_RATIO_MAX 1000.0
#define SIM_PRESSURE_VOLUME_MIN 1e-30 // m^3: quotients by the square of a share of it are finite

// Gravity of one body (solve/push.c). A body that has none of its own falls as the world says.
struct sim_own_gravity {
    bool own;
    double value[3]; // m/s^2; within the range of settings.gravity
};
// How a body feels the air in place of what settings.wind says. All zero: as the world says.
struct sim_own_wind {
    bool drag_own, lift_own;
    double drag, lift; // coefficients Cd and Cl, in [0, SIM_WIND_MAX]
};
#define SIM_WIND_MAX 100.0
// A force on a body as a whole: on each particle the part that its mass is of that of the body, pinned ones included. It acts like a
// gravity of force over mass. A body whose particles are all static feels none.
struct sim_body_force {
    double value[3]; // N, each in [-SIM_FORCE_MAX, SIM_FORCE_MAX]; all 0: none
    uint32_t ticks;  // in which it still acts, at most SIM_FORCE_TICKS_MAX; 0: until it is changed
};
#define SIM_FORCE_MAX 1e38 // N
enum { SIM_FORCE_TICKS_MAX = 3600000 };
// Shape matching: a body is drawn to its shape at rest, which moves with it as a rigid body does (solve/match.c; Müller and others
// 2005). All zero: it is not.
enum sim_match_model {
    SIM_MATCH_NONE,
    SIM_MATCH_RIGID,
};
struct sim_matching {
    enum sim_match_model model;
    // m/N: particles that are all d off their goals pull with d/compliance in sum; 0: they are put there. Does not depend on the
    // mesh, the substeps or the iterations.
    double compliance;
    // m: overlapping regions are matched each by itself. A region has the particles within `radius` of its centre. Each particle is
    // within `spacing` of a centre, 0 ... radius; 0: radius. Radius 0: the whole body is one region.
    double radius, spacing;
    const double
        *places; // m, 3 each, from the first particle on: the shape; NULL: that at which the body was made
};
// A region reaches so far from its centre, or from the first particle of a body that is one region, m.
#define SIM_MATCH_RADIUS_MAX(resolution) (0x1p30 * (resolution))
#define SIM_MATCH_RADIUS_MIN(resolution) (16 * (resolution))
enum { SIM_MATCH_PLACES = 64 }; // of regions, for each particle, on average at most

// A rope that bends and twists, of a round section (concepts/rods.md). Its segments have an orientation each.
struct sim_rod {
    double radius;         // m
    double young, poisson; // Pa; 0 ... 0.5
    // EI and GJ, N m^2. 0: as they follow from the three above; GJ from a given EI as EI/(1 + poisson).
    double bend_stiffness, twist_stiffness;
    double
        damping; // s: stretch, bending and twist are resisted with so many times their stiffness for each unit a second
    bool curved;         // at rest it has this curvature, and not that of its shape
    double curvature[2]; // 1/m, about the first and the second director
    double rest_twist;   // rad/m, at rest
    double twist;        // rad/m, at the start
    bool direct;         // each chain is solved at once (solve/rod_direct.c), and not swept
    // A joint that is bent or twisted by more than `yield` gets another rest (solve/flow.c); no rest goes farther than `greatest` from
    // that of the start. Rate 0: it is elastic.
    struct sim_plastic plastic;
};
#define SIM_ROD_RADIUS_MIN 1e-7 // m
#define SIM_ROD_RADIUS_MAX 1.0
#define SIM_ROD_STIFFNESS_MIN 1e-10 // N m^2
#define SIM_ROD_STIFFNESS_MAX 1e15
#define SIM_ROD_DAMPING_MAX 1e3   // s
#define SIM_ROD_CURVATURE_MAX 1e6 // 1/m

// The orientation of a particle, and how it turns (state/turn.h).
struct sim_turned {
    int32_t q[4]; // unit quaternion x, y, z, w in units of 2^-30; all 0: it has none
    float spin
        [3]; // rad/s, in the world; finite. Of a piece of a rigid body as it is: its angular momentum, kg m^2/s
    float w; // inverse inertia about any axis, 1/(kg m^2); 0: the orientation is held
    // The rotation from the rod's segment that begins here to the next one at rest, x, y, z, w; all 0: there is no such joint.
    // A piece of a rigid body keeps here what rounding took from q, in units of q.
    float rest[4];
};
// The shape of the pieces of a rigid body (state/rigid.h). The origin of a piece is its centre of mass. Its axes are its principal
// axes. Those of a hull are the axes of its points, and those of a compound the axes in which its parts are given. Lengths that a
// form does not have are 0.
enum sim_rigid_form {
    SIM_RIGID_SPHERE,
    SIM_RIGID_CAPSULE,
    SIM_RIGID_BOX,
    SIM_RIGID_HULL,
    SIM_RIGID_COMPOUND,
};
enum {
    SIM_RIGID_HULL_MAX = 64,  // vertices that the hull of a piece may have
    SIM_RIGID_PARTS_MAX = 32, // parts that a compound may have
};
// Measures of a compound, in place of the sums over its parts (concepts/rigid.md, Meshes).
struct sim_rigid_measures {
    double volume;      // m^3
    double centre[3];   // m: of mass, from the origin that its parts have in common; out, 0
    double inertia[3];  // m^2: about the axes through the centre, for 1 kg
    double products[3]; // m^2: beside the diagonal of that matrix, yz, xz, xy
};
struct sim_rigid_part;
struct sim_rigid_shape {
    enum sim_rigid_form form;
    float radius; // m, of a sphere or a capsule
    float
        half_height; // m, of a capsule: half of its straight part, which runs along y, as that of a collider does
    float half_extents[3]; // m, of a box
    // m, 3 each, of a hull: in, points with any origin, of which the piece is the convex hull; out, its vertices about the centre of mass.
    const double *points;
    uint32_t point_count;
    const struct sim_rigid_part *parts; // of a compound, 1 ... SIM_RIGID_PARTS_MAX
    uint32_t part_count;
    bool measured; // a compound that has measures of its own
    struct sim_rigid_measures measures;
};
// A part of a compound. Parts may overlap, and the mass of each counts in full.
struct sim_rigid_part {
    struct sim_rigid_shape shape; // no compound
    // m, of its origin. In: from any origin, and of a hull its points have any origin as well; out: from the centre of mass of the
    // piece, and of a hull the origin is its own centre of mass.
    double position[3];
    int32_t turn[4]; // its orientation in the piece, as sim_turned.q
};
// Rounds a quaternion of any length above 0 to q.
void sim_turn_from(const double quaternion[4], int32_t q[4]);

// The friction of a body that gives none, as api.json says. A desc that is all zero has a friction of 0.
#define SIM_FRICTION_DEFAULT 0.3
#define SIM_FRICTION_MAX 1000.0
// A body that may meet anything is no thinner than so many quanta.
enum { SIM_THICKNESS_QUANTA_MIN = 1024 };
// A thickness is best below this part of the mean edge: the number of pairs grows by its square (SIM_THICK). And no more than
// 1 in 20 edges are best shorter than twice the thickness.
#define SIM_THICKNESS_EDGES 0.35
// True if the body may meet itself or any other body.
bool sim_meets(const struct sim_meeting *meeting);

// The description that a body is made from. Arrays belong to the caller and are only read.
// How a cloth tears (concepts/tearing.md). An edge between two triangles is cut when what pulls across it is above a threshold.
struct sim_tear {
    double
        force; // N/m: greatest tension, the force for each metre of the edge; 0: none. Needs orthotropic stretch
    double strain; // greatest strain across the edge; 0: none
    uint32_t
        most; // greatest number of particles that may split off: so many spares are reserved. 0: the body does not tear
};
#define SIM_TEAR_FORCE_MIN 1e-6
#define SIM_TEAR_FORCE_MAX 1e12
#define SIM_TEAR_STRAIN_MIN 1e-6
#define SIM_TEAR_STRAIN_MAX 1e3

#endif
