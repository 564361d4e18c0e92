// A joint of a rod: the bend and the twist from one segment to the next one.
//
//   r = conj(q0 p0) q1, negated if r_w < 0;  C = 2 r_v           rad, in the frame of the first segment as it rests with the second
//   J = (r_w I - [r_v]x) R(q0 p0)^T for q1, and -J for q0;       J J^T = I - r_v r_v^T
//   d_k = W + at_k, W the sum of both inverse inertias;  B = -(C + at lam)/d;  P = r_v/d
//   dlam = B + P W (r_v.B)/(1 - W (r_v.P))                       Sherman and Morrison; left out if r_w < 1/4
//   tau = R(q0 p0) (r_w dlam + r_v x dlam);   q0 turns by -w0 tau, q1 by w1 tau
//
// |C| = 2 sin(angle/2). Axes 1 and 2 bend, at = l/(EI h^2), and axis 3 twists, at = l/(GJ h^2). q and -q are one orientation, and give
// the same motion. A joint that is bent by 180 degrees gives no torque that grows, so rods are best made of segments that bend by
// less than 30 degrees each.
//
// Damping acts on the spin of one segment against the other: damping/l about the axes that bend, and less by EI/GJ about the axis that
// twists.
//
// The rest p0 is no param but stands at the row of the first segment, since that of a plastic rod flows (solve/flow.c) and is state.
//
// Sources: Kugelstadt and Schoemer (2016), section 3.2, in the product form, which keeps its stiffness at any rest angle.

#include "sim/kernels/terms.h"
#include "sim/kernels/turn.h"
#include "sim/kernels/wide_double.h"
#include "sim/state/kind.h"
#include "sim/state/rod.h"

// Error of C that rounding alone may have made.
#define NOISE (2 * SIM_NOISE)
#define LEAST_COSINE 0.25f

struct joint {
    const uint32_t *at;
    struct w_turn a, b;
    wf frame[4];    // q0 p0
    wf r[4];        // of one sign
    wf give, twist; // l/EI, and EI/GJ
};

SIM_INLINE wf bend_param(const uint32_t *at, uint32_t param)
{
    return w_load_float(at + (2 + param) * SIM_LANES);
}

SIM_INLINE struct joint gather(const struct sim *sim, const uint32_t *at)
{
    struct joint j = {.at = at, .a = w_turn_at(sim, at), .b = w_turn_at(sim, at + SIM_LANES)};
    wf rest[4], back[4];
    const struct w_rows joint = w_rows_at(sim->joints, at);
    for (uint32_t i = 0; i < 3; i++) {
        rest[i] = w_of_bits(joint.x[i]);
    }
    rest[3] = joint.w;
    w_turn_times(j.a.f, rest, j.frame);
    for (int i = 0; i < 3; i++) {
        back[i] = w_negative(j.frame[i]);
    }
    back[3] = j.frame[3];
    w_turn_times(back, j.b.f, j.r);
    wm other = w_below(j.r[3], w_set(0));
    for (int i = 0; i < 4; i++) {
        j.r[i] = w_select(other, w_negative(j.r[i]), j.r[i]);
    }
    j.give = bend_param(at, SIM_ROD_BEND_PARAMS) * bend_param(at, SIM_ROD_SPAN);
    j.twist = bend_param(at, SIM_ROD_TWIST);
    return j;
}

SIM_INLINE wf over(wf a, wf b)
{
    return w_where(w_below(w_set(0), b), a / b);
}

// A vector of the frame q0 p0 in the world.
SIM_INLINE struct w_vec turned(const wf frame[4], struct w_vec v)
{
    const struct w_vec u = {{frame[0], frame[1], frame[2]}};
    struct w_vec t = w_cross(u, v), out;
    for (int axis = 0; axis < 3; axis++) {
        t.x[axis] = t.x[axis] + t.x[axis];
    }
    const struct w_vec ut = w_cross(u, t);
    for (int axis = 0; axis < 3; axis++) {
        out.x[axis] = (v.x[axis] + frame[3] * t.x[axis]) + ut.x[axis];
    }
    return out;
}

SIM_INLINE void project(struct sim *sim, struct joint *j, float *multipliers,
                        const struct w_turn_nudges *nudges)
{
    const wf inv_h2 = w_set(sim->times.inv_h2), zero = w_set(0), noise = w_set(NOISE);
    const struct w_vec rv = {{j->r[0], j->r[1], j->r[2]}};
    wf weight = j->a.weight + j->b.weight, at[2], by[2];
    struct w_vec b, p, step, tau;
    wm moves = w_below(zero, weight);
    at[0] = j->give * inv_h2;
    at[1] = at[0] * j->twist;
    by[0] = over(w_set(1), weight + at[0]);
    by[1] = over(w_set(1), weight + at[1]);
    for (int k = 0; k < 3; k++) {
        wf c = w_past_noise(rv.x[k] + rv.x[k], noise);
        if (multipliers) {
            c = c + (k < 2 ? at[0] : at[1]) * w_load(multipliers + k * SIM_LANES);
        }
        b.x[k] = w_negative(c) * (k < 2 ? by[0] : by[1]);
        p.x[k] = rv.x[k] * (k < 2 ? by[0] : by[1]);
    }
    wf more = over(weight * w_dot(rv, b), w_set(1) - weight * w_dot(rv, p));
    more = w_where(w_below(w_set(LEAST_COSINE), j->r[3]), more);
    for (int k = 0; k < 3; k++) {
        step.x[k] = w_where(moves, b.x[k] + p.x[k] * more);
        if (multipliers) {
            w_store(multipliers + k * SIM_LANES, w_load(multipliers + k * SIM_LANES) + step.x[k]);
        }
    }
    struct w_vec side = w_cross(rv, step), turn;
    for (int k = 0; k < 3; k++) {
        tau.x[k] = j->r[3] * step.x[k] + side.x[k];
    }
    tau = turned(j->frame, tau);
    for (int axis = 0; axis < 3; axis++) {
        turn.x[axis] = w_negative(tau.x[axis] * j->a.weight);
    }
    w_turn_by(&j->a, turn, nudges, false);
    for (int axis = 0; axis < 3; axis++) {
        turn.x[axis] = tau.x[axis] * j->b.weight;
    }
    w_turn_by(&j->b, turn, nudges, true);
    w_turn_put(sim->turns, j->at, &j->a);
    w_turn_put(sim->turns, j->at + SIM_LANES, &j->b);
}

SIM_LONG void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                  enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    if (flavor == SIM_STIFF) {
        return; // no edit gives one a plain stiffness
    }
    for (uint32_t color_end; first < end; first = color_end) {
        color_end = sim_color_end(store, tile, first, end);
        const struct w_turn_nudges nudges =
            w_turn_nudges_of(sim, tile, sim_batch_meta(store, tile->order[first])->color);
        for (uint32_t i = first; i < color_end; i++) {
            for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
                struct joint j = gather(sim, sim_batch_words(store, tile->order[i]) + lane);
                float *multipliers = kept ? sim_multipliers_of(store, tile->order[i], 0) + lane : NULL;
                project(sim, &j, multipliers, &nudges);
            }
        }
    }
}

SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const struct w_vec third = {{w_set(0), w_set(0), w_set(1)}};
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            const struct joint j = gather(sim, sim_batch_words(store, tile->order[i]) + lane);
            struct w_rows va = w_rows_at(sim->spins, j.at), vb = w_rows_at(sim->spins, j.at + SIM_LANES);
            const struct w_vec d3 = turned(j.frame, third);
            struct w_vec spin;
            for (int axis = 0; axis < 3; axis++) {
                spin.x[axis] = w_of_bits(vb.x[axis]) - w_of_bits(va.x[axis]);
            }
            wf weight = j.a.weight + j.b.weight, along = w_dot(spin, d3);
            wf beta =
                over(w_load(sim_batch_damping(store, tile->order[i]) + lane), bend_param(j.at, SIM_ROD_SPAN));
            wf bends = w_dashpot(sim, beta, w_set(1), weight);
            wf twists = w_dashpot(sim, over(beta, j.twist), w_set(1), weight) - bends;
            for (int axis = 0; axis < 3; axis++) {
                wf push = bends * spin.x[axis] + (twists * along) * d3.x[axis];
                va.x[axis] = w_bits(w_of_bits(va.x[axis]) - push * j.a.weight);
                vb.x[axis] = w_bits(w_of_bits(vb.x[axis]) + push * j.b.weight);
            }
            w_rows_put(sim->spins, j.at, &va);
            w_rows_put(sim->spins, j.at + SIM_LANES, &vb);
        }
    }
}

// With C^2 = C_1^2 + C_2^2 + C_3^2/twist one row of compliance l/EI stands for all three.
static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    (void)far;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const struct joint j = gather(sim, batch + lane);
        for (int part = 0; part < PARTS; part++) {
            const uint32_t first = lane + (uint32_t)(part * DOUBLES);
            wd c[3], lambda_c = wd_set(0), twist = w_param(j.at, 2 + SIM_ROD_TWIST, part);
            for (int k = 0; k < 3; k++) {
                c[k] = wd_of_float(j.r[k], part) * wd_set(2);
                if (multipliers) {
                    lambda_c = lambda_c + c[k] * w_multiplier(multipliers + k * SIM_LANES, lane, part);
                }
            }
            wd c2 = (c[0] * c[0] + c[1] * c[1]) + wd_where(wd_below(wd_set(0), twist), c[2] * c[2] / twist);
            wd compliance =
                w_param(j.at, 2 + SIM_ROD_BEND_PARAMS, part) * w_param(j.at, 2 + SIM_ROD_SPAN, part);
            wd weight = wd_of_float(j.a.weight, part) + wd_of_float(j.b.weight, part);
            w_tell_energy(sim, terms, first, c2, compliance, weight);
            if (multipliers) {
                w_tell_share(sim, terms, first, c2, wd_set(1), lambda_c, compliance, weight);
            }
        }
    }
}

SIM_RUNS(sim_rod_bend_runs, run, damp, tell)

#if WIDE == 1
// A body makes its joints itself (body/rod.c).
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    (void)offsets, (void)q, (void)params;
    return false;
}

// The size of the moment.
static double force(const double offsets[][3], const float params[SIM_PARAMS_MAX], const double multipliers[])
{
    (void)offsets, (void)params;
    return __builtin_sqrt((multipliers[0] * multipliers[0] + multipliers[1] * multipliers[1]) +
                          multipliers[2] * multipliers[2]);
}

const struct sim_kind_row sim_rod_bend_row = {
    .name = "rod_bend",
    .stencil = 2,
    .param_count = SIM_ROD_BEND_PARAMS,
    .multiplier_count = 3,
    .part = SIM_PART_BEND,
    .elastic = true,
    .poisson_param = SIM_ROD_TWIST, // another ratio (body/rod.c)
    .own = true,
    .at_rest = at_rest,
    .force = force,
};
#endif
