// Particles with triangles, edges with edges.
#include "helper_pairs.h"

#include "helper_scene.h"

#include <math.h>

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)((scene_random(seed) >> 32) * count >> 32);
}

static double between(uint64_t *seed, double least, double most)
{
    return least + (most - least) * scene_uniform(seed);
}

static void any_way(uint64_t *seed, double size, double way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = below(seed, 6) == 0 ? 0 : between(seed, -size, size);
    }
}

// Often exactly at a corner, an end or halfway.
static double any_share(uint64_t *seed)
{
    static const double shares[] = {0, 1, 0.5, -0.5, 1.5};
    return below(seed, 3) == 0 ? shares[below(seed, 5)] : between(seed, -1, 2);
}

static uint32_t region_of(double share)
{
    return share < 0 ? 0 : share > 1 ? 2 : 1;
}

static void put(struct sim_row *row, const double x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        row->x[axis] = (int32_t)(uint32_t)(uint64_t)llrint(x[axis]);
    }
}

// a and b are sides of a triangle, or edges; the second side is away along what is at right angles to both.
uint32_t pairs_place(uint64_t *seed, enum sim_pair_kind kind, const double from[3], double size,
                     double height, struct sim_row rows[4])
{
    double a[3], b[3], n[3], x[4][3], s = any_share(seed), t = any_share(seed), length = 0;
    any_way(seed, size, a);
    any_way(seed, size, b);
    const uint32_t odd = below(seed, 10);
    for (int axis = 0; axis < 3; axis++) {
        b[axis] = odd == 0   ? a[axis] * s
                  : odd == 1 ? a[axis] * s + between(seed, -1, 1)
                             : b[axis]; // in one direction, or nearly
        a[axis] = odd == 2 ? 0 : a[axis];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = a[j] * b[k] - a[k] * b[j];
        length += n[i] * n[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        double apart = length > 0 ? n[axis] / sqrt(length) * height : axis == 0 ? height : 0;
        double origin = from[axis] + apart;
        x[0][axis] = kind == SIM_PAIR_VT ? origin + s * a[axis] + t * b[axis] : origin - s * a[axis];
        x[1][axis] = kind == SIM_PAIR_VT ? from[axis] : x[0][axis] + a[axis];
        x[2][axis] = kind == SIM_PAIR_VT ? from[axis] + a[axis] : from[axis] - t * b[axis];
        x[3][axis] = kind == SIM_PAIR_VT ? from[axis] + b[axis] : x[2][axis] + b[axis];
    }
    for (uint32_t k = 0; k < 4; k++) {
        put(&rows[k], x[odd == 3 && k == 3 ? 0 : k]); // two of them coincide
    }
    return 3 * region_of(s) + region_of(t);
}

// ---------------------------------------------------------------------------------------------------- distance

typedef long double wide; // 64 bits of a product of two differences

static wide dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void less(const wide a[3], const wide b[3], wide out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

static void cross(const wide a[3], const wide b[3], wide out[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static wide to_segment(const wide p[3], const wide a[3], const wide b[3])
{
    wide way[3], from[3], left[3];
    less(b, a, way);
    less(p, a, from);
    wide length2 = dot(way, way), s = length2 > 0 ? dot(from, way) / length2 : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    for (int axis = 0; axis < 3; axis++) {
        left[axis] = from[axis] - s * way[axis];
    }
    return sqrtl(dot(left, left));
}

// Height of a particle above a triangle, if it is above its inside.
static wide to_inside(const wide x[4][3])
{
    wide u[3], v[3], n[3], from[3];
    less(x[2], x[1], u);
    less(x[3], x[1], v);
    cross(u, v, n);
    for (int i = 1; i < 4; i++) {
        wide side[3], turn[3];
        less(x[i % 3 + 1], x[i], side);
        less(x[0], x[i], from);
        cross(side, from, turn);
        if (dot(turn, n) < 0) {
            return INFINITY;
        }
    }
    return dot(n, n) > 0 ? fabsl(dot(from, n)) / sqrtl(dot(n, n)) : INFINITY;
}

// Distance of two lines, if their closest points are within both edges.
static wide between_insides(const wide x[4][3])
{
    wide a[3], b[3], q[3], n[3];
    less(x[1], x[0], a);
    less(x[3], x[2], b);
    less(x[2], x[0], q);
    cross(a, b, n);
    wide square = dot(n, n), qb[3], qa[3];
    cross(q, b, qb);
    cross(q, a, qa);
    wide s = dot(qb, n), t = dot(qa, n);
    return square > 0 && s >= 0 && s <= square && t >= 0 && t <= square ? fabsl(dot(q, n)) / sqrtl(square)
                                                                        : INFINITY;
}

double pairs_distance(enum sim_pair_kind kind, const struct sim_row rows[4])
{
    wide x[4][3], least = INFINITY;
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            x[k][axis] = sim_wrap_sub(rows[k].x[axis], rows[0].x[axis]);
        }
    }
    if (kind == SIM_PAIR_VT) {
        least = to_inside((const wide(*)[3])x);
        for (int i = 1; i < 4; i++) {
            least = fminl(least, to_segment(x[0], x[i], x[i % 3 + 1]));
        }
    } else {
        least = between_insides((const wide(*)[3])x);
        for (int i = 0; i < 2; i++) {
            least = fminl(least, to_segment(x[i], x[2], x[3]));
            least = fminl(least, to_segment(x[2 + i], x[0], x[1]));
        }
    }
    return (double)least;
}
