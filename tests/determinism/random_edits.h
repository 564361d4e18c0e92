// Random edits of a world: what an edit is comes from an integer generator and from the state, so that one wrong bit
// soon becomes another world. Refusals are welcome (edits name what is not there, and limits are tight), but the
// same ones everywhere: each edit's status goes into the digest.
#ifndef WEFT_TESTS_DETERMINISM_RANDOM_EDITS_H
#define WEFT_TESTS_DETERMINISM_RANDOM_EDITS_H

#include "scene.h"

struct base_hash;

enum edit_kind {
    ADD_CONSTRAINTS,
    SET_CONSTRAINTS,
    REMOVE_CONSTRAINTS,
    SET_BODY,
    SET_PARTICLES,
    PIN,
    UNPIN,
    GRAB_BEGIN,
    GRAB_MOVE,
    GRAB_END,
    ADD_COLLIDER,
    SET_COLLIDER,
    REMOVE_COLLIDER,
    SETTINGS,
    ADD_BODY,
    REMOVE_BODY,
    EDIT_KINDS,
};
extern const char *const random_edit_names[EDIT_KINDS];

// The first so many kinds of constraints are those of the golden hash of the scene `edits`. One more makes the generator draw
// other edits, so this is raised together with the hash.
enum { GOLDEN_KINDS = 5 };

enum { SHEET, HANDKERCHIEF, ROPE, POINTS, BLOCK, FLAG, MESH_COUNT };

struct random_edits {
    struct sim *sim;
    uint64_t seed;
    struct base_hash *digest;
    uint32_t kind_count; // constraints are added of the first so many kinds
    struct scene_mesh meshes[MESH_COUNT];
    uint32_t sheet; // the body that keeps the world large
    uint32_t floor;
    uint32_t last_constraint; // greatest id so far
    uint32_t done[EDIT_KINDS], refused[EDIT_KINDS], failures;
    uint32_t changed; // of these failures: ticks that did not give back the state that they began with
};

extern const struct sim_limits random_edits_limits;

// Adds a body of each mesh and a floor. run->sim, seed (not 0), digest and kind_count are set, all else is 0.
void random_edits_begin(struct random_edits *run);
void random_edits_next(struct random_edits *run); // one edit, which is counted
void random_edits_end(struct random_edits *run);  // releases the meshes

#endif
