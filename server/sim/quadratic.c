// Quadratic bending: the vector form of the isometric energy, linear in the positions.
//
//   c = s Kx in R^3,  s = sqrt(3/(A0 + A1)),  E = |c|^2/2 (K as in isometric.c)
//   dlam = -(c + alpha~ lam) / (s^2 sum w_i K_i^2 + alpha~),   dx_i = w_i s K_i dlam
//
// With alpha = 1/k_b it stores Bergou's energy k_b E exactly: linear stiffness at flat, exact in one
// projection, and no singularity. Stored are s K1, s K2, s K3.
//
// Damping acts along the stencil's normal n alone (that of the sum of its twice-area normals):
//   n.dlam = -(n.(c + alpha~ lam) + gamma n.(s sum K_i (x_i - x_i at the substep's start))) /
//            ((1 + gamma) s^2 sum w_i K_i^2 + alpha~)
// In the plane, Kx changes when triangles stretch; damping that as well would undo what the distances have just
// corrected, and a stiff cloth would blow up.

#include "sim/four.h"

// What damping adds to the step along the normal; no lane whose triangles have no area, or are folded onto
// each other, is damped.
SIM_INLINE void damp(const struct sim *sim, const struct w_four *four, const wf sk[4], wf weight, wf alpha,
                     struct w_vec pull, struct w_vec *step)
{
    struct w_vec a = w_cross(four->d[0], four->d[1]), b = w_cross(four->d[2], four->d[0]), n;
    wf gamma = (four->give * four->beta) * w_set(sim->times.inv_h), rate = w_set(0);
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = a.x[axis] + b.x[axis];
    }
    wf length = w_sqrt(w_dot(n, n));
    wm has_normal = w_below(w_set(0), length);
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = w_where(has_normal, n.x[axis] / length);
    }
    for (uint32_t k = 0; k < 4; k++) {
        rate = rate + sk[k] * w_dot(n, w_four_moved(sim, four, k));
    }
    wf damped = w_negative(w_dot(n, pull) + gamma * rate) / ((w_set(1) + gamma) * weight + alpha);
    wf change = damped - w_dot(n, *step);
    for (int axis = 0; axis < 3; axis++) {
        step->x[axis] = step->x[axis] + w_where(has_normal, change * n.x[axis]);
    }
}

SIM_INLINE void solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept)
{
    const wf inv_q = w_set(sim->times.inv_q);
    wf sk[4] = {[1] = w_four_param(four, 0), [2] = w_four_param(four, 1), [3] = w_four_param(four, 2)};
    sk[0] = w_negative((sk[1] + sk[2]) + sk[3]);
    wf weight = four->x[0].w * (sk[0] * sk[0]);
    for (uint32_t k = 1; k < 4; k++) {
        weight = weight + four->x[k].w * (sk[k] * sk[k]);
    }
    wf alpha = flavor == SIM_STIFF ? w_set(0) : four->give * w_set(sim->times.inv_h2);
    wf noise = ((w_abs(sk[1]) + w_abs(sk[2])) + w_abs(sk[3])) * (w_sqrt(four->longest2) * w_set(SIM_NOISE));
    wf resists = weight + alpha;
    wm moves = w_and(four->moves, w_below(w_set(0), resists));
    wf scale = w_where(moves, (flavor == SIM_STIFF ? w_negative(four->give) : w_set(-1)) / resists);
    struct w_vec pull, step; // pull: c + alpha~ lam
    for (int axis = 0; axis < 3; axis++) {
        wf c = (sk[1] * four->d[0].x[axis] + sk[2] * four->d[1].x[axis]) + sk[3] * four->d[2].x[axis];
        pull.x[axis] = w_past_noise(c, noise);
        if (kept && flavor != SIM_STIFF) {
            pull.x[axis] = pull.x[axis] + alpha * w_load(four->multipliers + axis * SIM_LANES);
        }
        step.x[axis] = pull.x[axis] * scale;
    }
    if (flavor == SIM_DAMPED) {
        damp(sim, four, sk, weight, alpha, pull, &step);
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
            w_four_add(sim, four, k, axis, share * step.x[axis]);
        }
    }
}

SIM_INLINE void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                    enum sim_flavor flavor, bool kept)
{
    w_four_run(sim, tile, first, end, flavor, kept, solve);
}

SIM_RUNS(sim_quadratic_runs, run)
