// Dihedral bending: C = wrap(theta - theta0), the signed angle between two triangles that share an edge.
//
//           x2                  e = x1 - x0
//          /  \                 a = e x (x2 - x0),  b = (x3 - x0) x e      (parallel when flat)
//        x0 -- x1               theta = atan2((a x b).e/|e|, a.b)          0 flat, +-pi folded
//          \  /                 grad2 = -|e|/|a|^2 a,  grad3 = -|e|/|b|^2 b
//           x3                  s2 = (x2 - x0).e/|e|^2,  s3 = (x3 - x0).e/|e|^2
//                               grad0 = -(1 - s2) grad2 - (1 - s3) grad3,  grad1 = -s2 grad2 - s3 grad3
//
// Moving a wing along its normal by d turns its triangle by d/height, and the edge takes the opposite by the
// lever rule. The arccos form of PBD (Mueller et al. 2007, section 4.2) has phi = pi - |theta|; its gradient
// is 0/0 at flat, and its rest angle has two minima. The signed angle is smooth everywhere but at triangles
// without area, which are passed over. theta < 0 folds towards the side of +a.

#include "sim/four.h"

#define PI_F 3.14159265f

// Odd polynomial of atan on [-tan(pi/8), tan(pi/8)] (Cephes atanf, Moshier), the rest by identities: within
// 3e-7, and the same bits everywhere, which libm's is not.
static float atan2_own(float y, float x)
{
    float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    float high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    if (high == 0) {
        return 0;
    }
    float t = low / high, base = 0;
    if (t > 0.41421356f) {
        base = 0.785398163f;
        t = (t - 1) / (t + 1);
    }
    float z = t * t;
    float p =
        (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) * z *
            t +
        t;
    float angle = base + p;
    angle = ay > ax ? 1.57079633f - angle : angle;
    angle = x < 0 ? PI_F - angle : angle;
    return y < 0 ? -angle : angle;
}

struct hinge {
    const float *e;
    float a[3], b[3]; // twice-area normals
    float e2, a2, b2; // squared lengths
};

static bool hinge_from(struct hinge *hinge, const float offsets[3][3])
{
    hinge->e = offsets[0];
    sim_cross3(hinge->a, hinge->e, offsets[1]);
    sim_cross3(hinge->b, offsets[2], hinge->e);
    hinge->e2 = sim_dot3(hinge->e, hinge->e);
    hinge->a2 = sim_dot3(hinge->a, hinge->a);
    hinge->b2 = sim_dot3(hinge->b, hinge->b);
    return hinge->e2 > 0 && hinge->a2 > 0 && hinge->b2 > 0;
}

static float hinge_angle(const struct hinge *hinge)
{
    float axb[3];
    sim_cross3(axb, hinge->a, hinge->b);
    return atan2_own(sim_dot3(axb, hinge->e) / __builtin_sqrtf(hinge->e2), sim_dot3(hinge->a, hinge->b));
}

float sim_dihedral_angle(const float offsets[3][3])
{
    struct hinge hinge;
    return hinge_from(&hinge, offsets) ? hinge_angle(&hinge) : 0;
}

static float solve(struct sim *sim, const struct sim_lane *lane)
{
    struct sim_four four;
    struct hinge hinge;
    if (!sim_four_gather(sim, lane, &four) || !hinge_from(&hinge, (const float(*)[3])four.d)) {
        return 0;
    }
    float c = hinge_angle(&hinge) - sim_lane_param(lane, 4, 0);
    c = c > PI_F ? c - 2 * PI_F : c;
    c = c < -PI_F ? c + 2 * PI_F : c;
    float length = __builtin_sqrtf(hinge.e2);
    float fa = -length / hinge.a2, fb = -length / hinge.b2;
    float s2 = sim_dot3(four.d[1], hinge.e) / hinge.e2, s3 = sim_dot3(four.d[2], hinge.e) / hinge.e2;
    float grad[4][3];
    for (int axis = 0; axis < 3; axis++) {
        grad[2][axis] = fa * hinge.a[axis];
        grad[3][axis] = fb * hinge.b[axis];
        grad[0][axis] = (s2 - 1) * grad[2][axis] + (s3 - 1) * grad[3][axis];
        grad[1][axis] = -(s2 * grad[2][axis]) - s3 * grad[3][axis];
    }
    sim_four_project(sim, lane, &four, c, (const float(*)[3])grad);
    return four.longest;
}

void sim_dihedral_solve(struct sim *sim, struct sim_tile *tile)
{
    sim_four_tile(sim, tile, solve);
}
