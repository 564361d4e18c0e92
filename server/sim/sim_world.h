// A sim as a whole: its limits, settings and fields of force, and how it is made.
#ifndef WEFT_SIM_SIM_WORLD_H
#define WEFT_SIM_SIM_WORLD_H

#include "base/fault.h"

#include <stdbool.h>
#include <stdint.h>

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

// Fields of force: each accelerates particles by where they are (kernels/fields.c), or moves the air there (kernels/drafts.c).
enum sim_force_kind {
    SIM_FORCE_POINT,  // towards its position if the strength is above 0, else away from it
    SIM_FORCE_VORTEX, // around its axis
    SIM_FORCE_DRAG,   // towards the velocity of a medium
    SIM_FORCE_WIND,   // adds its velocity to that of the air, in its region
    SIM_FORCE_FAN,    // the same with a jet along its axis
};
enum sim_falloff { SIM_FALLOFF_NONE, SIM_FALLOFF_INVERSE, SIM_FALLOFF_INVERSE_SQUARE };
enum { SIM_FORCES_MAX = 16, SIM_FORCE_BODIES_MAX = 16 };
struct sim_force {
    uint32_t id;
    enum sim_force_kind kind;
    double position[3];       // m
    double axis[3];           // of a vortex and of a fan, of any length above 0
    double strength;          // m/s^2 at `distance`; of a drag 1/s and of a fan m/s, and not below 0
    double distance;          // m, above 0
    enum sim_falloff falloff; // how it changes with the distance from the position or the axis
    double core;              // m, above 0: within it the field is softer, and 0 in the middle
    double velocity[3];       // m/s, of the medium of a drag or of the air
    double width;             // m, above 0: the diameter of a fan
    // It ends beyond this radius and outside of this box about its position; 0: there is none. Within the last `margin` it fades.
    double radius, half_extents[3], margin;            // m
    uint32_t body_count, bodies[SIM_FORCE_BODIES_MAX]; // ids; body_count 0: it acts on all bodies
};
struct sim_force_fields {
    uint32_t count, next;                   // next: id of the next one; 0 as well as 1: there was none yet
    struct sim_force items[SIM_FORCES_MAX]; // by id
};

// Surfaces have names, and a row says what holds where two of them meet, in place of what both sides have (state/rub.h). Absent
// values are as without the row.
enum { SIM_SURFACES_MAX = 64, SIM_SURFACE_SIZE = 65 }; // rows; bytes of a name, with the zero at the end
struct sim_surface_pair {
    char one[SIM_SURFACE_SIZE], other[SIM_SURFACE_SIZE]; // not empty; their order counts for nothing
    bool holds, slides, bounces;                         // friction, friction_kinetic, restitution are given
    double friction;                                     // mu, 0 ... SIM_FRICTION_MAX
    double friction_kinetic; // in the same range; not given: that of friction if the row has one
    double restitution;      // 0 ... 1
};
struct sim_surfaces {
    uint32_t count;
    struct sim_surface_pair items[SIM_SURFACES_MAX]; // no two of the same names
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
    // Edges and contacts of cloths and ropes that touch something much heavier are solved as one system (bear/bear.h).
    bool loads_solved;
    // Edges of bodies that go slowly are swept back once they were swept, so that they feed no energy in (solve/calm.c).
    bool calm;
    // Bodies that rest, and touch only what rests, are left as they are until something wakes them (solve/sleep.h).
    bool sleep;
    struct sim_force_fields forces;
    struct sim_surfaces surfaces;
};

// Quanta: a coordinate of the way of gusts goes no farther.
#define SIM_GUST_WAY_MAX 0x1p61

// Whether a field of force moves the air, and no particle by itself.
static inline bool sim_force_blows(const struct sim_force *force)
{
    return force->kind == SIM_FORCE_WIND || force->kind == SIM_FORCE_FAN;
}

static inline bool sim_forces_blow(const struct sim_force_fields *forces)
{
    bool blows = false;
    for (uint32_t f = 0; f < forces->count && !blows; f++) {
        blows = sim_force_blows(&forces->items[f]);
    }
    return blows;
}

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

#endif
