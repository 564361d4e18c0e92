// Volume of a tetrahedron: C = V - V0, signed.
//
//   6V = (d1 x d2).d3,  d_k = x_k - x0;  positive when x1, x2, x3 turn counter-clockwise seen from outside
//   x0's side 6 grad1 = d2 x d3,  6 grad2 = d3 x d1,  6 grad3 = d1 x d2,  grad0 = -(grad1 + grad2 + grad3)
//
// The sign is what rights an inverted element: with |V| it would be at rest inside out. C and its gradients
// belong together (V with grad V, not with grad 6V), so that one projection is a Newton step and the
// compliance is the inverse of a stiffness in J/m^6. Nothing but a vanishing denominator is guarded against:
// a small element is as much an element as a large one.

#include "sim/kernels/four.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

#define SIXTH (1.0f / 6)

SIM_INLINE void grad_of(struct w_four *four, struct w_vec grad[4])
{
    grad[1] = w_cross(four->d[1], four->d[2]);
    grad[2] = w_cross(four->d[2], four->d[0]);
    grad[3] = w_cross(four->d[0], four->d[1]);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t k = 1; k < 4; k++) {
            grad[k].x[axis] = grad[k].x[axis] * w_set(SIXTH);
        }
        grad[0].x[axis] = w_negative((grad[1].x[axis] + grad[2].x[axis]) + grad[3].x[axis]);
    }
}

SIM_INLINE void solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept)
{
    struct w_vec grad[4];
    grad_of(four, grad);
    wf rest = w_four_param(four, 0);
    wf c = w_dot(w_cross(four->d[0], four->d[1]), four->d[2]) * w_set(SIXTH) - rest;
    c = w_past_noise(c, w_abs(rest) * w_set(SIM_NOISE));
    w_four_project(sim, four, flavor, kept, c, grad);
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct w_offsets offsets;
        w_offsets_from(sim, batch + lane, 3, far, &offsets);
        struct w_four four = w_offset_four(&offsets, batch + lane);
        struct w_vec grad[4];
        grad_of(&four, grad);
        wf volume = w_dot(w_cross(four.d[0], four.d[1]), four.d[2]) * w_set(SIXTH);
        wf weight = w_four_weight(&four, grad);
        for (int part = 0; part < PARTS; part++) {
            wd rest = w_param(batch + lane, 4, part), c = wd_of_float(volume, part) - rest;
            uint32_t first = lane + (uint32_t)(part * DOUBLES);
            w_tell_energy(sim, terms, first, c * c, w_param(batch + lane, 5, part),
                          wd_of_float(weight, part));
            w_tell_error(terms, first, c, rest);
            if (multipliers) {
                w_tell_share(sim, terms, first, c * c, rest, w_multiplier(multipliers, lane, part) * c,
                             w_param(batch + lane, 5, part), wd_of_float(weight, part));
            }
        }
    }
}

W_FOUR_RUNS(sim_volume_runs)

#if WIDE == 1
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    struct w_vec d[3];
    w_one_from(offsets, q, d);
    params[0] = w_dot(w_cross(d[0], d[1]), d[2]) * SIXTH;
    return true;
}

const struct sim_kind_row sim_volume_row = {
    .name = "volume",
    .stencil = 4,
    .param_count = 1,
    .multiplier_count = 1,
    .part = SIM_PART_VOLUMES,
    .has_error = true,
    .at_rest = at_rest,
    .rest_most = sim_volume_max,
    .rest_unit = "m^3",
    .rest_signed = true,
};
#endif
