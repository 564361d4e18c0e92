// Quickhull that stops early: each face keeps a list of the points outside of it, and the farthest of all is the next vertex.
#include "hull.h"

#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACES_MAX = 4 * MESH_HULL_MAX };

static const double FLAT = 1e-9; // of the extent: what is no farther from a plane lies in it

struct face {
    uint32_t corners[3], neighbours[3]; // neighbours[k] is beyond the edge from corner k to the next
    double plane[4];
    uint32_t first, farthest; // points outside, linked by `next`
    double distance;          // of the farthest; 0: there is none
    bool alive, seen;
};

struct build {
    const double *points;
    uint32_t *next; // for each point
    struct mesh_hull *hull;
    uint32_t vertices[MESH_HULL_MAX];
    struct face faces[FACES_MAX];
    double flat; // m
};

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void plane_of(const double *a, const double *b, const double *c, double plane[4])
{
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = sqrt(dot(n, n));
    for (int axis = 0; axis < 3; axis++) {
        plane[axis] = length > 0 ? n[axis] / length : 0;
    }
    plane[3] = dot(plane, a);
}

static const double *point(const struct build *build, uint32_t index)
{
    return build->points + 3 * (size_t)index;
}

static double above(const struct build *build, const struct face *face, uint32_t index)
{
    return dot(face->plane, point(build, index)) - face->plane[3];
}

static uint32_t face_add(struct build *build, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t f = 0;
    while (build->faces[f].alive) {
        f++;
    }
    struct face *face = &build->faces[f];
    *face = (struct face){.corners = {a, b, c}, .first = MESH_NONE, .alive = true};
    plane_of(point(build, build->vertices[a]), point(build, build->vertices[b]),
             point(build, build->vertices[c]), face->plane);
    return f;
}

// Puts a point into the list of the first of these faces that it is outside of.
static void assign(struct build *build, const uint32_t *faces, uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++) {
        struct face *face = &build->faces[faces[i]];
        const double distance = above(build, face, index);
        if (distance > build->flat) {
            build->next[index] = face->first;
            face->first = index;
            if (distance > face->distance) {
                face->distance = distance;
                face->farthest = index;
            }
            return;
        }
    }
}

// The farthest point from the line or the plane through the vertices that there are.
static uint32_t farthest(const struct build *build, uint32_t count, uint32_t taken, double *distance)
{
    const double *a = point(build, build->vertices[0]);
    double plane[4] = {0}, along[3] = {0};
    uint32_t best = 0;
    *distance = -1;
    if (taken == 3) {
        plane_of(a, point(build, build->vertices[1]), point(build, build->vertices[2]), plane);
    } else if (taken == 2) {
        const double *b = point(build, build->vertices[1]);
        const double length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
                                   (b[2] - a[2]) * (b[2] - a[2]));
        for (int axis = 0; axis < 3; axis++) {
            along[axis] = length > 0 ? (b[axis] - a[axis]) / length : 0;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *p = point(build, i), d[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
        const double part = dot(d, along);
        const double far = taken == 3 ? fabs(dot(plane, d)) : sqrt(fmax(0, dot(d, d) - part * part));
        if (far > *distance) {
            *distance = far;
            best = i;
        }
    }
    return best;
}

// Takes four points that span a volume, and makes the faces between them. False if there are none.
static bool begin(struct build *build, uint32_t count)
{
    static const uint32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint32_t neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    static const uint32_t all[4] = {0, 1, 2, 3};
    double distance;
    build->vertices[0] = 0;
    for (uint32_t taken = 1; taken < 4; taken++) {
        // The first one is replaced by what is farthest from it.
        build->vertices[taken] = farthest(build, count, taken, &distance);
        if (taken == 1) {
            build->vertices[0] = build->vertices[1];
            build->vertices[1] = farthest(build, count, 1, &distance);
            build->flat = FLAT * distance;
        }
        build->hull->count = taken;
        if (!(distance > build->flat)) {
            return false;
        }
    }
    double plane[4];
    plane_of(point(build, build->vertices[0]), point(build, build->vertices[1]),
             point(build, build->vertices[2]), plane);
    if (dot(plane, point(build, build->vertices[3])) > plane[3]) { // it lies below the first face
        const uint32_t second = build->vertices[1];
        build->vertices[1] = build->vertices[2];
        build->vertices[2] = second;
    }
    build->hull->count = 4;
    for (int f = 0; f < 4; f++) {
        const uint32_t *c = corners[f];
        memcpy(build->faces[face_add(build, c[0], c[1], c[2])].neighbours, neighbours[f],
               sizeof neighbours[f]);
    }
    for (uint32_t i = 0; i < count; i++) {
        assign(build, all, 4, i);
    }
    return true;
}

// Finds all faces that the point sees, from one of them on. Returns their number.
static uint32_t look(struct build *build, uint32_t from, uint32_t eye, uint32_t *seen)
{
    uint32_t count = 1;
    seen[0] = from;
    build->faces[from].seen = true;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const uint32_t other = build->faces[seen[i]].neighbours[k];
            if (!build->faces[other].seen && above(build, &build->faces[other], eye) > build->flat) {
                build->faces[other].seen = true;
                seen[count++] = other;
            }
        }
    }
    return count;
}

// Replaces the faces that were seen by a fan from the new vertex to their rim. False if the rim is no single loop, which rounding may
// cause; then nothing has changed.
static bool join(struct build *build, uint32_t vertex, const uint32_t *seen, uint32_t seen_count,
                 uint32_t *made, uint32_t *made_count)
{
    struct {
        uint32_t end, beyond; // of the edge that starts at a vertex; end MESH_NONE: there is none
    } rim[MESH_HULL_MAX];
    uint32_t edges = 0, start = 0, length = 0;
    memset(rim, 0xff, sizeof rim);
    for (uint32_t i = 0; i < seen_count; i++) {
        const struct face *face = &build->faces[seen[i]];
        for (int k = 0; k < 3; k++) {
            if (build->faces[face->neighbours[k]].seen) {
                continue;
            }
            start = face->corners[k];
            if (rim[start].end != MESH_NONE) {
                return false;
            }
            rim[start].end = face->corners[(k + 1) % 3];
            rim[start].beyond = face->neighbours[k];
            edges++;
        }
    }
    for (uint32_t at = start; length < edges && rim[at].end != MESH_NONE && (length == 0 || at != start);
         length++) {
        at = rim[at].end;
    }
    if (length != edges || edges < 3) {
        return false;
    }
    *made_count = 0;
    for (uint32_t at = start; *made_count < edges; at = rim[at].end) {
        const uint32_t f = face_add(build, at, rim[at].end, vertex);
        struct face *beyond = &build->faces[rim[at].beyond];
        build->faces[f].neighbours[0] = rim[at].beyond;
        for (int k = 0; k < 3; k++) {
            if (beyond->corners[k] == rim[at].end && beyond->corners[(k + 1) % 3] == at) {
                beyond->neighbours[k] = f;
            }
        }
        made[(*made_count)++] = f;
    }
    for (uint32_t i = 0; i < edges; i++) {
        build->faces[made[i]].neighbours[1] = made[(i + 1) % edges];
        build->faces[made[i]].neighbours[2] = made[(i + edges - 1) % edges];
    }
    return true;
}

// Makes the farthest point of a face a vertex.
static void grow(struct build *build, uint32_t from)
{
    uint32_t seen[FACES_MAX], made[FACES_MAX], made_count = 0;
    const uint32_t eye = build->faces[from].farthest, vertex = build->hull->count;
    const uint32_t seen_count = look(build, from, eye, seen);
    build->vertices[vertex] = eye;
    const bool joined = join(build, vertex, seen, seen_count, made, &made_count);
    for (uint32_t i = 0; i < seen_count; i++) {
        struct face *face = &build->faces[seen[i]];
        face->seen = false;
        face->alive = !joined;
        for (uint32_t p = joined ? face->first : MESH_NONE, next; p != MESH_NONE; p = next) {
            next = build->next[p];
            assign(build, made, made_count, p);
        }
    }
    build->hull->count += joined;
    if (!joined) { // what this face has outside is left out
        build->faces[from].first = MESH_NONE;
        build->faces[from].distance = 0;
    }
}

static void finish(struct build *build)
{
    struct mesh_hull *hull = build->hull;
    for (uint32_t i = 0; i < hull->count; i++) {
        memcpy(hull->points[i], point(build, build->vertices[i]), sizeof hull->points[i]);
        for (int axis = 0; axis < 3; axis++) {
            hull->centre[axis] += hull->points[i][axis] / hull->count;
        }
    }
    for (uint32_t f = 0; f < FACES_MAX; f++) {
        const struct face *face = &build->faces[f];
        if (!face->alive) {
            continue;
        }
        const double *a = hull->points[face->corners[0]], *b = hull->points[face->corners[1]],
                     *c = hull->points[face->corners[2]];
        const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                     v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        const double away = face->plane[3] - dot(face->plane, hull->centre);
        hull->volume += sqrt(dot(n, n)) * away / 6;
        hull->inner = hull->plane_count == 0 || away < hull->inner ? away : hull->inner;
        memcpy(hull->planes[hull->plane_count++], face->plane, sizeof face->plane);
    }
    for (uint32_t i = 0; i < hull->count; i++) {
        const double *p = hull->points[i], *o = hull->centre, d[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]};
        hull->most = fmax(hull->most, sqrt(dot(d, d)));
    }
}

bool mesh_hull_make(const double *points, uint32_t count, uint32_t most, double near, struct mesh_hull *hull)
{
    struct build build = {.points = points, .hull = hull};
    *hull = (struct mesh_hull){0};
    if (count == 0) {
        return true;
    }
    build.next = malloc(count * sizeof *build.next);
    if (!build.next) {
        return false;
    }
    bool grows = begin(&build, count);
    while (grows && hull->count < most) {
        uint32_t best = FACES_MAX;
        for (uint32_t f = 0; f < FACES_MAX; f++) {
            if (build.faces[f].alive && build.faces[f].distance > near &&
                (best == FACES_MAX || build.faces[f].distance > build.faces[best].distance)) {
                best = f;
            }
        }
        grows = best < FACES_MAX;
        if (grows) {
            grow(&build, best);
        }
    }
    finish(&build);
    free(build.next);
    return true;
}

double mesh_hull_depth(const struct mesh_hull *hull, const double *points, uint32_t count)
{
    double depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        double least = INFINITY;
        for (uint32_t f = 0; f < hull->plane_count && least > depth; f++) {
            least = fmin(least, hull->planes[f][3] - dot(hull->planes[f], points + 3 * (size_t)i));
        }
        depth = hull->plane_count > 0 ? fmax(depth, least) : depth;
    }
    return depth;
}
