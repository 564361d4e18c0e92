// Particles: places, pins and forces, and grabs. Each index of a list must be in range and stand there once.
#ifndef WEFT_SIM_SIM_PARTICLE_H
#define WEFT_SIM_SIM_PARTICLE_H

#include "base/fault.h"
#include "sim/sim_body.h"
#include "sim/sim_world.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;

// NULL arrays leave that quantity alone. A pinned particle that is placed is held at its new place, and an
// inverse mass given to it holds once it is unpinned.
enum fault_code sim_particles_set(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                  const double *positions, const float *velocities,
                                  const float *inverse_masses, struct fault *fault);
// Turns pieces of a rigid body (rotations: quaternions x, y, z, w of any length above 0, 4 each), and gives them angular velocities
// (spins: rad/s, 3 each). A piece that is turned alone keeps its angular velocity. Nothing is given to static pieces.
enum fault_code sim_particles_turn(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                                   const double *rotations, const float *spins, struct fault *fault);
// Refuses what the function above refuses.
enum fault_code sim_particles_turn_check(const struct sim *sim, uint32_t body, const uint32_t *particles,
                                         uint32_t count, const double *rotations, const float *spins,
                                         struct fault *fault);
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
// Refuses particles whose pins do not clamp.
enum fault_code sim_clamp_turns_check(const struct sim *sim, uint32_t body, const uint32_t *particles,
                                      uint32_t count, struct fault *fault);
// turns: clamps of pins that follow a collider keep their orientation in its frame, and turn with it, until a pin follows none or
// its clamp is turned by rotations. Otherwise they hold as they are in the world.
enum fault_code sim_particles_clamp_turns(struct sim *sim, uint32_t body, const uint32_t *particles,
                                          uint32_t count, bool turns, struct fault *fault);
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

#endif
