// How motions come and go; keyframes.c says where they take things.

#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/motion/turn.h"

#include <stdlib.h>

#define OFFSET_MAX 1000.0 // m, times the scale: a step is at most 2^41 quanta

// ------------------------------------------------------------------------------------------------- coming

static enum fault_code check_keys(const struct sim *sim, const struct sim_motion *motion, struct fault *fault)
{
    if (motion->key_count == 0) {
        return fault_code_set(fault, FAULT_INVALID, "times", "empty; a motion needs at least one keyframe");
    }
    if ((uint64_t)sim->drive_keys + motion->key_count > SIM_MOTION_KEYS_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, "times",
                              "%u keyframes more than the %u there are would pass %d", motion->key_count,
                              sim->drive_keys, SIM_MOTION_KEYS_MAX);
    }
    for (uint32_t k = 0; k < motion->key_count; k++) {
        double time = motion->times[k], last = k > 0 ? motion->times[k - 1] : -1;
        if (!(time > last && time <= 1e6)) {
            return fault_code_set(
                fault, FAULT_INVALID, "times",
                "element %u is %g s; must be 0 or more, above the one before it, and at most 1e+06", k, time);
        }
    }
    const double most = OFFSET_MAX * sim_scale(sim->q);
    for (size_t i = 0; i < 3 * (size_t)motion->key_count; i++) {
        if (!(motion->offsets[i] >= -most && motion->offsets[i] <= most)) {
            return fault_code_set(fault, FAULT_INVALID, "offsets",
                                  "element %u is %g m; must be in [-%g, %g]; " SIM_COARSER, (unsigned)i,
                                  motion->offsets[i], most, most);
        }
    }
    for (uint32_t k = 0; motion->rotations && k < motion->key_count; k++) {
        double turn[4];
        memcpy(turn, motion->rotations + 4 * (size_t)k, sizeof turn);
        if (!turn_unit(turn, 4)) {
            return fault_code_set(fault, FAULT_INVALID, "rotations",
                                  "that of keyframe %u: its length must be between 1e-12 and 1e12", k);
        }
    }
    double ticks = motion->times[motion->key_count - 1] * sim->settings.tick_rate;
    if (motion->loop && !(ticks >= 1)) {
        return fault_code_set(fault, FAULT_INVALID, "times",
                              "a loop of %g s; must last at least a tick, which is %g s",
                              motion->times[motion->key_count - 1], 1.0 / sim->settings.tick_rate);
    }
    return FAULT_NONE;
}

// Numbers of its poses.
static uint64_t pose_count(const struct sim_motion *motion)
{
    return motion->poses ? 3 * (uint64_t)motion->key_count * motion->particle_count : 0;
}

static enum fault_code check_poses(const struct sim *sim, const struct sim_motion *motion,
                                   struct fault *fault)
{
    const uint64_t count = pose_count(motion);
    const double most = OFFSET_MAX * sim_scale(sim->q);
    if (motion->poses && motion->collider != 0) {
        return fault_code_set(fault, FAULT_INVALID, "poses",
                              "are for the particles of a body; a collider has none");
    }
    if (count > SIM_MOTION_POSES_MAX - sim->drive_poses) {
        return fault_code_set(fault, FAULT_LIMIT, "poses",
                              "%llu numbers more than the %u there are would pass %d",
                              (unsigned long long)count, sim->drive_poses, SIM_MOTION_POSES_MAX);
    }
    for (uint64_t i = 0; i < count; i++) {
        double x = (double)motion->poses[i];
        if (!(x >= -most && x <= most)) {
            return fault_code_set(fault, FAULT_INVALID, "poses",
                                  "element %llu is %g m; must be in [-%g, %g]; " SIM_COARSER,
                                  (unsigned long long)i, x, most, most);
        }
    }
    return FAULT_NONE;
}

static enum fault_code check_target(struct sim *sim, const struct sim_motion *motion, struct fault *fault)
{
    if ((motion->collider != 0) == (motion->body != 0)) {
        return fault_code_set(fault, FAULT_INVALID, "collider",
                              "give either a collider or a body, whichever the motion moves");
    }
    if (motion->collider != 0) {
        return sim_shape_find(sim, motion->collider)
                   ? FAULT_NONE
                   : fault_code_set(fault, FAULT_NOT_FOUND, "collider", "collider %u does not exist",
                                    motion->collider);
    }
    const struct sim_body *body = sim_body_find(sim, motion->body);
    if (!body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "body %u does not exist", motion->body);
    }
    if (motion->particle_count == 0) {
        return fault_code_set(fault, FAULT_INVALID, "particles",
                              "empty; a motion moves at least one particle");
    }
    if ((uint64_t)sim->drive_particles + motion->particle_count > sim->limits.particles) {
        return fault_code_set(fault, FAULT_LIMIT, "particles",
                              "%u particles more than the %u that are in motions would pass %u",
                              motion->particle_count, sim->drive_particles, sim->limits.particles);
    }
    uint8_t *seen = calloc(((size_t)body->count + 7) / 8, 1);
    enum fault_code status = !seen ? sim_fault_memory(fault) : FAULT_NONE;
    for (uint32_t i = 0; status == FAULT_NONE && i < motion->particle_count; i++) {
        uint32_t p = motion->particles[i];
        if (p >= sim_nameable(body)) {
            status = fault_code_set(fault, FAULT_INVALID, "particles",
                                    "element %u names particle %u; body %u has %u (0 to %u)", i, p, body->id,
                                    sim_nameable(body), sim_nameable(body) - 1);
        } else if (seen[p / 8] & 1u << p % 8) {
            status =
                fault_code_set(fault, FAULT_INVALID, "particles", "element %u names particle %u again", i, p);
        } else {
            seen[p / 8] |= (uint8_t)(1u << p % 8);
        }
    }
    free(seen);
    return status;
}

static void drive_deinit(struct sim_drive *drive)
{
    free(drive->particles);
    free(drive->times);
    free(drive->offsets);
    free(drive->rotations);
    free(drive->arms);
    free(drive->poses);
}

// Copies rotations, made to have length 1 and each in the hemisphere of the one before. Those that already are so, except for
// rounding, stay as they are.
static void rotations_copy(double *rotations, const double *given, uint32_t count)
{
    memcpy(rotations, given, 4 * (size_t)count * sizeof *rotations);
    for (uint32_t k = 0; k < count; k++) {
        double *turn = rotations + 4 * (size_t)k, length2 = turn_dot(turn, turn);
        if (!(length2 > 1 - 1e-14 && length2 < 1 + 1e-14)) {
            turn_unit(turn, 4);
        }
        bool away = k > 0 && turn_dot(turn, turn - 4) < 0;
        for (int i = 0; i < 4; i++) {
            turn[i] = away ? -turn[i] : turn[i];
        }
    }
}

// The place of particle i of a motion, now or after the edit.
static void place_of(const struct sim *sim, const struct sim_motion *motion, uint32_t i, int64_t x[3])
{
    const struct sim_body *body = sim_body_find(sim, motion->body);
    uint32_t index = motion->particles[i];
    const struct sim_pin *pin = sim_pin_find(body, index);
    memcpy(x, pin ? pin->to : sim->positions[body->first_row + body->row_of[index]], 3 * sizeof *x);
}

// Arms are whole quanta, so that the metres of a document hold them exactly.
static enum fault_code arms_make(const struct sim *sim, const struct sim_motion *motion, double *arms,
                                 struct fault *fault)
{
    const double most = OFFSET_MAX * sim_scale(sim->q);
    int64_t pivot[3], first[3], x[3];
    double sum[3] = {0, 0, 0};
    if (motion->arms) {
        memcpy(arms, motion->arms, 3 * (size_t)motion->particle_count * sizeof *arms);
    }
    place_of(sim, motion, 0, first);
    for (uint32_t i = 0; i < motion->particle_count; i++) {
        place_of(sim, motion, i, x);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += (double)(x[axis] - first[axis]) * sim->q;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        pivot[axis] = motion->pivot
                          ? sim_quantize(motion->pivot[axis], sim->inv_q)
                          : first[axis] + sim_quantize(sum[axis] / motion->particle_count, sim->inv_q);
    }
    for (uint32_t i = 0; i < motion->particle_count; i++) {
        place_of(sim, motion, i, x);
        for (int axis = 0; axis < 3; axis++) {
            double *arm = &arms[3 * (size_t)i + (size_t)axis];
            *arm = motion->arms ? *arm : (double)(x[axis] - pivot[axis]) * sim->q;
            if (!(*arm >= -most && *arm <= most)) {
                return fault_code_set(fault, FAULT_INVALID, motion->arms ? "arms" : "pivot",
                                      "particle %u is %g m from it; must be in [-%g, %g] along each axis",
                                      motion->particles[i], *arm, most, most);
            }
        }
    }
    return FAULT_NONE;
}

static bool drive_init(struct sim_drive *drive, const struct sim_motion *motion)
{
    size_t particles = motion->particle_count, keys = motion->key_count, poses = (size_t)pose_count(motion);
    *drive = (struct sim_drive){
        .motion = *motion,
        .particles = malloc((particles + 1) * sizeof *drive->particles),
        .times = malloc(keys * sizeof *drive->times),
        .offsets = malloc(3 * keys * sizeof *drive->offsets),
        .rotations = malloc(motion->rotations ? 4 * keys * sizeof *drive->rotations : 1),
        .arms = malloc((motion->rotations ? 3 * particles + 1 : 1) * sizeof *drive->arms),
        .poses = malloc((poses + 1) * sizeof *drive->poses),
    };
    if (!drive->particles || !drive->times || !drive->offsets || !drive->rotations || !drive->arms ||
        !drive->poses) {
        drive_deinit(drive);
        return false;
    }
    if (particles > 0) {
        memcpy(drive->particles, motion->particles, particles * sizeof *drive->particles);
    }
    memcpy(drive->times, motion->times, keys * sizeof *drive->times);
    memcpy(drive->offsets, motion->offsets, 3 * keys * sizeof *drive->offsets);
    drive->motion.particles = drive->particles;
    drive->motion.times = drive->times;
    drive->motion.offsets = drive->offsets;
    drive->motion.pivot = NULL;
    drive->motion.arms = NULL;
    if (motion->poses) {
        memcpy(drive->poses, motion->poses, poses * sizeof *drive->poses);
        drive->motion.poses = drive->poses;
    }
    if (motion->rotations) {
        rotations_copy(drive->rotations, motion->rotations, motion->key_count);
        drive->motion.rotations = drive->rotations;
        drive->motion.arms = particles > 0 ? drive->arms : NULL;
    }
    return true;
}

// Checks it against those that stay, and makes it with room among them.
static enum fault_code drive_make(struct sim *sim, const struct sim_motion *given, struct sim_drive *drive,
                                  struct fault *fault)
{
    struct sim_motion motion = *given;
    enum fault_code status = check_target(sim, &motion, fault);
    status = status != FAULT_NONE ? status : check_keys(sim, &motion, fault);
    status = status != FAULT_NONE ? status : check_poses(sim, &motion, fault);
    if (status == FAULT_NONE && motion.age > SIM_AGE_MAX) {
        status = fault_code_set(fault, FAULT_INVALID, "age", "must be at most 2^53 - 1");
    }
    motion.particle_count = motion.collider != 0 ? 0 : motion.particle_count;
    if (status != FAULT_NONE) {
        return status;
    }
    if (!array_reserve(&sim->drives, &sim->drive_capacity, sim->drive_count + 1) ||
        !drive_init(drive, &motion)) {
        return sim_fault_memory(fault);
    }
    if (drive->motion.arms && (status = arms_make(sim, &motion, drive->arms, fault)) != FAULT_NONE) {
        drive_deinit(drive);
    }
    return status;
}

// In the order of ids.
static void drive_insert(struct sim *sim, const struct sim_drive *drive)
{
    struct sim_drive *place = sim->drives + sim->drive_count++;
    for (; place > sim->drives && place[-1].motion.id > drive->motion.id; place--) {
        *place = place[-1];
    }
    *place = *drive;
    sim->drive_keys += drive->motion.key_count;
    sim->drive_particles += drive->motion.particle_count;
    sim->drive_poses += (uint32_t)pose_count(&drive->motion);
    sim_drives_stop(sim);
}

enum fault_code sim_motion_add(struct sim *sim, const struct sim_motion *given, uint32_t *id,
                               struct fault *fault)
{
    struct sim_drive drive;
    if (sim->drive_count >= SIM_MOTIONS_MAX || sim->next_motion == UINT32_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "the world has %u motions, as many as it may",
                              sim->drive_count);
    }
    enum fault_code status = drive_make(sim, given, &drive, fault);
    if (status == FAULT_NONE) {
        drive.motion.id = *id = sim->next_motion++;
        drive_insert(sim, &drive);
    }
    return status;
}

static void drive_remove(struct sim *sim, uint32_t position)
{
    struct sim_drive *drive = &sim->drives[position];
    sim->drive_keys -= drive->motion.key_count;
    sim->drive_particles -= drive->motion.particle_count;
    sim->drive_poses -= (uint32_t)pose_count(&drive->motion);
    drive_deinit(drive);
    memmove(drive, drive + 1, (sim->drive_count - position - 1) * sizeof *drive);
    sim->drive_count--;
}

enum fault_code sim_motion_restore(struct sim *sim, const struct sim_motion *given, struct fault *fault)
{
    struct sim_drive drive;
    uint32_t there = 0;
    if (given->id == 0 || given->id >= sim->next_motion) {
        return fault_code_set(fault, FAULT_INVALID, "motion", "%u; must be above 0 and below the next id, %u",
                              given->id, sim->next_motion);
    }
    while (there < sim->drive_count && sim->drives[there].motion.id != given->id) {
        there++;
    }
    bool lives = there < sim->drive_count;
    if (!lives && sim->drive_count >= SIM_MOTIONS_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "the world has %u motions, as many as it may",
                              sim->drive_count);
    }
    uint32_t keys = lives ? sim->drives[there].motion.key_count : 0;
    uint32_t particles = lives ? sim->drives[there].motion.particle_count : 0;
    uint32_t poses = lives ? (uint32_t)pose_count(&sim->drives[there].motion) : 0;
    sim->drive_keys -= keys; // the one that it takes the place of does not count
    sim->drive_particles -= particles;
    sim->drive_poses -= poses;
    enum fault_code status = drive_make(sim, given, &drive, fault);
    sim->drive_keys += keys;
    sim->drive_particles += particles;
    sim->drive_poses += poses;
    if (status == FAULT_NONE && lives) {
        drive_remove(sim, there);
    }
    if (status == FAULT_NONE) {
        drive_insert(sim, &drive);
    }
    return status;
}

// -------------------------------------------------------------------------------------------------- going

enum fault_code sim_motion_remove(struct sim *sim, uint32_t id, struct fault *fault)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        if (sim->drives[d].motion.id == id) {
            uint32_t collider = sim->drives[d].motion.collider;
            struct sim_shape *shape = collider != 0 ? sim_shape_find(sim, collider) : NULL;
            struct sim_shape before = shape ? *shape : (struct sim_shape){0};
            drive_remove(sim, d);
            sim_drives_stop(sim);
            if (before.turned) { // stays as it is
                sim_shape_turn(&before, before.from.rotation, shape->from.rotation);
                sim_shape_turn(&before, before.to.rotation, shape->to.rotation);
                sim_shape_unturn(shape);
            }
            return FAULT_NONE;
        }
    }
    return fault_code_set(fault, FAULT_NOT_FOUND, "motion", "motion %u does not exist", id);
}

void sim_drives_forget(struct sim *sim, uint32_t collider, uint32_t body)
{
    for (uint32_t d = sim->drive_count; d > 0; d--) {
        const struct sim_motion *motion = &sim->drives[d - 1].motion;
        if (motion->collider == collider && motion->body == body) {
            drive_remove(sim, d - 1);
        }
    }
}

void sim_drives_destroy(struct sim *sim)
{
    while (sim->drive_count > 0) {
        drive_remove(sim, sim->drive_count - 1);
    }
    free(sim->drives);
}

uint32_t sim_motion_count(const struct sim *sim)
{
    return sim->drive_count;
}

void sim_motion_at(const struct sim *sim, uint32_t position, struct sim_motion *motion)
{
    *motion = sim->drives[position].motion;
}

bool sim_collider_driven(const struct sim *sim, uint32_t collider)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        if (sim->drives[d].motion.collider == collider) {
            return true;
        }
    }
    return false;
}
