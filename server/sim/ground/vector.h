// Vectors of three doubles.
#ifndef WEFT_SIM_GROUND_VECTOR_H
#define WEFT_SIM_GROUND_VECTOR_H

#include <stdint.h>

static inline double sim_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void sim_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Fills in the columns of the rotation matrix of a unit quaternion x, y, z, w.
static inline void sim_axes_of(const double q[4], double axes[3][3])
{
    const double x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
    const double xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2;
    const double xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
    const double wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
    axes[0][0] = 1 - (yy + zz);
    axes[0][1] = xy + wz;
    axes[0][2] = xz - wy;
    axes[1][0] = xy - wz;
    axes[1][1] = 1 - (xx + zz);
    axes[1][2] = yz + wx;
    axes[2][0] = xz + wy;
    axes[2][1] = yz - wx;
    axes[2][2] = 1 - (xx + yy);
}

// Fills in the rotated x, y and z of an orientation in quanta, which need not have length 1.
static inline void sim_turn_axes(const int32_t turn[4], double axes[3][3])
{
    const double x = turn[0], y = turn[1], z = turn[2], w = turn[3];
    const double length2 = (x * x + y * y) + (z * z + w * w), twice = length2 > 0 ? 2 / length2 : 0;
    axes[0][0] = 1 - twice * (y * y + z * z);
    axes[0][1] = twice * (x * y + w * z);
    axes[0][2] = twice * (x * z - w * y);
    axes[1][0] = twice * (x * y - w * z);
    axes[1][1] = 1 - twice * (x * x + z * z);
    axes[1][2] = twice * (y * z + w * x);
    axes[2][0] = twice * (x * z + w * y);
    axes[2][1] = twice * (y * z - w * x);
    axes[2][2] = 1 - twice * (x * x + y * y);
}

// The product of two quaternions: b turns first.
static inline void sim_turn_product(const double a[4], const double b[4], double out[4])
{
    out[0] = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    out[1] = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    out[2] = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    out[3] = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];
}

// Fills the unit quaternion of an orientation in units of 2^-30; all 0 if there is none.
static inline void sim_turn_unit(const int32_t turn[4], double q[4])
{
    double length2 = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)turn[i];
        length2 += q[i] * q[i];
    }
    const double scale = length2 > 0 ? 1 / __builtin_sqrt(length2) : 0;
    for (int i = 0; i < 4; i++) {
        q[i] = q[i] * scale;
    }
}

#endif
