// A segment of a rod: its stretch along the third director of its orientation, and its shear along the other two.
//
//   D = R(q)^T (x1 - x0);   C = D - (0, 0, L)                    metres, in the material frame
//   gradients of C_k:  x0: -d_k;  x1: d_k;  rotation of q: d_k x (x1 - x0), which is e_k x D in the material frame
//   A_kl = (s + at_k + u |D|^2) delta_kl - u D_k D_l,            s = w0 + w1, u the inverse inertia
//   dlam = -A^-1 (C + at lam);  p = R dlam;   x0 -= w0 p;  x1 += w1 p;  q turns by u p x (x1 - x0)
//
// A is a diagonal E less one product, so its inverse is found without elimination (Sherman and Morrison). Its
// denominator is written without a difference, b = -(C + at lam):
//
//   dlam = b/E + D/E u |D|^2 (D.b/E) / sum D_k^2 (s + at_k)/E_k,   E_k = s + at_k + u |D|^2
//
// The torque on q is p x (x1 - x0), and that of both points is the opposite, so momentum and angular momentum are kept. at_3 = L/(EA h^2), and for shear
// L/(k G A h^2).
//
// Sources: Kugelstadt and Schoemer: Position and Orientation Based Cosserat Rods (2016), with rotation vectors in place of gradients by
// the four numbers of q, whose fourth direction normalising throws away; Deul et al.: Direct Position-Based Solver for Stiff Rods
// (2018).

#include "sim/kernels/terms.h"
#include "sim/kernels/turn.h"
#include "sim/state/kind.h"
#include "sim/state/rod.h"

// Error of D that rounding alone may have made, in parts of L.
#define NOISE (2 * SIM_NOISE)

struct segment {
    const uint32_t *at;
    struct w_rows a, b;
    struct w_turn turn;
    struct w_vec d; // x1 - x0, m
    wf length, give, shear;
};

SIM_INLINE struct segment gather(const struct sim *sim, const struct sim_store *store, uint32_t index,
                                 uint32_t lane)
{
    struct segment s = {.at = sim_batch_words(store, index) + lane};
    const wf q = w_set(sim->times.q);
    s.a = w_rows_at(sim->rows, s.at);
    s.b = w_rows_at(sim->rows, s.at + SIM_LANES);
    s.turn = w_turn_at(sim, s.at);
    for (int axis = 0; axis < 3; axis++) {
        s.d.x[axis] = w_apart(s.b.x[axis], s.a.x[axis]) * q;
    }
    s.length = w_load_float(s.at + (2 + SIM_ROD_LENGTH) * SIM_LANES);
    s.shear = w_load_float(s.at + (2 + SIM_ROD_SHEAR) * SIM_LANES);
    s.give = w_load_float(s.at + (2 + SIM_ROD_STRETCH_PARAMS) * SIM_LANES);
    return s;
}

SIM_INLINE wf over(wf a, wf b)
{
    return w_where(w_below(w_set(0), b), a / b);
}

// dlam, given b, D and the compliances. Shear gives the same in both directions.
SIM_INLINE struct w_vec steps_of(const struct segment *s, const struct w_vec *b, const struct w_vec *d,
                                 const wf at[2])
{
    wf moves = s->a.w + s->b.w, size2 = w_dot(*d, *d), turns = s->turn.weight * size2;
    wf e_shear = (moves + at[0]) + turns, e_along = (moves + at[1]) + turns;
    wf by_shear = over(w_set(1), e_shear), by_along = over(w_set(1), e_along);
    const struct w_vec first = {{b->x[0] * by_shear, b->x[1] * by_shear, b->x[2] * by_along}};
    wf across2 = d->x[0] * d->x[0] + d->x[1] * d->x[1];
    wf left = (across2 * (moves + at[0])) * by_shear + ((d->x[2] * d->x[2]) * (moves + at[1])) * by_along;
    wf more = over(turns * w_dot(*d, first), left);
    return (struct w_vec){{first.x[0] + (d->x[0] * by_shear) * more, first.x[1] + (d->x[1] * by_shear) * more,
                           first.x[2] + (d->x[2] * by_along) * more}};
}

// Returns the square of the length.
SIM_INLINE wf project(struct sim *sim, struct segment *s, float *multipliers, const struct w_nudges *nudges,
                      const struct w_turn_nudges *turn_nudges)
{
    const wf inv_h2 = w_set(sim->times.inv_h2), inv_q = w_set(sim->times.inv_q), zero = w_set(0);
    struct w_vec axes[3], d, b, p;
    wf at[2], along = (s->give * s->length) * inv_h2, noise = s->length * w_set(NOISE);
    w_turn_axes(s->turn.f, axes);
    at[0] = along * s->shear;
    at[1] = along;
    for (int k = 0; k < 3; k++) {
        d.x[k] = w_dot(axes[k], s->d);
        b.x[k] = w_past_noise(k < 2 ? d.x[k] : d.x[k] - s->length, noise);
        if (multipliers) {
            b.x[k] = b.x[k] + (k < 2 ? at[0] : at[1]) * w_load(multipliers + k * SIM_LANES);
        }
        b.x[k] = w_negative(b.x[k]);
    }
    wm holds = w_below(zero, (s->a.w + s->b.w) + s->turn.weight);
    struct w_vec step = steps_of(s, &b, &d, at);
    for (int k = 0; k < 3; k++) {
        step.x[k] = w_where(holds, step.x[k]);
        if (multipliers) {
            w_store(multipliers + k * SIM_LANES, w_load(multipliers + k * SIM_LANES) + step.x[k]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        p.x[axis] = (axes[0].x[axis] * step.x[0] + axes[1].x[axis] * step.x[1]) + axes[2].x[axis] * step.x[2];
    }
    struct w_vec theta = w_cross(p, s->d);
    wf wa = s->a.w * inv_q, wb = s->b.w * inv_q;
    for (int axis = 0; axis < 3; axis++) {
        const wf nudge = w_set(nudges->x[axis]);
        s->a.x[axis] = s->a.x[axis] - w_round(wa * p.x[axis] + nudge);
        s->b.x[axis] = s->b.x[axis] + w_round(wb * p.x[axis] + nudge);
        theta.x[axis] = theta.x[axis] * s->turn.weight;
    }
    w_turn_by(&s->turn, theta, turn_nudges, false);
    w_rows_put(sim->rows, s->at, &s->a);
    w_rows_put(sim->rows, s->at + SIM_LANES, &s->b);
    w_turn_put(sim->turns, s->at, &s->turn);
    return w_where(holds, w_dot(s->d, s->d));
}

SIM_LONG void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                  enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    wf longest2 = w_set(0);
    if (flavor == SIM_STIFF) {
        return; // no edit gives one a plain stiffness
    }
    for (uint32_t color_end; first < end; first = color_end) {
        color_end = sim_color_end(store, tile, first, end);
        const uint32_t color = sim_batch_meta(store, tile->order[first])->color;
        const struct w_nudges nudges = w_nudges_of(sim, tile, color);
        const struct w_turn_nudges turn_nudges = w_turn_nudges_of(sim, tile, color);
        for (uint32_t i = first; i < color_end; i++) {
            for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
                struct segment s = gather(sim, store, tile->order[i], lane);
                float *multipliers = kept ? sim_multipliers_of(store, tile->order[i], 0) + lane : NULL;
                longest2 = w_max(project(sim, &s, multipliers, &nudges, &turn_nudges), longest2);
            }
        }
    }
    float longest = __builtin_sqrtf(w_greatest(longest2)) * sim->times.inv_q;
    tile->longest = longest > tile->longest ? longest : tile->longest;
}

// A dashpot along the segment (wide.h), of damping/L.
SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const wf zero = w_set(0);
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct segment s = gather(sim, store, tile->order[i], lane);
            struct w_rows va = w_rows_at(sim->velocities, s.at);
            struct w_rows vb = w_rows_at(sim->velocities, s.at + SIM_LANES);
            struct w_vec v;
            for (int axis = 0; axis < 3; axis++) {
                v.x[axis] = w_of_bits(vb.x[axis]) - w_of_bits(va.x[axis]);
            }
            wf size2 = w_dot(s.d, s.d), w = s.a.w + s.b.w;
            wf beta = over(w_load(sim_batch_damping(store, tile->order[i]) + lane), s.length);
            // With n = d/|d|, p n = d (p |d|)/|d|^2, and the rate times |d| is d.v.
            wf push = over(w_dashpot(sim, beta, w_dot(s.d, v), w), size2);
            wf pa = w_where(w_below(zero, w), push * s.a.w), pb = w_where(w_below(zero, w), push * s.b.w);
            for (int axis = 0; axis < 3; axis++) {
                va.x[axis] = w_bits(w_of_bits(va.x[axis]) - pa * s.d.x[axis]);
                vb.x[axis] = w_bits(w_of_bits(vb.x[axis]) + pb * s.d.x[axis]);
            }
            w_rows_put(sim->velocities, s.at, &va);
            w_rows_put(sim->velocities, s.at + SIM_LANES, &vb);
        }
    }
}

// With C^2 = C_3^2 + (C_1^2 + C_2^2)/shear one row of compliance L/EA stands for all three.
static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        struct w_vec axes[3];
        w_offsets_from(sim, at, 1, far, &offsets);
        const struct w_turn turn = w_turn_at(sim, at);
        w_turn_axes(turn.f, axes);
        for (int part = 0; part < PARTS; part++) {
            const uint32_t first = lane + (uint32_t)(part * DOUBLES);
            const struct wd_vec d = w_offset(&offsets, 0, part);
            wd length = w_param(at, 2 + SIM_ROD_LENGTH, part), shear = w_param(at, 2 + SIM_ROD_SHEAR, part);
            wd c[3], lambda_c = wd_set(0);
            for (int k = 0; k < 3; k++) {
                const struct wd_vec axis = {{wd_of_float(axes[k].x[0], part), wd_of_float(axes[k].x[1], part),
                                             wd_of_float(axes[k].x[2], part)}};
                c[k] = k < 2 ? wd_dot(axis, d) : wd_dot(axis, d) - length;
                if (multipliers) {
                    lambda_c = lambda_c + c[k] * w_multiplier(multipliers + k * SIM_LANES, lane, part);
                }
            }
            wd across2 = c[0] * c[0] + c[1] * c[1];
            wd c2 = c[2] * c[2] + wd_where(wd_below(wd_set(0), shear), across2 / shear);
            wd compliance = w_param(at, 2 + SIM_ROD_STRETCH_PARAMS, part) * length;
            wd weight = wd_of_float(offsets.w[0], part) + wd_of_float(offsets.w[1], part);
            w_tell_energy(sim, terms, first, c2, compliance, weight);
            if (multipliers) {
                w_tell_share(sim, terms, first, c2, length, lambda_c, compliance, weight);
            }
        }
    }
}

SIM_RUNS(sim_rod_stretch_runs, run, damp, tell)

#if WIDE == 1
// A body makes its segments itself (body/rod.c).
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    (void)offsets, (void)q, (void)params;
    return false;
}

static double force(const double offsets[][3], const float params[SIM_PARAMS_MAX], const double multipliers[])
{
    (void)offsets, (void)params;
    return multipliers[2];
}

const struct sim_kind_row sim_rod_stretch_row = {
    .name = "rod_stretch",
    .stencil = 2,
    .param_count = SIM_ROD_STRETCH_PARAMS,
    .multiplier_count = 3,
    .part = SIM_PART_STRETCH,
    .elastic = true,
    .poisson_param = SIM_ROD_SHEAR, // another ratio (body/rod.c)
    .own = true,
    .at_rest = at_rest,
    .force = force,
};
#endif
