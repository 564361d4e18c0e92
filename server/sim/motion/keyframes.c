// Motions: where keyframes take colliders and pins.
//
//   in each tick     target += Q(f(t + 1)) - Q(f(t)),         t the age in ticks
//   in each substep  on the way: Q(f(t + s/n)) - Q(f(t))      after s of n
//   f = offset(t) + (r(t) r(0)^-1 arm + pose(t))              arm: of a pin from the pivot, of a collider none
//   a collider's rotation = r(t) r(0)^-1 ... what it stands at, motions one after the other by id
//
// Q rounds to quanta. The steps of a motion add up to Q(f(t)) - Q(f(0)) exactly, whatever else moves the target
// meanwhile; the rotation that motions make is computed of their age, and never of the one before, so that it does
// not drift either. The same f in substeps as in ticks: a way that has no jump of velocity has none at ticks.
//
// Between two keys, p the part of the time h between them, component by component:
//
//   linear   (1 - p) a + p b
//   cubic    a + (b - a) p^2 (3 - 2p) + h p (1 - p) ((1 - p) m_a - p m_b)      Hermite
//            m = 0 where the slopes d0, d1 of the segments beside a key differ in sign, or it has one only; else
//            (w0 + w1) / (w0/d0 + w1/d1),  w0 = h0 + 2 h1,  w1 = 2 h0 + h1     Fritsch and Butland 1984
//
// so that it never passes beyond its keys and stands between equal ones. A loop from time 0 on has the last segment
// before its first one. Rotations are unit quaternions, each in the hemisphere of the one before, joined component by
// component and made of length 1 again. Constant outside. Only + - * / and square root: the same on every machine.
// A loop whose length is a whole number of ticks takes its age modulo that number, so that it never drifts.

#include "base/search.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/motion/turn.h"

#define TARGET_MAX (INT64_C(1) << 61) // quanta: beyond it targets stay where they are

static double loop_time(const struct sim *sim, const struct sim_motion *motion, uint64_t age, double part)
{
    double rate = sim->settings.tick_rate, end = motion->times[motion->key_count - 1];
    double ticks = end * rate;
    if (ticks <= (double)SIM_AGE_MAX && (double)(uint64_t)ticks == ticks) {
        return ((double)(age % (uint64_t)ticks) + part) / rate;
    }
    double t = ((double)age + part) / rate;
    t -= (double)(uint64_t)(t / end) * end;
    return t > 0 ? t : 0;
}

// One component at all keys, one `width` after the other: doubles, or the floats of poses.
struct track {
    const double *values;
    const float *poses;
    size_t width;
};

static double value_at(const struct track *track, uint32_t key)
{
    return track->values ? track->values[track->width * key] : (double)track->poses[track->width * key];
}

static double slope_of(const struct sim_motion *motion, const struct track *track, uint32_t segment)
{
    return (value_at(track, segment + 1) - value_at(track, segment)) /
           (motion->times[segment + 1] - motion->times[segment]);
}

// At a key; `sign` is that of the last key's values as the first one's neighbours.
static double slope_at(const struct sim_motion *motion, const struct track *track, uint32_t key, double sign)
{
    const double *times = motion->times;
    uint32_t last = motion->key_count - 1, before = key - 1, after = key;
    double d0 = 0, d1 = 0;
    if (key > 0 && key < last) {
        d0 = slope_of(motion, track, before);
        d1 = slope_of(motion, track, after);
    } else if (motion->loop && times[0] == 0) {
        before = last - 1;
        after = 0;
        d0 = slope_of(motion, track, before) * (key == 0 ? sign : 1);
        d1 = slope_of(motion, track, after) * (key == 0 ? 1 : sign);
    }
    if (!(d0 > 0 && d1 > 0) && !(d0 < 0 && d1 < 0)) {
        return 0;
    }
    double h0 = times[before + 1] - times[before], h1 = times[after + 1] - times[after];
    double w0 = h0 + 2 * h1, w1 = 2 * h0 + h1;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

// One component between two keys that follow each other, or at one.
static double join(const struct sim_motion *motion, const struct track *track, uint32_t before,
                   uint32_t after, double part, double sign)
{
    double a = value_at(track, before), b = value_at(track, after);
    if (!motion->cubic || before == after) {
        return (1 - part) * a + part * b;
    }
    double h = motion->times[after] - motion->times[before];
    double from = slope_at(motion, track, before, sign), to = slope_at(motion, track, after, sign);
    return a + (b - a) * (part * part * (3 - 2 * part)) +
           h * (part * (1 - part)) * ((1 - part) * from - part * to);
}

static void turn_at(const struct sim_motion *motion, uint32_t before, uint32_t after, double part,
                    double out[4])
{
    const double *keys = motion->rotations;
    double sign = turn_dot(keys, keys + 4 * (size_t)(motion->key_count - 1)) < 0 ? -1 : 1;
    for (uint32_t i = 0; i < 4; i++) {
        out[i] = join(motion, &(struct track){.values = keys + i, .width = 4}, before, after, part, sign);
    }
    if (!turn_unit(out, 4)) {
        memcpy(out, keys + 4 * (size_t)after, 4 * sizeof *out);
    }
    const double back[4] = {-keys[0], -keys[1], -keys[2], keys[3]};
    turn_product(out, back, out);
    turn_unit(out, 4);
}

static void key_at(const struct sim *sim, const struct sim_motion *motion, uint64_t age, double of_tick,
                   struct sim_key *out)
{
    double t = motion->loop ? loop_time(sim, motion, age, of_tick)
                            : ((double)age + of_tick) / sim->settings.tick_rate;
    uint32_t place; // of the first key after t
    BASE_SEARCH(place, motion->key_count, motion->times[at] <= t);
    uint32_t before = place > 0 ? place - 1 : 0,
             after = place < motion->key_count ? place : motion->key_count - 1;
    double part =
        before == after ? 0 : (t - motion->times[before]) / (motion->times[after] - motion->times[before]);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const struct track track = {.values = motion->offsets + axis, .width = 3};
        out->offset[axis] = join(motion, &track, before, after, part, 1);
    }
    if (motion->rotations) {
        turn_at(motion, before, after, part, out->turn);
    }
    out->before = before;
    out->after = after;
    out->part = part;
}

// Adds what the poses of particle i are at a moment: as join() has it, for many particles in each substep.
static void pose_add(const struct sim_motion *motion, uint32_t i, const struct sim_key *key, double place[3])
{
    const size_t width = 3 * (size_t)motion->particle_count;
    const float *poses = motion->poses + 3 * (size_t)i;
    const float *a = poses + width * key->before, *b = poses + width * key->after;
    for (size_t axis = 0; axis < 3; axis++) {
        const struct track track = {.poses = poses + axis, .width = width};
        place[axis] += motion->cubic ? join(motion, &track, key->before, key->after, key->part, 1)
                                     : (1 - key->part) * (double)a[axis] + key->part * (double)b[axis];
    }
}

// Quanta that a target goes from one moment to another: that of particle i where particles go different ways, else of all.
static void way_between(const struct sim *sim, const struct sim_motion *motion, uint32_t i,
                        const struct sim_key *from, const struct sim_key *to, int64_t way[3])
{
    double a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    if (motion->arms) {
        turn_apply(from->turn, motion->arms + 3 * (size_t)i, a);
        turn_apply(to->turn, motion->arms + 3 * (size_t)i, b);
    }
    if (motion->poses) {
        pose_add(motion, i, from, a);
        pose_add(motion, i, to, b);
    }
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = sim_quantize(to->offset[axis] + b[axis], sim->inv_q) -
                    sim_quantize(from->offset[axis] + a[axis], sim->inv_q);
    }
}

static void target_move(int64_t target[3], int64_t driven[3], const int64_t way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t moved = target[axis] + way[axis];
        if (moved <= TARGET_MAX && moved >= -TARGET_MAX) {
            target[axis] = moved;
            driven[axis] += way[axis];
        }
    }
}

// Calls `each` for the pins that a motion moves, with the way of each.
static void pins_each(const struct sim *sim, const struct sim_drive *drive, const struct sim_key *to,
                      void (*each)(struct sim_pin *pin, const int64_t way[3]))
{
    const struct sim_motion *motion = &drive->motion;
    const struct sim_body *body = sim_body_find(sim, motion->body);
    bool alike = !motion->arms && !motion->poses;
    uint32_t place = 0; // of the pin that is likely to be the next one
    int64_t way[3];
    if (alike) {
        way_between(sim, motion, 0, &drive->start, to, way);
    }
    for (uint32_t i = 0; i < motion->particle_count && body->pin_count > 0; i++) {
        uint32_t index = motion->particles[i];
        bool here = place < body->pin_count && body->pins[place].index == index;
        struct sim_pin *pin = here ? &body->pins[place] : sim_pin_find(body, index);
        if (!pin) {
            continue;
        }
        place = (uint32_t)(pin - body->pins) + 1;
        if (!alike) {
            way_between(sim, motion, i, &drive->start, to, way);
        }
        each(pin, way);
    }
}

static void pin_target(struct sim_pin *pin, const int64_t way[3])
{
    int64_t before[3];
    memcpy(before, pin->driven, sizeof before);
    target_move(pin->to, pin->driven, way);
    for (int axis = 0; axis < 3; axis++) {
        pin->end[axis] += pin->driven[axis] - before[axis];
    }
}

static void pin_drift(struct sim_pin *pin, const int64_t way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        pin->drift[axis] += way[axis];
    }
}

static void drifts_clear(struct sim *sim, bool driven)
{
    static const double none[4] = {0, 0, 0, 1};
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        memset(shape->drift, 0, sizeof shape->drift);
        memcpy(shape->turn, none, sizeof shape->turn);
        if (driven) {
            memset(shape->driven, 0, sizeof shape->driven);
        }
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t p = 0; p < sim->bodies[b]->pin_count; p++) {
            struct sim_pin *pin = &sim->bodies[b]->pins[p];
            memset(pin->drift, 0, sizeof pin->drift);
            if (driven) {
                memset(pin->driven, 0, sizeof pin->driven);
            }
        }
    }
}

static void shape_turn(struct sim_shape *shape, const struct sim_motion *motion, const struct sim_key *key)
{
    if (motion->rotations) {
        turn_product(key->turn, shape->turn, shape->turn);
        turn_unit(shape->turn, 4);
    }
}

void sim_drives_run(struct sim *sim)
{
    sim_shapes_begin(sim);
    drifts_clear(sim, true);
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        struct sim_drive *drive = &sim->drives[d];
        struct sim_motion *motion = &drive->motion;
        struct sim_key to;
        int64_t way[3];
        drive->age = motion->age;
        motion->age += motion->age < SIM_AGE_MAX;
        key_at(sim, motion, drive->age, 0, &drive->start);
        key_at(sim, motion, motion->age, 0, &to);
        if (motion->collider == 0) {
            pins_each(sim, drive, &to, pin_target);
            continue;
        }
        struct sim_shape *shape = sim_shape_find(sim, motion->collider);
        way_between(sim, motion, 0, &drive->start, &to, way);
        target_move(shape->to.position, shape->driven, way);
    }
}

void sim_drives_move(struct sim *sim)
{
    if (sim->drive_count == 0) {
        return;
    }
    bool ends = sim->substep >= sim->settings.substeps;
    double part = (double)sim->substep / sim->settings.substeps;
    drifts_clear(sim, false);
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        const struct sim_drive *drive = &sim->drives[d];
        struct sim_key now;
        int64_t way[3];
        key_at(sim, &drive->motion, ends ? drive->motion.age : drive->age, ends ? 0 : part, &now);
        if (drive->motion.collider == 0) {
            pins_each(sim, drive, &now, pin_drift);
            continue;
        }
        struct sim_shape *shape = sim_shape_find(sim, drive->motion.collider);
        way_between(sim, &drive->motion, 0, &drive->start, &now, way);
        for (int axis = 0; axis < 3; axis++) {
            shape->drift[axis] += way[axis];
        }
        shape_turn(shape, &drive->motion, &now);
    }
}

void sim_drives_stop(struct sim *sim)
{
    drifts_clear(sim, true);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        sim->shapes[s].turned = false;
    }
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        const struct sim_motion *motion = &sim->drives[d].motion;
        struct sim_key now;
        if (motion->collider != 0 && motion->rotations) {
            struct sim_shape *shape = sim_shape_find(sim, motion->collider);
            key_at(sim, motion, motion->age, 0, &now);
            shape_turn(shape, motion, &now);
            shape->turned = true;
        }
    }
}

void sim_drives_give_back(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t p = 0; p < sim->bodies[b]->pin_count; p++) {
            struct sim_pin *pin = &sim->bodies[b]->pins[p];
            for (int axis = 0; axis < 3; axis++) {
                pin->to[axis] -= pin->driven[axis];
                pin->end[axis] -= pin->driven[axis];
            }
        }
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        for (int axis = 0; axis < 3; axis++) {
            shape->to.position[axis] -= shape->driven[axis];
        }
    }
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        sim->drives[d].motion.age = sim->drives[d].age;
    }
    sim_drives_stop(sim);
}

void sim_drives_reset(struct sim *sim)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        struct sim_motion *motion = &sim->drives[d].motion;
        struct sim_key now, start;
        int64_t way[3];
        key_at(sim, motion, motion->age, 0, &now);
        key_at(sim, motion, 0, 0, &start);
        motion->age = 0;
        if (motion->collider != 0) { // pins are at their places again already
            struct sim_shape *shape = sim_shape_find(sim, motion->collider);
            way_between(sim, motion, 0, &now, &start, way);
            target_move(shape->to.position, shape->driven, way);
            memcpy(shape->from.position, shape->to.position, sizeof shape->from.position);
        }
    }
    sim_drives_stop(sim);
}
