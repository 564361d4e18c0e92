// Even triangulations: the passes in their order, and what came of them.
#include "halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, COLLAPSES = 8 };
static const double TRIANGLE = 0.866; // area of an even triangulation a vertex, over the square of its edges
static const double ROOM = 1.2;       // what a length that fits is greater by than the least one
static const double SIZES = 0.5;      // the greatest length, over the greatest extent

static double area_of(const struct mesh *mesh)
{
    double area = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        double n[3];
        remesh_normal(mesh->positions + 3 * (size_t)corner[0], mesh->positions + 3 * (size_t)corner[1],
                      mesh->positions + 3 * (size_t)corner[2], n);
        area += 0.5 * sqrt(remesh_dot(n, n));
    }
    return area;
}

static bool check(const struct mesh *mesh, const struct mesh_remeshing *how, uint32_t vertices_max,
                  struct fault *fault)
{
    struct mesh_bounds bounds;
    double size = 0;
    if (mesh->triangle_count == 0 || mesh->tet_count > 0) {
        return fault_set(fault, FAULT_INVALID, "triangles",
                         "only a surface of triangles can be remeshed; this is %s",
                         mesh->tet_count ? "a body of tetrahedra" : "empty");
    }
    mesh_bounds(mesh, &bounds);
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.high[axis] - bounds.low[axis]);
    }
    if (!(how->length > 0 && how->length <= SIZES * size)) {
        return fault_set(fault, FAULT_INVALID, "length",
                         "%g m; edges of a mesh that is %.3g m large must be above 0 and at most %.3g m long",
                         how->length, size, SIZES * size);
    }
    const double area = area_of(mesh), needed = area / (TRIANGLE * how->length * how->length);
    if (needed > vertices_max) {
        return fault_set(
            fault, FAULT_LIMIT, "length",
            "edges of %.3g m need about %.2g vertices, of %u that there may be; a length of %.2g m fits",
            how->length, needed, vertices_max, ROOM * sqrt(area / (TRIANGLE * vertices_max)));
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------

// The surface as it was, and its curves: what vertices are put back onto.
struct before {
    double *positions;
    uint32_t *triangles, *groups;
    uint32_t *ends, *curves; // three corners a segment, and its curve
    struct near_tree *surface, *lines;
};

static void before_deinit(struct before *before)
{
    near_destroy(before->surface);
    near_destroy(before->lines);
    free(before->positions);
    free(before->triangles);
    free(before->groups);
    free(before->ends);
    free(before->curves);
}

static bool before_init(struct before *before, const struct remesh *r, const struct mesh *mesh)
{
    const size_t numbers = 3 * (size_t)mesh->vertex_count;
    uint32_t lines = 0;
    *before = (struct before){.positions = malloc((numbers + 1) * sizeof *before->positions),
                              .triangles = malloc(((size_t)r->half_count + 1) * sizeof *before->triangles),
                              .groups = malloc(((size_t)mesh->triangle_count + 1) * sizeof *before->groups),
                              .ends = malloc((3 * (size_t)r->half_count + 1) * sizeof *before->ends),
                              .curves = malloc(((size_t)r->half_count + 1) * sizeof *before->curves)};
    if (!before->positions || !before->triangles || !before->groups || !before->ends || !before->curves) {
        return false;
    }
    memcpy(before->positions, mesh->positions, numbers * sizeof *before->positions);
    memcpy(before->triangles, mesh->triangles, r->half_count * sizeof *before->triangles);
    memcpy(before->groups, r->patches, mesh->triangle_count * sizeof *before->groups);
    for (uint32_t h = 0; h < r->half_count; h++) {
        const uint32_t twin = r->halves[h].twin;
        if (r->halves[h].curve && (twin == MESH_NONE || h < twin)) {
            uint32_t *end = before->ends + 3 * (size_t)lines;
            end[0] = r->original[remesh_from(r, h)];
            end[1] = end[2] = r->original[remesh_to(r, h)];
            before->curves[lines++] = r->halves[h].curve;
        }
    }
    before->surface = near_create(before->positions, before->triangles, mesh->triangle_count, before->groups);
    before->lines = near_create(before->positions, before->ends, lines, before->curves);
    return before->surface && before->lines;
}

static double longest_of(const struct remesh *r)
{
    double square = 0;
    for (uint32_t h = 0; h < r->half_count; h++) {
        if (r->halves[h].from != MESH_NONE) {
            square =
                fmax(square, remesh_square(remesh_at(r, remesh_from(r, h)), remesh_at(r, remesh_to(r, h))));
        }
    }
    return sqrt(square);
}

// Very long edges first: halves of them are alike.
static bool split_all(struct remesh *r, uint32_t vertices_max, struct fault *fault)
{
    for (double bound = 0.5 * longest_of(r); bound > r->longest; bound *= 0.5) {
        if (!remesh_split_long(r, bound, vertices_max, fault)) {
            return false;
        }
    }
    return remesh_split_long(r, r->longest, vertices_max, fault);
}

static bool run(struct remesh *r, const struct before *before, uint32_t vertices_max,
                const struct mesh_watch *watch, struct fault *fault)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (!mesh_report(watch, "remeshing", (double)round / ROUNDS, fault) ||
            !split_all(r, vertices_max, fault)) {
            return false;
        }
        for (int i = 0; i < COLLAPSES && remesh_collapse_short(r) > 0; i++) {
            if (!mesh_report(watch, "remeshing", (round + 0.5) / ROUNDS, fault)) {
                return false;
            }
        }
        remesh_flip_edges(r);
        remesh_smooth(r, before->surface, before->lines);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------

// How far a place of the new surface is from the surface as it was.
static double distance_of(const struct remesh *r, const struct before *before, uint32_t half,
                          const double at[3])
{
    struct near_place place;
    near_find(before->surface, at, r->patches[half / 3], NULL,
              r->vertices[r->halves[half].from].kind == REMESH_INNER ? r->vertices[r->halves[half].from].hint
                                                                     : MESH_NONE,
              &place);
    return place.item == MESH_NONE ? 0 : sqrt(place.square);
}

static void measure(const struct remesh *r, const struct before *before, struct mesh_remeshed *told)
{
    uint32_t edges = 0, even = 0;
    told->least = INFINITY;
    for (uint32_t h = 0; h < r->half_count; h++) {
        const uint32_t twin = r->halves[h].twin;
        if (r->halves[h].from == MESH_NONE) {
            continue;
        }
        const double *a = remesh_at(r, remesh_from(r, h)), *b = remesh_at(r, remesh_to(r, h)),
                     *c = remesh_at(r, r->halves[remesh_prev(h)].from);
        if (h % 3 == 0) {
            const double middle[3] = {(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3,
                                      (a[2] + b[2] + c[2]) / 3};
            told->farthest = fmax(told->farthest, distance_of(r, before, h, middle));
        }
        if (twin != MESH_NONE && twin < h) {
            continue;
        }
        const double middle[3] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
        const double length = sqrt(remesh_square(a, b));
        told->farthest = fmax(told->farthest, distance_of(r, before, h, middle));
        told->least = fmin(told->least, length);
        told->most = fmax(told->most, length);
        even += length >= r->shortest && length <= r->longest;
        edges++;
    }
    told->even = edges > 0 ? (double)even / edges : 0;
}

bool mesh_remesh(struct mesh *mesh, const struct mesh_remeshing *how, const struct mesh_watch *watch,
                 struct mesh_remeshed *told, struct fault *fault)
{
    struct remesh r = {0};
    struct before before = {0};
    const uint32_t vertices_max = how->vertices_max ? how->vertices_max : MESH_VERTICES_MAX;
    *told = (struct mesh_remeshed){.vertices_before = mesh->vertex_count,
                                   .triangles_before = mesh->triangle_count};
    bool good = remesh_init(&r, mesh, fault) && check(mesh, how, vertices_max, fault);
    if (good) {
        r.length = how->length;
        r.shortest = 4 * how->length / 5;
        r.longest = 4 * how->length / 3;
        told->split = r.first_count - mesh->vertex_count;
        good = (remesh_features(&r, mesh, how->kept) && before_init(&before, &r, mesh)) ||
               mesh_fail_memory(fault);
    }
    if (good && run(&r, &before, vertices_max, watch, fault)) {
        told->sharp = r.sharp_count;
        measure(&r, &before, told);
        good = remesh_finish(&r, before.surface, mesh) || mesh_fail_memory(fault);
    } else {
        good = false;
    }
    before_deinit(&before);
    remesh_deinit(&r);
    return good;
}
