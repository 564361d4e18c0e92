// Edits of every kind, each with what takes it back.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_RESTORE_H
#define WEFT_TESTS_UNIT_SIM_HELPER_RESTORE_H

#include "helper_scene.h"

enum restore_choice {
    RESTORE_BODY_ADD,
    RESTORE_BODY_REMOVE,
    RESTORE_BODY_SET,
    RESTORE_LINKS_ADD,
    RESTORE_LINKS_SET,
    RESTORE_OWN_SET,
    RESTORE_REMOVE_SOME, // constraints, loose and own
    RESTORE_REMOVE_MANY, // constraints of a body and kind, so many that it is coloured again
    RESTORE_PARTICLES,
    RESTORE_COLLIDER_ADD,
    RESTORE_COLLIDER_SET,
    RESTORE_COLLIDER_REMOVE,
    RESTORE_MOTION_ADD,
    RESTORE_MOTION_REMOVE,
    RESTORE_RESET,
    RESTORE_SETTINGS,
    RESTORE_CHOICES,
};

enum { RESTORE_IDS = 1024, RESTORE_BODIES = 16 };

struct restore_edit {
    enum restore_choice choice;
    uint64_t seed;
    uint32_t body, collider, motion, id_count, particle_count;
    uint32_t ids[RESTORE_IDS], particles[RESTORE_IDS];
};

// The state before the edit.
struct restore_undo {
    struct sim_settings settings;
    struct sim_next_ids next;
    struct sim_image image;
    struct sim_body_info info;
    struct sim_restore_particles states[2 * RESTORE_BODIES]; // soft pins have one more
    uint32_t state_count;
};

// Bodies of all kinds with loose constraints between them, colliders and motions; the last body is far from all.
struct sim *restore_scene(uint64_t seed);
// Chosen from the things that exist.
struct restore_edit restore_choose(const struct sim *sim, enum restore_choice choice, uint64_t seed);
void restore_take(const struct sim *sim, const struct restore_edit *edit, struct restore_undo *undo);
void restore_undo_deinit(struct restore_undo *undo);
void restore_do(struct sim *sim, const struct restore_edit *edit);
// Things that the edit made are removed first (if nothing else was done since, next ids come back as well).
enum fault_code restore_back(struct sim *sim, const struct restore_edit *edit,
                             const struct restore_undo *undo, struct fault *fault);

#endif
