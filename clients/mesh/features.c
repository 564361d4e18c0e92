// Finds what remeshing keeps: borders, sharp edges, borders of materials and seams of texture, and the corners in which they end.
#include "halves.h"

#include <math.h>
#include <stdlib.h>

static const double SHARP = 0.766;  // the cosine of 40 degrees: between normals, and at a corner of a curve
static const double SAME_UV = 1e-5; // of texture, on both sides of an edge
static const double LEAST_CHAIN = 2.0; // lengths: sharp edges that hang together and are shorter are bumps

// The reason for which an edge is a feature.
enum { NO_FEATURE, FIRM, SHARP_EDGE };

struct finder {
    struct remesh *r;
    const struct mesh *mesh;
    uint8_t *reasons; // by halfedge
    uint32_t *stack;  // vertices, or triangles
    uint8_t *seen;    // by vertex, or by triangle
};

static bool uv_differs(const struct mesh *mesh, uint32_t a, uint32_t b)
{
    const float *p = mesh->uvs + 2 * (size_t)a, *q = mesh->uvs + 2 * (size_t)b;
    return fabs((double)p[0] - (double)q[0]) > SAME_UV || fabs((double)p[1] - (double)q[1]) > SAME_UV;
}

static bool is_sharp(const struct remesh *r, uint32_t half, uint32_t twin)
{
    double normals[2][3];
    const uint32_t halves[2] = {half, twin};
    for (int i = 0; i < 2; i++) {
        const uint32_t h = halves[i];
        remesh_normal(remesh_at(r, remesh_from(r, h)), remesh_at(r, remesh_to(r, h)),
                      remesh_at(r, remesh_from(r, remesh_prev(h))), normals[i]);
    }
    const double lengths =
        sqrt(remesh_dot(normals[0], normals[0])) * sqrt(remesh_dot(normals[1], normals[1]));
    return lengths > 0 && remesh_dot(normals[0], normals[1]) < SHARP * lengths;
}

static uint8_t reason_of(const struct finder *finder, uint32_t half)
{
    const struct mesh *mesh = finder->mesh;
    const uint32_t twin = finder->r->halves[half].twin;
    if (twin == MESH_NONE || (mesh->materials && mesh->materials[half / 3] != mesh->materials[twin / 3]) ||
        (mesh->uvs &&
         (uv_differs(mesh, half, remesh_next(twin)) || uv_differs(mesh, remesh_next(half), twin)))) {
        return FIRM;
    }
    return is_sharp(finder->r, half, twin) ? SHARP_EDGE : NO_FEATURE;
}

// The features at a vertex, as halfedges in either direction: the first two of them. Returns how many there are.
static uint32_t features_at(const struct finder *finder, uint32_t vertex, uint32_t out[2])
{
    const struct remesh *r = finder->r;
    const uint32_t first = r->vertices[vertex].out;
    uint32_t count = 0, h = first, last;
    do {
        if (finder->reasons[h]) {
            out[count < 2 ? count : 1] = h;
            count++;
        }
        last = h;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    if (h == MESH_NONE) {
        out[count < 2 ? count : 1] = remesh_prev(last);
        count++;
    }
    return count;
}

static uint32_t other_end(const struct remesh *r, uint32_t half, uint32_t vertex)
{
    return remesh_from(r, half) == vertex ? remesh_to(r, half) : remesh_from(r, half);
}

// ---------------------------------------------------------------------------------------------------------

// From a vertex all that sharp edges join. Returns the number of vertices in the stack, and twice the length of the edges;
// a negative length: a firm one is among them.
static uint32_t chain_of(const struct finder *finder, uint32_t vertex, double *length)
{
    const struct remesh *r = finder->r;
    uint32_t count = 0;
    *length = 0;
    finder->stack[count++] = vertex;
    finder->seen[vertex] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = finder->stack[i], first = r->vertices[at].out;
        uint32_t h = first, last;
        do {
            if (finder->reasons[h]) {
                const uint32_t to = remesh_to(r, h);
                *length = finder->reasons[h] == FIRM || *length < 0
                              ? -1
                              : *length + sqrt(remesh_square(remesh_at(r, at), remesh_at(r, to)));
                if (!finder->seen[to]) {
                    finder->seen[to] = 1;
                    finder->stack[count++] = to;
                }
            }
            last = h;
            h = remesh_around(r, h);
        } while (h != MESH_NONE && h != first);
        if (h == MESH_NONE) {
            *length = -1; // a border ends here
            const uint32_t to = r->halves[remesh_prev(last)].from;
            if (!finder->seen[to]) {
                finder->seen[to] = 1;
                finder->stack[count++] = to;
            }
        }
    }
    return count;
}

// Sharp edges that are few and short are no features.
static void drop_bumps(const struct finder *finder)
{
    const struct remesh *r = finder->r;
    for (uint32_t v = 0; v < r->vertex_count; v++) {
        double length;
        if (r->vertices[v].out == MESH_NONE || finder->seen[v]) {
            continue;
        }
        const uint32_t count = chain_of(finder, v, &length);
        if (length < 0 || length > 2 * LEAST_CHAIN * r->length) {
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t first = r->vertices[finder->stack[i]].out;
            uint32_t h = first;
            do {
                finder->reasons[h] = NO_FEATURE;
                finder->reasons[r->halves[h].twin] = NO_FEATURE; // there is one: no border was found
                h = remesh_around(r, h);
            } while (h != first);
        }
    }
}

static bool goes_straight(const struct remesh *r, uint32_t vertex, const uint32_t edges[2])
{
    double d[2][3];
    for (int i = 0; i < 2; i++) {
        remesh_apart(remesh_at(r, other_end(r, edges[i], vertex)), remesh_at(r, vertex), d[i]);
    }
    const double lengths = sqrt(remesh_dot(d[0], d[0])) * sqrt(remesh_dot(d[1], d[1]));
    return lengths > 0 && remesh_dot(d[0], d[1]) < -SHARP * lengths;
}

static void classify(const struct finder *finder, const uint8_t *kept)
{
    struct remesh *r = finder->r;
    for (uint32_t v = 0; v < r->vertex_count; v++) {
        uint32_t edges[2];
        struct remesh_vertex *vertex = &r->vertices[v];
        if (vertex->out == MESH_NONE) {
            continue;
        }
        const uint32_t count = features_at(finder, v, edges);
        vertex->kind = count == 0                                 ? REMESH_INNER
                       : count == 2 && goes_straight(r, v, edges) ? REMESH_CURVE
                                                                  : REMESH_CORNER;
    }
    for (uint32_t v = 0; v < r->vertex_count; v++) {
        if (r->original[v] != v) {
            r->vertices[v].kind = r->vertices[r->original[v]].kind = REMESH_CORNER;
        }
        if (kept && kept[r->original[v]]) {
            r->vertices[v].kind = REMESH_CORNER;
        }
    }
}

static void name_edge(struct remesh *r, uint32_t half, uint32_t curve)
{
    r->halves[half].curve = curve;
    if (r->halves[half].twin != MESH_NONE) {
        r->halves[r->halves[half].twin].curve = curve;
    }
}

// Follows a curve both ways, up to its corners or once around.
static void name_curve(const struct finder *finder, uint32_t half, uint32_t curve)
{
    struct remesh *r = finder->r;
    name_edge(r, half, curve);
    for (int way = 0; way < 2; way++) {
        uint32_t edge = half, vertex = way ? remesh_from(r, half) : remesh_to(r, half), edges[2];
        while (r->vertices[vertex].kind == REMESH_CURVE && r->vertices[vertex].curve != curve) {
            r->vertices[vertex].curve = curve;
            features_at(finder, vertex, edges);
            const bool first = edges[0] == edge || edges[0] == r->halves[edge].twin;
            edge = edges[first];
            name_edge(r, edge, curve);
            vertex = other_end(r, edge, vertex);
        }
    }
}

static void name_patches(const struct finder *finder)
{
    struct remesh *r = finder->r;
    const uint32_t triangles = r->half_count / 3;
    for (uint32_t t = 0; t < triangles; t++) {
        finder->seen[t] = 0;
    }
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t count = 0;
        if (finder->seen[t]) {
            continue;
        }
        finder->seen[t] = 1;
        finder->stack[count++] = t;
        while (count > 0) {
            const uint32_t at = finder->stack[--count];
            r->patches[at] = r->patch_count;
            for (uint32_t h = 3 * at; h < 3 * at + 3; h++) {
                const uint32_t twin = r->halves[h].twin;
                if (!r->halves[h].curve && !finder->seen[twin / 3]) {
                    finder->seen[twin / 3] = 1;
                    finder->stack[count++] = twin / 3;
                }
            }
        }
        r->patch_count++;
    }
}

bool remesh_features(struct remesh *r, const struct mesh *mesh, const uint8_t *kept)
{
    const size_t room = (size_t)r->vertex_count + r->half_count + 1;
    struct finder finder = {.r = r,
                            .mesh = mesh,
                            .reasons = calloc((size_t)r->half_count + 1, 1),
                            .stack = malloc(room * sizeof *finder.stack),
                            .seen = calloc(room, 1)};
    const bool good = finder.reasons && finder.stack && finder.seen;
    for (uint32_t h = 0; good && h < r->half_count; h++) {
        finder.reasons[h] = reason_of(&finder, h);
    }
    if (good) {
        drop_bumps(&finder);
        classify(&finder, kept);
    }
    for (uint32_t h = 0; good && h < r->half_count; h++) {
        r->sharp_count += finder.reasons[h] == SHARP_EDGE && h < r->halves[h].twin;
        if (finder.reasons[h] && !r->halves[h].curve) {
            name_curve(&finder, h, ++r->curve_count);
        }
    }
    if (good) {
        name_patches(&finder);
    }
    free(finder.reasons);
    free(finder.stack);
    free(finder.seen);
    return good;
}
