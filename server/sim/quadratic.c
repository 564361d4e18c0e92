// Quadratic bending: the vector form of the isometric energy, linear in the positions.
//
//   c = s Kx in R^3,  s = sqrt(3/(A0 + A1)),  E = |c|^2/2 (K as in isometric.c)
//   dlam = -(c + alpha~ lam) / (s^2 sum w_i K_i^2 + alpha~),   dx_i = w_i s K_i dlam
//
// With alpha = 1/k_b it stores Bergou's energy k_b E exactly: linear stiffness at flat, exact in one
// projection, and no singularity.
//
// Damping acts along the stencil's normal n alone (that of the sum of its twice-area normals):
//   n.dlam = -(n.(c + alpha~ lam) + gamma n.(s sum K_i (x_i - x_i at the substep's start))) /
//            ((1 + gamma) s^2 sum w_i K_i^2 + alpha~)
// In the plane, Kx changes when triangles stretch; damping that as well would undo what the distances have just
// corrected, and a stiff cloth would blow up.

#include "sim/four.h"

// False where the triangles have no area, or are folded onto each other.
static bool normal_of(const struct sim_four *four, float n[3])
{
    float a[3], b[3];
    sim_cross3(a, four->d[0], four->d[1]);
    sim_cross3(b, four->d[2], four->d[0]);
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = a[axis] + b[axis];
    }
    float length = __builtin_sqrtf(sim_dot3(n, n));
    for (int axis = 0; length > 0 && axis < 3; axis++) {
        n[axis] /= length;
    }
    return length > 0;
}

static float solve(struct sim *sim, const struct sim_lane *lane)
{
    struct sim_four four;
    if (!sim_four_gather(sim, lane, &four)) {
        return 0;
    }
    float sk[4], weight = 0;
    float s = __builtin_sqrtf(sim_lane_param(lane, 4, 3));
    for (uint32_t i = 1; i < 4; i++) {
        sk[i] = s * sim_lane_param(lane, 4, i - 1);
    }
    sk[0] = -((sk[1] + sk[2]) + sk[3]);
    for (uint32_t i = 0; i < 4; i++) {
        weight += four.w[i] * (sk[i] * sk[i]);
    }
    bool stiff = lane->flavor == SIM_STIFF;
    float alpha = stiff ? 0 : lane->give * sim->times.inv_h2;
    if (weight + alpha == 0) {
        return four.longest;
    }
    float pull[3], step[3]; // pull: c + alpha~ lam
    for (int axis = 0; axis < 3; axis++) {
        float lambda = !stiff && lane->multiplier != NULL ? lane->multiplier[axis * SIM_LANES] : 0;
        float c = (sk[1] * four.d[0][axis] + sk[2] * four.d[1][axis]) + sk[3] * four.d[2][axis];
        pull[axis] = c + alpha * lambda;
        step[axis] = stiff ? -(lane->give * c) / weight : -pull[axis] / (weight + alpha);
    }
    float n[3];
    if (lane->flavor == SIM_DAMPED && normal_of(&four, n)) {
        float gamma = (lane->give * lane->beta) * sim->times.inv_h;
        float rate = 0;
        for (uint32_t i = 0; i < 4; i++) {
            float moved[3];
            for (int axis = 0; axis < 3; axis++) {
                const int32_t *x = sim->rows[four.rows[i]].x, *before = sim->previous[four.rows[i]].x;
                moved[axis] = (float)sim_wrap_sub(x[axis], before[axis]) * sim->times.q;
            }
            rate += sk[i] * sim_dot3(n, moved);
        }
        float damped = -(sim_dot3(n, pull) + gamma * rate) / ((1 + gamma) * weight + alpha);
        float change = damped - sim_dot3(n, step);
        for (int axis = 0; axis < 3; axis++) {
            step[axis] += change * n[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (lane->multiplier != NULL) {
            lane->multiplier[axis * SIM_LANES] += step[axis];
        }
        for (uint32_t i = 0; i < 4; i++) {
            float move = ((four.w[i] * sk[i]) * step[axis]) * sim->times.inv_q;
            int32_t *x = &sim->rows[four.rows[i]].x[axis];
            *x = sim_wrap_add(*x, sim_round(move));
        }
    }
    return four.longest;
}

void sim_quadratic_solve(struct sim *sim, struct sim_tile *tile)
{
    sim_four_tile(sim, tile, solve);
}
