// Vectors of three doubles.
#ifndef WEFT_SIM_GROUND_VECTOR_H
#define WEFT_SIM_GROUND_VECTOR_H

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

#endif
