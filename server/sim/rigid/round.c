// Spheres and capsules: points and segments with a radius. manifold.h says what a manifold is.
//
// A segment p(s) = m + s d, with s between -1 and 1, is nearest to a box where the derivative of the squared distance
//
//     f'(s)/2 = sum over axes of d_i (p_i(s) - clamp(p_i(s)))
//
// is zero. It grows with s, and is linear between the values of s at which the segment enters or leaves a slab of the box.

#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"

#include <float.h>

#define NOTHING 1e-12 // m: no direction is left between points so near
#define ALONG 1e-3    // sine of the angle below which two segments lie along each other

static double clamp(double v, double least, double most)
{
    return v < least ? least : v > most ? most : v;
}

static double half_of(const struct sim_proxy *round)
{
    return round->form == SIM_PROXY_CAPSULE ? round->half_length : 0;
}

static void point_at(const struct sim_proxy *round, double along, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = round->position[axis] + along * round->axes[1][axis];
    }
}

// Any direction across v, of length 1.
static void across(const double v[3], double out[3])
{
    const bool along_x = __builtin_fabs(v[0]) > 0.7;
    const double other[3] = {along_x ? 0 : 1, along_x ? 1 : 0, 0};
    sim_cross(v, other, out);
    const double length = __builtin_sqrt(sim_dot(out, out));
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = length > 0 ? out[axis] / length : axis == 1;
    }
}

// ------------------------------------------------------------------------------------------------------ two round ones

static void add_round(const struct sim_proxy *a, double s, const struct sim_proxy *b, double t, double margin,
                      struct sim_manifold *manifold)
{
    double on_a[3], on_b[3], between[3];
    point_at(a, s, on_a);
    point_at(b, t, on_b);
    for (int axis = 0; axis < 3; axis++) {
        between[axis] = on_a[axis] - on_b[axis];
        on_b[axis] += b->radius * manifold->normal[axis];
    }
    const double gap = sim_dot(between, manifold->normal) - (a->radius + b->radius);
    sim_manifold_add(manifold, on_b, gap, margin);
}

// Finds the ends of what two capsules that lie along each other have in common, along a's axis.
static bool common(const struct sim_proxy *a, const struct sim_proxy *b, const double between[3],
                   double cosine, double ends[2])
{
    const double middle = -sim_dot(a->axes[1], between), half = half_of(b) * __builtin_fabs(cosine);
    ends[0] = middle - half > -half_of(a) ? middle - half : -half_of(a);
    ends[1] = middle + half < half_of(a) ? middle + half : half_of(a);
    return ends[1] > ends[0];
}

bool sim_manifold_round(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold)
{
    double between[3], s, t, p[3], q[3], ends[2];
    const double half_a = half_of(a), half_b = half_of(b);
    for (int axis = 0; axis < 3; axis++) {
        between[axis] = a->position[axis] - b->position[axis];
    }
    sim_segments_nearest(between, a->axes[1], half_a, b->axes[1], half_b, &s, &t);
    point_at(a, s, p);
    point_at(b, t, q);
    double normal[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    const double length = __builtin_sqrt(sim_dot(normal, normal));
    if (!(length - (a->radius + b->radius) <= margin)) {
        return false;
    }
    const double cosine = sim_dot(a->axes[1], b->axes[1]);
    const bool along = half_a > 0 && half_b > 0 && 1 - cosine * cosine < ALONG * ALONG;
    if (length > NOTHING) {
        for (int axis = 0; axis < 3; axis++) {
            manifold->normal[axis] = normal[axis] / length;
        }
    } else {
        double way[3];
        sim_cross(a->axes[1], b->axes[1], way);
        const double sine = __builtin_sqrt(sim_dot(way, way));
        for (int axis = 0; sine > ALONG && axis < 3; axis++) {
            manifold->normal[axis] = way[axis] / sine;
        }
        if (!(sine > ALONG)) {
            across(half_a > 0 ? a->axes[1] : b->axes[1], manifold->normal);
        }
    }
    if (along && common(a, b, between, cosine, ends)) {
        for (int end = 0; end < 2; end++) {
            const double at = ends[end] + sim_dot(a->axes[1], between);
            add_round(a, ends[end], b, clamp(cosine > 0 ? at : -at, -half_b, half_b), margin, manifold);
        }
    }
    if (manifold->count == 0) {
        add_round(a, s, b, t, margin, manifold);
    }
    return manifold->count > 0;
}

// --------------------------------------------------------------------------------------------------- a round one, a box

// A segment in the frame of a box: m + s d, s between -1 and 1.
struct segment {
    double m[3], d[3];
};

static double slope_at(const struct segment *segment, const double half[3], double s)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double p = segment->m[i] + s * segment->d[i];
        sum += segment->d[i] * (p - clamp(p, -half[i], half[i]));
    }
    return sum;
}

// Finds the place between two places at which a slope that does not fall passes 0.
static double zero_between(const double at[2], const double slopes[2])
{
    return at[0] + (at[1] - at[0]) * (-slopes[0] / (slopes[1] - slopes[0]));
}

// The s at which the segment is nearest to the box; the middle one if there are many.
static double nearest_to_box(const struct segment *segment, const double half[3])
{
    double at[8] = {-1}, least = -1, most = 1;
    int count = 1;
    for (int i = 0; i < 6; i++) {
        const double d = segment->d[i / 2],
                     to = (i % 2 == 0 ? half[i / 2] : -half[i / 2]) - segment->m[i / 2];
        if (__builtin_fabs(to) < __builtin_fabs(d)) {
            double s = to / d;
            int k = count++;
            for (; k > 1 && at[k - 1] > s; k--) {
                at[k] = at[k - 1];
            }
            at[k] = s;
        }
    }
    at[count++] = 1;
    // The slope is 0 from least to most.
    double slopes[8];
    for (int k = 0; k < count; k++) {
        slopes[k] = slope_at(segment, half, at[k]);
    }
    int rises = 0, falls = count - 1;
    for (; rises < count && slopes[rises] < 0; rises++) {
    }
    for (; falls >= 0 && slopes[falls] > 0; falls--) {
    }
    if (rises > 0 && rises < count) {
        least = zero_between(at + rises - 1, slopes + rises - 1);
    } else if (rises == count) {
        least = 1;
    }
    if (falls >= 0 && falls < count - 1) {
        most = zero_between(at + falls, slopes + falls);
    } else if (falls < 0) {
        most = -1;
    }
    return 0.5 * (least + most);
}

// The way out of a box for a segment that reaches into it: the axis along which it is least deep.
struct out {
    double n[3], gap; // of the segment itself, without its radius
    int face, edge;   // the axis of the face; -1: across an edge along this axis
};

static void try_way(const struct segment *segment, const double half[3], const double n[3], int face,
                    int edge, double bias, struct out *best)
{
    const double sign = sim_dot(segment->m, n) < 0 ? -1 : 1;
    const double box =
        (half[0] * __builtin_fabs(n[0]) + half[1] * __builtin_fabs(n[1])) + half[2] * __builtin_fabs(n[2]);
    const double gap = sign * sim_dot(segment->m, n) - (box + __builtin_fabs(sim_dot(segment->d, n)));
    if (gap > best->gap + bias) {
        best->gap = gap;
        best->face = face;
        best->edge = edge;
        for (int axis = 0; axis < 3; axis++) {
            best->n[axis] = sign * n[axis];
        }
    }
}

static struct out way_out(const struct segment *segment, const double half[3])
{
    struct out best = {.gap = -DBL_MAX, .face = -1};
    const double size = (half[0] + half[1]) + half[2];
    for (int i = 0; i < 3; i++) {
        const double n[3] = {i == 0, i == 1, i == 2};
        try_way(segment, half, n, i, -1, 0, &best);
    }
    for (int i = 0; i < 3; i++) {
        const double edge[3] = {i == 0, i == 1, i == 2};
        double n[3];
        sim_cross(edge, segment->d, n);
        const double length = __builtin_sqrt(sim_dot(n, n));
        if (length > 1e-6 * __builtin_sqrt(sim_dot(segment->d, segment->d)) && length > NOTHING) {
            for (int axis = 0; axis < 3; axis++) {
                n[axis] /= length;
            }
            try_way(segment, half, n, -1, i, 1e-4 * size, &best);
        }
    }
    return best;
}

// The point of the segment that is nearest to an edge.
static double nearest_to_edge(const struct segment *segment, const double half[3], const struct out *out)
{
    double along = 0, length2 = 0;
    for (int k = 1; k < 3; k++) {
        const int i = (out->edge + k) % 3;
        const double to = (out->n[i] > 0 ? half[i] : -half[i]) - segment->m[i];
        along += to * segment->d[i];
        length2 += segment->d[i] * segment->d[i];
    }
    return clamp(along / length2, -1, 1);
}

// The part of the segment over a face, from s[0] to s[1].
static void clip(const struct segment *segment, const double half[3], int face, double s[2])
{
    s[0] = -1, s[1] = 1;
    for (int k = 1; k < 3; k++) {
        const int i = (face + k) % 3;
        for (int side = -1; side <= 1; side += 2) {
            const double speed = side * segment->d[i], room = half[i] - side * segment->m[i];
            if (speed > 0) {
                s[1] = room / speed < s[1] ? room / speed : s[1];
            } else if (speed < 0) {
                s[0] = room / speed > s[0] ? room / speed : s[0];
            }
        }
    }
}

static void to_world(const struct sim_proxy *box, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (v[0] * box->axes[0][axis] + v[1] * box->axes[1][axis]) + v[2] * box->axes[2][axis];
    }
}

// Adds the point of the box below the segment's point s, along the normal in the frame of the box.
static void add_over(const struct sim_proxy *round, const struct sim_proxy *box,
                     const struct segment *segment, double s, const double n[3], double gap, double margin,
                     struct sim_manifold *manifold)
{
    double p[3], on_b[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = (segment->m[axis] + s * segment->d[axis]) - gap * n[axis];
    }
    to_world(box, p, on_b);
    for (int axis = 0; axis < 3; axis++) {
        on_b[axis] += box->position[axis];
    }
    sim_manifold_add(manifold, on_b, gap - round->radius, margin);
}

// Both ends of what lies over a face.
static void over_face(const struct sim_proxy *round, const struct sim_proxy *box,
                      const struct segment *segment, int face, const double n[3], double margin,
                      struct sim_manifold *manifold)
{
    const double *half = box->half_extents;
    double s[2];
    clip(segment, half, face, s);
    const bool wide = s[1] - s[0] > 1e-3 && half_of(round) > 0;
    for (int end = 0; end < (wide ? 2 : 1); end++) {
        const double at = wide ? s[end] : clamp(0.5 * (s[0] + s[1]), -1, 1);
        const double height = n[face] * (segment->m[face] + at * segment->d[face]) - half[face];
        add_over(round, box, segment, at, n, height, margin, manifold);
    }
}

bool sim_manifold_round_box(const struct sim_proxy *round, const struct sim_proxy *box, double margin,
                            struct sim_manifold *manifold)
{
    const double *half = box->half_extents;
    struct segment segment;
    double from[3], n[3], outside[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = round->position[axis] - box->position[axis];
    }
    for (int i = 0; i < 3; i++) {
        segment.m[i] = sim_dot(box->axes[i], from);
        segment.d[i] = half_of(round) * sim_dot(box->axes[i], round->axes[1]);
    }
    double s = half_of(round) > 0 ? nearest_to_box(&segment, half) : 0;
    int beyond = 0, face = -1;
    for (int i = 0; i < 3; i++) {
        const double p = segment.m[i] + s * segment.d[i];
        outside[i] = p - clamp(p, -half[i], half[i]);
        if (outside[i] != 0) {
            beyond++;
            face = i;
        }
    }
    double gap = __builtin_sqrt(sim_dot(outside, outside));
    if (!(gap - round->radius <= margin)) {
        return false;
    }
    if (gap > NOTHING) {
        face = beyond == 1 ? face : -1;
        for (int i = 0; i < 3; i++) {
            n[i] = outside[i] / gap;
        }
    } else {
        const struct out out = way_out(&segment, half);
        for (int i = 0; i < 3; i++) {
            n[i] = out.n[i];
        }
        face = out.face;
        gap = out.gap;
        s = face < 0 ? nearest_to_edge(&segment, half, &out) : s;
    }
    to_world(box, n, manifold->normal);
    if (face >= 0) {
        over_face(round, box, &segment, face, n, margin, manifold);
    }
    if (face < 0 || manifold->count == 0) {
        add_over(round, box, &segment, s, n, gap, margin, manifold);
    }
    return manifold->count > 0;
}
