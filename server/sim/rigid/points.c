// Points of a manifold.
#include "sim/rigid/manifold.h"

#include "sim/ground/vector.h"

#define ALONG2 1e-9 // square of the sine below which two segments lie along each other

void sim_manifold_add(struct sim_manifold *manifold, const double on_b[3], double gap, double margin)
{
    if (!(gap <= margin) || manifold->count == SIM_MANIFOLD_POINTS) {
        return;
    }
    const uint32_t at = manifold->count++;
    manifold->gap[at] = gap;
    for (int axis = 0; axis < 3; axis++) {
        manifold->on_b[at][axis] = on_b[axis];
        manifold->on_a[at][axis] = on_b[axis] + gap * manifold->normal[axis];
    }
}

int sim_manifold_thin(const double (*points)[3], int count, double same, double alike,
                      int kept[SIM_MANIFOLD_POINTS])
{
    int deepest = 0, left = -1, right = -1, many = 0;
    for (int k = 1; k < count; k++) {
        deepest = points[k][2] < points[deepest][2] - same ? k : deepest;
    }
    // The farthest from it, then the farthest on either side of the line between the two.
    const double *from = points[deepest];
    int far = deepest;
    double far2 = 0, most = 0, least = 0;
    for (int k = 0; k < count; k++) {
        const double x = points[k][0] - from[0], y = points[k][1] - from[1];
        if (x * x + y * y > far2 * (1 + alike)) {
            far2 = x * x + y * y;
            far = k;
        }
    }
    const double dx = points[far][0] - from[0], dy = points[far][1] - from[1];
    for (int k = 0; k < count; k++) {
        const double side = dx * (points[k][1] - from[1]) - dy * (points[k][0] - from[0]);
        if (side > most * (1 + alike)) {
            most = side;
            left = k;
        }
        if (side < least * (1 + alike)) {
            least = side;
            right = k;
        }
    }
    for (int k = 0; k < count && many < SIM_MANIFOLD_POINTS; k++) {
        if (k == deepest || k == far || k == left || k == right) {
            kept[many++] = k;
        }
    }
    return many;
}

static double cut(double v, double most)
{
    return v < -most ? -most : v > most ? most : v;
}

void sim_segments_nearest(const double between[3], const double u[3], double half_a, const double v[3],
                          double half_b, double *s, double *t)
{
    const double cosine = sim_dot(u, v), a = sim_dot(u, between), b = sim_dot(v, between);
    const double sine2 = 1 - cosine * cosine;
    *s = sine2 > ALONG2 ? cut((cosine * b - a) / sine2, half_a) : 0;
    *t = cut(b + cosine * *s, half_b);
    *s = cut(cosine * *t - a, half_a);
    *t = cut(b + cosine * *s, half_b);
}
