// Quadratic bending: the vector form of the isometric energy, linear in the positions.
//
//   c = s Kx in R^3,  s = sqrt(3/(A0 + A1)),  E = |c|^2/2 (K as in isometric.c)
//   dlam = -(c + alpha~ lam [+ gamma s sum K_i (x_i - x_i at the substep's start)]) / ((1 + gamma) s^2 sum
//   w_i K_i^2 + alpha~) dx_i = w_i s K_i dlam
//
// With alpha = 1/k_b it stores Bergou's energy k_b E exactly: linear stiffness at flat, exact in one
// projection, and no singularity.

#include "sim/four.h"

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
    float gamma = lane->flavor == SIM_DAMPED ? (lane->give * lane->beta) * sim->times.inv_h : 0;
    float resistance = (1 + gamma) * weight + alpha;
    if (resistance == 0) {
        return four.longest;
    }
    for (int axis = 0; axis < 3; axis++) {
        float c = (sk[1] * four.d[0][axis] + sk[2] * four.d[1][axis]) + sk[3] * four.d[2][axis];
        float lambda = !stiff && lane->multiplier != NULL ? lane->multiplier[axis * SIM_LANES] : 0;
        float rate = 0;
        for (uint32_t i = 0; gamma != 0 && i < 4; i++) {
            float moved =
                (float)sim_wrap_sub(sim->rows[four.rows[i]].x[axis], sim->previous[four.rows[i]].x[axis]);
            rate += sk[i] * (moved * sim->times.q);
        }
        float step = stiff ? -(lane->give * c) / weight : -((c + alpha * lambda) + gamma * rate) / resistance;
        if (lane->multiplier != NULL) {
            lane->multiplier[axis * SIM_LANES] += step;
        }
        for (uint32_t i = 0; i < 4; i++) {
            float move = ((four.w[i] * sk[i]) * step) * sim->times.inv_q;
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
