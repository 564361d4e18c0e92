// Two boxes: the axis along which they overlap least, or are farthest apart (Gottschalk, Lin, Manocha 1996), and the points of
// the face that touches (Sutherland and Hodgman 1974). manifold.h says what a manifold is.
//
// All is computed in the frame of box a, about its middle. An axis of a face is taken before one across two edges, and a face of a
// before one of b, unless the other is better by more than what rounding, or a box that rocks a little, makes of it. So the
// features of two boxes that rest on each other stay the same from substep to substep.

#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"

#include <float.h>
#include <string.h>

#define PARALLEL 1e-6 // square of the sine between two edges that have no axis across them
#define BIAS 1e-3     // of the size of the smaller box: what an axis must be better by
enum { POLYGON_MAX = 12 };

struct boxes {
    double half_a[3], half_b[3];
    double at[3];   // b's middle
    double r[3][3]; // r[i][j]: axis i of b in the frame of a, by j
    double size;    // the sum of the half extents of the smaller one
};

struct axis {
    double n[3], gap; // from a to b, in the frame of a
    int a, b;         // the axes of the edges, or of the face and -1
};

static double take(const double half[3], double x, double y, double z)
{
    return (half[0] * __builtin_fabs(x) + half[1] * __builtin_fabs(y)) + half[2] * __builtin_fabs(z);
}

static void try_axis(const struct boxes *boxes, const double n[3], int a, int b, double bias,
                     struct axis *best)
{
    const double along = sim_dot(boxes->at, n);
    const double gap = __builtin_fabs(along) - (take(boxes->half_a, n[0], n[1], n[2]) +
                                                take(boxes->half_b, sim_dot(boxes->r[0], n),
                                                     sim_dot(boxes->r[1], n), sim_dot(boxes->r[2], n)));
    if (gap > best->gap + bias) {
        const double sign = along < 0 ? -1 : 1;
        *best = (struct axis){.n = {sign * n[0], sign * n[1], sign * n[2]}, .gap = gap, .a = a, .b = b};
    }
}

static struct axis best_axis(const struct boxes *boxes, double margin)
{
    struct axis best = {.gap = -DBL_MAX};
    const double bias = BIAS * boxes->size;
    for (int i = 0; i < 3; i++) {
        const double n[3] = {i == 0, i == 1, i == 2};
        try_axis(boxes, n, i, -1, 0, &best);
    }
    for (int i = 0; i < 3; i++) {
        // The first one of b has to be better than the best of a.
        try_axis(boxes, boxes->r[i], -1, i, best.b < 0 ? bias : 0, &best);
    }
    for (int i = 0; i < 9 && best.gap <= margin; i++) {
        const double edge[3] = {i / 3 == 0, i / 3 == 1, i / 3 == 2};
        double n[3];
        sim_cross(edge, boxes->r[i % 3], n);
        const double length2 = sim_dot(n, n);
        if (length2 > PARALLEL) {
            const double length = __builtin_sqrt(length2);
            for (int k = 0; k < 3; k++) {
                n[k] /= length;
            }
            try_axis(boxes, n, i / 3, i % 3, best.a < 0 || best.b < 0 ? bias : 0, &best);
        }
    }
    return best;
}

// --------------------------------------------------------------------------------------------------------------- edges

// The two edges that face each other, and the points of theirs that are nearest.
static void edges_meet(const struct boxes *boxes, const struct axis *best, double on_b[3])
{
    double p[3], q[3], u[3] = {0}, between[3];
    const double *v = boxes->r[best->b];
    u[best->a] = 1;
    memcpy(q, boxes->at, sizeof q);
    for (int i = 0; i < 3; i++) {
        p[i] = i == best->a ? 0 : best->n[i] > 0 ? boxes->half_a[i] : -boxes->half_a[i];
        const double away = sim_dot(boxes->r[i], best->n);
        for (int k = 0; i != best->b && k < 3; k++) {
            q[k] += (away > 0 ? -boxes->half_b[i] : boxes->half_b[i]) * boxes->r[i][k];
        }
    }
    for (int k = 0; k < 3; k++) {
        between[k] = p[k] - q[k];
    }
    double s, t;
    sim_segments_nearest(between, u, boxes->half_a[best->a], v, boxes->half_b[best->b], &s, &t);
    for (int k = 0; k < 3; k++) {
        on_b[k] = q[k] + t * v[k];
    }
}

// Edge k of 12, along axis k / 4, from the middle of the frame: its middle.
static int edge_of(const double half[3], int k, double middle[3])
{
    const int axis = k / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    middle[axis] = 0;
    middle[u] = k % 2 == 0 ? half[u] : -half[u];
    middle[v] = k / 2 % 2 == 0 ? half[v] : -half[v];
    return axis;
}

// Boxes that are apart, and of which no face is over a face: the nearest points of all pairs of edges.
static bool corners_meet(const struct boxes *boxes, double margin, double n[3], double on_b[3], double *gap)
{
    double best2 = margin * margin;
    bool found = false;
    for (int i = 0; margin > 0 && i < 144; i++) {
        double p[3], own[3], q[3], between[3], u[3] = {0}, s, t;
        const int a = edge_of(boxes->half_a, i / 12, p), b = edge_of(boxes->half_b, i % 12, own);
        u[a] = 1;
        for (int k = 0; k < 3; k++) {
            q[k] = boxes->at[k] +
                   ((own[0] * boxes->r[0][k] + own[1] * boxes->r[1][k]) + own[2] * boxes->r[2][k]);
            between[k] = p[k] - q[k];
        }
        sim_segments_nearest(between, u, boxes->half_a[a], boxes->r[b], boxes->half_b[b], &s, &t);
        for (int k = 0; k < 3; k++) {
            q[k] += t * boxes->r[b][k];
            between[k] = q[k] - (p[k] + s * u[k]);
        }
        const double length2 = sim_dot(between, between);
        if (length2 < best2 && length2 > 0) {
            best2 = length2;
            *gap = __builtin_sqrt(length2);
            for (int k = 0; k < 3; k++) {
                on_b[k] = q[k];
                n[k] = between[k] / *gap;
            }
            found = true;
        }
    }
    return found;
}

// --------------------------------------------------------------------------------------------------------------- faces

// Polygons lie in the plane of the face that clips: its two axes, and the height above it.
struct polygon {
    int count;
    double at[POLYGON_MAX][3];
};

// Keeps what of a polygon is on the inner side of side x (or y) = +-half.
static void clip(struct polygon *polygon, int axis, double sign, double half)
{
    struct polygon in = *polygon;
    polygon->count = 0;
    for (int k = 0; k < in.count; k++) {
        const double *p = in.at[k], *q = in.at[(k + 1) % in.count];
        const double from = sign * p[axis] - half, to = sign * q[axis] - half;
        if (from <= 0 && polygon->count < POLYGON_MAX) {
            memcpy(polygon->at[polygon->count++], p, sizeof in.at[k]);
        }
        if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
            const double part = from / (from - to);
            for (int i = 0; i < 3 && polygon->count < POLYGON_MAX; i++) {
                polygon->at[polygon->count][i] = p[i] + part * (q[i] - p[i]);
            }
            polygon->count += polygon->count < POLYGON_MAX;
        }
    }
}

// Leaves four points at most.
static void thin_out(struct polygon *polygon)
{
    int kept[SIM_MANIFOLD_POINTS];
    if (polygon->count <= SIM_MANIFOLD_POINTS) {
        return;
    }
    polygon->count = sim_manifold_thin((const double(*)[3])polygon->at, polygon->count, 1e-9, 0, kept);
    for (int k = 0; k < polygon->count; k++) {
        memmove(polygon->at[k], polygon->at[kept[k]], sizeof polygon->at[k]);
    }
}

// A box as the face of another one sees it.
struct seen {
    const double *half; // of the box with the face
    int face;           // of it, on the side of `sign`
    double sign;
    double at[3], axes[3][3]; // of the other box, in the frame of the one with the face
    const double *other;      // half extents of the other
};

// The corners of the other's face that looks at this one most, clipped: places in the frame of the box with the face.
static void clip_face(const struct seen *seen, struct polygon *polygon)
{
    static const double sides[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const int u = (seen->face + 1) % 3, v = (seen->face + 2) % 3;
    int back = 0;
    for (int i = 1; i < 3; i++) {
        const double most = __builtin_fabs(seen->axes[back][seen->face]);
        back = __builtin_fabs(seen->axes[i][seen->face]) > most + 1e-9 ? i : back;
    }
    const int p = (back + 1) % 3, q = (back + 2) % 3;
    const double toward =
        seen->axes[back][seen->face] * seen->sign > 0 ? -seen->other[back] : seen->other[back];
    polygon->count = 4;
    for (int k = 0; k < 4; k++) {
        double corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = ((seen->at[axis] + toward * seen->axes[back][axis]) +
                            sides[k][0] * seen->other[p] * seen->axes[p][axis]) +
                           sides[k][1] * seen->other[q] * seen->axes[q][axis];
        }
        polygon->at[k][0] = corner[u];
        polygon->at[k][1] = corner[v];
        polygon->at[k][2] = seen->sign * corner[seen->face] - seen->half[seen->face];
    }
    for (int side = 0; side < 4; side++) {
        clip(polygon, side / 2, side % 2 == 0 ? 1 : -1, seen->half[side / 2 == 0 ? u : v]);
    }
}

static void to_world(const struct sim_proxy *box, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = ((v[0] * box->axes[0][axis] + v[1] * box->axes[1][axis]) + v[2] * box->axes[2][axis]) +
                    box->position[axis];
    }
}

// Points between a face of `box` and the other box. `lower`: box is b of the manifold.
static void faces_meet(const struct sim_proxy *box, const struct seen *seen, bool lower, double margin,
                       struct sim_manifold *manifold)
{
    const int u = (seen->face + 1) % 3, v = (seen->face + 2) % 3;
    struct polygon polygon;
    clip_face(seen, &polygon);
    int count = 0;
    for (int k = 0; k < polygon.count; k++) {
        if (polygon.at[k][2] <= margin) {
            memmove(polygon.at[count++], polygon.at[k], sizeof polygon.at[k]);
        }
    }
    polygon.count = count;
    thin_out(&polygon);
    for (int k = 0; k < polygon.count; k++) {
        double place[3], on_b[3];
        place[u] = polygon.at[k][0];
        place[v] = polygon.at[k][1];
        // The point of b is added, and that of a is above it by the gap.
        place[seen->face] = seen->sign * (seen->half[seen->face] + (lower ? 0 : polygon.at[k][2]));
        to_world(box, place, on_b);
        sim_manifold_add(manifold, on_b, polygon.at[k][2], margin);
    }
}

static void boxes_make(const struct sim_proxy *a, const struct sim_proxy *b, struct boxes *boxes)
{
    double between[3], sum_a = 0, sum_b = 0;
    for (int i = 0; i < 3; i++) {
        between[i] = b->position[i] - a->position[i];
        boxes->half_a[i] = a->half_extents[i];
        boxes->half_b[i] = b->half_extents[i];
        sum_a += a->half_extents[i];
        sum_b += b->half_extents[i];
    }
    boxes->size = sum_a < sum_b ? sum_a : sum_b;
    for (int i = 0; i < 3; i++) {
        boxes->at[i] = sim_dot(a->axes[i], between);
        for (int k = 0; k < 3; k++) {
            boxes->r[i][k] = sim_dot(b->axes[i], a->axes[k]);
        }
    }
}

// n: from a to b, in the frame of a.
static void normal_set(const struct sim_proxy *a, const double n[3], struct sim_manifold *manifold)
{
    for (int axis = 0; axis < 3; axis++) {
        manifold->normal[axis] =
            -((n[0] * a->axes[0][axis] + n[1] * a->axes[1][axis]) + n[2] * a->axes[2][axis]);
    }
}

bool sim_manifold_boxes(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold)
{
    struct boxes boxes;
    boxes_make(a, b, &boxes);
    const struct axis best = best_axis(&boxes, margin);
    if (!(best.gap <= margin)) {
        return false;
    }
    normal_set(a, best.n, manifold);
    if (best.a >= 0 && best.b >= 0) {
        double on_b[3], world[3];
        edges_meet(&boxes, &best, on_b);
        to_world(a, on_b, world);
        sim_manifold_add(manifold, world, best.gap, margin);
    } else if (best.b < 0) {
        struct seen seen = {
            .half = boxes.half_a, .face = best.a, .sign = best.n[best.a] > 0 ? 1 : -1, .other = boxes.half_b};
        memcpy(seen.at, boxes.at, sizeof seen.at);
        memcpy(seen.axes, boxes.r, sizeof seen.axes);
        faces_meet(a, &seen, false, margin, manifold);
    } else {
        struct seen seen = {.half = boxes.half_b,
                            .face = best.b,
                            .sign = sim_dot(best.n, boxes.r[best.b]) > 0 ? -1 : 1,
                            .other = boxes.half_a};
        for (int i = 0; i < 3; i++) {
            seen.at[i] = -sim_dot(boxes.r[i], boxes.at);
            for (int k = 0; k < 3; k++) {
                seen.axes[k][i] = boxes.r[i][k];
            }
        }
        faces_meet(b, &seen, true, margin, manifold);
    }
    double n[3], on_b[3], world[3], gap;
    if (manifold->count == 0 && corners_meet(&boxes, margin, n, on_b, &gap)) {
        normal_set(a, n, manifold);
        to_world(a, on_b, world);
        sim_manifold_add(manifold, world, gap, margin);
    }
    return manifold->count > 0;
}
