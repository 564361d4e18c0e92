// Dihedral bending: C = wrap(theta - theta0), the signed angle between two triangles that share an edge.
//
//           x2                  e = x1 - x0
//          /  \                 a = e x (x2 - x0),  b = (x3 - x0) x e      (parallel when flat)
//        x0 -- x1               theta = atan2((a x b).e, |e| a.b)         0 flat, +-pi folded
//          \  /                 grad2 = -|e|/|a|^2 a,  grad3 = -|e|/|b|^2 b
//           x3                  s2 = (x2 - x0).e/|e|^2,  s3 = (x3 - x0).e/|e|^2
//                               grad0 = -(1 - s2) grad2 - (1 - s3) grad3,  grad1 = -s2 grad2 - s3 grad3
//
// Moving a wing along its normal by d turns its triangle by d/height, and the edge takes the opposite by the
// lever rule. The arccos form of PBD (Mueller et al. 2007, section 4.2) has phi = pi - |theta|; its gradient
// is 0/0 at flat, and its rest angle has two minima. The signed angle is smooth everywhere but at triangles
// without area, which are passed over. theta < 0 folds towards the side of +a.
//
// In a plastic body a hinge that is bent past its rest angle by more than the yield y flows, once a substep:
//
//   d = wrap(theta - theta0);  if |d| > y:  theta0 += sign(d) (|d| - y) h r/(1 + h r),  |theta0| <= greatest
//
// This is the implicit step of theta0' = r sign(d) (|d| - y), so no rate overshoots. The energy d^2/(2 alpha) only falls by it.

#include "sim/kernels/angle.h"
#include "sim/kernels/four.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

struct hinge {
    struct w_vec a, b; // twice-area normals
    wf e2, a2, b2;     // squared lengths of the edge and of them
    wf length;         // of the edge
    wm whole;          // lanes where all have a length
};

SIM_INLINE void hinge_from(struct hinge *hinge, const struct w_vec d[3])
{
    const wf zero = w_set(0);
    hinge->a = w_cross(d[0], d[1]);
    hinge->b = w_cross(d[2], d[0]);
    hinge->e2 = w_dot(d[0], d[0]);
    hinge->a2 = w_dot(hinge->a, hinge->a);
    hinge->b2 = w_dot(hinge->b, hinge->b);
    hinge->length = w_sqrt(hinge->e2);
    hinge->whole = w_and(w_and(w_below(zero, hinge->e2), w_below(zero, hinge->a2)), w_below(zero, hinge->b2));
}

// Both arguments of atan2 times |e|: the angle is the same, without a division.
SIM_INLINE wf hinge_angle(const struct hinge *hinge, struct w_vec e)
{
    return w_atan2(w_dot(w_cross(hinge->a, hinge->b), e), w_dot(hinge->a, hinge->b) * hinge->length);
}

SIM_INLINE void hinge_grad(const struct hinge *hinge, struct w_four *four, struct w_vec grad[4])
{
    const wf one = w_set(1);
    struct w_vec e = four->d[0];
    wf fa = w_where(hinge->whole, hinge->length / hinge->a2);
    wf fb = w_where(hinge->whole, hinge->length / hinge->b2);
    wf inv_e2 = w_where(hinge->whole, one / hinge->e2);
    wf s2 = w_dot(four->d[1], e) * inv_e2, s3 = w_dot(four->d[2], e) * inv_e2;
    for (int axis = 0; axis < 3; axis++) {
        grad[2].x[axis] = w_negative(fa * hinge->a.x[axis]);
        grad[3].x[axis] = w_negative(fb * hinge->b.x[axis]);
        grad[0].x[axis] = (s2 - one) * grad[2].x[axis] + (s3 - one) * grad[3].x[axis];
        grad[1].x[axis] = w_negative(s2 * grad[2].x[axis] + s3 * grad[3].x[axis]);
    }
    four->moves = w_and(four->moves, hinge->whole);
}

SIM_INLINE void grad_of(struct w_four *four, struct w_vec grad[4])
{
    struct hinge hinge;
    hinge_from(&hinge, four->d);
    hinge_grad(&hinge, four, grad);
}

// theta - theta0, in [-pi, pi].
SIM_INLINE wf hinge_turn(const struct hinge *hinge, struct w_vec e, wf rest)
{
    const wf turn = w_set(2 * W_PI);
    wf c = hinge_angle(hinge, e) - rest;
    c = w_select(w_below(w_set(W_PI), c), c - turn, c);
    return w_select(w_below(c, w_set(-W_PI)), c + turn, c);
}

SIM_INLINE void solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept)
{
    struct hinge hinge;
    struct w_vec grad[4];
    hinge_from(&hinge, four->d);
    wf c = w_past_noise(hinge_turn(&hinge, four->d[0], w_four_param(four, 0)), w_set(SIM_NOISE));
    hinge_grad(&hinge, four, grad);
    w_four_project(sim, four, flavor, kept, c, grad);
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    const wd pi = wd_set(3.14159265358979), turn = wd_set(2 * 3.14159265358979);
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct w_offsets offsets;
        w_offsets_from(sim, batch + lane, 3, far, &offsets);
        struct w_four four = w_offset_four(&offsets, batch + lane);
        struct w_vec grad[4];
        struct hinge hinge;
        hinge_from(&hinge, four.d);
        hinge_grad(&hinge, &four, grad);
        wf angle = w_where(hinge.whole, hinge_angle(&hinge, four.d[0])), weight = w_four_weight(&four, grad);
        for (int part = 0; part < PARTS; part++) {
            wd c = wd_of_float(angle, part) - w_param(batch + lane, 4, part);
            c = wd_select(wd_below(pi, c), c - turn, wd_select(wd_below(c, wd_set(0) - pi), c + turn, c));
            uint32_t first = lane + (uint32_t)(part * DOUBLES);
            w_tell_energy(sim, terms, first, c * c, w_param(batch + lane, 5, part),
                          wd_of_float(weight, part));
            if (multipliers) {
                w_tell_share(sim, terms, first, c * c, wd_set(1), w_multiplier(multipliers, lane, part) * c,
                             w_param(batch + lane, 5, part), wd_of_float(weight, part));
            }
        }
    }
}

W_FOUR_RUNS(sim_dihedral_runs)

// A rest angle that is past the greatest one already, because the mesh was made so, goes no farther but may come back.
SIM_INLINE wf crease_next(const struct sim_crease *crease, const struct hinge *hinge, struct w_vec e, wf rest)
{
    const wf zero = w_set(0);
    wf turn = hinge_turn(hinge, e, rest);
    wf past = w_abs(turn) - w_set(crease->yield);
    wf way = past * w_set(crease->share);
    wf high = w_max(w_set(crease->greatest), rest), low = w_min(w_set(-crease->greatest), rest);
    wf next = rest + w_select(w_below(turn, zero), w_negative(way), way);
    next = w_max(w_min(next, high), low);
    return w_select(w_and(hinge->whole, w_below(w_set(SIM_FLOW_LEAST), past)), next, rest);
}

bool SIM_ISA(sim_dihedral_crease)(const struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    wf moved = w_set(0);
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        float *rests = sim_batch_params(store, tile->order[i], 0);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_four four;
            struct hinge hinge;
            w_four_gather(sim, batch + lane, &four);
            hinge_from(&hinge, four.d);
            wf rest = w_load(rests + lane);
            wf next = crease_next(tile->crease, &hinge, four.d[0], rest);
            moved = w_max(moved, w_abs(next - rest));
            w_store(rests + lane, next);
        }
    }
    return w_greatest(moved) > 0;
}

#if WIDE == 1
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    struct w_vec d[3];
    struct hinge hinge;
    w_one_from(offsets, q, d);
    hinge_from(&hinge, d);
    params[0] = hinge.whole ? hinge_angle(&hinge, d[0]) : 0;
    return true;
}

static double rest_most(double q)
{
    (void)q;
    return 3.14159266;
}

const struct sim_kind_row sim_dihedral_row = {
    .name = "dihedral",
    .stencil = 4,
    .param_count = 1,
    .multiplier_count = 1,
    .part = SIM_PART_BEND,
    .at_rest = at_rest,
    .rest_most = rest_most,
    .rest_unit = "rad",
    .rest_signed = true,
    .flow_count = 1,
};
#endif
