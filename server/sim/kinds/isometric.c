// Isometric bending: C = E, the quadratic energy of a stencil whose triangles keep their shapes (Bergou et
// al. 2006; as a constraint: Bender et al. 2014).
//
//           x2       interior angles: a0, a1 = cot of triangle (x0, x1, x2) at x0, at x1;  b0, b1 of (x0, x1,
//           x3)
//          /  \      K = [a1 + b1, a0 + b0, -(a0 + a1), -(b0 + b1)],  sum K = 0,  K.x = 0 for every flat
//          stencil
//        x0 -- x1    Q = f K^T K,  f = 3/(A0 + A1)
//          \  /      C = 1/2 sum Q_ij x_i.x_j = f/2 |Kx|^2,  grad_i = sum_j Q_ij x_j = f K_i (Kx)
//           x3
//
// Because K sums to zero, Kx needs only the offsets from x0 and K1, K2, K3; nothing depends on where the
// origin is. The energy as constraint is flat at rest (grad = 0 there): it stores U = E^2/(2 alpha), quartic
// in the fold, so it has no linear stiffness. The vector form (quadratic.c) has.

#include "sim/kernels/four.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

// Gradients; returns |Kx|^2.
SIM_INLINE wf fold_of(const struct w_four *four, struct w_vec grad[4])
{
    wf k[4] = {[1] = w_four_param(four, 0), [2] = w_four_param(four, 1), [3] = w_four_param(four, 2)};
    wf f = w_four_param(four, 3);
    k[0] = w_negative((k[1] + k[2]) + k[3]);
    wf noise = ((w_abs(k[1]) + w_abs(k[2])) + w_abs(k[3])) * (w_sqrt(four->longest2) * w_set(SIM_NOISE));
    struct w_vec kx;
    for (int axis = 0; axis < 3; axis++) {
        wf sum = (k[1] * four->d[0].x[axis] + k[2] * four->d[1].x[axis]) + k[3] * four->d[2].x[axis];
        kx.x[axis] = w_past_noise(sum, noise);
        for (uint32_t i = 0; i < 4; i++) {
            grad[i].x[axis] = (f * k[i]) * kx.x[axis];
        }
    }
    return w_dot(kx, kx);
}

SIM_INLINE void grad_of(struct w_four *four, struct w_vec grad[4])
{
    fold_of(four, grad);
}

SIM_INLINE void solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept)
{
    struct w_vec grad[4];
    wf kx2 = fold_of(four, grad);
    w_four_project(sim, four, flavor, kept, (w_set(0.5f) * w_four_param(four, 3)) * kx2, grad);
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        struct w_vec grad[4];
        w_offsets_from(sim, at, 3, far, &offsets);
        struct w_four four = w_offset_four(&offsets, at);
        grad_of(&four, grad);
        wf weight = w_four_weight(&four, grad);
        for (int part = 0; part < PARTS; part++) {
            wd c = (wd_set(0.5) * w_tell_kx2(&offsets, at, part)) * w_param(at, 7, part);
            uint32_t first = lane + (uint32_t)(part * DOUBLES);
            w_tell_energy(sim, terms, first, c * c, w_param(at, 8, part), wd_of_float(weight, part));
            if (multipliers) { // C grows with the square of the bend, so the least that counts is a square, too
                w_tell_share(sim, terms, first, c * c, wd_set(1e-3),
                             w_multiplier(multipliers, lane, part) * c, w_param(at, 8, part),
                             wd_of_float(weight, part));
            }
        }
    }
}

W_FOUR_RUNS(sim_isometric_runs)

#if WIDE == 1
static double cot_between(const double u[3], const double v[3], double *twice_area)
{
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    *twice_area = __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return *twice_area > 0 ? (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / *twice_area : 0;
}

bool sim_bend_at_rest(const double offsets[][3], double q, bool vector, float params[SIM_PARAMS_MAX])
{
    double d[3][3], back[3], cots[2][2], areas[2];
    const double *e = d[0];
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            d[k][axis] = offsets[k][axis] * q;
        }
        back[axis] = -e[axis];
    }
    for (int wing = 0; wing < 2; wing++) {
        const double *x = d[1 + wing];
        double from_end[3] = {x[0] - e[0], x[1] - e[1], x[2] - e[2]};
        cots[wing][0] = cot_between(e, x, &areas[wing]);
        cots[wing][1] = cot_between(back, from_end, &areas[wing]);
        if (areas[wing] == 0) {
            return false;
        }
    }
    double f = 3 / (0.5 * areas[0] + 0.5 * areas[1]), s = vector ? __builtin_sqrt(f) : 1;
    params[0] = (float)(s * (cots[0][0] + cots[1][0]));
    params[1] = (float)(s * -(cots[0][0] + cots[0][1]));
    params[2] = (float)(s * -(cots[1][0] + cots[1][1]));
    params[3] = (float)f;
    return true;
}

static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    return sim_bend_at_rest(offsets, q, false, params);
}

const struct sim_kind_row sim_isometric_row = {
    .name = "isometric",
    .stencil = 4,
    .param_count = 4,
    .multiplier_count = 1,
    .part = SIM_PART_BEND,
    .shape_count = 4,
    .at_rest = at_rest,
};
#endif
