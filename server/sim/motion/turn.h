// Quaternions x, y, z, w in doubles: + - * / and square root only.
#ifndef WEFT_SIM_MOTION_TURN_H
#define WEFT_SIM_MOTION_TURN_H

#include <stdbool.h>

static inline void turn_apply(const double q[4], const double v[3], double out[3])
{
    // v + 2 w (u x v) + 2 u x (u x v), u = (x, y, z)
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    out[0] = v[0] + q[3] * t[0] + (q[1] * t[2] - q[2] * t[1]);
    out[1] = v[1] + q[3] * t[1] + (q[2] * t[0] - q[0] * t[2]);
    out[2] = v[2] + q[3] * t[2] + (q[0] * t[1] - q[1] * t[0]);
}

// Makes the length 1; false if there is no length to speak of, and then v stays as it is.
static inline bool turn_unit(double *v, int count)
{
    double length2 = 0;
    for (int i = 0; i < count; i++) {
        length2 += v[i] * v[i];
    }
    if (!(length2 > 1e-24 && length2 < 1e24)) {
        return false;
    }
    double length = __builtin_sqrt(length2);
    for (int i = 0; i < count; i++) {
        v[i] /= length;
    }
    return true;
}

// First b, then a. `out` may be either.
static inline void turn_product(const double a[4], const double b[4], double out[4])
{
    const double product[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                               a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                               a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                               a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    for (int i = 0; i < 4; i++) {
        out[i] = product[i];
    }
}

// First b, then what undoes the unit a.
static inline void turn_undone(const double a[4], const double b[4], double out[4])
{
    const double back[4] = {-a[0], -a[1], -a[2], a[3]};
    turn_product(back, b, out);
}

static inline double turn_dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static inline bool turn_same(const double a[4], const double b[4])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

#endif
