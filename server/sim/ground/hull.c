// Convex hulls of points: their vertices, faces and edges.
//
// Points are rounded to a grid of which the greatest coordinate has 2^24 steps at most, as many as a float tells apart. On
// it everything is exact: cross products of differences fit a double, and which side of a face a point is on is an integer
// of 81 bits. So the hull has no gap and no fold, however flat it is and however many points lie in one plane or line.
//
//     tetrahedron of the first points that make one ──▶ each further point: the faces that see it go, and it is joined
//     to the ring of edges around them
//
// A face sees only what is strictly before it, so points in a face's plane leave triangles of that plane beside each other. A
// vertex that lies inside such a plane or on an edge is none of the hull: what has such is made again without them. So
// the hull of a hull's vertices is the same to the last bit, and vertices are all that is kept of the points.
#include "sim/ground/ground.h"

#include "sim/ground/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 16777216.0 // of the grid, from 0 to the greatest coordinate
#define LEAST 1e-6       // m: the greatest coordinate is no smaller

enum { FACES_MAX = 2 * SIM_HULL_POINTS_MAX }; // of n points 2 n - 4

struct face {
    uint32_t corners[3]; // counterclockwise from outside
    bool seen;
};

struct builder {
    int64_t points[SIM_HULL_POINTS_MAX][3];
    uint32_t count, face_count, ring_count;
    struct face faces[FACES_MAX];
    uint32_t ring[2 * FACES_MAX][2]; // edges; more than there are while they are looked for
    double step;                     // m
};

static __int128 volume(const struct builder *b, const uint32_t corners[3], uint32_t point)
{
    int64_t u[3], v[3], w[3];
    for (int axis = 0; axis < 3; axis++) {
        int64_t origin = b->points[corners[0]][axis];
        u[axis] = b->points[corners[1]][axis] - origin;
        v[axis] = b->points[corners[2]][axis] - origin;
        w[axis] = b->points[point][axis] - origin;
    }
    return (__int128)(u[1] * v[2] - u[2] * v[1]) * w[0] + (__int128)(u[2] * v[0] - u[0] * v[2]) * w[1] +
           (__int128)(u[0] * v[1] - u[1] * v[0]) * w[2];
}

static bool in_line(const struct builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    int64_t u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = b->points[j][axis] - b->points[i][axis];
        v[axis] = b->points[k][axis] - b->points[i][axis];
    }
    return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0];
}

static void add_face(struct builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    b->faces[b->face_count++] = (struct face){.corners = {i, j, k}};
}

// False where all points lie in a plane.
static bool begin(struct builder *b, uint32_t first[4])
{
    uint32_t i = 0, j = 1, k, l;
    while (j < b->count && memcmp(b->points[i], b->points[j], sizeof b->points[i]) == 0) {
        j++;
    }
    for (k = j + 1; k < b->count && in_line(b, i, j, k);) {
        k++;
    }
    for (l = k + 1; l < b->count && volume(b, (const uint32_t[]){i, j, k}, l) == 0;) {
        l++;
    }
    if (l >= b->count) {
        return false;
    }
    bool before = volume(b, (const uint32_t[]){i, j, k}, l) > 0;
    uint32_t p = before ? k : j, q = before ? j : k;
    b->face_count = 0;
    add_face(b, i, p, q);
    add_face(b, i, l, p);
    add_face(b, p, l, q);
    add_face(b, q, l, i);
    memcpy(first, (const uint32_t[]){i, j, k, l}, 4 * sizeof *first);
    return true;
}

// Edges of faces that are seen whose other face is not.
static void ring_find(struct builder *b)
{
    b->ring_count = 0;
    for (uint32_t f = 0; f < b->face_count; f++) {
        for (int side = 0; b->faces[f].seen && side < 3; side++) {
            uint32_t from = b->faces[f].corners[side], to = b->faces[f].corners[(side + 1) % 3], r = 0;
            while (r < b->ring_count && !(b->ring[r][0] == to && b->ring[r][1] == from)) {
                r++;
            }
            if (r < b->ring_count) { // both are seen
                b->ring_count--;
                memmove(b->ring[r], b->ring[r + 1], (b->ring_count - r) * sizeof b->ring[r]);
                continue;
            }
            b->ring[b->ring_count][0] = from;
            b->ring[b->ring_count++][1] = to;
        }
    }
}

static void join(struct builder *b, uint32_t point)
{
    bool outside = false;
    for (uint32_t f = 0; f < b->face_count; f++) {
        b->faces[f].seen = volume(b, b->faces[f].corners, point) > 0;
        outside |= b->faces[f].seen;
    }
    if (!outside) {
        return;
    }
    ring_find(b);
    uint32_t kept = 0;
    for (uint32_t f = 0; f < b->face_count; f++) {
        if (!b->faces[f].seen) {
            b->faces[kept++] = b->faces[f];
        }
    }
    b->face_count = kept;
    for (uint32_t r = 0; r < b->ring_count; r++) {
        add_face(b, b->ring[r][0], b->ring[r][1], point);
    }
}

// In three planes at least that differ.
static bool is_corner(const struct builder *b, uint32_t point)
{
    const struct face *planes[2] = {NULL, NULL};
    for (uint32_t f = 0; f < b->face_count; f++) {
        const struct face *face = &b->faces[f];
        const uint32_t *c = face->corners;
        bool new = c[0] == point || c[1] == point || c[2] == point;
        uint32_t p = 0;
        for (; new &&p < 2 && planes[p]; p++) {
            new = volume(b, planes[p]->corners, c[0]) != 0 || volume(b, planes[p]->corners, c[1]) != 0 ||
                  volume(b, planes[p]->corners, c[2]) != 0;
        }
        if (new &&p == 2) {
            return true;
        }
        if (new) {
            planes[p] = face;
        }
    }
    return false;
}

// True when nothing was left out.
static bool corners_keep(struct builder *b)
{
    static const uint32_t nowhere = UINT32_MAX;
    uint32_t kept = 0;
    uint32_t places[SIM_HULL_POINTS_MAX];
    for (uint32_t i = 0; i < b->count; i++) {
        places[i] = is_corner(b, i) ? kept++ : nowhere;
    }
    if (kept == b->count) {
        return true;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        if (places[i] != nowhere) {
            memmove(b->points[places[i]], b->points[i], sizeof b->points[i]);
        }
    }
    b->count = kept;
    return false;
}

static enum fault_code points_take(struct builder *b, const double *points, uint32_t count, double extent,
                                   struct fault *fault)
{
    double most = 0, reach = 1;
    if (!points || count < 4 || count > SIM_HULL_POINTS_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "points", "%u points; a convex hull needs 4 to %d",
                              !points ? 0 : count, SIM_HULL_POINTS_MAX);
    }
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        double size = fabs(points[i]);
        if (!(size <= extent)) {
            return fault_code_set(fault, FAULT_INVALID, "points", "[%zu] is %g m; at most %g m (extent)", i,
                                  points[i], extent);
        }
        most = size > most ? size : most;
    }
    if (most < LEAST) {
        return fault_code_set(fault, FAULT_INVALID, "points", "reach to %g m; must reach %g m at least", most,
                              LEAST);
    }
    for (; most > reach; reach *= 2) {
    }
    for (; most <= 0.5 * reach; reach *= 0.5) {
    }
    b->step = reach / STEPS;
    b->count = count;
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        b->points[i / 3][i % 3] = (int64_t)rint(points[i] / b->step);
    }
    return FAULT_NONE;
}

static enum fault_code build(struct builder *b, struct fault *fault)
{
    do {
        uint32_t first[4];
        if (!begin(b, first)) {
            return fault_code_set(fault, FAULT_INVALID, "points",
                                  "lie in a plane; must hold a volume, however thin");
        }
        for (uint32_t i = 0; i < b->count; i++) {
            if (i != first[0] && i != first[1] && i != first[2] && i != first[3]) {
                join(b, i);
            }
        }
    } while (!corners_keep(b));
    return b->count <= SIM_HULL_MAX
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_LIMIT, "points",
                                "the hull has %u vertices; at most %d. Give fewer points", b->count,
                                SIM_HULL_MAX);
}

// ------------------------------------------------------------------------------------- as it is solved with

static void plane_of(const double point[3], double normal[3], double *offset)
{
    double length = sqrt(sim_dot(normal, normal));
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] /= length;
    }
    *offset = sim_dot(normal, point);
}

static void face_from(const struct sim_hull *hull, const uint32_t corners[3], struct sim_hull_face *face)
{
    double sides[3][3];
    memcpy(face->corners, corners, sizeof face->corners);
    for (int k = 0; k < 3; k++) {
        const double *from = hull->vertices[corners[k]], *to = hull->vertices[corners[(k + 1) % 3]];
        for (int axis = 0; axis < 3; axis++) {
            sides[k][axis] = to[axis] - from[axis];
        }
    }
    sim_cross(sides[0], sides[1], face->normal);
    plane_of(hull->vertices[corners[0]], face->normal, &face->offset);
    for (int k = 0; k < 3; k++) {
        sim_cross(face->normal, sides[k], face->sides[k]);
        plane_of(hull->vertices[corners[k]], face->sides[k], &face->side_offsets[k]);
    }
}

static void measure(struct sim_hull *hull)
{
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            hull->middle[axis] += hull->vertices[i][axis] / hull->vertex_count;
        }
    }
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        double away[3];
        for (int axis = 0; axis < 3; axis++) {
            away[axis] = hull->vertices[i][axis] - hull->middle[axis];
        }
        double radius = sqrt(sim_dot(away, away));
        hull->radius = radius > hull->radius ? radius : hull->radius;
    }
    hull->inner = hull->radius;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        double depth = hull->faces[f].offset - sim_dot(hull->faces[f].normal, hull->middle);
        hull->inner = depth < hull->inner ? depth : hull->inner;
    }
    hull->inner = hull->inner > 0 ? hull->inner : 0;
}

static void hull_from(const struct builder *b, struct sim_hull *hull)
{
    hull->vertex_count = b->count;
    for (uint32_t i = 0; i < b->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            hull->vertices[i][axis] = (double)b->points[i][axis] * b->step;
        }
    }
    for (uint32_t f = 0; f < b->face_count; f++) {
        const uint32_t *corners = b->faces[f].corners;
        face_from(hull, corners, &hull->faces[hull->face_count++]);
        for (int k = 0; k < 3; k++) {
            uint32_t from = corners[k], to = corners[(k + 1) % 3];
            if (from > to) {
                continue; // the face on its other side has it
            }
            struct sim_hull_edge *edge = &hull->edges[hull->edge_count++];
            for (int axis = 0; axis < 3; axis++) {
                edge->from[axis] = hull->vertices[from][axis];
                edge->way[axis] = hull->vertices[to][axis] - edge->from[axis];
            }
            edge->once = 1 / sim_dot(edge->way, edge->way);
        }
    }
    measure(hull);
}

enum fault_code sim_hull_make(const double *points, uint32_t count, double extent, struct sim_hull **out,
                              struct fault *fault)
{
    struct builder *builder = calloc(1, sizeof *builder);
    *out = NULL;
    if (!builder) {
        return sim_fault_memory(fault);
    }
    enum fault_code status = points_take(builder, points, count, extent, fault);
    status = status != FAULT_NONE ? status : build(builder, fault);
    if (status == FAULT_NONE) {
        *out = calloc(1, sizeof **out);
        status = *out ? FAULT_NONE : sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        hull_from(builder, *out);
    }
    free(builder);
    return status;
}
