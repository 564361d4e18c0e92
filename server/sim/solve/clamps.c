// Clamps: pins that hold the orientation of a rod's segment beside its particle.
//
// A clamp is a joint of half a segment's length between the segment and a frame that goes where it is told (kinds/rod_bend.c has the
// equations, with an inverse inertia of 0 for the frame). So a rod that is clamped at a particle leaves it along the frame, and
// begins to bend there. Clamps are few, and one thread solves them after all constraints of an iteration.

#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/solve/solve.h"
#include "sim/state/rod.h"

#define NOISE (2 * SIM_NOISE)
#define LEAST_COSINE 0.25f

static void times(const float a[4], const float b[4], float out[4])
{
    out[0] = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    out[1] = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    out[2] = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    out[3] = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];
}

static float dot(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// The orientation that the frame has after this part of the tick, by the shortest way.
static void frame_at(const struct sim_clamp *clamp, float gone, float frame[4])
{
    float same = 0, length2 = 0;
    float from[4], to[4];
    for (int i = 0; i < 4; i++) {
        from[i] = (float)clamp->from[i] * (float)SIM_TURN_QUANTUM;
        to[i] = (float)clamp->to[i] * (float)SIM_TURN_QUANTUM;
        same = same + from[i] * to[i];
    }
    for (int i = 0; i < 4; i++) {
        frame[i] = from[i] + ((same < 0 ? -to[i] : to[i]) - from[i]) * gone;
        length2 = length2 + frame[i] * frame[i];
    }
    for (int i = 0; i < 4; i++) {
        frame[i] = length2 > 0 ? frame[i] / __builtin_sqrtf(length2) : from[i];
    }
}

// The same of a clamp that turns with a collider. False if it does not.
static bool frame_turned(const struct sim *sim, const struct sim_pin *pin, float frame[4])
{
    double q[4];
    if (!sim_pin_turns(pin) || !sim_clamp_place(sim, pin, q)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        frame[i] = (float)q[i];
    }
    return true;
}

void sim_clamp_frame(const struct sim *sim, const struct sim_pin *pin, float frame[4])
{
    if (!frame_turned(sim, pin, frame)) {
        frame_at(&pin->clamp, sim->times.gone, frame);
    }
}

// The rotation from the frame to the segment, of one sign.
static void rotation_from(const float frame[4], const float q[4], float r[4])
{
    const float back[4] = {-frame[0], -frame[1], -frame[2], frame[3]};
    times(back, q, r);
    for (int i = 0, negative = r[3] < 0; i < 4; i++) {
        r[i] = negative ? -r[i] : r[i];
    }
}

// Fills the torque that the step of this iteration comes to, in the world.
static void torque_of(const float frame[4], const float r[4], const float at[3], float weight,
                      float multiplier[3], float tau[3])
{
    float b[3], p[3], step[3], side[3], own[3], t[3], ut[3];
    for (int k = 0; k < 3; k++) {
        const float c = 2 * r[k], resists = weight + at[k];
        const float error = (sim_abs(c) > NOISE ? c : 0) + at[k] * multiplier[k];
        b[k] = resists > 0 ? -error / resists : 0;
        p[k] = resists > 0 ? r[k] / resists : 0;
    }
    const float left = 1 - weight * dot(r, p);
    const float more = r[3] > LEAST_COSINE && left > 0 ? weight * dot(r, b) / left : 0;
    for (int k = 0; k < 3; k++) {
        step[k] = b[k] + p[k] * more;
        multiplier[k] += step[k];
    }
    cross(r, step, side);
    for (int k = 0; k < 3; k++) {
        own[k] = r[3] * step[k] + side[k];
    }
    cross(frame, own, t);
    for (int k = 0; k < 3; k++) {
        t[k] = t[k] + t[k];
    }
    cross(frame, t, ut);
    for (int k = 0; k < 3; k++) {
        tau[k] = (own[k] + frame[3] * t[k]) + ut[k];
    }
}

// As w_turn_way (kernels/turn.h), with a nudge that moves evenly from substep to substep.
static void turn_by(const struct sim *sim, struct sim_turn *turn, const float f[4], const float theta[3])
{
    const float size2 = dot(theta, theta);
    if (!(size2 < 1e12f)) {
        return;
    }
    const float half[4] = {theta[0] * 0.5f, theta[1] * 0.5f, theta[2] * 0.5f, 0};
    const float u = size2 * 0.25f, r = __builtin_sqrtf(1 + u), scale = SIM_TURN_ONE / (r * (1 + r));
    float added[4];
    times(half, f, added);
    for (uint32_t i = 0; i < 4; i++) {
        const float nudge = (float)(int32_t)(sim->times.turn + i * 0x9e3779b1u) * (1.0f / 4294967296.0f);
        const float way = added[i] * ((1 + r) * scale) - f[i] * (u * scale);
        turn->q[i] = sim_wrap_add(turn->q[i], sim_round(way + nudge));
    }
}

static void solve(struct sim *sim, const struct sim_body *body, struct sim_pin *pin)
{
    const struct sim_rod_end *end = &body->rod->ends[pin->index];
    const uint32_t row = body->first_row + body->row_of[end->holder];
    const struct sim_material *bend = &body->materials[SIM_PART_BEND];
    const float weight = sim->spins[row].w, give = (float)bend->compliance * end->span * sim->times.inv_h2;
    const float at[3] = {give, give, give * (float)bend->poisson};
    float frame[4], q[4], r[4], tau[3];
    if (!(weight > 0)) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        q[i] = (float)sim->turns[row].q[i] * (float)SIM_TURN_QUANTUM;
    }
    sim_clamp_frame(sim, pin, frame);
    rotation_from(frame, q, r);
    torque_of(frame, r, at, weight, pin->clamp.multiplier, tau);
    for (int axis = 0; axis < 3; axis++) {
        tau[axis] *= weight;
    }
    turn_by(sim, &sim->turns[row], q, tau);
}

void sim_clamps_solve_all(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; body->rod && !body->rod->direct && p < body->pin_count; p++) {
            if (sim_pin_clamps(&body->pins[p])) {
                solve(sim, body, &body->pins[p]);
            }
        }
    }
}

void sim_clamps_clear_all(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; body->rod && p < body->pin_count; p++) {
            memset(body->pins[p].clamp.multiplier, 0, sizeof body->pins[p].clamp.multiplier);
        }
    }
}

void sim_clamps_end(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; body->rod && p < body->pin_count; p++) {
            struct sim_clamp *clamp = &body->pins[p].clamp;
            if (sim_pin_turns(&body->pins[p])) {
                sim_clamp_settle(sim, &body->pins[p]);
            }
            memcpy(clamp->from, clamp->to, sizeof clamp->from);
        }
    }
}
