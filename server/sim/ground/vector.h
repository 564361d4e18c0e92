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

#endif
