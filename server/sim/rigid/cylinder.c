// A sphere or a capsule with a cylinder, which is a collider. manifold.h says what a manifold is.
//
// A capsule is a segment m + s d, with s between -half and half, and a radius. Half of the square of a point's distance to the cylinder is
// convex, and its slope along the segment is d . (p - nearest(p)). The place where that is 0 is found by halving. Where the segment
// reaches into the cylinder, the way out leads through an end or across the axis.
//
// All is computed in the frame of the cylinder, whose axis is y.

#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"

#include <string.h>

#define NOTHING 1e-12 // m: no direction is left between points so near
#define ALONG 1e-3    // sine of the angle below which directions are the same
#define WIDE 1e-3     // of half the length: what of a segment must be over a surface to touch at two points
enum { HALVINGS = 60 };

struct round {
    double radius, height;   // m, of the cylinder: height is half of its length
    double m[3], d[3], half; // the segment, d of length 1
};

struct nearest {
    double n[3], gap, s; // the normal out of the cylinder, and the gap along it, of the segment alone
};

static double clamp(double v, double least, double most)
{
    return v < least ? least : v > most ? most : v;
}

static void point_at(const struct round *round, double s, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = round->m[axis] + s * round->d[axis];
    }
}

// The way from the nearest point of the cylinder to the segment's point s.
static void way_at(const struct round *round, double s, double way[3])
{
    double p[3];
    point_at(round, s, p);
    const double ring = __builtin_sqrt(p[0] * p[0] + p[2] * p[2]);
    const double part = ring > round->radius ? 1 - round->radius / ring : 0;
    way[0] = part * p[0];
    way[1] = p[1] - clamp(p[1], -round->height, round->height);
    way[2] = part * p[2];
}

static double slope_at(const struct round *round, double s)
{
    double way[3];
    way_at(round, s, way);
    return sim_dot(way, round->d);
}

static double nearest_s(const struct round *round)
{
    double low = -round->half, high = round->half;
    if (!(slope_at(round, low) < 0)) {
        return low;
    }
    if (!(slope_at(round, high) > 0)) {
        return high;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (slope_at(round, middle) < 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

// Finds the part of the segment over an end.
static void over_end(const struct round *round, double s[2])
{
    const double a = round->d[0] * round->d[0] + round->d[2] * round->d[2];
    const double b = round->m[0] * round->d[0] + round->m[2] * round->d[2];
    const double c = (round->m[0] * round->m[0] + round->m[2] * round->m[2]) - round->radius * round->radius;
    const double root2 = b * b - a * c;
    s[0] = s[1] = 0;
    if (a > ALONG * ALONG && root2 > 0) {
        const double root = __builtin_sqrt(root2);
        s[0] = clamp((-b - root) / a, -round->half, round->half);
        s[1] = clamp((-b + root) / a, -round->half, round->half);
    }
}

// Finds the part of the segment between the planes of the ends.
static void beside(const struct round *round, double s[2])
{
    s[0] = -round->half;
    s[1] = round->half;
    if (!(__builtin_fabs(round->d[1]) > ALONG)) {
        return;
    }
    const double one = (-round->height - round->m[1]) / round->d[1],
                 other = (round->height - round->m[1]) / round->d[1];
    s[0] = clamp(one < other ? one : other, -round->half, round->half);
    s[1] = clamp(one < other ? other : one, -round->half, round->half);
}

// The way out of a segment that reaches into the cylinder.
static void way_out(const struct round *round, struct nearest *out)
{
    const double lean = round->half * __builtin_fabs(round->d[1]);
    const double flat2 = round->d[0] * round->d[0] + round->d[2] * round->d[2];
    double across[3] = {1, 0, 0}, p[3], part[2];
    *out = (struct nearest){.n = {0, round->m[1] < 0 ? -1 : 1, 0},
                            .gap = __builtin_fabs(round->m[1]) - lean - round->height};
    over_end(round, part);
    out->s = round->m[1] * round->d[1] > 0 ? part[0] : part[1];
    beside(round, part);
    // Across the axis: from where the segment, seen along the axis, is nearest to it.
    const double along = round->m[0] * round->d[0] + round->m[2] * round->d[2];
    const double s = clamp(flat2 > ALONG * ALONG ? -along / flat2 : 0, part[0], part[1]);
    point_at(round, s, p);
    const double ring = __builtin_sqrt(p[0] * p[0] + p[2] * p[2]);
    if (ring > 1e-9) {
        across[0] = p[0] / ring;
        across[2] = p[2] / ring;
    } else if (flat2 > ALONG * ALONG) {
        across[0] = round->d[2] / __builtin_sqrt(flat2);
        across[2] = -round->d[0] / __builtin_sqrt(flat2);
    }
    if (ring - round->radius > out->gap) {
        memcpy(out->n, across, sizeof across);
        out->gap = ring - round->radius;
        out->s = s;
    }
}

// How far the segment's point s is out along the normal.
static double gap_at(const struct round *round, double s, const double n[3])
{
    double p[3];
    point_at(round, s, p);
    return n[1] != 0 ? n[1] * p[1] - round->height : (n[0] * p[0] + n[2] * p[2]) - round->radius;
}

static void turn(const struct sim_proxy *cylinder, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (v[0] * cylinder->axes[0][axis] + v[1] * cylinder->axes[1][axis]) +
                    v[2] * cylinder->axes[2][axis];
    }
}

static void add_below(const struct sim_proxy *proxy, const struct round *round,
                      const struct sim_proxy *cylinder, double s, const double n[3], double gap,
                      double margin, struct sim_manifold *manifold)
{
    double p[3], on_b[3];
    point_at(round, s, p);
    for (int axis = 0; axis < 3; axis++) {
        p[axis] -= gap * n[axis];
    }
    turn(cylinder, p, on_b);
    for (int axis = 0; axis < 3; axis++) {
        on_b[axis] += cylinder->position[axis];
    }
    sim_manifold_add(manifold, on_b, gap - proxy->radius, margin);
}

bool sim_manifold_round_cylinder(const struct sim_proxy *proxy, const struct sim_proxy *cylinder,
                                 double margin, struct sim_manifold *manifold)
{
    struct round round = {.radius = cylinder->half_extents[0],
                          .height = cylinder->half_extents[1],
                          .half = proxy->form == SIM_PROXY_CAPSULE ? proxy->half_length : 0};
    double from[3], way[3], ends[2];
    struct nearest out;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = proxy->position[axis] - cylinder->position[axis];
    }
    for (int i = 0; i < 3; i++) {
        round.m[i] = sim_dot(cylinder->axes[i], from);
        round.d[i] = sim_dot(cylinder->axes[i], proxy->axes[1]);
    }
    out.s = round.half > 0 ? nearest_s(&round) : 0;
    way_at(&round, out.s, way);
    out.gap = __builtin_sqrt(sim_dot(way, way));
    if (!(out.gap - proxy->radius <= margin)) {
        return false;
    }
    if (out.gap > NOTHING) {
        for (int axis = 0; axis < 3; axis++) {
            out.n[axis] = way[axis] / out.gap;
        }
    } else {
        way_out(&round, &out);
    }
    // A direction that is nearly that of an end, or across the axis, is taken for it.
    const bool up = __builtin_fabs(out.n[1]) > 1 - 0.5 * ALONG * ALONG;
    const bool side =
        __builtin_fabs(out.n[1]) < ALONG && __builtin_fabs(round.d[1]) > 1 - 0.5 * ALONG * ALONG;
    if (up) {
        out.n[0] = out.n[2] = 0;
        out.n[1] = out.n[1] < 0 ? -1 : 1;
        over_end(&round, ends);
    } else if (side) {
        const double length = __builtin_sqrt(out.n[0] * out.n[0] + out.n[2] * out.n[2]);
        out.n[0] /= length;
        out.n[1] = 0;
        out.n[2] /= length;
        beside(&round, ends);
    }
    turn(cylinder, out.n, manifold->normal);
    if ((up || side) && round.half > 0 && ends[1] - ends[0] > WIDE * round.half) {
        for (int end = 0; end < 2; end++) {
            add_below(proxy, &round, cylinder, ends[end], out.n, gap_at(&round, ends[end], out.n), margin,
                      manifold);
        }
    }
    if (manifold->count == 0) {
        add_below(proxy, &round, cylinder, out.s, out.n, out.gap, margin, manifold);
    }
    return manifold->count > 0;
}
