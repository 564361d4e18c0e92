// Both sides of a joint: where they stand, what pushes and turns them, and how fast they are (kinds/joint.c has the rows).
//
//   side       moves                           turns                       d = anchor of a - anchor of b
//   piece      its row                         its orientation             the anchor is turned with it
//   segment    the two particles, by weights   its orientation             likewise, from a point between both
//   point      one particle, or three          nothing                     the point itself
//   world      nothing                         nothing                     a place
#ifndef WEFT_SIM_KERNELS_JOINT_SIDES_H
#define WEFT_SIM_KERNELS_JOINT_SIDES_H

#include "sim/ground/ground.h"
#include "sim/ground/segment.h"
#include "sim/kernels/joint.h"
#include "sim/kernels/terms.h"
#include "sim/state/jointed.h"
#include "sim/state/state.h"

struct side {
    struct sim_rigid *rigid; // NULL: a point, a segment or the world
    uint32_t segment;        // the row of its orientation; SIM_GONE: it is none
    struct joint_end end;
    double frame[3][3]; // axes of the joint's frame as this side carries it
    double q[4];        // the same as a quaternion
};

struct joint {
    uint32_t *words; // of its lane
    uint32_t rows[SIM_JOINT_CORNERS];
    double shares[3]; // of the second side's corners; all 0: the world, or a piece
    double gives[2];  // of a segment, to bending and to twist
    double inverse[3];
    bool world, asleep;
    bool over; // the substep is: velocities and momenta have taken in what moved and turned
    struct side a, b;
    double d[3];          // m
    double give, weakens; // compliance; what of C a plain stiffness takes
    double inv_h2;
};

SIM_INLINE float *param_of(const struct joint *joint, uint32_t param)
{
    return (float *)(void *)(joint->words + (SIM_JOINT_CORNERS + param) * SIM_LANES);
}

SIM_INLINE double number(const struct joint *joint, uint32_t param)
{
    return (double)*param_of(joint, param);
}

static void numbers(const struct joint *joint, uint32_t param, double *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i] = number(joint, param + i);
    }
}

static void unit_of(const struct sim *sim, uint32_t row, double q[4])
{
    double length2 = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)sim->turns[row].q[i] + (double)sim->joints[row].rest[i];
        length2 += q[i] * q[i];
    }
    const double scale = 1 / __builtin_sqrt(length2);
    for (int i = 0; i < 4; i++) {
        q[i] = q[i] * scale;
    }
}

static void side_stands(const struct sim *sim, const struct joint *joint, uint32_t anchor, uint32_t frame,
                        struct side *side)
{
    double own[4], local[3], q[4] = {0, 0, 0, 1}, inverse[3];
    numbers(joint, frame, own, 4);
    side->end = (struct joint_end){.w = 0};
    if (side->rigid) {
        unit_of(sim, side->rigid->row, q);
        numbers(joint, anchor, local, 3);
        for (int i = 0; i < 3; i++) {
            inverse[i] = (double)side->rigid->inverse_inertia[i];
        }
        joint_inertia(q, inverse, side->end.turns);
        if (side->rigid->skewed) {
            double axes[3][3], turns[3][3];
            sim_axes_of(q, axes);
            sim_rigid_inverse(side->rigid, (const double(*)[3])axes, turns);
            memcpy(side->end.turns, turns, sizeof turns);
        }
        joint_turned(q, local, side->end.arm);
        side->end.w = (double)side->rigid->w;
    } else if (side->segment != SIM_GONE) {
        sim_turn_unit(sim->turns[side->segment].q, q);
        numbers(joint, anchor, local, 3);
        joint_turned(q, local, side->end.arm);
        for (int i = 0; i < 3; i++) {
            side->end.turns[4 * i] = (double)sim->spins[side->segment].w;
        }
    }
    sim_turn_product(q, own, side->q);
    sim_axes_of(side->q, side->frame);
}

// Finds where everything stands now.
static void stands(const struct sim *sim, struct joint *joint)
{
    const uint32_t row = joint->rows[0];
    side_stands(sim, joint, SIM_JOINTED_NEAR, SIM_JOINTED_OWN, &joint->a);
    side_stands(sim, joint, SIM_JOINTED_FAR, SIM_JOINTED_OTHER, &joint->b);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int64_t x = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
        double apart = 0;
        if (joint->world) {
            const double fine = number(joint, SIM_JOINTED_FINE + axis);
            apart = ((double)x * sim->q - number(joint, SIM_JOINTED_FAR + axis)) - fine;
        } else if (joint->b.rigid) {
            apart = (double)(x - sim_whole(sim, joint->rows[1], axis, sim->rows[joint->rows[1]].x[axis])) *
                    sim->q;
        }
        for (int k = 0; k < 3; k++) {
            const uint32_t other = joint->rows[k + 1];
            if (joint->shares[k] > 0) {
                apart += joint->shares[k] *
                         ((double)(x - sim_whole(sim, other, axis, sim->rows[other].x[axis])) * sim->q);
            }
        }
        joint->d[axis] = (apart + joint->a.end.arm[axis]) - joint->b.end.arm[axis];
    }
    for (int k = 0; k < 3; k++) {
        joint->b.end.w += joint->shares[k] * joint->shares[k] * joint->inverse[k];
    }
}

static bool sleeps(const struct sim *sim, uint32_t row)
{
    const struct sim_body *body = sim_body_of_row(sim, row);
    return !body || body->asleep;
}

// False for a hole, and for a joint that has broken.
static bool gather(struct sim *sim, uint32_t *words, struct joint *joint)
{
    *joint =
        (struct joint){.words = words, .weakens = 1, .a = {.segment = SIM_GONE}, .b = {.segment = SIM_GONE}};
    for (uint32_t k = 0; k < SIM_JOINT_CORNERS; k++) {
        joint->rows[k] = words[(size_t)k * SIM_LANES] / SIM_ROW_BYTES;
    }
    joint->a.rigid = sim_rigid_of(sim, joint->rows[0]);
    if (!joint->a.rigid || number(joint, SIM_JOINTED_PARTED) > 0) {
        return false;
    }
    joint->world = joint->rows[1] == joint->rows[0];
    joint->b.rigid = joint->world ? NULL : sim_rigid_of(sim, joint->rows[1]);
    joint->asleep = sleeps(sim, joint->rows[0]) || sleeps(sim, joint->rows[1]);
    if (!joint->world && !joint->b.rigid) {
        numbers(joint, SIM_JOINTED_SHARE, joint->shares + 1, 2);
        joint->shares[0] = (1 - joint->shares[1]) - joint->shares[2];
        for (int k = 0; k < 3; k++) {
            joint->inverse[k] = (double)sim->rows[joint->rows[k + 1]].w;
            joint->asleep = joint->asleep || sleeps(sim, joint->rows[k + 1]);
        }
    }
    if (!joint->world && !joint->b.rigid && sim_jointed_segment(joint->rows)) {
        joint->b.segment = joint->rows[1];
        sim_segment_gives(sim, joint->b.segment, joint->shares[1], joint->gives);
    }
    joint->give = number(joint, SIM_JOINTED_GIVE);
    stands(sim, joint);
    return true;
}

// --------------------------------------------------------------------------------------------------- pushes

static void as_floats(const double v[3], double sign, float out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (float)(sign * v[i]);
    }
}

static void twist_segment(struct sim *sim, uint32_t row, const double torque[3])
{
    const double back[3] = {-torque[0], -torque[1], -torque[2]};
    sim_segment_twist(sim, row, back);
}

// The piece gets the torque, and the second side the opposite.
static void twist(struct sim *sim, struct joint *joint, const double torque[3])
{
    float given[3];
    as_floats(torque, 1, given);
    sim_rigid_twist(sim, joint->a.rigid, given);
    if (joint->b.rigid) {
        as_floats(torque, -1, given);
        sim_rigid_twist(sim, joint->b.rigid, given);
    } else if (joint->b.segment != SIM_GONE) {
        twist_segment(sim, joint->b.segment, torque);
    }
    stands(sim, joint);
}

// Moves a row by an impulse. Both sides are rounded with the same nudge, one against the other, so that what rounding gives to one it takes
// from the other.
static void move(struct sim *sim, uint32_t row, double w, const double impulse[3], double sign,
                 const struct w_nudges *nudges)
{
    for (int axis = 0; axis < 3 && w > 0; axis++) {
        const double way = sign * (w * sim->inv_q * impulse[axis] + (double)nudges->x[axis]);
        int32_t *x = &sim->rows[row].x[axis];
        *x = sim_wrap_add(*x, sim_round((float)way));
    }
}

static void move_piece(struct sim *sim, struct side *side, const double arm[3], const double impulse[3],
                       double sign, const struct w_nudges *nudges)
{
    double torque[3];
    float given[3];
    sim_cross(arm, impulse, torque);
    as_floats(torque, sign, given);
    move(sim, side->rigid->row, (double)side->rigid->w, impulse, sign, nudges);
    sim_rigid_twist(sim, side->rigid, given);
}

// The piece gets the impulse at its anchor, and the second side the opposite, at `arm` if that is a piece or a segment.
static void push(struct sim *sim, struct joint *joint, const double arm[3], const double impulse[3],
                 const struct w_nudges *nudges)
{
    for (int axis = 0; axis < 3; axis++) {
        *param_of(joint, SIM_JOINTED_TALLY + (uint32_t)axis) += sim->under_way ? (float)impulse[axis] : 0;
    }
    move_piece(sim, &joint->a, joint->a.end.arm, impulse, 1, nudges);
    if (joint->b.rigid) {
        move_piece(sim, &joint->b, arm, impulse, -1, nudges);
    } else if (joint->b.segment != SIM_GONE) {
        double torque[3];
        sim_cross(arm, impulse, torque);
        twist_segment(sim, joint->b.segment, torque);
    }
    for (int k = 0; k < 3; k++) {
        move(sim, joint->rows[k + 1], joint->shares[k] * joint->inverse[k], impulse, -1, nudges);
    }
    stands(sim, joint);
}

static void weights_of_turns(const struct joint *joint, double turns[9])
{
    for (int i = 0; i < 9; i++) {
        turns[i] = joint->a.end.turns[i] + joint->b.end.turns[i];
    }
}

// -------------------------------------------------------------------------------------------------- speeds

static void spin_of(const struct sim *sim, const struct side *side, bool over, double spin[3])
{
    double momentum[3];
    const double share = over ? 0 : (double)sim->times.inv_h;
    if (side->segment != SIM_GONE) {
        sim_segment_spin(sim, side->segment, over, spin);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const struct sim_rigid *rigid = side->rigid;
        momentum[i] = rigid ? (double)rigid->momentum[i] + (double)rigid->corrected[i] * share : 0;
    }
    joint_times(side->end.turns, momentum, spin);
}

// The speed at which a point of a piece is going to move along n when this substep is over.
static double point_rate(const struct sim *sim, const struct side *side, bool over, const double arm[3],
                         const double n[3])
{
    double spin[3], rate[3];
    if (!side->rigid) {
        return 0;
    }
    const uint32_t row = side->rigid->row;
    spin_of(sim, side, over, spin);
    sim_cross(spin, arm, rate);
    for (int axis = 0; axis < 3; axis++) {
        const double moved = (double)sim_wrap_sub(sim->rows[row].x[axis], sim->predicted[row].x[axis]);
        rate[axis] += (double)sim->velocities[row].v[axis] + (over ? 0 : moved * (double)sim->times.q_over_h);
    }
    return sim_dot(rate, n);
}

// The same of a point of the second side. If the substep is over, velocities of particles are left to the caller.
static double second_rate(const struct sim *sim, const struct joint *joint, const double arm[3],
                          const double n[3])
{
    double spin[3], rate[3];
    if (joint->b.segment == SIM_GONE) {
        return point_rate(sim, &joint->b, joint->over, arm, n);
    }
    spin_of(sim, &joint->b, joint->over, spin);
    sim_cross(spin, arm, rate);
    for (int k = 0; k < 3 && !joint->over; k++) {
        const uint32_t row = joint->rows[k + 1];
        for (int axis = 0; axis < 3; axis++) {
            const double moved = (double)sim_wrap_sub(sim->rows[row].x[axis], sim->predicted[row].x[axis]);
            const double goes = (double)sim->velocities[row].v[axis] + moved * (double)sim->times.q_over_h;
            rate[axis] += joint->shares[k] * goes;
        }
    }
    return sim_dot(rate, n);
}

// Gives a piece an impulse at its arm, and a segment only what turns it. The substep is over.
static void kick(struct sim *sim, struct side *side, const double arm[3], const double impulse[3],
                 double sign)
{
    double torque[3];
    if (side->segment != SIM_GONE) {
        const double momentum[3] = {sign * impulse[0], sign * impulse[1], sign * impulse[2]};
        sim_cross(arm, momentum, torque);
        sim_segment_kick(sim, side->segment, torque);
    }
    if (!side->rigid || !(side->rigid->w > 0)) {
        return;
    }
    sim_cross(arm, impulse, torque);
    for (int axis = 0; axis < 3; axis++) {
        float *v = &sim->velocities[side->rigid->row].v[axis], *momentum = &side->rigid->momentum[axis];
        *v = (float)((double)*v + sign * (double)side->rigid->w * impulse[axis]);
        *momentum = (float)((double)*momentum + sign * torque[axis]);
    }
    memcpy(sim->spins[side->rigid->row].v, side->rigid->momentum, sizeof side->rigid->momentum);
}

#endif
