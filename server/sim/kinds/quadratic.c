// Quadratic bending: the vector form of the isometric energy, linear in the positions.
//
//   c = s Kx in R^3,  s = sqrt(3/(A0 + A1)),  E = |c|^2/2 (K as in isometric.c)
//   dlam = -(c + alpha~ lam) / (s^2 sum w_i K_i^2 + alpha~),   dx_i = w_i s K_i dlam
//
// With alpha = 1/k_b it stores Bergou's energy k_b E exactly: linear stiffness at flat, exact in one
// projection, and no singularity. Stored are s K1, s K2, s K3.
//
// Damping (wide.h) acts along the stencil's normal n alone (that of the sum of its twice-area normals): on n.c, with
// the gradients s K_i n. In the plane, Kx changes when triangles stretch, which is not bending.

#include "sim/kernels/four.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

// s K; returns s^2 sum w_i K_i^2.
SIM_INLINE wf weights_of(const struct w_four *four, wf sk[4])
{
    for (uint32_t k = 1; k < 4; k++) {
        sk[k] = w_four_param(four, k - 1);
    }
    sk[0] = w_negative((sk[1] + sk[2]) + sk[3]);
    wf weight = four->x[0].w * (sk[0] * sk[0]);
    for (uint32_t k = 1; k < 4; k++) {
        weight = weight + four->x[k].w * (sk[k] * sk[k]);
    }
    return weight;
}

// The gradient of n.c. A stencil whose triangles have no area, or are folded onto each other, is not damped.
SIM_INLINE void grad_of(struct w_four *four, struct w_vec grad[4])
{
    struct w_vec a = w_cross(four->d[0], four->d[1]), b = w_cross(four->d[2], four->d[0]), n;
    wf sk[4];
    weights_of(four, sk);
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = a.x[axis] + b.x[axis];
    }
    wf length = w_sqrt(w_dot(n, n));
    wm has_normal = w_below(w_set(0), length);
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = w_where(has_normal, n.x[axis] / length);
        for (uint32_t k = 0; k < 4; k++) {
            grad[k].x[axis] = sk[k] * n.x[axis];
        }
    }
}

// c, or 0 where rounding alone can have made it.
SIM_INLINE struct w_vec fold_of(const struct w_four *four, const wf sk[4])
{
    wf noise = ((w_abs(sk[1]) + w_abs(sk[2])) + w_abs(sk[3])) * (w_sqrt(four->longest2) * w_set(SIM_NOISE));
    struct w_vec c;
    for (int axis = 0; axis < 3; axis++) {
        wf sum = (sk[1] * four->d[0].x[axis] + sk[2] * four->d[1].x[axis]) + sk[3] * four->d[2].x[axis];
        c.x[axis] = w_past_noise(sum, noise);
    }
    return c;
}

SIM_INLINE void solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept)
{
    const wf inv_q = w_set(sim->times.inv_q);
    wf sk[4], weight = weights_of(four, sk);
    wf alpha = flavor == SIM_STIFF ? w_set(0) : four->give * w_set(sim->times.inv_h2);
    wf resists = weight + alpha;
    wm moves = w_and(four->moves, w_below(w_set(0), resists));
    wf scale = w_where(moves, (flavor == SIM_STIFF ? w_negative(four->give) : w_set(-1)) / resists);
    struct w_vec pull = fold_of(four, sk), step; // pull: c + alpha~ lam
    for (int axis = 0; axis < 3; axis++) {
        if (kept && flavor != SIM_STIFF) {
            pull.x[axis] = pull.x[axis] + alpha * w_load(four->multipliers + axis * SIM_LANES);
        }
        step.x[axis] = pull.x[axis] * scale;
    }
    for (int axis = 0; axis < 3; axis++) {
        step.x[axis] = w_where(moves, step.x[axis]);
        if (kept) {
            float *multiplier = four->multipliers + axis * SIM_LANES;
            w_store(multiplier, w_load(multiplier) + step.x[axis]);
        }
    }
    for (uint32_t k = 0; k < 4; k++) {
        wf share = (four->x[k].w * sk[k]) * inv_q;
        for (int axis = 0; axis < 3; axis++) {
            w_four_add(four, k, axis, share * step.x[axis]);
        }
    }
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        wf sk[4];
        w_offsets_from(sim, at, 3, far, &offsets);
        struct w_four four = w_offset_four(&offsets, at);
        wf weight = weights_of(&four, sk);
        for (int part = 0; part < PARTS; part++) {
            uint32_t first = lane + (uint32_t)(part * DOUBLES);
            wd c2 = w_tell_kx2(&offsets, at, part);
            w_tell_energy(sim, terms, first, c2, w_param(at, 7, part), wd_of_float(weight, part));
            if (multipliers) {
                struct wd_vec c = w_tell_kx(&offsets, at, part), lambda;
                for (uint32_t axis = 0; axis < 3; axis++) {
                    lambda.x[axis] = w_multiplier(multipliers + axis * SIM_LANES, lane, part);
                }
                w_tell_share(sim, terms, first, c2, wd_set(1), wd_dot(lambda, c), w_param(at, 7, part),
                             wd_of_float(weight, part));
            }
        }
    }
}

W_FOUR_RUNS(sim_quadratic_runs)

// The same energy in bodies whose bending is solved (plate/plate.h): lam = -h^2 c / alpha, and w_i s K_i lam of the way
// that the prediction asks for. Holes have no compliance.
SIM_INLINE struct w_vec pull_of(const struct sim *sim, const struct w_four *four, const wf sk[4])
{
    wf alpha = w_four_param(four, 3) * w_set(sim->times.inv_h2);
    wf give = w_where(w_below(w_set(0), alpha), w_set(-1) / alpha);
    struct w_vec pull = fold_of(four, sk);
    for (int axis = 0; axis < 3; axis++) {
        pull.x[axis] = pull.x[axis] * give;
    }
    return pull;
}

// Adds s K_i lam to `bends`, kg m.
void SIM_ISA(sim_quadratic_push)(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[SIM_QUADRATIC];
    wf longest2 = w_set(0);
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_four four;
            wf sk[4];
            w_four_gather(sim, batch + lane, &four);
            weights_of(&four, sk);
            longest2 = w_max(w_where(four.moves, four.longest2), longest2);
            const struct w_vec pull = pull_of(sim, &four, sk);
            for (uint32_t k = 0; k < 4; k++) {
                struct w_rows bend = w_rows_at(sim->bends, four.at + k * SIM_LANES);
                for (int axis = 0; axis < 3; axis++) {
                    bend.x[axis] = w_bits(w_of_bits(bend.x[axis]) + sk[k] * pull.x[axis]);
                }
                w_rows_put(sim->bends, four.at + k * SIM_LANES, &bend);
            }
        }
    }
    float longest = __builtin_sqrtf(w_greatest(longest2)) * sim->times.inv_q;
    tile->longest = longest > tile->longest ? longest : tile->longest;
}

// Fills the multipliers. The solved prediction is what the step gave it, so they are those of its forces.
void SIM_ISA(sim_quadratic_hold)(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[SIM_QUADRATIC];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_four four;
            wf sk[4];
            w_four_gather_from(sim, sim->predicted, batch + lane, &four);
            weights_of(&four, sk);
            const struct w_vec pull = pull_of(sim, &four, sk);
            for (int axis = 0; axis < 3; axis++) {
                w_store(sim_multipliers_of(store, tile->order[i], (uint32_t)axis) + lane, pull.x[axis]);
            }
        }
    }
}

#if WIDE == 1
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    return sim_bend_at_rest(offsets, q, true, params);
}

const struct sim_kind_row sim_quadratic_row = {
    .name = "quadratic",
    .stencil = 4,
    .param_count = 3,
    .multiplier_count = 3,
    .part = SIM_PART_BEND,
    .shape_count = 4,
    .at_rest = at_rest,
};
#endif
