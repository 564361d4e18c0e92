// Constraints: those of bodies, and loose ones between any particles.
#ifndef WEFT_SIM_SIM_CONSTRAINT_H
#define WEFT_SIM_SIM_CONSTRAINT_H

#include "base/fault.h"
#include "sim/sim_joint.h"
#include "sim/sim_material.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;

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
    const struct sim_joint_values *
        joint; // NULL: nothing is said. Must be NULL for all kinds but joint; force_limit and mend are of joints too
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
    bool parted; // of a join or a joint
    struct sim_joint_told joint;
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

#endif
