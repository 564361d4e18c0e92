// Vectors of three floats, for rendering.
#ifndef WEFT_CLI_VECTOR_H
#define WEFT_CLI_VECTOR_H

#include <math.h>

struct vec3 {
    float x, y, z;
};

static inline struct vec3 vec3_from(const float *p)
{
    return (struct vec3){p[0], p[1], p[2]};
}

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vec3 vec3_scale(struct vec3 a, float s)
{
    return (struct vec3){a.x * s, a.y * s, a.z * s};
}

static inline struct vec3 vec3_mad(struct vec3 a, struct vec3 b, float s)
{
    return (struct vec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline struct vec3 vec3_mul(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline struct vec3 vec3_mix(struct vec3 a, struct vec3 b, float t)
{
    return (struct vec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static inline float vec3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec3_length(struct vec3 a)
{
    return sqrtf(vec3_dot(a, a));
}

// The unit vector along a, or `otherwise` if a has no direction.
static inline struct vec3 vec3_unit(struct vec3 a, struct vec3 otherwise)
{
    const float length = vec3_length(a);
    return length > 1e-20f && isfinite(length) ? vec3_scale(a, 1 / length) : otherwise;
}

static inline float clampf(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

static inline float smoothf(float low, float high, float value)
{
    const float t = clampf((value - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

#endif
