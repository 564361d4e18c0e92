// The mathematics of rigid pieces: inertia, orientations, pushes; and the list of pieces.
//
// Sums are made in doubles, and what is stored is rounded once. An orientation keeps what its quantum of 2^-30 cuts off, in
// joints[row].rest: without that, a body that turns about its middle axis would turn over at times that are 0.3 % off within ten seconds,
// and one that turns slowly would turn too slowly.

#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <stdlib.h>

// rad: a step turns no farther. The speed of what turns faster is right, and its orientation lags behind.
#define STEP_MAX 2.0
// Beyond this nothing is known of a turn, and there is none.
#define STEP_BEYOND 1e200

// -------------------------------------------------------------------------------------------------- shapes

enum fault_code sim_rigid_shape_check(const struct sim_rigid_shape *shape, double resolution,
                                      struct fault *fault)
{
    if (shape->form != SIM_RIGID_COMPOUND) {
        return sim_rigid_simple_check(shape, resolution, fault);
    }
    struct sim_rigid_compound *compound = NULL;
    const enum fault_code status = sim_rigid_compound_make(shape, resolution, &compound, fault);
    sim_rigid_compound_destroy(compound);
    return status;
}

void sim_rigid_measure(struct sim_rigid_own *own)
{
    if (own->shape.form == SIM_RIGID_COMPOUND) {
        sim_rigid_compound_measure(own);
    } else {
        sim_rigid_simple_measure(own);
    }
}

// -------------------------------------------------------------------------------------------- orientations

void sim_rigid_orientation(const struct sim *sim, uint32_t row, double q[4])
{
    for (int i = 0; i < 4; i++) {
        q[i] = ((double)sim->turns[row].q[i] + (double)sim->joints[row].rest[i]) * SIM_TURN_QUANTUM;
    }
}

// Turns v by q, or back.
static void rotate(const double q[4], const double v[3], bool back, double out[3])
{
    const double w = back ? -q[3] : q[3];
    double t[3], u[3];
    sim_cross(q, v, t);
    for (int i = 0; i < 3; i++) {
        t[i] = t[i] + t[i];
    }
    sim_cross(q, t, u);
    for (int i = 0; i < 3; i++) {
        out[i] = (v[i] + w * t[i]) + u[i];
    }
}

// The inverse inertia of the world times v.
static void world_inverse(const double q[4], const struct sim_rigid *rigid, const double v[3], double out[3])
{
    double own[3], turned[3];
    rotate(q, v, true, own);
    sim_rigid_yields(rigid, own, turned);
    rotate(q, turned, false, out);
}

// The same of a piece of the body, along its own axes. w: its inverse mass, 1/kg.
static void body_yields(const struct sim_rigid_own *rigid, double w, const double v[3], double out[3])
{
    if (rigid->skewed) {
        sim_symmetric(rigid->inverse, rigid->inverse_skew, v, out);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = rigid->skewed ? out[i] * w : v[i] * (w / rigid->inertia[i]);
    }
}

// q turned by the vector theta, of length 1. False if it stays as it is.
static bool cayley(const double q[4], const double theta[3], double out[4])
{
    const double size2 = sim_dot(theta, theta);
    if (!(size2 > 0 && size2 < STEP_BEYOND)) {
        return false;
    }
    const double half = size2 > STEP_MAX * STEP_MAX ? 0.5 * STEP_MAX / __builtin_sqrt(size2) : 0.5;
    const double h[3] = {theta[0] * half, theta[1] * half, theta[2] * half};
    double across[3];
    sim_cross(h, q, across);
    for (int i = 0; i < 3; i++) {
        out[i] = (q[i] + h[i] * q[3]) + across[i];
    }
    out[3] = q[3] - sim_dot(h, q);
    const double length2 = (out[0] * out[0] + out[1] * out[1]) + (out[2] * out[2] + out[3] * out[3]);
    if (!(length2 > 0)) {
        return false;
    }
    const double scale = 1 / __builtin_sqrt(length2);
    for (int i = 0; i < 4; i++) {
        out[i] = out[i] * scale;
    }
    return true;
}

static void turn_to(struct sim *sim, uint32_t row, const double q[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        const double all = q[i] * (double)SIM_TURN_ONE;
        const int64_t whole = sim_quantize(all, 1);
        sim->turns[row].q[i] = (int32_t)whole;
        sim->joints[row].rest[i] = (float)(all - (double)whole);
    }
}

static void turn_by(struct sim *sim, uint32_t row, const double theta[3])
{
    double q[4], to[4];
    sim_rigid_orientation(sim, row, q);
    if (cayley(q, theta, to)) {
        turn_to(sim, row, to);
    }
}

static void spin_of(const double q[4], const struct sim_rigid *rigid, double h, double theta[3])
{
    const double momentum[3] = {(double)rigid->momentum[0], (double)rigid->momentum[1],
                                (double)rigid->momentum[2]};
    world_inverse(q, rigid, momentum, theta);
    for (int i = 0; i < 3; i++) {
        theta[i] = theta[i] * h;
    }
}

void sim_rigid_go(struct sim *sim, const struct sim_rigid *rigid, double h)
{
    double q[4], half[4], theta[3], to[4];
    sim_rigid_orientation(sim, rigid->row, q);
    spin_of(q, rigid, 0.5 * h, theta);
    if (cayley(q, theta, half)) {
        spin_of(half, rigid, h, theta);
        if (cayley(q, theta, to)) {
            turn_to(sim, rigid->row, to);
        }
    }
}

// ------------------------------------------------------------------------------------------------- pushes

static void as_doubles(const float v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (double)v[i];
    }
}

void sim_rigid_turned_by(const struct sim *sim, const struct sim_rigid *rigid, const float v[3], float out[3])
{
    double q[4], given[3], turned[3];
    sim_rigid_orientation(sim, rigid->row, q);
    as_doubles(v, given);
    world_inverse(q, rigid, given, turned);
    for (int i = 0; i < 3; i++) {
        out[i] = (float)turned[i];
    }
}

void sim_rigid_inverse(const struct sim_rigid *rigid, const double axes[3][3], double inverse[3][3])
{
    for (int k = 0; k < 3; k++) {
        const double own[3] = {axes[0][k], axes[1][k], axes[2][k]};
        double turned[3];
        sim_rigid_yields(rigid, own, turned);
        for (int i = 0; i <= k; i++) {
            inverse[i][k] = inverse[k][i] =
                (turned[0] * axes[0][i] + turned[1] * axes[1][i]) + turned[2] * axes[2][i];
        }
    }
}

static void twist(struct sim *sim, struct sim_rigid *rigid, const double torque[3])
{
    double q[4], theta[3];
    if (!(rigid->w > 0)) {
        return;
    }
    sim_rigid_orientation(sim, rigid->row, q);
    world_inverse(q, rigid, torque, theta);
    turn_by(sim, rigid->row, theta);
    for (int i = 0; i < 3; i++) {
        rigid->corrected[i] += (float)torque[i];
    }
}

void sim_rigid_twist(struct sim *sim, struct sim_rigid *rigid, const float torque[3])
{
    double t[3];
    as_doubles(torque, t);
    twist(sim, rigid, t);
}

void sim_rigid_push(struct sim *sim, struct sim_rigid *rigid, const float arm[3], const float impulse[3])
{
    double r[3], p[3], torque[3];
    if (!(rigid->w > 0)) {
        return;
    }
    as_doubles(arm, r);
    as_doubles(impulse, p);
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t *word = &sim->rows[rigid->row].x[axis];
        // The point at which it is rounded moves (sim_nudge), and is another one for each axis.
        const double nudge = (double)(int32_t)(sim->times.turn + axis * 0x9e3779b1u) * 0x1p-32;
        const double way = p[axis] * (double)rigid->w * sim->inv_q + nudge;
        *word = sim_wrap_add(*word, sim_round((float)way));
    }
    sim_cross(r, p, torque);
    twist(sim, rigid, torque);
}

void sim_rigid_move(struct sim *sim, struct sim_rigid *rigid, const double impulse[3], const double torque[3])
{
    if (!(rigid->w > 0)) {
        return;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t *word = &sim->rows[rigid->row].x[axis];
        const double way = impulse[axis] * (double)rigid->w * sim->inv_q;
        const int32_t goes = sim_round((float)way);
        float *v = &sim->velocities[rigid->row].v[axis];
        *word = sim_wrap_add(*word, goes);
        // The rest is less than a quantum. It is more only if the way is too long for a word, and then the world fails.
        *v = (float)((double)*v + (way - (double)goes) * (sim->q * (double)sim->times.inv_h));
    }
    twist(sim, rigid, torque);
}

float sim_rigid_weight(const struct sim *sim, const struct sim_rigid *rigid, const float arm[3],
                       const float n[3])
{
    double q[4], r[3], along[3], lever[3], own[3], turned[3];
    sim_rigid_orientation(sim, rigid->row, q);
    as_doubles(arm, r);
    as_doubles(n, along);
    sim_cross(r, along, lever);
    rotate(q, lever, true, own);
    double sum = (double)rigid->w;
    sim_rigid_yields(rigid, own, turned);
    for (int i = 0; i < 3; i++) {
        sum += rigid->skewed ? own[i] * turned[i] : own[i] * own[i] * (double)rigid->inverse_inertia[i];
    }
    return (float)sum;
}

void sim_rigid_matrix(const struct sim *sim, const struct sim_rigid *rigid, const float arm[3], float k[9])
{
    double q[4], r[3];
    sim_rigid_orientation(sim, rigid->row, q);
    as_doubles(arm, r);
    for (int column = 0; column < 3; column++) {
        const double unit[3] = {column == 0, column == 1, column == 2};
        double lever[3], turned[3], moved[3];
        sim_cross(r, unit, lever);
        world_inverse(q, rigid, lever, turned);
        sim_cross(turned, r, moved);
        for (int line = 0; line < 3; line++) {
            k[3 * line + column] = (float)(unit[line] * (double)rigid->w + moved[line]);
        }
    }
}

void sim_rigid_arm(const struct sim *sim, const struct sim_rigid *rigid, const float local[3], float arm[3])
{
    double q[4], own[3], world[3];
    sim_rigid_orientation(sim, rigid->row, q);
    as_doubles(local, own);
    rotate(q, own, false, world);
    for (int i = 0; i < 3; i++) {
        arm[i] = (float)world[i];
    }
}

// -------------------------------------------------------------------------------------------- what pieces are

static float within(double value, float most)
{
    return value > (double)most ? most : value < -(double)most ? -most : (float)value;
}

// 1/kg: what a piece has when it is let go.
static double inverse_mass_of(const struct sim *sim, const struct sim_body *body, uint32_t index)
{
    const struct sim_pin *pin = sim_pin_find(body, index);
    return (double)(pin ? pin->inverse_mass : sim->rows[body->first_row + body->row_of[index]].w);
}

void sim_rigid_spin(const struct sim *sim, const struct sim_body *body, uint32_t index, float spin[3])
{
    const uint32_t row = body->first_row + body->row_of[index];
    const double w = inverse_mass_of(sim, body, index);
    double q[4], momentum[3], own[3], spins[3], world[3];
    sim_rigid_orientation(sim, row, q);
    as_doubles(sim->spins[row].v, momentum);
    rotate(q, momentum, true, own);
    body_yields(body->rigid, w, own, spins);
    rotate(q, spins, false, world);
    for (int i = 0; i < 3; i++) {
        spin[i] = within(world[i], SIM_SPIN_MAX);
    }
}

double sim_rigid_energy(const struct sim *sim, const struct sim_body *body, uint32_t index)
{
    const uint32_t row = body->first_row + body->row_of[index];
    const double w = (double)sim->rows[row].w;
    double q[4], momentum[3], own[3], spins[3], sum = 0;
    sim_rigid_orientation(sim, row, q);
    as_doubles(sim->spins[row].v, momentum);
    rotate(q, momentum, true, own);
    body_yields(body->rigid, w, own, spins);
    for (int i = 0; i < 3; i++) {
        sum += body->rigid->skewed ? own[i] * spins[i] : own[i] * own[i] * (w / body->rigid->inertia[i]);
    }
    return 0.5 * sum;
}

void sim_rigid_spin_set(struct sim *sim, const struct sim_body *body, uint32_t index, const float spin[3])
{
    const uint32_t row = body->first_row + body->row_of[index];
    const double w = inverse_mass_of(sim, body, index);
    double q[4], given[3], spins[3], own[3], world[3];
    sim_rigid_orientation(sim, row, q);
    as_doubles(spin, given);
    rotate(q, given, true, spins);
    sim_symmetric(body->rigid->inertia, body->rigid->skew, spins, own);
    for (int i = 0; i < 3; i++) {
        const double turns = body->rigid->skewed ? own[i] / w : spins[i] * (body->rigid->inertia[i] / w);
        own[i] = w > 0 ? turns : 0;
    }
    rotate(q, own, false, world);
    for (int i = 0; i < 3; i++) {
        sim->spins[row].v[i] = within(world[i], SIM_MOMENTUM_MAX);
    }
}

void sim_rigid_start(struct sim *sim, const struct sim_body *body, uint32_t index)
{
    const struct sim_turned *turned = &body->turned[index];
    const uint32_t row = body->first_row + body->row_of[index];
    memcpy(sim->turns[row].q, turned->q, sizeof sim->turns[row].q);
    sim->spins[row].w = 0;
    memset(sim->joints[row].rest, 0, sizeof sim->joints[row].rest);
    sim_rigid_spin_set(sim, body, index, turned->spin);
}

// ---------------------------------------------------------------------------------------------------- list

bool sim_rigids_reserve(struct sim *sim, uint32_t more)
{
    return array_reserve(&sim->rigids.items, &sim->rigids.capacity, (uint64_t)sim->rigids.count + more);
}

void sim_rigids_find(struct sim *sim)
{
    struct sim_rigids *rigids = &sim->rigids;
    rigids->count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (!body->rigid) {
            continue;
        }
        body->rigid->first = rigids->count;
        for (uint32_t i = 0; i < body->count; i++) {
            rigids->items[rigids->count++] = (struct sim_rigid){.row = body->first_row + body->row_of[i],
                                                                .body = body->id,
                                                                .skewed = body->rigid->skewed,
                                                                .shape = body->rigid->shape,
                                                                .hull = body->rigid->hull,
                                                                .compound = body->rigid->compound};
        }
    }
    sim_rigids_fill(sim);
}

void sim_rigids_fill(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t i = 0; body->rigid && i < body->count; i++) {
            struct sim_rigid *rigid = &sim->rigids.items[body->rigid->first + i];
            rigid->w = sim->rows[rigid->row].w;
            memcpy(rigid->momentum, sim->spins[rigid->row].v, sizeof rigid->momentum);
            memset(rigid->corrected, 0, sizeof rigid->corrected);
            for (int axis = 0; axis < 3; axis++) {
                const struct sim_rigid_own *own = body->rigid;
                const double w = (double)rigid->w;
                rigid->inverse_inertia[axis] =
                    (float)(own->skewed ? w * own->inverse[axis] : w / own->inertia[axis]);
                rigid->skew[axis] = (float)(w * own->inverse_skew[axis]);
            }
        }
    }
}

struct sim_rigid *sim_rigid_of(struct sim *sim, uint32_t row)
{
    const struct sim_body *body = sim->rigids.count > 0 ? sim_body_of_row(sim, row) : NULL;
    return body && body->rigid && row - body->first_row < body->count
               ? &sim->rigids.items[body->rigid->first + body->index_of[row - body->first_row]]
               : NULL;
}
