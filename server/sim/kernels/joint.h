// Rows of joints between rigid pieces, as plain numbers in double. kinds/joint.c applies what they give.
//
//   an end      a piece: w and A, the inverse inertia in the world; a point: A = 0; the world: both 0
//   arm         from the centre of the piece to its anchor, turned with the piece
//   d           anchor of a - anchor of b
//
//   along n     W = w + (r x n).A (r x n);   about n: W = n.A n
//   block       K = w I + [r]x A [r]x^T, its column k is w e_k + (A (r x e_k)) x r
//   dlam        -(C + at lam)/(W_a + W_b + at), or -(K_a + K_b + at I)^-1 (C + at lam);  at = alpha/h^2
//
// C grows as a moves along +n. a gets the impulse +dlam n, and b gets -dlam n. Rotation: a gets the torque
// impulse +dlam n and b the opposite, whatever the rows are, so angular momentum is kept.
//
// Angles are sines and cosines, never numbers that a sine would have to be found of.
//
// Source: Müller, Macklin, Chentanez, Jeschke, Kim: Detailed Rigid Body Simulation with Extended Position Based Dynamics
// (2020), with blocks in place of one row along the error.
#ifndef WEFT_SIM_KERNELS_JOINT_H
#define WEFT_SIM_KERNELS_JOINT_H

#include "sim/ground/vector.h"

#include <stdbool.h>

struct joint_end {
    double w;        // 1/kg
    double turns[9]; // A, by rows, 1/(kg m^2)
    double arm[3];   // m
};

static inline void joint_times(const double m[9], const double v[3], double out[3])
{
    for (int row = 0; row < 3; row++) {
        out[row] = (m[3 * row] * v[0] + m[3 * row + 1] * v[1]) + m[3 * row + 2] * v[2];
    }
}

static inline double joint_about(const struct joint_end *end, const double n[3])
{
    double turned[3];
    joint_times(end->turns, n, turned);
    return sim_dot(n, turned);
}

// W of an impulse at `arm` along the unit vector n.
static inline double joint_along(const struct joint_end *end, const double arm[3], const double n[3])
{
    double lever[3];
    sim_cross(arm, n, lever);
    return end->w + joint_about(end, lever);
}

// Adds K of an impulse at the end's own arm.
static inline void joint_matrix(const struct joint_end *end, double k[9])
{
    for (int column = 0; column < 3; column++) {
        const double e[3] = {column == 0, column == 1, column == 2};
        double lever[3], turned[3], moved[3];
        sim_cross(end->arm, e, lever);
        joint_times(end->turns, lever, turned);
        sim_cross(turned, end->arm, moved);
        for (int row = 0; row < 3; row++) {
            k[3 * row + column] += end->w * e[row] + moved[row];
        }
    }
}

// The change of lam of one row. 0 if nothing gives way.
static inline double joint_row(double c, double at, double lam, double weight)
{
    const double resists = weight + at;
    return resists > 0 ? -(c + at * lam) / resists : 0;
}

// Solves (K + at I) x = -(C + at lam) for a symmetric K. False, and x = 0, if that is singular.
static inline bool joint_block(const double k[9], double at, const double c[3], const double lam[3],
                               double x[3])
{
    const double a = k[0] + at, b = k[1], d = k[2], e = k[4] + at, f = k[5], g = k[8] + at;
    const double a0 = e * g - f * f, a1 = d * f - b * g, a2 = b * f - d * e;
    const double b1 = a * g - d * d, b2 = b * d - a * f, c2 = a * e - b * b;
    const double det = (a * a0 + b * a1) + d * a2, size = (a + e) + g;
    x[0] = x[1] = x[2] = 0;
    if (!(det > 1e-12 * size * size * size)) {
        return false;
    }
    double right[3];
    for (int i = 0; i < 3; i++) {
        right[i] = -(c[i] + at * lam[i]) / det;
    }
    x[0] = (a0 * right[0] + a1 * right[1]) + a2 * right[2];
    x[1] = (a1 * right[0] + b1 * right[1]) + b2 * right[2];
    x[2] = (a2 * right[0] + b2 * right[1]) + c2 * right[2];
    return true;
}

// The weight of a row if the three rows of k, which a step of 1 of it moves by g, are held after it: W - g.(K + at I)^-1 g. Without that a
// hinge's motor would turn its piece about the centre, and what then puts the anchors together would take most of it back.
static inline double joint_left(double weight, const double k[9], double at, const double g[3])
{
    const double back[3] = {-g[0], -g[1], -g[2]}, none[3] = {0, 0, 0};
    double x[3];
    const double left = joint_block(k, at, back, none, x) ? weight - sim_dot(g, x) : weight;
    return left > 1e-6 * weight ? left : weight;
}

// Two rows with the symmetric matrix k00, k01, k11. Rows that say the same leave the first one alone.
static inline void joint_pair(const double k[3], double at, const double c[2], const double lam[2],
                              double x[2])
{
    const double a = k[0] + at, e = k[2] + at, det = a * e - k[1] * k[1];
    const double right[2] = {-(c[0] + at * lam[0]), -(c[1] + at * lam[1])};
    if (!(det > 1e-12 * (a + e) * (a + e))) {
        x[0] = a > 0 ? right[0] / a : 0;
        x[1] = 0;
        return;
    }
    x[0] = (e * right[0] - k[1] * right[1]) / det;
    x[1] = (a * right[1] - k[1] * right[0]) / det;
}

// ---------------------------------------------------------------------------------------------- quaternions

static inline void joint_turned(const double q[4], const double v[3], double out[3])
{
    double axes[3][3];
    sim_axes_of(q, axes);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (axes[0][axis] * v[0] + axes[1][axis] * v[1]) + axes[2][axis] * v[2];
    }
}

// A = R diag(inverse inertia) R^T.
static inline void joint_inertia(const double q[4], const double inverse[3], double turns[9])
{
    double axes[3][3];
    sim_axes_of(q, axes);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            turns[3 * row + column] = ((axes[0][row] * inverse[0]) * axes[0][column] +
                                       (axes[1][row] * inverse[1]) * axes[1][column]) +
                                      (axes[2][row] * inverse[2]) * axes[2][column];
        }
    }
}

// ------------------------------------------------------------------------------------------------- rotation

// Twice the vector part of the rotation from frame b to frame a, both in the world: C of a fixed joint.
static inline void joint_apart(const double a[4], const double b[4], double c[3])
{
    const double back[4] = {-b[0], -b[1], -b[2], b[3]};
    double r[4];
    sim_turn_product(a, back, r);
    for (int axis = 0; axis < 3; axis++) {
        c[axis] = r[3] < 0 ? -2 * r[axis] : 2 * r[axis];
    }
}

// Brings the axis of a back to that of b, b's third one. e = a_b x a_a is the sine of the angle between them, along the axis about which
// a turned. Times 2/(1 + cosine) it is twice the tangent of half that angle. C are its parts along b's other two axes, and lam those of the
// torque. Fills the torque that a gets now; b gets the opposite. soft: a part of `turns` that is compliance, as `at` is; NULL: none.
static inline void joint_hinge(const double turns[9], const double *soft, const double axis[3],
                               const double of_b[3][3], double at, double lam[2], double c[2],
                               double torque[3])
{
    double e[3], turned[3], k[3], step[2], error[2];
    const double below = 1 + sim_dot(of_b[2], axis), scale = below > 1e-3 ? 2 / below : 2e3;
    sim_cross(of_b[2], axis, e);
    for (int row = 0; row < 2; row++) {
        error[row] = c[row] = sim_dot(e, of_b[row]) * scale;
    }
    if (soft) {
        for (int i = 0; i < 3; i++) {
            torque[i] = of_b[0][i] * lam[0] + of_b[1][i] * lam[1];
        }
        joint_times(soft, torque, turned);
        error[0] += sim_dot(of_b[0], turned);
        error[1] += sim_dot(of_b[1], turned);
    }
    joint_times(turns, of_b[0], turned);
    k[0] = sim_dot(of_b[0], turned);
    k[1] = sim_dot(of_b[1], turned);
    joint_times(turns, of_b[1], turned);
    k[2] = sim_dot(of_b[1], turned);
    joint_pair(k, at, error, lam, step);
    for (int i = 0; i < 3; i++) {
        torque[i] = of_b[0][i] * step[0] + of_b[1][i] * step[1];
    }
    lam[0] += step[0];
    lam[1] += step[1];
}

// The angle of a against b about the axis n of a, as its cosine and sine: from the first axis of b to that of a.
static inline void joint_angle(const double n[3], const double first_a[3], const double first_b[3],
                               double angle[2])
{
    double cross[3];
    sim_cross(first_b, first_a, cross);
    const double c = sim_dot(first_b, first_a), s = sim_dot(n, cross);
    const double size = __builtin_sqrt(c * c + s * s);
    angle[0] = size > 0 ? c / size : 1;
    angle[1] = size > 0 ? s / size : 0;
}

// Twice the tangent of half of (angle - other): near it for small differences, and growing up to half a turn. At most
// JOINT_FAR.
#define JOINT_FAR 1e3
static inline double joint_past(const double angle[2], const double other[2])
{
    const double s = angle[1] * other[0] - angle[0] * other[1];
    const double c = angle[0] * other[0] + angle[1] * other[1];
    const double below = 1 + c, least = (s < 0 ? -s : s) * (2 / JOINT_FAR);
    return below > least ? 2 * s / below : s < 0 ? -JOINT_FAR : s > 0 ? JOINT_FAR : 0;
}

// How far an angle is outside of the arc from `middle` - `half` to `middle` + `half`: 0 within it, above 0 past its
// end, below 0 before its beginning. half is within half a turn. The nearer end counts.
static inline double joint_beyond(const double angle[2], const double middle[2], const double half[2])
{
    const double c = angle[0] * middle[0] + angle[1] * middle[1];
    const double s = angle[1] * middle[0] - angle[0] * middle[1];
    if (c >= half[0]) {
        return 0;
    }
    const double from[2] = {c, s}, end[2] = {half[0], s < 0 ? -half[1] : half[1]};
    return joint_past(from, end);
}

// Cuts a total to within +-most, and returns the change of it.
static inline double joint_cut(double lam, double step, double most)
{
    const double total = lam + step;
    return (total > most ? most : total < -most ? -most : total) - lam;
}

#endif
