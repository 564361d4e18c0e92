// A sphere or a capsule with a hull. manifold.h says what a manifold is.
//
// A capsule is a segment m + s d, with s between -half and half, and a radius. While the segment is outside, it is nearest to a face, at one of
// its ends, or to an edge. If it reaches into the hull, the way out is along the normal of a face, or across an edge whose two faces
// look to different sides along the segment: only there do the arcs of the edge and of the segment on the Gauss map cross.
//
// All is computed in the frame of the hull.

#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"
#include "sim/state/motion.h"

#include <float.h>
#include <string.h>

#define NOTHING 1e-12 // m: no direction is left between points so near
#define FACING 5e-7   // 1 - cosine: a direction so near to the normal of a face is taken for it
#define BIAS 1e-4     // of the size: what a way out across an edge must be better by
#define WIDE 1e-3     // of half the length: what of a segment must be over a face to touch at two points

struct round {
    const struct sim_hull *hull;
    double m[3], d[3], half; // the segment, d of length 1
};

// The nearest points of the segment and the hull: the normal out of the hull, and the gap along it, of the segment alone.
struct nearest {
    double n[3], gap, s;
    uint32_t face; // FACES: none
};

enum { FACES = SIM_HULL_TRIANGLES_MAX };

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

static void edge_of(const struct sim_hull *hull, uint32_t edge, double from[3], double way[3])
{
    const double *to = hull->vertices[hull->whole.edges[edge].to];
    memcpy(from, hull->vertices[hull->whole.edges[edge].from], 3 * sizeof *from);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = to[axis] - from[axis];
    }
}

// Finds the part of the segment over a face. The first is greater than the second if there is none.
static void clip(const struct round *round, uint32_t face, double s[2])
{
    const struct sim_polyhedron *whole = &round->hull->whole;
    const struct sim_polyhedron_face *at = &whole->faces[face];
    s[0] = -round->half;
    s[1] = round->half;
    for (uint32_t k = 0; k < at->count; k++) {
        const double *p = round->hull->vertices[whole->corners[at->first + k]];
        const double *q = round->hull->vertices[whole->corners[at->first + (k + 1) % at->count]];
        const double side[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        const double from[3] = {p[0] - round->m[0], p[1] - round->m[1], p[2] - round->m[2]};
        double out[3];
        sim_cross(side, at->normal, out);
        const double speed = sim_dot(out, round->d), room = sim_dot(out, from);
        if (speed > 0) {
            s[1] = room / speed < s[1] ? room / speed : s[1];
        } else if (speed < 0) {
            s[0] = room / speed > s[0] ? room / speed : s[0];
        } else if (room < 0) {
            s[1] = -DBL_MAX;
        }
    }
}

// The way out along which the segment is least deep, or a direction that parts it from the hull. False if it is farther away than that.
static bool way_out(const struct round *round, double far, struct nearest *out)
{
    const struct sim_polyhedron *whole = &round->hull->whole;
    *out = (struct nearest){.gap = -DBL_MAX, .face = FACES};
    for (uint32_t f = 0; f < whole->face_count; f++) {
        const struct sim_polyhedron_face *face = &whole->faces[f];
        const double slope = sim_dot(face->normal, round->d) * round->half;
        const double gap = (sim_dot(face->normal, round->m) - face->offset) - __builtin_fabs(slope);
        if (gap > out->gap) {
            out->gap = gap;
            out->face = f;
            out->s = slope > 0 ? -round->half : round->half;
            memcpy(out->n, face->normal, sizeof out->n);
        }
    }
    for (uint32_t e = 0; round->half > 0 && e < whole->edge_count; e++) {
        const double *left = whole->faces[whole->edges[e].left].normal,
                     *right = whole->faces[whole->edges[e].right].normal;
        double from[3], way[3], n[3];
        if (!(sim_dot(left, round->d) * sim_dot(right, round->d) < 0)) {
            continue;
        }
        edge_of(round->hull, e, from, way);
        sim_cross(way, round->d, n);
        const double length = __builtin_sqrt(sim_dot(n, n));
        if (!(length > 1e-3 * __builtin_sqrt(sim_dot(way, way)))) {
            continue;
        }
        const double scale = (sim_dot(n, left) + sim_dot(n, right) < 0 ? -1 : 1) / length;
        double between[3];
        for (int axis = 0; axis < 3; axis++) {
            n[axis] *= scale;
            between[axis] = round->m[axis] - from[axis];
        }
        const double gap = sim_dot(n, between);
        if (gap > out->gap + (out->face == FACES ? 0 : BIAS * whole->size)) {
            const double length2 = sim_dot(way, way), across = sim_dot(way, round->d);
            const double along = sim_dot(round->d, between), own = sim_dot(way, between);
            out->gap = gap;
            out->face = FACES;
            out->s = clamp((across * own - length2 * along) / (length2 - across * across), -round->half,
                           round->half);
            memcpy(out->n, n, sizeof n);
        }
    }
    return out->gap <= far;
}

// The nearest points of what is apart. False if they are farther from each other than that.
static bool nearest_find(const struct round *round, double far, struct nearest *out)
{
    const struct sim_polyhedron *whole = &round->hull->whole;
    *out = (struct nearest){.gap = DBL_MAX, .face = FACES};
    for (uint32_t f = 0; f < whole->face_count; f++) {
        for (int end = 0; end < (round->half > 0 ? 2 : 1); end++) {
            const double s = end == 0 ? round->half : -round->half;
            struct round point = *round;
            double range[2];
            point_at(round, s, point.m);
            point.half = 0;
            const double height = sim_dot(whole->faces[f].normal, point.m) - whole->faces[f].offset;
            if (height > 0 && height < out->gap) {
                clip(&point, f, range);
                if (range[1] >= range[0]) {
                    out->gap = height;
                    out->s = s;
                    memcpy(out->n, whole->faces[f].normal, sizeof out->n);
                }
            }
        }
    }
    for (uint32_t e = 0; e < whole->edge_count; e++) {
        double from[3], way[3], between[3], s, t;
        edge_of(round->hull, e, from, way);
        const double length = __builtin_sqrt(sim_dot(way, way));
        for (int axis = 0; axis < 3; axis++) {
            way[axis] /= length;
            from[axis] += 0.5 * length * way[axis];
            between[axis] = round->m[axis] - from[axis];
        }
        sim_segments_nearest(between, round->d, round->half, way, 0.5 * length, &s, &t);
        for (int axis = 0; axis < 3; axis++) {
            between[axis] += s * round->d[axis] - t * way[axis];
        }
        const double gap = __builtin_sqrt(sim_dot(between, between));
        if (gap < out->gap && gap > NOTHING) {
            out->gap = gap;
            out->s = s;
            for (int axis = 0; axis < 3; axis++) {
                out->n[axis] = between[axis] / gap;
            }
        }
    }
    double most = 1 - FACING;
    for (uint32_t f = 0; f < whole->face_count; f++) {
        const double cosine = sim_dot(whole->faces[f].normal, out->n);
        if (cosine > most) {
            most = cosine;
            out->face = f;
        }
    }
    return out->gap <= far;
}

static void turn(const struct sim_proxy *hull, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (v[0] * hull->axes[0][axis] + v[1] * hull->axes[1][axis]) + v[2] * hull->axes[2][axis];
    }
}

// Adds the point of the hull below the segment's point s.
static void add_below(const struct sim_proxy *proxy, const struct round *round, const struct sim_proxy *hull,
                      double s, const double n[3], double gap, double margin, struct sim_manifold *manifold)
{
    double p[3], on_b[3];
    point_at(round, s, p);
    for (int axis = 0; axis < 3; axis++) {
        p[axis] -= gap * n[axis];
    }
    turn(hull, p, on_b);
    for (int axis = 0; axis < 3; axis++) {
        on_b[axis] += hull->position[axis];
    }
    sim_manifold_add(manifold, on_b, gap - proxy->radius, margin);
}

// Both ends of what lies over a face.
static void over_face(const struct sim_proxy *proxy, const struct round *round, const struct sim_proxy *hull,
                      uint32_t at, double margin, struct sim_manifold *manifold)
{
    const struct sim_polyhedron_face *face = &round->hull->whole.faces[at];
    double s[2], p[3];
    clip(round, at, s);
    if (!(s[1] >= s[0])) {
        return;
    }
    const bool wide = s[1] - s[0] > WIDE * round->half && round->half > 0;
    for (int end = 0; end < (wide ? 2 : 1); end++) {
        const double along = wide ? s[end] : 0.5 * (s[0] + s[1]);
        point_at(round, along, p);
        add_below(proxy, round, hull, along, face->normal, sim_dot(face->normal, p) - face->offset, margin,
                  manifold);
    }
}

bool sim_manifold_round_hull(const struct sim_proxy *proxy, const struct sim_proxy *hull, double margin,
                             struct sim_manifold *manifold)
{
    struct round round = {.hull = hull->hull,
                          .half = proxy->form == SIM_PROXY_CAPSULE ? proxy->half_length : 0};
    const double from[3] = {proxy->position[0] - hull->position[0], proxy->position[1] - hull->position[1],
                            proxy->position[2] - hull->position[2]};
    struct nearest out, apart;
    for (int i = 0; i < 3; i++) {
        round.m[i] = sim_dot(hull->axes[i], from);
        round.d[i] = sim_dot(hull->axes[i], proxy->axes[1]);
    }
    if (!way_out(&round, margin + proxy->radius, &out)) {
        return false;
    }
    if (out.gap > 0) {
        if (!nearest_find(&round, margin + proxy->radius, &apart)) {
            return false;
        }
        out = apart.gap > NOTHING ? apart : out;
    }
    if (out.face != FACES) {
        memcpy(out.n, hull->hull->whole.faces[out.face].normal, sizeof out.n);
    }
    turn(hull, out.n, manifold->normal);
    if (out.face != FACES) {
        over_face(proxy, &round, hull, out.face, margin, manifold);
    }
    if (manifold->count == 0) {
        add_below(proxy, &round, hull, out.s, out.n, out.gap, margin, manifold);
    }
    return manifold->count > 0;
}
