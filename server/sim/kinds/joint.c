// Joint: a rigid piece and what it hangs on: another piece, the world, a particle, a point of a triangle or a segment of a rod.
//
//     d = anchor of the piece - anchor of the second side       each turned with its own piece (state/rigid.h)
//     F, G = the joint's frame as each side carries it; its third axis is the axis
//
//   model      rows, one after the other                                                 (kernels/joint.h)
//   fixed      C = 2 v of the rotation F G^-1 = (v, w), as a block of three
//   hinge      the axes of F and G together, two rows; a limit and a motor of the angle
//   slider     as fixed; the part of d along the axis of G: a limit and a motor; d across it, two rows
//   ball       the axis of F leans from that of G by no more than the limit
//   distance   C = |d| - L past the limits, one row
//   the rest   C = d as a block of three, last
//
// All of what one side gets the other loses: impulses at the anchors, and torques. Where an impulse along the axis of G reaches
// the second side, its arm goes to the anchor of the piece. So both kinds of momentum are kept.
//
// A segment (state/rod.h) is as a piece whose centre is a point of it: impulses go to its two particles, and torques to its
// orientation. The part of it between that point and its middle bends and twists as the rod does. So what a joint asks of the
// orientation is as soft as that, beside the joint's own compliance.
//
// alpha is that of d, and turn_give that of the orientation. Limits and speeds of motors have none. |lam| of a motor is at most its
// torque times h^2, in total. A speed motor compares speeds: omega = A (L + corrected/h) is what a piece is going to have when this substep is
// over.
//
// All constraints of this kind have the serial colour, because a piece and what it hangs on move at once: one thread solves them
// in the order of their ids. Everything is in double, one joint at a time, because there are few.
//
// Source: kernels/joint.h.

#include "sim/kernels/joint_sides.h"
#include "sim/state/kind.h"

// ------------------------------------------------------------------------------------------------ rotation

// The compliance of the orientation over h^2, about the axes of the world: the joint's own and that of the rod, which is less or more
// about the segment's third axis.
static void soft_of(const struct sim *sim, const struct joint *joint, double soft[9])
{
    double q[4], axes[3][3];
    sim_turn_unit(sim->turns[joint->b.segment].q, q);
    sim_axes_of(q, axes);
    const double bends = number(joint, SIM_JOINTED_TURN_GIVE) + joint->gives[0],
                 more = joint->gives[1] - joint->gives[0];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            soft[3 * row + column] =
                ((row == column ? bends : 0) + (axes[2][row] * more) * axes[2][column]) * joint->inv_h2;
        }
    }
}

static void add_lam(const struct joint *joint, uint32_t param, const double step[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        *param_of(joint, param + i) = (float)(number(joint, param + i) + step[i]);
    }
}

static void hold_turned(struct sim *sim, struct joint *joint)
{
    double c[3], turns[9], lam[3], step[3];
    joint_apart(joint->a.q, joint->b.q, c);
    weights_of_turns(joint, turns);
    numbers(joint, SIM_JOINTED_LAM_TURN, lam, 3);
    double at = number(joint, SIM_JOINTED_TURN_GIVE) * joint->inv_h2;
    if (joint->b.segment != SIM_GONE) {
        double soft[9], back[3];
        soft_of(sim, joint, soft);
        joint_times(soft, lam, back);
        for (int i = 0; i < 9; i++) {
            turns[i] += soft[i];
            c[i / 3] += i % 3 == 0 ? back[i / 3] : 0;
        }
        at = 0;
    }
    if (joint_block(turns, at, c, lam, step)) {
        add_lam(joint, SIM_JOINTED_LAM_TURN, step);
        twist(sim, joint, step);
    }
}

static void hold_axis(struct sim *sim, struct joint *joint)
{
    double c[2], turns[9], soft[9], lam[2], torque[3];
    weights_of_turns(joint, turns);
    numbers(joint, SIM_JOINTED_LAM_TURN, lam, 2);
    const bool segment = joint->b.segment != SIM_GONE;
    if (segment) {
        soft_of(sim, joint, soft);
        for (int i = 0; i < 9; i++) {
            turns[i] += soft[i];
        }
    }
    joint_hinge(turns, segment ? soft : NULL, joint->a.frame[2], (const double(*)[3])joint->b.frame,
                segment ? 0 : number(joint, SIM_JOINTED_TURN_GIVE) * joint->inv_h2, lam, c, torque);
    for (uint32_t i = 0; i < 2; i++) {
        *param_of(joint, SIM_JOINTED_LAM_TURN + i) = (float)lam[i];
    }
    twist(sim, joint, torque);
}

// A row about the unit vector n by a step of its multiplier.
static void twist_about(struct sim *sim, struct joint *joint, const double n[3], double step)
{
    const double torque[3] = {n[0] * step, n[1] * step, n[2] * step};
    twist(sim, joint, torque);
}

// The part of a step of a limit that pushes back to within it, given C.
static double limit_step(struct joint *joint, double c, double weight)
{
    float *lam = param_of(joint, SIM_JOINTED_LAM_LIMIT);
    const double before = (double)*lam;
    double total = before + joint_row(c, 0, before, weight);
    total = c > 0 ? (total < 0 ? total : 0) : (total > 0 ? total : 0);
    *lam = (float)total;
    return total - before;
}

static double motor_step(struct joint *joint, double c, double at, double weight)
{
    float *lam = param_of(joint, SIM_JOINTED_LAM_MOTOR);
    const double before = (double)*lam, most = number(joint, SIM_JOINTED_MOST) / joint->inv_h2;
    double step = joint_row(c, at, before, weight);
    step = most > 0 ? joint_cut(before, step, most) : step;
    *lam = (float)(before + step);
    return step;
}

static double turn_rate(const struct sim *sim, const struct joint *joint, const double n[3])
{
    double of_a[3], of_b[3];
    spin_of(sim, &joint->a, joint->over, of_a);
    spin_of(sim, &joint->b, joint->over, of_b);
    return sim_dot(of_a, n) - sim_dot(of_b, n);
}

// The weight of a row about n whose anchors are held after it.
static double weight_about(const struct joint *joint, const double n[3])
{
    double k[9] = {0}, g[3] = {0}, turned[3], moved[3];
    for (int side = 0; side < 2; side++) {
        const struct joint_end *end = side ? &joint->b.end : &joint->a.end;
        joint_matrix(end, k);
        joint_times(end->turns, n, turned);
        sim_cross(turned, end->arm, moved);
        for (int i = 0; i < 3; i++) {
            g[i] += moved[i];
        }
    }
    const double weight = joint_about(&joint->a.end, n) + joint_about(&joint->b.end, n);
    return joint_left(weight, k, joint->give * joint->inv_h2, g);
}

static void hinge_angle(const struct joint *joint, double angle[2])
{
    joint_angle(joint->a.frame[2], joint->a.frame[0], joint->b.frame[0], angle);
}

static void hinge_moves(struct sim *sim, struct joint *joint)
{
    double angle[2], ends[4], aim[2];
    const uint32_t motor = (uint32_t)number(joint, SIM_JOINTED_MOTOR);
    if (motor != SIM_MOTOR_NONE) {
        double c, at = 0;
        if (motor == SIM_MOTOR_SPEED) {
            const double rate = turn_rate(sim, joint, joint->a.frame[2]);
            c = (rate - number(joint, SIM_JOINTED_TARGET)) * (double)sim->times.h;
        } else {
            numbers(joint, SIM_JOINTED_AIM, aim, 2);
            hinge_angle(joint, angle);
            c = joint_past(angle, aim);
            at = number(joint, SIM_JOINTED_MOTOR_GIVE) * joint->inv_h2;
        }
        twist_about(sim, joint, joint->a.frame[2],
                    motor_step(joint, c, at, weight_about(joint, joint->a.frame[2])));
    }
    if (number(joint, SIM_JOINTED_LIMITED) > 0) {
        numbers(joint, SIM_JOINTED_MIDDLE, ends, 4);
        hinge_angle(joint, angle);
        const double c = joint_beyond(angle, ends, ends + 2);
        if (c > 0 || c < 0) {
            twist_about(sim, joint, joint->a.frame[2],
                        limit_step(joint, c, weight_about(joint, joint->a.frame[2])));
        }
    }
}

// A ball whose axis leans too far.
static void ball_leans(struct sim *sim, struct joint *joint)
{
    double e[3], n[3], ends[4];
    numbers(joint, SIM_JOINTED_MIDDLE, ends, 4);
    sim_cross(joint->b.frame[2], joint->a.frame[2], e);
    const double sine = __builtin_sqrt(sim_dot(e, e));
    const double angle[2] = {sim_dot(joint->b.frame[2], joint->a.frame[2]), sine};
    if (!(sine > 1e-9)) {
        return;
    }
    // The limits are 0 and the greatest angle, so their middle and half are the same: half of it.
    const double c = joint_beyond(angle, ends, ends + 2);
    if (c > 0) {
        for (int i = 0; i < 3; i++) {
            n[i] = e[i] / sine;
        }
        twist_about(sim, joint, n, limit_step(joint, c, weight_about(joint, n)));
    }
}

// ------------------------------------------------------------------------------------------------- anchors

static void hold_anchors(struct sim *sim, struct joint *joint, const struct w_nudges *nudges)
{
    double k[9] = {0}, c[3], lam[3], step[3];
    for (int i = 0; i < 3; i++) {
        c[i] = joint->weakens * joint->d[i];
    }
    joint_matrix(&joint->a.end, k);
    joint_matrix(&joint->b.end, k);
    numbers(joint, SIM_JOINTED_LAM, lam, 3);
    if (joint_block(k, joint->give * joint->inv_h2, c, lam, step)) {
        add_lam(joint, SIM_JOINTED_LAM, step);
        push(sim, joint, joint->b.end.arm, step, nudges);
    }
}

// The arm of the second side up to the anchor of the piece.
static void long_arm(const struct joint *joint, double arm[3])
{
    for (int i = 0; i < 3; i++) {
        arm[i] = joint->b.end.arm[i] + joint->d[i];
    }
}

static double weight_along(const struct joint *joint, const double arm[3], const double n[3])
{
    return joint_along(&joint->a.end, joint->a.end.arm, n) + joint_along(&joint->b.end, arm, n);
}

// The weight of a row along n of a slider, whose orientation is held after it.
static double weight_sliding(const struct joint *joint, const double arm[3], const double n[3])
{
    double turns[9], lever[3], g[3], other[3];
    sim_cross(joint->a.end.arm, n, lever);
    joint_times(joint->a.end.turns, lever, g);
    sim_cross(arm, n, lever);
    joint_times(joint->b.end.turns, lever, other);
    for (int i = 0; i < 3; i++) {
        g[i] += other[i];
    }
    weights_of_turns(joint, turns);
    return joint_left(weight_along(joint, arm, n), turns,
                      number(joint, SIM_JOINTED_TURN_GIVE) * joint->inv_h2, g);
}

static void push_along(struct sim *sim, struct joint *joint, const double arm[3], const double n[3],
                       double step, const struct w_nudges *nudges)
{
    const double impulse[3] = {n[0] * step, n[1] * step, n[2] * step};
    push(sim, joint, arm, impulse, nudges);
}

static void slider_moves(struct sim *sim, struct joint *joint, const struct w_nudges *nudges)
{
    const uint32_t motor = (uint32_t)number(joint, SIM_JOINTED_MOTOR);
    double arm[3], n[3];
    if (motor != SIM_MOTOR_NONE) {
        double c, at = 0;
        long_arm(joint, arm);
        memcpy(n, joint->b.frame[2], sizeof n);
        if (motor == SIM_MOTOR_SPEED) {
            const double rate = point_rate(sim, &joint->a, joint->over, joint->a.end.arm, n) -
                                second_rate(sim, joint, arm, n);
            c = (rate - number(joint, SIM_JOINTED_TARGET)) * (double)sim->times.h;
        } else {
            c = sim_dot(joint->d, n) - number(joint, SIM_JOINTED_TARGET);
            at = number(joint, SIM_JOINTED_MOTOR_GIVE) * joint->inv_h2;
        }
        push_along(sim, joint, arm, n, motor_step(joint, c, at, weight_sliding(joint, arm, n)), nudges);
    }
    if (number(joint, SIM_JOINTED_LIMITED) > 0) {
        memcpy(n, joint->b.frame[2], sizeof n);
        const double at = sim_dot(joint->d, n);
        const double past = at - number(joint, SIM_JOINTED_HIGH), below = at - number(joint, SIM_JOINTED_LOW);
        const double c = past > 0 ? past : below < 0 ? below : 0;
        if (c > 0 || c < 0) {
            long_arm(joint, arm);
            push_along(sim, joint, arm, n, limit_step(joint, c, weight_sliding(joint, arm, n)), nudges);
        }
    }
}

// d across the axis of the second side.
static void hold_across(struct sim *sim, struct joint *joint, const struct w_nudges *nudges)
{
    double arm[3], k[3], c[2], lam[2], step[2], levers[2][3], turned[3], impulse[3];
    const double(*u)[3] = (const double(*)[3])joint->b.frame;
    long_arm(joint, arm);
    k[0] = k[2] = joint->a.end.w + joint->b.end.w;
    k[1] = 0;
    for (int side = 0; side < 2; side++) {
        const struct joint_end *end = side ? &joint->b.end : &joint->a.end;
        sim_cross(side ? arm : end->arm, u[0], levers[0]);
        sim_cross(side ? arm : end->arm, u[1], levers[1]);
        joint_times(end->turns, levers[0], turned);
        k[0] += sim_dot(levers[0], turned);
        k[1] += sim_dot(levers[1], turned);
        joint_times(end->turns, levers[1], turned);
        k[2] += sim_dot(levers[1], turned);
    }
    c[0] = joint->weakens * sim_dot(joint->d, u[0]);
    c[1] = joint->weakens * sim_dot(joint->d, u[1]);
    numbers(joint, SIM_JOINTED_LAM, lam, 2);
    joint_pair(k, joint->give * joint->inv_h2, c, lam, step);
    for (int i = 0; i < 3; i++) {
        impulse[i] = u[0][i] * step[0] + u[1][i] * step[1];
    }
    *param_of(joint, SIM_JOINTED_LAM) = (float)(lam[0] + step[0]);
    *param_of(joint, SIM_JOINTED_LAM + 1) = (float)(lam[1] + step[1]);
    push(sim, joint, arm, impulse, nudges);
}

static void hold_length(struct sim *sim, struct joint *joint, const struct w_nudges *nudges)
{
    const double length = __builtin_sqrt(sim_dot(joint->d, joint->d));
    const double past = length - number(joint, SIM_JOINTED_HIGH),
                 below = length - number(joint, SIM_JOINTED_LOW);
    const double at = joint->give * joint->inv_h2, lam = number(joint, SIM_JOINTED_LAM);
    const double c = past > 0 ? past : below < 0 ? below : 0;
    if (!(length > 0) || number(joint, SIM_JOINTED_LIMITED) == 0 || (c == 0 && lam == 0)) {
        return;
    }
    const double n[3] = {joint->d[0] / length, joint->d[1] / length, joint->d[2] / length};
    const double weight = weight_along(joint, joint->b.end.arm, n);
    const double step = joint_row(joint->weakens * c, at, lam, weight);
    *param_of(joint, SIM_JOINTED_LAM) = (float)(lam + step);
    push_along(sim, joint, joint->b.end.arm, n, step, nudges);
}

// Rows that hold are done before limits and motors as well. Else a motor would know nothing of a weight that hangs on it.
static void project(struct sim *sim, struct joint *joint, const struct w_nudges *nudges)
{
    const uint32_t model = (uint32_t)number(joint, SIM_JOINTED_MODEL);
    const bool moves = number(joint, SIM_JOINTED_MOTOR) > 0 || number(joint, SIM_JOINTED_LIMITED) > 0;
    if (model == SIM_JOINT_DISTANCE) {
        hold_length(sim, joint, nudges);
        return;
    }
    if (model == SIM_JOINT_SLIDER) {
        hold_turned(sim, joint);
        if (moves) {
            hold_across(sim, joint, nudges);
            slider_moves(sim, joint, nudges);
            hold_turned(sim, joint);
        }
        hold_across(sim, joint, nudges);
        return;
    }
    if (model == SIM_JOINT_FIXED) {
        hold_turned(sim, joint);
    } else if (model == SIM_JOINT_HINGE) {
        hold_axis(sim, joint);
    }
    if (moves) {
        hold_anchors(sim, joint, nudges);
        if (model == SIM_JOINT_HINGE) {
            hinge_moves(sim, joint);
        } else {
            ball_leans(sim, joint);
        }
    }
    hold_anchors(sim, joint, nudges);
}

// The greatest distance that low words have to tell apart, quanta.
static float span_of(const struct sim *sim, const struct joint *joint)
{
    double greatest = 0;
    for (uint32_t k = 1; k < SIM_JOINT_CORNERS; k++) {
        double square = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double apart =
                (double)sim_wrap_sub(sim->rows[joint->rows[k]].x[axis], sim->rows[joint->rows[0]].x[axis]);
            square += apart * apart;
        }
        greatest = square > greatest ? square : greatest;
    }
    return (float)__builtin_sqrt(greatest);
}

SIM_INLINE void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                    enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = first; i < end; i++) {
        const uint32_t index = tile->order[i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const uint32_t id = sim_batch_ids(store, index)[lane];
            struct joint joint;
            if (id == 0 || !gather(sim, sim_batch_words(store, index) + lane, &joint) || joint.asleep) {
                continue;
            }
            const float span = span_of(sim, &joint);
            tile->longest = span > tile->longest ? span : tile->longest;
            joint.inv_h2 = (double)sim->times.inv_h2;
            if (flavor == SIM_STIFF) {
                joint.weakens = joint.give;
                joint.give = 0;
            }
            for (uint32_t p = SIM_JOINTED_LAM; sim->iteration == 0 && p < SIM_JOINTED_GIVE; p++) {
                *param_of(&joint, p) = 0;
            }
            const struct w_nudges nudges =
                w_nudges_from(sim->times.turn, tile->seed + id, sim_batch_meta(store, index)->color, W_JOINT);
            project(sim, &joint, &nudges);
            for (uint32_t m = 0; kept && m < 3; m++) {
                sim_multipliers_of(store, index, m)[lane] = *param_of(&joint, SIM_JOINTED_LAM + m);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------- damping

// A damper along n of the anchors' velocities, implicit.
static void damp_along(struct sim *sim, struct joint *joint, const double arm[3], const double n[3],
                       double share)
{
    double rate =
        point_rate(sim, &joint->a, joint->over, joint->a.end.arm, n) - second_rate(sim, joint, arm, n);
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3 && joint->shares[k] > 0; axis++) {
            rate -= joint->shares[k] * (double)sim->velocities[joint->rows[k + 1]].v[axis] * n[axis];
        }
    }
    const double step = -(share * rate) / (1 + share * weight_along(joint, arm, n));
    const double impulse[3] = {n[0] * step, n[1] * step, n[2] * step};
    kick(sim, &joint->a, joint->a.end.arm, impulse, 1);
    kick(sim, &joint->b, arm, impulse, -1);
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            float *v = &sim->velocities[joint->rows[k + 1]].v[axis];
            const double given = joint->shares[k] * joint->inverse[k] * impulse[axis];
            *v = joint->shares[k] > 0 ? (float)((double)*v - given) : *v;
        }
    }
}

static void damp_about(struct sim *sim, struct joint *joint, const double n[3], double share)
{
    const double weight = joint_about(&joint->a.end, n) + joint_about(&joint->b.end, n);
    const double step = -(share * turn_rate(sim, joint, n)) / (1 + share * weight);
    for (int side = 0; side < 2; side++) {
        struct sim_rigid *rigid = side ? joint->b.rigid : joint->a.rigid;
        for (int axis = 0; axis < 3 && rigid && rigid->w > 0; axis++) {
            rigid->momentum[axis] = (float)((double)rigid->momentum[axis] + (side ? -step : step) * n[axis]);
            sim->spins[rigid->row].v[axis] = rigid->momentum[axis];
        }
    }
    if (joint->b.segment != SIM_GONE) {
        const double back[3] = {-step * n[0], -step * n[1], -step * n[2]};
        sim_segment_kick(sim, joint->b.segment, back);
    }
}

// Damps what the joint leaves free: turning of a hinge and a ball, moving of a slider and a distance; of a fixed one what its
// compliance lets turn.
static void damp_joint(struct sim *sim, struct joint *joint, double share)
{
    const uint32_t model = (uint32_t)number(joint, SIM_JOINTED_MODEL);
    double arm[3], n[3];
    if (model == SIM_JOINT_HINGE) {
        damp_about(sim, joint, joint->a.frame[2], share);
    } else if (model == SIM_JOINT_SLIDER) {
        long_arm(joint, arm);
        damp_along(sim, joint, arm, joint->b.frame[2], share);
    } else if (model == SIM_JOINT_DISTANCE) {
        const double length = __builtin_sqrt(sim_dot(joint->d, joint->d));
        for (int i = 0; i < 3 && length > 0; i++) {
            n[i] = joint->d[i] / length;
        }
        if (length > 0) {
            damp_along(sim, joint, joint->b.end.arm, n, share);
        }
    } else {
        for (int axis = 0; axis < 3; axis++) {
            const double unit[3] = {axis == 0, axis == 1, axis == 2};
            damp_about(sim, joint, unit, share);
        }
    }
}

static void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            struct joint joint;
            if (sim_batch_ids(store, tile->order[i])[lane] != 0 &&
                gather(sim, sim_batch_words(store, tile->order[i]) + lane, &joint) && !joint.asleep) {
                joint.over = true;
                const double beta = (double)sim_batch_damping(store, tile->order[i])[lane];
                damp_joint(sim, &joint, beta * (double)sim->times.h);
            }
        }
    }
}

// The energy of the orientation of a joint to a segment, about whose third axis it is another one.
static double segment_energy(const struct sim *sim, const struct joint *joint)
{
    double q[4], axes[3][3], c[3], sum = 0;
    sim_turn_unit(sim->turns[joint->b.segment].q, q);
    sim_axes_of(q, axes);
    joint_apart(joint->a.q, joint->b.q, c);
    for (int k = 0; k < 3; k++) {
        const double give = number(joint, SIM_JOINTED_TURN_GIVE) + joint->gives[k == 2];
        const double own = sim_dot(axes[k], c);
        sum += give > 0 ? own * own / (2 * give) : 0;
    }
    return sum;
}

// The energy of the compliances: that of the anchors, and that of the orientation of a fixed joint and a slider.
static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    (void)multipliers; // a body brings none, so no body's convergence asks for their share
    (void)far;         // whole coordinates are compared
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        struct joint joint;
        terms->energy[lane] = 0;
        // Nothing is written.
        if (!gather((struct sim *)(uintptr_t)sim, (uint32_t *)(uintptr_t)(batch + lane), &joint)) {
            continue;
        }
        const uint32_t model = (uint32_t)number(&joint, SIM_JOINTED_MODEL);
        double c[3], square = sim_dot(joint.d, joint.d);
        if (model == SIM_JOINT_DISTANCE) {
            const double length = __builtin_sqrt(square), past = length - number(&joint, SIM_JOINTED_HIGH),
                         below = length - number(&joint, SIM_JOINTED_LOW);
            square = past > 0 ? past * past : below < 0 ? below * below : 0;
        } else if (model == SIM_JOINT_SLIDER) {
            const double along = sim_dot(joint.d, joint.b.frame[2]);
            square -= along * along;
        }
        terms->energy[lane] += joint.give > 0 ? square / (2 * joint.give) : 0;
        const double turn_give = number(&joint, SIM_JOINTED_TURN_GIVE);
        if (joint.b.segment != SIM_GONE && (model == SIM_JOINT_FIXED || model == SIM_JOINT_SLIDER)) {
            terms->energy[lane] += segment_energy(sim, &joint);
        } else if (turn_give > 0 && (model == SIM_JOINT_FIXED || model == SIM_JOINT_SLIDER)) {
            joint_apart(joint.a.q, joint.b.q, c);
            terms->energy[lane] += sim_dot(c, c) / (2 * turn_give);
        }
    }
}

SIM_RUNS(sim_joint_runs, run, damp, tell)

#if WIDE == 1
// constraint/constraint_jointed.c makes them, and knows which params can be theirs.
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    (void)offsets;
    (void)q;
    (void)params;
    return true;
}

static bool valid(const uint32_t *rows, const float *params, double q)
{
    (void)q;
    return sim_joint_row_valid(rows, params);
}

const struct sim_kind_row sim_joint_row = {
    .name = "joint",
    .stencil = SIM_JOINT_CORNERS,
    .param_count = SIM_JOINTED_PARAMS,
    .scratch_count = SIM_JOINTED_SCRATCH,
    .multiplier_count = 3,
    .part = SIM_PART_STRETCH,
    .parted_param = SIM_JOINTED_PARTED,
    .serial = true,
    .shape_count = SIM_JOINTED_PARAMS,
    .valid = valid,
    .at_rest = at_rest,
};
#endif
