// Images: a whole sim as plain data. What is made of an image has the hash of the sim that it was taken of (but
// for grabs, which are no part of it) and the same future. An image may as well be written by hand: ids of 0 are
// the next ones, and arrays that are NULL say nothing.
#ifndef WEFT_SIM_SIM_IMAGE_H
#define WEFT_SIM_SIM_IMAGE_H

#include "base/fault.h"
#include "sim/sim_body.h"
#include "sim/sim_collider.h"
#include "sim/sim_constraint.h"
#include "sim/sim_material.h"
#include "sim/sim_particle.h"
#include "sim/sim_world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;

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
    const int32_t *pin_held; // 4 each: of clamps in the frames of colliders; NULL: none turns with one
    uint32_t *welded;        // out, where desc.weld is set: particle of each given vertex; NULL: not wanted
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
    // In sim_loose_restore: SIM_FIELD_... Only these values are read, and the constraints must live. 0: all, and ids of what is gone come back.
    uint32_t fields;
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
    uint32_t fields; // as in struct sim_image_constraints; rest, compliance, damping and stiffness
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

#endif
