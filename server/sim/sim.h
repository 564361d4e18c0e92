// Cloth, ropes and points, solved with XPBD in small steps.
//
// A sim is physics and nothing else: no clock, file, socket, lock or thread of its own, and no allocation
// while stepping. The same edits between the same ticks give the same bits, whatever the compiler, the
// instruction set or the number of threads that the caller lends to sim_step.
//
// Positions are fixed point: an int64 count of quanta (sim_settings.resolution, a power of two of a metre)
// for each coordinate. While a tick runs the solver works on the low 32 bits, which wrap, so that a world
// far from the origin moves exactly as one at it.
//
// Units are SI: m, kg, s, m/N. "Index" is a particle's index in its body, in the caller's order; the
// order in memory is another (sim_body_prepare fixes it). Ids start at 1 and are never used twice.
//
// Every function that edits checks everything first: when it returns other than FAULT_NONE nothing
// changed and *fault says why. One thread at a time may use a sim; sim_body_prepare uses none.
//
// Sources: XPBD (Macklin, Mueller, Chentanez 2016), Small Steps in Physics Simulation (Macklin et al. 2019),
// Position Based Dynamics (Mueller et al. 2007), Detailed Rigid Body Simulation (Mueller et al. 2020) for
// friction in positions.
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include "base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_parallel;
struct sim;

enum { SIM_TEXT_MAX = 224 }; // bytes of a warning, and of the reason why a tick failed

struct sim_limits {
    uint32_t bodies, particles, constraints, colliders, grabs;
    uint64_t work; // of a tick (work.c); 0: as much as may be
    // Tests of pairs in a tick, for each particle that may meet something; a tick of more is given up. 0: as many as may be.
    uint64_t tests;
};

// How well bodies are kept apart. Fast: pairs are found once a tick, and nothing is held back.
enum sim_contact_quality { SIM_CONTACT_GUARANTEED, SIM_CONTACT_FAST };

// Fields of force: each accelerates particles by where they are (kernels/fields.c).
enum sim_force_kind {
    SIM_FORCE_POINT,  // towards its position if the strength is above 0, else away from it
    SIM_FORCE_VORTEX, // around its axis
    SIM_FORCE_DRAG,   // towards the velocity of a medium
};
enum sim_falloff { SIM_FALLOFF_NONE, SIM_FALLOFF_INVERSE, SIM_FALLOFF_INVERSE_SQUARE };
enum { SIM_FORCES_MAX = 16, SIM_FORCE_BODIES_MAX = 16 };
struct sim_force {
    uint32_t id;
    enum sim_force_kind kind;
    double position[3];       // m
    double axis[3];           // vortex: of any length above 0
    double strength;          // m/s^2 at `distance`; of a drag 1/s, and not below 0
    double distance;          // m, above 0
    enum sim_falloff falloff; // how it changes with the distance from the position or the axis
    double core;              // m, above 0: within it the field is softer, and 0 in the middle
    double velocity[3];       // m/s, of the medium of a drag
    // It ends beyond this radius and outside of this box about its position; 0: there is none. Within the last `margin` it fades.
    double radius, half_extents[3], margin;            // m
    uint32_t body_count, bodies[SIM_FORCE_BODIES_MAX]; // ids; body_count 0: it acts on all bodies
};
struct sim_force_fields {
    uint32_t count, next;                   // next: id of the next one; 0 as well as 1: there was none yet
    struct sim_force items[SIM_FORCES_MAX]; // by id
};

struct sim_settings {
    double gravity[3];   // m/s^2
    uint32_t tick_rate;  // 1/s; fixed once created
    uint32_t substeps;   // >= 1; h = 1/(tick_rate substeps)
    uint32_t iterations; // >= 1 sweeps a substep
    double damping;      // c, 1/s: v is multiplied by 1/(1 + c h) each substep
    double resolution;   // m, a power of two; fixed once created
    double extent;       // m: a coordinate beyond it fails the world
    struct sim_wind {
        double velocity[3]; // m/s
        double drag, lift;  // coefficients Cd and Cl
        double density;     // kg/m^3 of the air; 0: no wind
        double
            gusts; // m/s, rms of each component of what is added to the velocity; 0: none, and then nothing below
        double gust_length; // m
        double gust_way
            [4]; // m that the air has gone since it is gusty, and rms times time. It is state: ticks add to it
        uint32_t gust_seed;
    } wind;
    enum sim_contact_quality contact_quality;
    bool untangle; // what crosses when a tick begins is pushed apart
    // Edges without compliance, and those with a limit, are held to their length across the whole body (long/long.h).
    bool long_edges;
    // Quadratic bending with a compliance is solved in one step for the whole body, instead of stencil by stencil (plate/plate.h).
    bool bending_solved;
    // Bodies that rest, and touch only what rests, are left as they are until something wakes them (solve/sleep.h).
    bool sleep;
    struct sim_force_fields forces;
};

// Quanta: a coordinate of the way of gusts goes no farther.
#define SIM_GUST_WAY_MAX 0x1p61

static inline bool sim_wind_gusts(const struct sim_wind *wind)
{
    return wind->gusts > 0 && wind->density > 0;
}

// Instruction sets of the solver. All come to the same bits.
enum sim_isa {
    SIM_ISA_SCALAR, // one lane, anywhere
    SIM_ISA_SSE2,
    SIM_ISA_AVX2,
    SIM_ISA_AVX512,
    SIM_ISA_NEON,
    SIM_ISA_SIMD128, // WebAssembly
    SIM_ISA_COUNT,
};
const char *sim_isa_name(enum sim_isa isa); // "scalar", "sse2", ...
bool sim_isa_available(enum sim_isa isa);
// For the sims that are created from now on, by any thread; it must be available. At first the widest is.
void sim_isa_choose(enum sim_isa isa);
enum sim_isa sim_isa_chosen(void);

// The version of what a tick computes. It is raised by one whenever the bits of any world's future change, and so the hashes of
// tests/golden. Two sims of one version come to the same bits. A past goes on exactly only with the version that made it.
enum { SIM_SOLVER_VERSION = 3 };
uint32_t sim_solver_version(void); // of the sim that is linked

// Returns NULL without memory. The settings must be in range (api.json, world.create).
struct sim *sim_create(const struct sim_settings *settings, const struct sim_limits *limits);
void sim_destroy(struct sim *sim);
const struct sim_settings *sim_settings_of(const struct sim *sim);
// Changes the settings from the next tick on. tick_rate and resolution stay as they are, whatever is given.
enum fault_code sim_settings_set(struct sim *sim, const struct sim_settings *settings, struct fault *fault);
bool sim_resolution_valid(double resolution); // a power of two in range
// Checks settings whose resolution is valid. The resolution decides how large a length in metres may be.
enum fault_code sim_settings_check(const struct sim_settings *settings, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Bodies

enum sim_body_kind { SIM_CLOTH, SIM_ROPE, SIM_POINTS, SIM_SOFT };
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
    KIND(ROD_BEND, rod_bend)
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
    // Part of its speed across the surface with which a particle leaves a collider that it hits, 0 ... 1; of the body's and the
    // collider's the greater one. It counts whatever the body meets, and always in the hash. Bodies do not bounce off each other.
    double restitution;
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
    int32_t q[4];  // unit quaternion x, y, z, w in units of 2^-30; all 0: it has none
    float spin[3]; // rad/s, in the world; finite
    float w;       // inverse inertia about any axis, 1/(kg m^2); 0: the orientation is held
    // The rotation from the rod's segment that begins here to the next one at rest, x, y, z, w; all 0: there is no such joint.
    float rest[4];
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
    const double *masses;            // kg, one each; 0 is static; or NULL: from density
    const struct sim_turned *turned; // orientations at the start, one each; NULL: particles have none
    double density; // cloth kg/m^2, rope kg/m, points kg each, soft kg/m^3; > 0; 0 takes the kind's default
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
    struct sim_body_force force;
    uint32_t force_count;         // particles that a force of their own acts on
    struct sim_matching matching; // places are valid until the body is changed or removed
    struct sim_tear tear;
    uint32_t pin_count;
    bool restless, asleep;
    bool turns;                // some of its particles have orientations
    const struct sim_rod *rod; // NULL: it is none; valid until the body is removed
};

// How far a solid has flowed, as equivalent logarithmic strains from the shape at which it was made: of the tetrahedron that has flowed
// most, and the mean by rest volumes. False if the body is no solid; both are 0 then.
bool sim_body_flowed(const struct sim *sim, uint32_t body, double *greatest, double *mean);
uint32_t sim_body_count(const struct sim *sim);
uint32_t sim_body_id_at(const struct sim *sim, uint32_t position); // by ascending id
bool sim_body_info(const struct sim *sim, uint32_t body, struct sim_body_info *info);

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
// The same in their own units, with how they turn; zeros if the body has none.
void sim_body_turned(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count,
                     struct sim_turned *out);
// Normals of all particles (3 particle_count): area-weighted, unit, zero where there is no triangle.
void sim_body_normals(const struct sim *sim, uint32_t body, float *out);

// ---------------------------------------------------------------------------------------------------------
// Particles. Each index of a list must be in range and stand there once.

// NULL arrays leave that quantity alone. A pinned particle that is placed is held at its new place, and an
// inverse mass given to it holds once it is unpinned.
enum fault_code sim_particles_set(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                  const double *positions, const float *velocities,
                                  const float *inverse_masses, struct fault *fault);
// Holds particles where they are (positions NULL), or moves them linearly over the next tick.
enum fault_code sim_particles_pin(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                  const double *positions, struct fault *fault);
// Holds particles where they are in the frame of a collider, and moves them with it: in each substep each goes where its place in
// the pose of the collider is. Motions leave such pins alone. sim_particles_pin makes a plain pin of one again. If the collider
// is removed, its pins hold where they are.
enum fault_code sim_particles_pin_to(struct sim *sim, uint32_t body, const uint32_t *particles,
                                     uint32_t count, uint32_t collider, struct fault *fault);
// How particles are held.
struct sim_hold {
    const double *positions; // m, 3 each: where their targets go; NULL: they stay
    uint32_t ticks;          // in which targets go there, evenly; 0: in the next one
    uint32_t collider;       // that they follow, as in sim_particles_pin_to; 0: none
    // One each. A particle with a soft pin keeps its mass, and is drawn to its target and kept near it (kernels/soft.c). With one
    // of these two arrays a pin has only that of both. With neither pins stay as soft as they are, and others become hard. A
    // compliance or distance of 0 makes a hard pin.
    const double *compliance; // m/N
    const double *distance;   // m: the greatest from the target
};
#define SIM_PIN_NONE (-1.0) // as a compliance: there is no spring; as a distance: no limit
enum { SIM_PIN_TICKS_MAX = 3600000 };
// As the two above. The target of a pin that stays soft sets out from where it is; without positions it goes on its way.
enum fault_code sim_particles_hold(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                   const struct sim_hold *hold, struct fault *fault);
// Refuses what the next function refuses with clamps true, except that it does not ask for pins.
enum fault_code sim_clamps_check(const struct sim *sim, uint32_t body, const uint32_t *particles,
                                 uint32_t count, const double *rotations, struct fault *fault);
// Pins of a rod's particles also hold the orientation of the segment that begins there, or else ends there: as it is, or as it is told
// (quaternions x, y, z, w of any length, 4 each), which they reach over the next tick by the shortest way. clamps false: they
// let it go. Each particle must have a pin.
enum fault_code sim_particles_clamp(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                    bool clamps, const double *rotations, struct fault *fault);
enum fault_code sim_particles_unpin(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                    struct fault *fault);
// Lets a force in N (3 each, as in struct sim_body_force) act on each particle, beside that on its body, in so many ticks from now
// on; 0: until it is changed. It takes the place of the one that acted on it, and a force of 0 ends that one. What is pinned hard or
// static does not feel it.
enum fault_code sim_particles_force(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                    const double *forces, uint32_t ticks, struct fault *fault);
// Tells the forces on particles of a body: force_count particles, ascending, three numbers for each, and ticks as above. NULL: not
// wanted.
void sim_body_forces(const struct sim *sim, uint32_t body, uint32_t *particles, double *forces,
                     uint32_t *ticks);

// ---------------------------------------------------------------------------------------------------------
// Constraints

enum { SIM_STENCIL_MAX = 6 };
enum { SIM_JOIN_SIDE = 3 }; // of the particles of a join three are the one side, and three the other
uint32_t sim_stencil_size(enum sim_kind kind);    // particles of one constraint
uint32_t sim_multiplier_size(enum sim_kind kind); // 1; 3 if C is a vector; 2 of a slide
// Floats that an image has of a constraint besides its rest value: of isometric and quadratic ones the rest shape; of joins
// the weights of corners 1, 2, 4 and 5, rest_end in quanta, ticks until then, force_limit, and 1 if it has parted; of rings on
// rails their friction, and where on the rail they are (state/rail.h).
uint32_t sim_shape_size(enum sim_kind kind);
// Floats of a shape that flows, which images tell apart from the rest value; 0: no shape of the kind flows.
uint32_t sim_flow_size(enum sim_kind kind);
bool sim_slides(enum sim_kind kind);  // constraints of the kind have a ratio, a friction and a side
bool sim_goes_on(enum sim_kind kind); // ticks change a state of its constraints: a side, a place on a rail
bool sim_joins(enum sim_kind kind);   // constraints of the kind have weights, and the other values of joins
enum sim_part sim_part_of(enum sim_kind kind); // the part of a body that constraints of this kind are of

// Values that constraints are given or changed to: arrays of one value for each, NULL to leave them. rest is
// in m, rad or m^3 and must be NULL for isometric and quadratic ones, whose rest shape is the flat one of the
// present edge lengths. Compliance or damping ends a stiffness, and the other way round.
struct sim_constraint_values {
    const double *rest, *compliance, *damping, *stiffness;
    // Only joins have the next five.
    // SIM_STENCIL_MAX each: barycentric weights of the particles, in [0, 1]; each side's sum is 1. A corner that is not used
    // repeats the first particle of its side and weighs 0. NULL, and all change: the first particle of each side weighs 1.
    const double *weights;
    // The rest length that a join comes to, m, in so many seconds from now on, evenly. Both or neither. A rest that is
    // given without them stays.
    const double *rest_end, *seconds;
    const double *force_limit; // N: a join parts if its mean force over a tick is above this; 0: never
    bool mend;                 // joins that have parted hold again
    // The next three must be NULL for all kinds but slide (kinds/slide.c). slide_rail has a friction as well.
    const double *ratio;    // parts of rope on the side of the third particle, 1 ... SIM_RATIO_MAX
    const double *friction; // mu of the ring, 0 ... SIM_SLIDE_FRICTION_MAX; above 0 only with a ratio of 1
    // m, 0 ... rest: what of the rest length is on the side of the first particle. It is state: with friction ticks change it, and
    // sim_reset finds it again. sim_constraints_set takes none. NULL: in proportion to the present lengths. 0 without friction.
    const double *side;
};
#define SIM_SEW_MAX 3600.0         // s
#define SIM_JOIN_TICKS_MAX 3600000 // of SIM_SEW_MAX at 1000 ticks a second
#define SIM_FORCE_LIMIT_MAX 1e12   // N
#define SIM_RATIO_MAX 16.0
#define SIM_SLIDE_FRICTION_MAX 100.0

// Appends `count` constraints; ids are first, first + 1, ... rest NULL takes the present length, angle or
// volume, compliance, damping and friction NULL take 0, and ratio NULL takes 1.
enum fault_code sim_constraints_add(struct sim *sim, enum sim_kind kind, uint32_t count,
                                    const uint32_t *bodies, const uint32_t *particles,
                                    const struct sim_constraint_values *values, uint32_t *first_id,
                                    struct fault *fault);
enum fault_code sim_constraints_set(struct sim *sim, const uint32_t *ids, uint32_t count,
                                    const struct sim_constraint_values *values, struct fault *fault);
enum fault_code sim_constraints_remove(struct sim *sim, const uint32_t *ids, uint32_t count,
                                       struct fault *fault);

struct sim_constraint {
    uint32_t id;
    enum sim_kind kind;
    uint32_t bodies[SIM_STENCIL_MAX];
    uint32_t particles[SIM_STENCIL_MAX];
    double rest; // m, rad or m^3; 0 for isometric and quadratic
    struct sim_material material;
    double ratio, friction, side; // of a slide; 0 for other kinds, except for the friction of a slide_rail
    double along;                 // of a slide_rail: segments of the rail from its first particle to the ring
    // lambda of the last substep; force = lambda / h^2 (tension < 0); 3 for quadratic; of a slide one for each side
    double multiplier[3];
    double strain
        [3]; // of an orthotropic one where the particles are: along the warp, the weft, and the sine of the shear; else 0
    double tension
        [3]; // and N h^2/m of the last substep, as the multiplier: along warp and weft, and of shear (pulls are positive)
    double
        gradients[4]; // of an orthotropic one, 1/m: of u at its second and third particle, then of v; else 0
    double carried;   // of a distance, as multiplier: what sim_carried_find has found; else 0
    double weights[SIM_STENCIL_MAX]; // this and the next four: of a join, as in sim_constraint_values; else 0
    double rest_end, seconds;        // seconds: until its rest length is rest_end; 0: it does not change
    double force_limit;
    bool parted;
    uint16_t tile_color, color; // its place, which fixes the order of solving
    uint32_t tile;
};

uint32_t sim_constraint_count(const struct sim *sim);
bool sim_constraint_get(const struct sim *sim, uint32_t id, struct sim_constraint *constraint);
// The living constraint of this kind with the least id greater than `after`; false at the end.
bool sim_constraint_next(const struct sim *sim, enum sim_kind kind, uint32_t after,
                         struct sim_constraint *constraint);
// One iteration a substep needs no multipliers, so they read as 0 then. This function computes those of the last substep from
// its forces, and they stay until they are dropped. Nothing else of the sim changes. *hold becomes false if there are none,
// because no tick has run since the last edit of constraints.
enum fault_code sim_multipliers_find(struct sim *sim, bool *hold, struct fault *fault);
// Finds in the same way what long edges, tethers and the sweeps for limits carry past each distance of a body, if there was
// a tick since. A long edge or tether counts in full at each edge of the shortest way along edges between its ends.
enum fault_code sim_carried_find(struct sim *sim, struct fault *fault);
// Finds both at once, or the multipliers alone, for some bodies and those that loose constraints join to them. Those of others
// are not what they were then. They stay until they are dropped. `visits` counts constraints and edges that were looked at.
struct sim_forces {
    bool hold; // as above
    uint64_t visits;
};
enum fault_code sim_forces_find(struct sim *sim, const uint32_t *bodies, uint32_t count, bool carried,
                                struct sim_forces *found, struct fault *fault);
void sim_multipliers_drop(struct sim *sim); // and what is carried
// From the next tick on, keep multipliers as more iterations do.
enum fault_code sim_multipliers_keep(struct sim *sim, bool keep, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Grabs

struct sim_grab {
    uint32_t id, body, particle;
    double target[3];
    double compliance;
    double force[3]; // N on the particle, last substep
};

// target NULL: where the particle is. One grab a particle, and none of a pinned or static one (CONFLICT).
enum fault_code sim_grab_begin(struct sim *sim, uint32_t body, uint32_t particle, const double *target,
                               double compliance, uint32_t *id, struct fault *fault);
enum fault_code sim_grab_move(struct sim *sim, uint32_t id, const double *target, struct fault *fault);
enum fault_code sim_grab_end(struct sim *sim, uint32_t id, struct fault *fault);
uint32_t sim_grab_count(const struct sim *sim);
void sim_grab_at(const struct sim *sim, uint32_t position, struct sim_grab *grab); // by ascending id
bool sim_grab_of(const struct sim *sim, uint32_t body, uint32_t particle, uint32_t *id);
// A copy of all grabs. An undo of an edit that ended grabs (it removed a body, or pinned a particle) gives them back.
// NULL without memory.
struct sim_grabs_kept;
struct sim_grabs_kept *sim_grabs_keep(const struct sim *sim);
// Begins the kept grabs again whose particles exist. No grab may have begun since they were kept.
void sim_grabs_give_back(struct sim *sim, const struct sim_grabs_kept *kept);
void sim_grabs_drop(struct sim_grabs_kept *kept); // NULL is allowed

// ---------------------------------------------------------------------------------------------------------
// Colliders

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
    double restitution; // of what hits it, 0 ... 1 (struct sim_meeting)
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
                     struct sim_collider *collider); // by ascending id
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

// ---------------------------------------------------------------------------------------------------------
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

// ---------------------------------------------------------------------------------------------------------
// Time

enum sim_phase { SIM_PREDICT, SIM_WIND, SIM_SOLVE, SIM_CONTACTS, SIM_FINISH, SIM_PHASE_COUNT };

// Parts of SIM_CONTACTS where bodies meet: pairs are found, pushed, colliders push, and who would cross is held back.
enum sim_meeting_part { SIM_MEET_FIND, SIM_MEET_PUSH, SIM_MEET_COLLIDE, SIM_MEET_HOLD, SIM_MEET_PARTS };

// Called on the thread that steps; NULL where nothing is wanted.
struct sim_hooks {
    void *context;
    // After each substep s = 1 ... substeps (the last one is the tick boundary). The sim_body_... getters and
    // sim_measure may be used inside.
    void (*on_substep)(void *context, uint32_t substep);
    // When a phase of a substep ends: for a caller that has a clock.
    void (*on_phase)(void *context, enum sim_phase phase);
    // When a part of contact ends, likewise.
    void (*on_meeting)(void *context, enum sim_meeting_part part);
    // Asked after each iteration: true lets the tick rest there.
    bool (*on_pause)(void *context);
};

struct sim_failure {
    bool failed;
    bool given_up;           // it would have tested too many pairs: the state is the one that it began with
    uint32_t body, particle; // where, 0 and 0 if unknown
    char text[SIM_TEXT_MAX];
};

// One tick. parallel and hooks may be NULL (this thread alone; nothing to call). When *failure says failed
// the state is that at the tick's start, and no substep of it counts. Where it says given_up as well, contact asked too much
// of it.
//
// False when on_pause let the tick rest: the next call goes on where it was, and comes to the same bits. Meanwhile the
// state is that of no moment, and nothing but sim_step and sim_destroy may be called, or sim_step_drop, which leaves it
// so for good.
bool sim_step(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks,
              struct sim_failure *failure);
// Gives up the tick that rests. After that only counts, ids and settings may be read, and the sim destroyed: a function that
// tells the state (hash, image, still, arrays, measures) or steps it is a broken invariant.
void sim_step_drop(struct sim *sim);
// False while a tick is under way, and for good once one was dropped.
bool sim_at_boundary(const struct sim *sim);

// m/s: what is faster along an axis goes farther in one tick than a coordinate may, and the world fails.
double sim_speed_max(const struct sim *sim);
// Positions and velocities as the bodies were added with; grabs end; motions begin again, colliders where they
// found them; all else stays.
void sim_reset(struct sim *sim);

// The hash of everything that decides the future, in a fixed order: same state, same hash, on every machine.
uint64_t sim_hash(const struct sim *sim);
uint64_t sim_hash_ungrabbed(const struct sim *sim); // as if nobody held anything: that of an image

struct sim_measures {
    double kinetic, potential;      // J
    double elastic[SIM_KIND_COUNT]; // J
    // By kind: |C| / rest of those whose rest value is not 0, or |C| of a kind whose error is absolute. 0 if the kind has none.
    double error_max[SIM_KIND_COUNT], error_rms[SIM_KIND_COUNT];
    uint32_t contacts; // in the last substep
};

void sim_measure(const struct sim *sim, struct sim_measures *measures);

// How the bending of a body is solved. SWEPT_...: what it is swept for.
enum sim_bending {
    SIM_BENDING_NONE, // it has no constraints of bending
    SIM_BENDING_SOLVED,
    SIM_BENDING_SWEPT_WORLD,     // settings.bending_solved is not set
    SIM_BENDING_SWEPT_MODEL,     // its model is not quadratic
    SIM_BENDING_SWEPT_RIGID,     // one of the constraints has compliance 0
    SIM_BENDING_SWEPT_STIFFNESS, // one of them has a plain stiffness
    SIM_BENDING_SWEPT_STIFF,     // doubles cannot tell it from rigid
    SIM_BENDING_SWEPT_LARGE,     // a factor would be too large
    SIM_BENDING_SWEPT_WAITS,     // an edit has changed it, and its new factor is made over some ticks
};

// How well the solver converged for one body: errors that its material does not ask for. Constraints of sim_constraints_add
// belong to no body and are left out.
struct sim_convergence {
    uint32_t body;
    enum sim_bending bending;
    // Errors of the edges that have a limit (compliance 0, or a stretch.limit): l/L - 1 - limit where that is above 0. All of
    // them count in the root of the mean square.
    double strain_max, strain_rms;
    // By part, 0 ... 1: the share of the force that compliances ask for at this shape, weighted by C, and that the last
    // substep did not give. 0 if nothing has compliance, or if no tick has run since the last edit of constraints.
    double unresolved[SIM_PART_COUNT];
    // The root of the mean square of C of these constraints, in parts of their rest value (of bends in rad, of isometric
    // ones in 1000 times C), weighted by their stiffness.
    double apart[SIM_PART_COUNT];
};

// Fills one for each body, in the order of their ids, at a boundary. It solves the last substep once more, on memory of
// its own, and changes nothing of the sim. False without memory.
bool sim_converged(struct sim *sim, struct sim_convergence *bodies);

// Figures of contact between bodies in the last tick: the greatest over its substeps, if nothing else is said.
struct sim_meetings {
    uint32_t pairs;   // that might have met
    uint32_t pushing; // that touched in the last substep
    uint32_t
        crossed; // edges through triangles when it began, where these may meet; left alone unless settings say otherwise
    uint32_t pierced; // triangles, loose edges and loose particles that reached into the core of a collider
    uint32_t held;    // particles that were held back, so that nothing crosses
    uint32_t shrunk;  // times that pairs did not fit and reaches were halved
    uint32_t dropped; // pairs that still did not fit: the guarantee does not hold for them
    double deepest;   // greatest 1 - d / R where the tick ends, 0 ... 1
    uint64_t tested;  // pairs, in all substeps; one counts each time that it is looked at
};

void sim_meetings_of(const struct sim *sim, struct sim_meetings *meetings);

// The kinds of places of contact that the last tick can show.
enum sim_shown_kind {
    SIM_SHOWN_TOUCHING, // particles of the pairs that touched in the last substep
    SIM_SHOWN_HELD,     // particles that were held back in any substep
    SIM_SHOWN_CROSSED,  // edges that went through triangles when it began, two particles each
    SIM_SHOWN_KINDS,
};
enum { SIM_SHOWN_MAX = 4096 }; // of each kind

// By body, then by particle; bodies may have been removed since. Valid until the next tick begins.
struct sim_shown {
    bool known; // the last tick was asked; false also before the first one and where no body meets any
    uint32_t count[SIM_SHOWN_KINDS];
    uint32_t more[SIM_SHOWN_KINDS]; // places for which there was no room
    const uint32_t *bodies[SIM_SHOWN_KINDS];
    const uint32_t *particles[SIM_SHOWN_KINDS];
};

// Ticks that begin from now on note where contact is, or stop noting it. It costs a look at each particle and changes no
// result.
void sim_shown_want(struct sim *sim, bool wanted);
void sim_shown_forget(struct sim *sim);
void sim_shown_of(const struct sim *sim, struct sim_shown *shown);
// Edges that pass or touch a triangle of a body that theirs meets, counted exactly. UINT64_MAX without memory.
uint64_t sim_crossings(const struct sim *sim);
// The nearest body before this one that it meets, has as many particles as, and shares exact places with. Returns its id, or 0, and
// fills how many particles those are and the indices of the first ones (SIM_WARNING_ELEMENTS at most).
uint32_t sim_body_copied(const struct sim *sim, uint32_t body, uint32_t *count,
                         uint32_t elements[SIM_WARNING_ELEMENTS]);
// Triangles, loose edges and loose particles of bodies that meet something, and that reach into the core of a collider
// (contact/core.h), each once for each collider.
uint64_t sim_pierced(const struct sim *sim);
uint32_t sim_particle_count(const struct sim *sim);
uint64_t
sim_motion_numbers(const struct sim *sim); // of the poses of all motions, and eight for each keyframe

// ---------------------------------------------------------------------------------------------------------
// Images: a whole sim as plain data. What is made of an image has the hash of the sim that it was taken of (but
// for grabs, which are no part of it) and the same future. An image may as well be written by hand: ids of 0 are
// the next ones, and arrays that are NULL say nothing.

// How far a body is on its way to sleep, as in struct sim_body.
struct sim_sleep {
    bool asleep;
    uint32_t still;
    uint64_t mark;
    uint32_t island, companions; // read if it sleeps
};

// The constraints of one kind that edits have left of a body.
struct sim_image_history {
    bool edited;    // else nothing of this is read
    uint32_t built; // constraints when they were last coloured; UINT32_MAX: all that the body was made with
    uint32_t removed_count, changed_count, tile_count, color_count;
    const uint32_t *removed;                               // ids, ascending
    const uint32_t *changed;                               // ids, ascending, with values of their own:
    const double *rest, *compliance, *damping, *stiffness; // one each; stiffness < 0 where compliance holds
    const float
        *shapes; // sim_flow_size each, zeros where it has not flowed; NULL: none has, or the kind does not
    const uint32_t *tile_colors; // NULL: as in a body that is new
    const uint32_t *colors;      // of the living ones by id; with tile_colors
};

struct sim_image_body {
    uint32_t body, first_constraint; // ids
    struct sim_body_desc desc;
    const int64_t *positions;        // 3 each, quanta
    const float *velocities;         // 3 each
    const float *inverse_masses;     // of pinned ones what they get back
    const struct sim_turned *turned; // orientations as they are; NULL: as the body starts
    const int64_t *targets;          // 3 each of the pins in desc.pins (then ascending, each once), quanta
    const uint32_t *pin_colliders;   // that these pins follow, 0: none; NULL: none does
    const double *pin_places;        // m, 3 each in the frame of the collider; NULL: as they stand
    const double *pin_compliances, *pin_distances; // m/N and m, or SIM_PIN_NONE; NULL: all pins are hard
    const double
        *pin_starts; // quanta, 3 each: from the target to where a soft pin sets out; NULL: they stand
    const double
        *pin_ends; // quanta, 3 each: from the target to where it is `pin_ticks` later; NULL: it stays
    const uint32_t *pin_ticks;
    uint32_t force_count;            // particles that a force acts on (sim_particles_force)
    const uint32_t *force_particles; // ascending
    const double *forces;            // N, 3 each, none of them 0
    const uint32_t *force_ticks;     // NULL: all act until they are changed
    // 8 each: the orientations that it holds when the next tick begins and ends; NULL: none clamps.
    const int32_t *pin_clamps;
    uint32_t *welded; // out, where desc.weld is set: particle of each given vertex; NULL: not wanted
    struct sim_sleep sleep;
    uint32_t bend_due; // as in struct sim_body; 0: the factor of its solved bending is attached
    const int32_t
        *anchors; // 3 each, quanta from the particle to its anchor; NULL: they are where the particles are
    struct sim_image_history history[SIM_KIND_COUNT];
};

struct sim_image_collider {
    struct sim_collider collider; // of which position is not read where `exact` is true
    bool exact;                   // the rest holds as well, and rotations of length 1 stay as they are
    int64_t position[3], from_position[3];
    double from_rotation[4];
    bool
        unturned; // from_rotation, and `stands` in place of the collider's rotation, are without what motions turn
    double stands[4];
};

// Loose constraints of one kind.
struct sim_image_constraints {
    enum sim_kind kind;
    uint32_t count;
    const uint32_t *bodies, *particles; // as in sim_constraints_add
    struct sim_constraint_values values;
    const uint32_t *ids; // ascending; NULL: as sim_constraints_add gives them, and then nothing below is read
    const uint32_t *colors;
    const float *shapes; // sim_shape_size each; NULL if that is 0
    // In sim_loose_restore: slides that live take the sides that are given. Else theirs go on, as far as rest lengths allow. The same
    // for rings on rails and their places there.
    bool sides_return;
};

struct sim_image_grab {
    uint32_t id, body, particle; // id 0: the next one
    double compliance;
    int64_t target[3]; // quanta
};

struct sim_image {
    struct sim_settings settings;
    uint32_t body_count, collider_count, batch_count, motion_count;
    bool alone; // its bodies are to go elsewhere: colliders that their pins follow need not be there
    const struct sim_image_body *bodies;
    const struct sim_image_collider *colliders;
    const struct sim_image_constraints *batches;
    const struct sim_motion *motions;
    const struct sim_image_grab *grabs; // by id
    uint32_t grab_count;
    uint32_t next_body, next_constraint, next_grab, next_collider, next_motion;
    uint32_t own_count;
    const struct sim_own *owns; // of parts (below); not read where a sim is made
    void **blocks;              // memory of an image that was taken
    uint32_t block_count, block_capacity;
};

// Constraints of one body and kind.
struct sim_own {
    uint32_t body;
    enum sim_kind kind;
    uint32_t count;
    const uint32_t *ids; // ascending
    struct sim_constraint_values
        values;                // one each; stiffness < 0 where compliance holds, rest where the kind has one
    const uint32_t *colors;    // one each
    uint32_t place_count;      // 0: no places, and then nothing below is read
    const uint32_t *place_ids; // of all that lived, ascending
    const uint32_t *place_colors; // one each
    uint32_t tile_count;
    const uint32_t *tile_colors;
    uint32_t built;      // as in struct sim_image_history
    const float *shapes; // the same; without one they rest as the body was made
    // In sim_own_restore: constraints that live keep what flows of them: rest angles, or shapes of tetrahedra. They are state.
    bool rests_stay;
};

// The place of a fault in an image, as bodies[2].history.distance. NULLs: no place in particular.
struct sim_image_place {
    const char *list;
    uint32_t index;
    const char *part;
};

// Between ticks. False without memory, with nothing left to release. Some arrays are the sim's own: the image holds
// until the sim is edited, stepped or destroyed.
bool sim_image_take(const struct sim *sim, struct sim_image *image);
// Grabs as well, which are left out otherwise: what is made of the image then has the sim's own hash. False without
// memory; the image stays as it was.
bool sim_image_take_grabs(const struct sim *sim, struct sim_image *image);
void sim_image_deinit(struct sim_image *image);
// NULL with *fault and *place. Whatever the image holds: it is checked as input from outside. The settings must be in
// range (api.json, world_settings).
struct sim *sim_image_make(const struct sim_image *image, const struct sim_limits *limits,
                           struct sim_image_place *place, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Stills: what a sim is at a boundary, for another thread to read while the sim steps on.
//
//     create ──▶ begin ──▶ go_on … go_on, or ticks ──▶ end (all is copied) ──▶ read beside the sim ──▶ destroy
//     any thread           the sim's thread                                    one thread
//
// Only what ticks and grabs change is copied: pins, colliders, motions and grabs at once; velocities by rows, until the
// next tick begins, which copies the rest as it reads them; positions and inverse masses until it ends, which does the
// same. The structure (meshes, constraints, histories) is the sim's own. So from before create until the still is
// destroyed the sim may step and be grabbed and read, but not be edited otherwise.
struct sim_still;
size_t sim_still_bytes(const struct sim *sim);
// Allocates the memory and touches all of it, so that copying does not wait for pages. NULL without memory.
struct sim_still *sim_still_create(const struct sim *sim);
void sim_still_begin(struct sim_still *still, struct sim *sim); // at a boundary; one at a time
// Copies that many more rows, at a boundary or where a tick rests. True when all is copied.
bool sim_still_go_on(struct sim_still *still, uint32_t rows);
void sim_still_end(
    struct sim_still *still); // from now on ticks copy nothing into it, whether or not it is whole
// A sim of which sim_hash, sim_hash_ungrabbed, sim_image_take and sim_image_take_grabs may be asked, and nothing else.
struct sim *sim_still_sim(struct sim_still *still);
// Takes the sim back to where it was when the still began. The still must be whole and ended. Since it began, the sim may have
// stepped (even until it failed) and been grabbed, but not edited otherwise, and torn nothing (sim_tears_wait). Its future is then the one that it had.
void sim_still_give_back(const struct sim_still *still, struct sim *sim);
void sim_still_destroy(struct sim_still *still); // ends it; NULL is allowed

// ---------------------------------------------------------------------------------------------------------
// Putting back. What is taken before an edit and put back at once after it, the next ids last, gives the hash from
// before and the same future; later, what it speaks of is as it was and all else goes on. It costs what the thing
// costs, is plain data, and is checked as input from outside. Ids must lie below the next ones; a thing that is there
// is changed to what is given.

struct sim_parts {
    const uint32_t *bodies, *colliders, *motions, *constraints; // ids; what does not exist is left out
    uint32_t body_count, collider_count, motion_count, constraint_count;
    // The constraints are about to be removed. Places come with them if that colours a body again, or leaves none of the kind.
    bool going;
    // The rest angles of plastic bodies come back as well. Else those of hinges that live stay where they have flowed to.
    bool rests;
    bool shapes;             // the same of the shapes of their tetrahedra
    const uint32_t *changed; // bodies of which those constraints are wanted whose values are not the body's
    uint32_t changed_count;
};
// As sim_image_take, but that nothing in the image is the sim's own. With a body come the loose constraints that touch it
// and the motions of its pins, with a collider the motions that move it. Constraints come as batches where they are
// loose, else as owns.
bool sim_image_take_parts(const struct sim *sim, const struct sim_parts *parts, struct sim_image *image);

// A body as it was, made ready aside as by sim_body_prepare; ids must be given. NULL with *fault and place->part.
struct sim_body_plan *sim_body_prepare_again(const struct sim_image_body *given, double resolution,
                                             const struct sim_limits *limits, struct sim_image_place *place,
                                             struct fault *fault);
// Attaches the body under the id that it had, which must be free; its constraints get their ids back. On success the function takes
// the plan's contents and destroys the plan; on failure the plan is as before.
enum fault_code sim_body_restore(struct sim *sim, struct sim_body_plan *plan, struct fault *fault);
// Puts loose constraints back under their ids. Each has the colour that it had, or the lowest free one if another constraint at its
// particles has that colour since. A constraint that exists keeps its colour and must be at the same particles.
enum fault_code sim_loose_restore(struct sim *sim, const struct sim_image_constraints *batch,
                                  struct fault *fault);
// Gives constraints their places again. If those no longer fit, the kind is coloured again in the body.
enum fault_code sim_own_restore(struct sim *sim, const struct sim_own *own, struct fault *fault);
enum fault_code sim_collider_restore(struct sim *sim, const struct sim_image_collider *given,
                                     struct fault *fault); // which must be exact
// Puts a motion back with its age. A motion that turns a collider also decides how the collider stands. So the collider has to be
// put back as well, and also where an undo removes a motion.
enum fault_code sim_motion_restore(struct sim *sim, const struct sim_motion *motion, struct fault *fault);

struct sim_next_ids {
    uint32_t body, constraint, grab, collider, motion;
};
void sim_next_ids(const struct sim *sim, struct sim_next_ids *ids);
// Each must lie above every id that lives; it may be lower than now.
enum fault_code sim_next_ids_set(struct sim *sim, const struct sim_next_ids *ids, struct fault *fault);

// Whether bodies of the sim have a state of sleep: some may sleep, or might until an edit of the settings.
bool sim_has_sleep(const struct sim *sim);

// The parts that an edit of particles overwrites, and that are put back. A pin comes back with the place and velocity that it
// had. A new pin ends, and its particle stays where it is now. Sleep is that of the body, with the anchors of these particles.
enum {
    SIM_RESTORE_POSITIONS = 1,
    SIM_RESTORE_VELOCITIES = 2,
    SIM_RESTORE_INVERSE_MASSES = 4,
    SIM_RESTORE_PINS = 8,
    SIM_RESTORE_SLEEP = 16,
    SIM_RESTORE_FORCES = 32,
    SIM_RESTORE_TURNS = 64
};

struct sim_restore_particle {
    uint32_t particle;
    bool pinned;
    float inverse_mass, velocity[3]; // of a pinned one the mass that it gets back
    struct sim_turned turned;        // of a body that has orientations
    int64_t position[3];             // quanta
    int64_t from[3], to[3];          // quanta: the pin's way in the next tick
    int32_t anchor[3];               // quanta, from the particle; read if its body is asleep or still
    uint32_t collider;               // that the pin follows; 0: none. It may be one that is yet to come back
    double place[3];                 // m, in its frame
    float compliance, distance;      // of a pin: m/N and m, or SIM_PIN_NONE; compliance 0: it is hard
    uint32_t left;                   // ticks after the next one until it is at `end`
    int64_t end[3];                  // quanta
    double force[3];                 // N; 0: none acts on it
    uint32_t force_ticks;
    int32_t clamp[8]; // orientations that the pin holds when the next tick begins and ends; all 0: none
};

struct sim_restore_particles {
    uint32_t body, fields, count;
    struct sim_sleep sleep;                 // of the body
    struct sim_restore_particle *particles; // each once
};

// Keeps what sim_particles_set (the parts that it is given), sim_particles_pin or sim_particles_unpin (SIM_RESTORE_PINS), or
// sim_particles_force (SIM_RESTORE_FORCES) overwrites.
enum fault_code sim_restore_particles_take(const struct sim *sim, uint32_t body, const uint32_t *particles,
                                           uint32_t count, uint32_t fields,
                                           struct sim_restore_particles *states, struct fault *fault);
enum fault_code sim_restore_particles_apply(struct sim *sim, const struct sim_restore_particles *states,
                                            struct fault *fault);
// To be called when all is put back: pins that follow go where their colliders are. Those whose collider is gone hold where they
// are.
void sim_pins_settle(struct sim *sim);
void sim_restore_particles_deinit(struct sim_restore_particles *states);

#endif
