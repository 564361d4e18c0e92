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

#include "sim/four.h"

static double cot_between(const double u[3], const double v[3], double *twice_area)
{
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    *twice_area = __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return *twice_area > 0 ? (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / *twice_area : 0;
}

bool sim_bend_stencil(const double offsets[3][3], float params[4])
{
    const double *e = offsets[0];
    double back[3], cots[2][2], areas[2];
    for (int axis = 0; axis < 3; axis++) {
        back[axis] = -e[axis];
    }
    for (int wing = 0; wing < 2; wing++) {
        const double *x = offsets[1 + wing];
        double from_end[3] = {x[0] - e[0], x[1] - e[1], x[2] - e[2]};
        cots[wing][0] = cot_between(e, x, &areas[wing]);
        cots[wing][1] = cot_between(back, from_end, &areas[wing]);
        if (areas[wing] == 0) {
            return false;
        }
    }
    params[0] = (float)(cots[0][0] + cots[1][0]);
    params[1] = (float)-(cots[0][0] + cots[0][1]);
    params[2] = (float)-(cots[1][0] + cots[1][1]);
    params[3] = (float)(3 / (0.5 * areas[0] + 0.5 * areas[1]));
    return true;
}

static float solve(struct sim *sim, const struct sim_lane *lane)
{
    struct sim_four four;
    if (!sim_four_gather(sim, lane, &four)) {
        return 0;
    }
    float k[4], kx[3], grad[4][3];
    for (uint32_t i = 1; i < 4; i++) {
        k[i] = sim_lane_param(lane, 4, i - 1);
    }
    k[0] = -((k[1] + k[2]) + k[3]);
    float f = sim_lane_param(lane, 4, 3);
    for (int axis = 0; axis < 3; axis++) {
        kx[axis] = (k[1] * four.d[0][axis] + k[2] * four.d[1][axis]) + k[3] * four.d[2][axis];
        for (uint32_t i = 0; i < 4; i++) {
            grad[i][axis] = (f * k[i]) * kx[axis];
        }
    }
    float c = (0.5f * f) * sim_dot3(kx, kx);
    sim_four_project(sim, lane, &four, c, (const float(*)[3])grad);
    return four.longest;
}

void sim_isometric_solve(struct sim *sim, struct sim_tile *tile)
{
    sim_four_tile(sim, tile, solve);
}
