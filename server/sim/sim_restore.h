// Putting back. What is taken before an edit and put back at once after it, the next ids last, gives the hash from
// before and the same future; later, what it speaks of is as it was and all else goes on. It costs what the thing
// costs, is plain data, and is checked as input from outside. Ids must lie below the next ones; a thing that is there
// is changed to what is given.
#ifndef WEFT_SIM_SIM_RESTORE_H
#define WEFT_SIM_SIM_RESTORE_H

#include "base/fault.h"
#include "sim/sim_image.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;

// Values of constraints that are restored alone, as bits.
enum {
    SIM_FIELD_REST = 1 << 0, // the first seven are in the order of struct sim_constraint_values in images
    SIM_FIELD_COMPLIANCE = 1 << 1,
    SIM_FIELD_DAMPING = 1 << 2,
    SIM_FIELD_STIFFNESS = 1 << 3,
    SIM_FIELD_RATIO = 1 << 4,
    SIM_FIELD_FRICTION = 1 << 5,
    SIM_FIELD_SIDE = 1 << 6,
    SIM_FIELD_REST_END = 1 << 7,    // with the seconds
    SIM_FIELD_FORCE_LIMIT = 1 << 8, // and whether it has parted
    SIM_FIELD_LIMITS = 1 << 9,
    SIM_FIELD_TURN_COMPLIANCE = 1 << 10,
    SIM_FIELD_MOTOR = 1 << 11,
    SIM_FIELD_MOTOR_TARGET = 1 << 12,
    SIM_FIELD_MOTOR_MOST = 1 << 13,
    SIM_FIELD_MOTOR_COMPLIANCE = 1 << 14,
};

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
    int32_t held[4];  // that of its clamp in the frame of the collider; all 0: it does not turn with it
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
