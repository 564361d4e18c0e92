// A hull or a box, with a hull or a cylinder, and a hull above a plane. manifold.h says what a manifold is.
//
// The axis along which two polyhedra overlap least, or are farthest apart, is the normal of a face of either, or lies across an edge of
// each (Gottschalk, Lin, Manocha 1996). Only two edges whose arcs on the Gauss map cross can be such a pair (Gregorius 2013):
//
//     edge e of a, between faces with normals A, B          (C . e) (D . e) < 0
//     edge f of b, between faces with normals C, D          (A . f) (B . f) < 0          (C . e) (B . f) < 0
//
// The face that looks back is cut to the face that touches (Sutherland and Hodgman 1974). It is one of those at the vertex that is
// deepest.
//
// All is computed in the frame of a. As with boxes (box.c), an axis of a face is taken before one across two edges, and a face of a before
// one of b, unless the other is better by a part of the size. So features of what rests stay the same from substep to substep.

#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"
#include "sim/rigid/view.h"

#include <float.h>
#include <string.h>

#define PARALLEL 1e-6  // square of the sine between two edges that have no axis across them
#define BIAS 1e-3      // of the size of the smaller one: what an axis must be better by
#define LEVEL 1e-4     // of it: corners that differ by less are as deep
#define ALIKE 1e-6     // as a part: ways along a face that are as long
#define ROUNDING 1e-12 // m: what bounds may be off by
#define EVEN 1e-9      // cosine or m: what rounding may make of equal ones
enum { POLYGON_MAX = 2 * SIM_HULL_MAX };

enum of { OF_A, OF_B, OF_EDGES };

struct axis {
    double n[3], gap; // from a to b
    enum of of;
    uint32_t a, b; // faces or edges
};

// -------------------------------------------------------------------------------------------------------------- places

// Places b, whose view is of its own frame, in the frame of a.
static void view_place(const struct sim_proxy *a, const struct sim_proxy *b, struct sim_view_room *room,
                       struct sim_view *view)
{
    double between[3], at[3], r[3][3];
    for (int axis = 0; axis < 3; axis++) {
        between[axis] = b->position[axis] - a->position[axis];
    }
    for (int i = 0; i < 3; i++) {
        at[i] = sim_dot(a->axes[i], between);
        for (int k = 0; k < 3; k++) {
            r[i][k] = sim_dot(b->axes[i], a->axes[k]);
        }
    }
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        const double own[3] = {view->vertices[v][0], view->vertices[v][1], view->vertices[v][2]};
        for (int k = 0; k < 3; k++) {
            room->vertices[v][k] = ((own[0] * r[0][k] + own[1] * r[1][k]) + own[2] * r[2][k]) + at[k];
        }
    }
    for (uint32_t f = 0; f < view->face_count; f++) {
        const struct sim_polyhedron_face own = view->faces[f];
        struct sim_polyhedron_face *face = &room->faces[f];
        *face = own;
        for (int k = 0; k < 3; k++) {
            face->normal[k] = (own.normal[0] * r[0][k] + own.normal[1] * r[1][k]) + own.normal[2] * r[2][k];
        }
        face->offset = own.offset + sim_dot(face->normal, at);
    }
    double middle[3];
    for (int k = 0; k < 3; k++) {
        middle[k] =
            ((view->middle[0] * r[0][k] + view->middle[1] * r[1][k]) + view->middle[2] * r[2][k]) + at[k];
    }
    memcpy(view->middle, middle, sizeof middle);
    view->vertices = (const double(*)[3])room->vertices;
    view->faces = room->faces;
}

// --------------------------------------------------------------------------------------------------------------- axes

static double lowest(const struct sim_view *view, const double n[3])
{
    double least = DBL_MAX;
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        const double height = sim_dot(n, view->vertices[v]);
        least = height < least ? height : least;
    }
    return least;
}

// False if a face parts the two by more than the margin.
static bool try_faces(const struct sim_view *own, const struct sim_view *other, enum of of, double bias,
                      double margin, struct axis *best)
{
    const double sign = of == OF_A ? 1 : -1;
    for (uint32_t f = 0; f < own->face_count; f++) {
        const struct sim_polyhedron_face *face = &own->faces[f];
        // The first face of b has to be better than the best of a.
        const double least = best->gap + (best->of == of ? 0 : bias);
        if (sim_dot(face->normal, other->middle) - other->inner - face->offset < least - ROUNDING) {
            continue; // the ball inside the other one is too near
        }
        const double gap = lowest(other, face->normal) - face->offset;
        if (gap > least) {
            *best = (struct axis){.gap = gap, .of = of, .a = f, .b = f};
            for (int k = 0; k < 3; k++) {
                best->n[k] = sign * face->normal[k];
            }
        }
    }
    return best->gap <= margin;
}

static void way_of(const struct sim_view *view, uint32_t edge, double way[3])
{
    const double *from = view->vertices[view->edges[edge].from], *to = view->vertices[view->edges[edge].to];
    for (int k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
    }
}

// Two edges whose arcs cross.
static void try_edges(const struct sim_view *a, uint32_t e, const double way[3], const struct sim_view *b,
                      uint32_t f, const double other[3], double bias, struct axis *best)
{
    const struct sim_polyhedron_edge *edge = &a->edges[e];
    double n[3], between[3];
    sim_cross(way, other, n);
    const double length2 = sim_dot(n, n);
    if (!(length2 > PARALLEL * (sim_dot(way, way) * sim_dot(other, other)))) {
        return;
    }
    const double out = sim_dot(n, a->faces[edge->left].normal) + sim_dot(n, a->faces[edge->right].normal);
    const double scale = (out < 0 ? -1 : 1) / __builtin_sqrt(length2);
    for (int k = 0; k < 3; k++) {
        n[k] *= scale;
        between[k] = b->vertices[b->edges[f].from][k] - a->vertices[edge->from][k];
    }
    const double gap = sim_dot(n, between);
    if (gap > best->gap + (best->of == OF_EDGES ? 0 : bias)) {
        *best = (struct axis){.n = {n[0], n[1], n[2]}, .gap = gap, .of = OF_EDGES, .a = e, .b = f};
    }
}

// Whether no direction on the arc of an edge can part the balls inside both by more than that. way: from the middle of the view to that
// of the other one. On an arc that is an angle t long, n . way is no more than at the better end, over cos t/2.
static bool arc_is_idle(const struct sim_view *view, const struct sim_polyhedron_edge *edge,
                        const double way[3], double least)
{
    const double *left = view->faces[edge->left].normal, *right = view->faces[edge->right].normal;
    const double one = sim_dot(left, way), other = sim_dot(right, way);
    const double most = one > other ? one : other, cosine2 = 0.5 * (1 + sim_dot(left, right));
    const double room = least - ROUNDING;
    return most < room && (most <= 0 || most * most < room * room * cosine2);
}

static void edges_try(const struct sim_view *a, const struct sim_view *b, double bias, struct axis *best)
{
    double slopes[SIM_HULL_TRIANGLES_MAX]; // of the faces of b along an edge of a
    uint32_t busy[SIM_HULL_EDGES], busy_count = 0;
    double between[3], back[3];
    const double least = (best->gap + a->inner) + b->inner;
    for (int k = 0; k < 3; k++) {
        between[k] = b->middle[k] - a->middle[k];
        back[k] = -between[k];
    }
    for (uint32_t f = 0; f < b->edge_count; f++) {
        if (!arc_is_idle(b, &b->edges[f], back, least)) {
            busy[busy_count++] = f;
        }
    }
    for (uint32_t e = 0; e < a->edge_count && busy_count > 0; e++) {
        double way[3];
        if (arc_is_idle(a, &a->edges[e], between, least)) {
            continue;
        }
        way_of(a, e, way);
        for (uint32_t f = 0; f < b->face_count; f++) {
            slopes[f] = sim_dot(b->faces[f].normal, way);
        }
        for (uint32_t i = 0; i < busy_count; i++) {
            const uint32_t f = busy[i];
            const double c = slopes[b->edges[f].left], d = slopes[b->edges[f].right];
            if (!(c * d < 0)) {
                continue;
            }
            double other[3];
            way_of(b, f, other);
            const double left = sim_dot(a->faces[a->edges[e].left].normal, other),
                         right = sim_dot(a->faces[a->edges[e].right].normal, other);
            if (left * right < 0 && c * right < 0) {
                try_edges(a, e, way, b, f, other, bias, best);
            }
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- edges

// The middle of an edge, its axis of length 1, and half of its length.
static double middle_of(const struct sim_view *view, uint32_t edge, double middle[3], double axis[3])
{
    const double *from = view->vertices[view->edges[edge].from];
    way_of(view, edge, axis);
    const double length = __builtin_sqrt(sim_dot(axis, axis));
    for (int k = 0; k < 3; k++) {
        middle[k] = from[k] + 0.5 * axis[k];
        axis[k] /= length;
    }
    return 0.5 * length;
}

// The nearest points of two edges.
static void edges_nearest(const struct sim_view *a, uint32_t e, const struct sim_view *b, uint32_t f,
                          double on_a[3], double on_b[3])
{
    double u[3], v[3], between[3], s, t;
    const double half_a = middle_of(a, e, on_a, u), half_b = middle_of(b, f, on_b, v);
    for (int k = 0; k < 3; k++) {
        between[k] = on_a[k] - on_b[k];
    }
    sim_segments_nearest(between, u, half_a, v, half_b, &s, &t);
    for (int k = 0; k < 3; k++) {
        on_a[k] += s * u[k];
        on_b[k] += t * v[k];
    }
}

// Whether the middles of two edges are too far apart for any of their points to be as near as that.
static bool edges_are_far(const struct sim_view *a, uint32_t e, const struct sim_view *b, uint32_t f,
                          double near)
{
    const double *p = a->vertices[a->edges[e].from], *q = a->vertices[a->edges[e].to];
    const double *r = b->vertices[b->edges[f].from], *s = b->vertices[b->edges[f].to];
    bool far = false;
    for (int k = 0; k < 3; k++) {
        const double least = p[k] < q[k] ? p[k] : q[k], most = p[k] < q[k] ? q[k] : p[k];
        far =
            far || (r[k] > most + near && s[k] > most + near) || (r[k] < least - near && s[k] < least - near);
    }
    return far;
}

// Finds the nearest points of all pairs of edges, for two that are apart, with no face over a face.
static bool corners_meet(const struct sim_view *a, const struct sim_view *b, double margin, double n[3],
                         double on_b[3], double *gap)
{
    double best = margin;
    bool found = false;
    for (uint32_t e = 0; margin > 0 && e < a->edge_count; e++) {
        for (uint32_t f = 0; f < b->edge_count; f++) {
            double p[3], q[3];
            if (edges_are_far(a, e, b, f, best)) {
                continue;
            }
            edges_nearest(a, e, b, f, p, q);
            const double between[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
            const double length = __builtin_sqrt(sim_dot(between, between));
            if (length < best && length > 0) {
                best = *gap = length;
                for (int k = 0; k < 3; k++) {
                    on_b[k] = q[k];
                    n[k] = between[k] / length;
                }
                found = true;
            }
        }
    }
    return found;
}

// --------------------------------------------------------------------------------------------------------------- faces

// Points in the plane of a face: along its first side, across it, and the height above it.
struct polygon {
    int count;
    double at[POLYGON_MAX][3];
};

// The frame of a face: a corner, and three axes.
struct plane {
    double origin[3], axes[3][3];
};

static void plane_of(const struct sim_view *view, uint32_t face, struct plane *plane)
{
    const uint8_t *corners = view->corners + view->faces[face].first;
    const double *from = view->vertices[corners[0]], *to = view->vertices[corners[1]];
    double side[3];
    memcpy(plane->axes[2], view->faces[face].normal, sizeof plane->axes[2]);
    for (int k = 0; k < 3; k++) {
        side[k] = to[k] - from[k];
    }
    // The side may lean from the plane a little.
    const double up = sim_dot(side, plane->axes[2]);
    const double lean = view->faces[face].offset - sim_dot(plane->axes[2], from);
    for (int k = 0; k < 3; k++) {
        side[k] -= up * plane->axes[2][k];
        plane->origin[k] = from[k] + lean * plane->axes[2][k];
    }
    const double length = __builtin_sqrt(sim_dot(side, side));
    for (int k = 0; k < 3; k++) {
        plane->axes[0][k] = side[k] / length;
    }
    sim_cross(plane->axes[2], plane->axes[0], plane->axes[1]);
}

static void plane_sees(const struct plane *plane, const double p[3], double out[3])
{
    const double from[3] = {p[0] - plane->origin[0], p[1] - plane->origin[1], p[2] - plane->origin[2]};
    for (int i = 0; i < 3; i++) {
        out[i] = sim_dot(plane->axes[i], from);
    }
}

static void corners_see(const struct plane *plane, const struct sim_view *view, uint32_t face,
                        struct polygon *polygon)
{
    polygon->count = view->faces[face].count;
    for (int k = 0; k < polygon->count; k++) {
        const uint8_t corner = view->corners[view->faces[face].first + k];
        plane_sees(plane, view->vertices[corner], polygon->at[k]);
    }
}

// Keeps what of a polygon is on the left of the way from p to q.
static void clip(struct polygon *polygon, const double p[3], const double q[3])
{
    struct polygon in;
    in.count = polygon->count;
    memcpy(in.at, polygon->at, (size_t)in.count * sizeof in.at[0]);
    polygon->count = 0;
    for (int k = 0; k < in.count; k++) {
        const double *a = in.at[k], *b = in.at[(k + 1) % in.count];
        const double from = (a[0] - p[0]) * (q[1] - p[1]) - (a[1] - p[1]) * (q[0] - p[0]);
        const double to = (b[0] - p[0]) * (q[1] - p[1]) - (b[1] - p[1]) * (q[0] - p[0]);
        if (from <= 0 && polygon->count < POLYGON_MAX) {
            memcpy(polygon->at[polygon->count++], a, sizeof in.at[k]);
        }
        if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
            const double part = from / (from - to);
            for (int i = 0; i < 3 && polygon->count < POLYGON_MAX; i++) {
                polygon->at[polygon->count][i] = a[i] + part * (b[i] - a[i]);
            }
            polygon->count += polygon->count < POLYGON_MAX;
        }
    }
}

// The face at the lowest vertex that looks down most, seen along n.
static uint32_t face_below(const struct sim_view *view, const double n[3])
{
    uint32_t vertex = 0, best = UINT32_MAX;
    double least = DBL_MAX, most = DBL_MAX;
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        const double height = sim_dot(n, view->vertices[v]);
        if (height < least - EVEN) {
            least = height;
            vertex = v;
        }
    }
    for (uint32_t f = 0; f < view->face_count; f++) {
        const uint8_t *corners = view->corners + view->faces[f].first;
        if (memchr(corners, (int)vertex, view->faces[f].count)) {
            const double slope = sim_dot(n, view->faces[f].normal);
            if (best == UINT32_MAX || slope < most - EVEN) {
                most = slope;
                best = f;
            }
        }
    }
    return best == UINT32_MAX ? 0 : best; // a vertex that lies in the middle of a face has none of its own
}

static void to_world(const struct sim_proxy *frame, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] =
            ((v[0] * frame->axes[0][axis] + v[1] * frame->axes[1][axis]) + v[2] * frame->axes[2][axis]) +
            frame->position[axis];
    }
}

// Points between a face of `own` and the other one, in the frame of a. lower: `own` is b of the manifold.
static void faces_meet(const struct sim_proxy *a, const struct sim_view *own, uint32_t face,
                       const struct sim_view *other, bool lower, double margin, struct sim_manifold *manifold)
{
    struct plane plane;
    struct polygon sides, polygon;
    int kept[SIM_MANIFOLD_POINTS], count = 0;
    plane_of(own, face, &plane);
    corners_see(&plane, own, face, &sides);
    corners_see(&plane, other, face_below(other, own->faces[face].normal), &polygon);
    for (int k = 0; k < sides.count; k++) {
        clip(&polygon, sides.at[k], sides.at[(k + 1) % sides.count]);
    }
    for (int k = 0; k < polygon.count; k++) {
        if (polygon.at[k][2] <= margin) {
            memmove(polygon.at[count++], polygon.at[k], sizeof polygon.at[k]);
        }
    }
    const double size = own->size < other->size ? own->size : other->size;
    count = sim_manifold_thin((const double(*)[3])polygon.at, count, LEVEL * size, ALIKE, kept);
    for (int k = 0; k < count; k++) {
        const double *at = polygon.at[kept[k]];
        double place[3], on_b[3];
        // The point of b is added, and that of a is above it by the gap.
        for (int axis = 0; axis < 3; axis++) {
            place[axis] = ((plane.origin[axis] + at[0] * plane.axes[0][axis]) + at[1] * plane.axes[1][axis]) +
                          (lower ? 0 : at[2] * plane.axes[2][axis]);
        }
        to_world(a, place, on_b);
        sim_manifold_add(manifold, on_b, at[2], margin);
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

bool sim_manifold_hulls(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold)
{
    struct sim_view_room rooms[2];
    struct sim_view one, other;
    struct axis best = {.gap = -DBL_MAX};
    sim_view_of(a, &rooms[0], &one);
    sim_view_of(b, &rooms[1], &other);
    view_place(a, b, &rooms[1], &other);
    const double bias = BIAS * (one.size < other.size ? one.size : other.size);
    if (!try_faces(&one, &other, OF_A, bias, margin, &best) ||
        !try_faces(&other, &one, OF_B, bias, margin, &best)) {
        return false;
    }
    edges_try(&one, &other, bias, &best);
    if (!(best.gap <= margin)) {
        return false;
    }
    double n[3], on_a[3], on_b[3], world[3], gap;
    normal_set(a, best.n, manifold);
    if (best.of == OF_EDGES) {
        edges_nearest(&one, best.a, &other, best.b, on_a, on_b);
        to_world(a, on_b, world);
        sim_manifold_add(manifold, world, best.gap, margin);
    } else if (best.of == OF_A) {
        faces_meet(a, &one, best.a, &other, false, margin, manifold);
    } else {
        faces_meet(a, &other, best.b, &one, true, margin, manifold);
    }
    if (manifold->count == 0 && corners_meet(&one, &other, margin, n, on_b, &gap)) {
        normal_set(a, n, manifold);
        to_world(a, on_b, world);
        sim_manifold_add(manifold, world, gap, margin);
    }
    return manifold->count > 0;
}

// The corners of the face at the lowest vertex that looks down most are the next ones to touch.
void sim_manifold_hull_above(const struct sim_proxy *hull, const struct sim_proxy *plane, double margin,
                             struct sim_manifold *manifold)
{
    const double *normal = plane->axes[1];
    const double n[3] = {sim_dot(hull->axes[0], normal), sim_dot(hull->axes[1], normal),
                         sim_dot(hull->axes[2], normal)};
    double places[SIM_HULL_MAX][3];
    struct sim_view view;
    struct plane frame;
    struct polygon polygon;
    int kept[SIM_MANIFOLD_POINTS];
    sim_view_of(hull, NULL, &view);
    const uint32_t face = face_below(&view, n);
    plane_of(&view, face, &frame);
    corners_see(&frame, &view, face, &polygon);
    for (int k = 0; k < polygon.count; k++) {
        double from[3];
        to_world(hull, view.vertices[view.corners[view.faces[face].first + k]], places[k]);
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = places[k][axis] - plane->position[axis];
        }
        polygon.at[k][2] = sim_dot(from, normal);
    }
    const int count =
        sim_manifold_thin((const double(*)[3])polygon.at, polygon.count, LEVEL * view.size, ALIKE, kept);
    for (int k = 0; k < count; k++) {
        const double gap = polygon.at[kept[k]][2];
        double on_b[3];
        for (int axis = 0; axis < 3; axis++) {
            on_b[axis] = places[kept[k]][axis] - gap * normal[axis];
        }
        sim_manifold_add(manifold, on_b, gap, margin);
    }
}
