// Volume of a tetrahedron: C = V - V0, signed.
//
//   6V = (d1 x d2).d3,  d_k = x_k - x0;  positive when x1, x2, x3 turn counter-clockwise seen from outside
//   x0's side 6 grad1 = d2 x d3,  6 grad2 = d3 x d1,  6 grad3 = d1 x d2,  grad0 = -(grad1 + grad2 + grad3)
//
// The sign is what rights an inverted element: with |V| it would be at rest inside out. C and its gradients
// belong together (V with grad V, not with grad 6V), so that one projection is a Newton step and the
// compliance is the inverse of a stiffness in J/m^6. Nothing but a vanishing denominator is guarded against:
// a small element is as much an element as a large one.

#include "sim/four.h"

float sim_volume_of(const float offsets[3][3])
{
    float n[3];
    sim_cross3(n, offsets[0], offsets[1]);
    return sim_dot3(n, offsets[2]) / 6;
}

static float solve(struct sim *sim, const struct sim_lane *lane)
{
    struct sim_four four;
    if (!sim_four_gather(sim, lane, &four)) {
        return 0;
    }
    float grad[4][3];
    sim_cross3(grad[1], four.d[1], four.d[2]);
    sim_cross3(grad[2], four.d[2], four.d[0]);
    sim_cross3(grad[3], four.d[0], four.d[1]);
    float c = sim_dot3(grad[3], four.d[2]) / 6 - sim_lane_param(lane, 4, 0);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t k = 1; k < 4; k++) {
            grad[k][axis] /= 6;
        }
        grad[0][axis] = -((grad[1][axis] + grad[2][axis]) + grad[3][axis]);
    }
    sim_four_project(sim, lane, &four, c, (const float(*)[3])grad);
    return four.longest;
}

void sim_volume_solve(struct sim *sim, struct sim_tile *tile)
{
    sim_four_tile(sim, tile, solve);
}
