// Motions: targets that go by keyframes.
//
//   in each tick   target += Q(f(t + 1)) - Q(f(t)),   t the age in ticks
//
// f is linear between the keyframes and constant outside; Q rounds to quanta. The steps of a motion add up to
// Q(f(t)) - Q(f(0)) exactly, whatever else moves the target meanwhile. Only + - * / go into f: the same on every
// machine. A loop whose length is a whole number of ticks takes its age modulo that number, so that it never drifts.

#include "sim/internal.h"

#include <stdlib.h>

#define OFFSET_MAX 1000.0                 // m: a step is at most 2^41 quanta
#define TARGET_MAX (INT64_C(1) << 61)     // quanta: beyond it targets stay where they are
#define AGE_MAX ((UINT64_C(1) << 53) - 1) // ticks: what a double holds

static double loop_time(const struct sim *sim, const struct sim_motion *motion, uint64_t age)
{
    double rate = sim->settings.tick_rate, end = motion->times[motion->key_count - 1];
    double ticks = end * rate;
    if (ticks <= (double)AGE_MAX && (double)(uint64_t)ticks == ticks) {
        return (double)(age % (uint64_t)ticks) / rate;
    }
    double t = (double)age / rate;
    t -= (double)(uint64_t)(t / end) * end;
    return t > 0 ? t : 0;
}

static void offset_at(const struct sim *sim, const struct sim_motion *motion, uint64_t age, int64_t out[3])
{
    double t = motion->loop ? loop_time(sim, motion, age) : (double)age / sim->settings.tick_rate;
    uint32_t low = 0, high = motion->key_count; // first key after t
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (motion->times[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t before = low > 0 ? low - 1 : 0, after = low < motion->key_count ? low : motion->key_count - 1;
    double part =
        before == after ? 0 : (t - motion->times[before]) / (motion->times[after] - motion->times[before]);
    for (int axis = 0; axis < 3; axis++) {
        double a = motion->offsets[3 * (size_t)before + axis], b = motion->offsets[3 * (size_t)after + axis];
        out[axis] = sim_quantize((1 - part) * a + part * b, sim->inv_q);
    }
}

static void target_move(int64_t target[3], const int64_t from[3], const int64_t to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t moved = target[axis] + (to[axis] - from[axis]);
        target[axis] = moved > TARGET_MAX || moved < -TARGET_MAX ? target[axis] : moved;
    }
}

void sim_drives_run(struct sim *sim)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        struct sim_motion *motion = &sim->drives[d].motion;
        int64_t from[3], to[3];
        offset_at(sim, motion, motion->age, from);
        motion->age += motion->age < AGE_MAX;
        offset_at(sim, motion, motion->age, to);
        if (motion->collider != 0) {
            target_move(sim_shape_find(sim, motion->collider)->to.position, from, to);
            continue;
        }
        const struct sim_body *body = sim_body_find(sim, motion->body);
        for (uint32_t i = 0; i < motion->particle_count && body->pin_count > 0; i++) {
            struct sim_pin *pin = sim_pin_find(body, motion->particles[i]);
            if (pin != NULL) {
                target_move(pin->to, from, to);
            }
        }
    }
}

void sim_drives_reset(struct sim *sim)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        struct sim_motion *motion = &sim->drives[d].motion;
        int64_t from[3], to[3];
        offset_at(sim, motion, motion->age, from);
        offset_at(sim, motion, 0, to);
        motion->age = 0;
        if (motion->collider != 0) { // pins are at their places again already
            struct sim_shape *shape = sim_shape_find(sim, motion->collider);
            target_move(shape->to.position, from, to);
            memcpy(shape->from.position, shape->to.position, sizeof shape->from.position);
        }
    }
}

// ------------------------------------------------------------------------------------------------- coming

static enum sim_status check_keys(const struct sim *sim, const struct sim_motion *motion,
                                  struct sim_fault *fault)
{
    if (motion->key_count == 0) {
        return sim_fault_set(fault, SIM_INVALID, "times", "empty; a motion needs at least one keyframe");
    }
    if ((uint64_t)sim->drive_keys + motion->key_count > SIM_MOTION_KEYS_MAX) {
        return sim_fault_set(fault, SIM_LIMIT, "times",
                             "%u keyframes more than the %u there are would pass %d", motion->key_count,
                             sim->drive_keys, SIM_MOTION_KEYS_MAX);
    }
    for (uint32_t k = 0; k < motion->key_count; k++) {
        double time = motion->times[k], last = k > 0 ? motion->times[k - 1] : -1;
        if (!(time > last && time <= 1e6)) {
            return sim_fault_set(
                fault, SIM_INVALID, "times",
                "element %u is %g s; must be 0 or more, above the one before it, and at most 1e+06", k, time);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)motion->key_count; i++) {
        if (!(motion->offsets[i] >= -OFFSET_MAX && motion->offsets[i] <= OFFSET_MAX)) {
            return sim_fault_set(fault, SIM_INVALID, "offsets", "element %u is %g m; must be in [-%g, %g]",
                                 (unsigned)i, motion->offsets[i], OFFSET_MAX, OFFSET_MAX);
        }
    }
    double ticks = motion->times[motion->key_count - 1] * sim->settings.tick_rate;
    if (motion->loop && !(ticks >= 1)) {
        return sim_fault_set(fault, SIM_INVALID, "times",
                             "a loop of %g s; must last at least a tick, which is %g s",
                             motion->times[motion->key_count - 1], 1.0 / sim->settings.tick_rate);
    }
    return SIM_OK;
}

static enum sim_status check_target(struct sim *sim, const struct sim_motion *motion, struct sim_fault *fault)
{
    if ((motion->collider != 0) == (motion->body != 0)) {
        return sim_fault_set(fault, SIM_INVALID, "collider",
                             "give either a collider or a body, whichever the motion moves");
    }
    if (motion->collider != 0) {
        return sim_shape_find(sim, motion->collider) != NULL
                   ? SIM_OK
                   : sim_fault_set(fault, SIM_NOT_FOUND, "collider", "collider %u does not exist",
                                   motion->collider);
    }
    const struct sim_body *body = sim_body_find(sim, motion->body);
    if (body == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "body", "body %u does not exist", motion->body);
    }
    if (motion->particle_count == 0) {
        return sim_fault_set(fault, SIM_INVALID, "particles", "empty; a motion moves at least one particle");
    }
    if ((uint64_t)sim->drive_particles + motion->particle_count > sim->limits.particles) {
        return sim_fault_set(fault, SIM_LIMIT, "particles",
                             "%u particles more than the %u that are in motions would pass %u",
                             motion->particle_count, sim->drive_particles, sim->limits.particles);
    }
    uint8_t *seen = calloc(((size_t)body->count + 7) / 8, 1);
    enum sim_status status = seen == NULL ? sim_fault_memory(fault) : SIM_OK;
    for (uint32_t i = 0; status == SIM_OK && i < motion->particle_count; i++) {
        uint32_t p = motion->particles[i];
        if (p >= body->count) {
            status = sim_fault_set(fault, SIM_INVALID, "particles",
                                   "element %u names particle %u; body %u has %u (0 to %u)", i, p, body->id,
                                   body->count, body->count - 1);
        } else if (seen[p / 8] & 1u << p % 8) {
            status =
                sim_fault_set(fault, SIM_INVALID, "particles", "element %u names particle %u again", i, p);
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
}

static bool drive_init(struct sim_drive *drive, const struct sim_motion *motion)
{
    size_t particles = motion->particle_count, keys = motion->key_count;
    *drive = (struct sim_drive){
        .motion = *motion,
        .particles = malloc((particles + 1) * sizeof *drive->particles),
        .times = malloc(keys * sizeof *drive->times),
        .offsets = malloc(3 * keys * sizeof *drive->offsets),
    };
    if (drive->particles == NULL || drive->times == NULL || drive->offsets == NULL) {
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
    return true;
}

enum sim_status sim_motion_add(struct sim *sim, const struct sim_motion *given, uint32_t *id,
                               struct sim_fault *fault)
{
    struct sim_motion motion = *given;
    struct sim_drive drive;
    if (sim->drive_count >= SIM_MOTIONS_MAX || sim->next_motion == UINT32_MAX) {
        return sim_fault_set(fault, SIM_LIMIT, NULL, "the world has %u motions, as many as it may",
                             sim->drive_count);
    }
    enum sim_status status = check_target(sim, &motion, fault);
    status = status != SIM_OK ? status : check_keys(sim, &motion, fault);
    if (status == SIM_OK && motion.age > AGE_MAX) {
        status = sim_fault_set(fault, SIM_INVALID, "age", "must be at most 2^53 - 1");
    }
    motion.particle_count = motion.collider != 0 ? 0 : motion.particle_count;
    if (status == SIM_OK && (!sim_reserve((void **)&sim->drives, &sim->drive_capacity,
                                          (uint64_t)sim->drive_count + 1, sizeof *sim->drives) ||
                             !drive_init(&drive, &motion))) {
        status = sim_fault_memory(fault);
    }
    if (status != SIM_OK) {
        return status;
    }
    drive.motion.id = *id = sim->next_motion++;
    sim->drives[sim->drive_count++] = drive;
    sim->drive_keys += motion.key_count;
    sim->drive_particles += motion.particle_count;
    return SIM_OK;
}

// -------------------------------------------------------------------------------------------------- going

static void drive_remove(struct sim *sim, uint32_t position)
{
    struct sim_drive *drive = &sim->drives[position];
    sim->drive_keys -= drive->motion.key_count;
    sim->drive_particles -= drive->motion.particle_count;
    drive_deinit(drive);
    memmove(drive, drive + 1, (sim->drive_count - position - 1) * sizeof *drive);
    sim->drive_count--;
}

enum sim_status sim_motion_remove(struct sim *sim, uint32_t id, struct sim_fault *fault)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        if (sim->drives[d].motion.id == id) {
            drive_remove(sim, d);
            return SIM_OK;
        }
    }
    return sim_fault_set(fault, SIM_NOT_FOUND, "motion", "motion %u does not exist", id);
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
