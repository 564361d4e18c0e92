// A surface as halfedges, which remeshing changes edge by edge.
//
// Triangle t has the halfedges 3 t, 3 t + 1 and 3 t + 2, which follow each other. A halfedge leaves a vertex, and has the halfedge
// of the triangle on the other side as its twin. A vertex knows one halfedge that leaves it; at a border it is the one without a
// twin, so that the walk by twin(prev) comes to all of them.
//
// Edges that are to be kept are features: borders, sharp edges, borders of materials, seams of texture. They form curves, which
// end in corners. Between them lie patches. A vertex in a patch stays in it, one on a curve stays on it, and a corner stays
// where it is.
#ifndef WEFT_MESH_HALVES_H
#define WEFT_MESH_HALVES_H

#include "internal.h"

enum remesh_kind { REMESH_INNER, REMESH_CURVE, REMESH_CORNER };

struct remesh_vertex {
    double at[3];
    uint32_t out;   // MESH_NONE: the vertex is gone
    uint32_t curve; // of REMESH_CURVE; else 0
    uint32_t hint;  // what of the first surface, or of its curves, it lay on last
    uint8_t kind;
};

struct remesh_half {
    uint32_t from;  // vertex; MESH_NONE: the triangle is gone
    uint32_t twin;  // MESH_NONE: a border
    uint32_t curve; // 0: no feature
};

struct remesh {
    struct remesh_vertex *vertices;
    struct remesh_half *halves;
    uint32_t *patches;  // by triangle
    uint32_t *marks;    // by vertex: the last question in which it was marked
    uint32_t *original; // by vertex that the mesh had: its number there, where one was split; else itself
    uint32_t vertex_count, half_count, mark;
    uint32_t first_count; // vertices of the start, with those that were split
    uint32_t vertex_capacity, half_capacity, patch_capacity, mark_capacity;
    uint32_t patch_count, curve_count;
    uint32_t sharp_count;             // edges
    double length, shortest, longest; // m: of edges: what is wanted, 4/5 and 4/3 of it
};

static inline uint32_t remesh_next(uint32_t half)
{
    return half % 3 == 2 ? half - 2 : half + 1;
}

static inline uint32_t remesh_prev(uint32_t half)
{
    return half % 3 == 0 ? half + 2 : half - 1;
}

static inline uint32_t remesh_from(const struct remesh *r, uint32_t half)
{
    return r->halves[half].from;
}

static inline uint32_t remesh_to(const struct remesh *r, uint32_t half)
{
    return r->halves[remesh_next(half)].from;
}

// The next halfedge that leaves the same vertex; MESH_NONE past the last one at a border.
static inline uint32_t remesh_around(const struct remesh *r, uint32_t half)
{
    return r->halves[remesh_prev(half)].twin;
}

// ---------------------------------------------------------------------------------------------------------
// half.c

// Makes halfedges of the mesh. Vertices in which surfaces only touch are split. INVALID if an edge has more than two triangles or
// two that face opposite ways, or if a vertex is not finite.
bool remesh_init(struct remesh *r, const struct mesh *mesh, struct fault *fault);
void remesh_deinit(struct remesh *r);

// Puts a vertex into the middle of the edge. False if memory runs out.
bool remesh_split(struct remesh *r, uint32_t half);
// Whether the surface stays one if both ends of the edge become one vertex.
bool remesh_may_collapse(struct remesh *r, uint32_t half);
// The vertex that the halfedge leaves becomes the one that it goes to; `back`: the other way round.
void remesh_collapse(struct remesh *r, uint32_t half, bool back);
// Whether the two triangles at an edge may be cut the other way: it is no feature, and no such edge is there.
bool remesh_may_flip(const struct remesh *r, uint32_t half);
void remesh_flip(struct remesh *r, uint32_t half);

uint32_t remesh_valence(const struct remesh *r, uint32_t vertex, bool *border); // its edges

// ---------------------------------------------------------------------------------------------------------
// vectors

static inline void remesh_apart(const double *a, const double *b, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

static inline double remesh_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Twice the area, along the normal.
static inline void remesh_normal(const double *a, const double *b, const double *c, double out[3])
{
    double u[3], v[3];
    remesh_apart(b, a, u);
    remesh_apart(c, a, v);
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static inline double remesh_square(const double *a, const double *b)
{
    double d[3];
    remesh_apart(a, b, d);
    return remesh_dot(d, d);
}

static inline const double *remesh_at(const struct remesh *r, uint32_t vertex)
{
    return r->vertices[vertex].at;
}

// ---------------------------------------------------------------------------------------------------------
// features.c

// Finds features, curves, corners and patches. kept, by vertex of the mesh, may be NULL.
bool remesh_features(struct remesh *r, const struct mesh *mesh, const uint8_t *kept);

// ---------------------------------------------------------------------------------------------------------
// near.c: the nearest place on triangles or segments

struct near_tree;
// Items: triangles of three corners, or segments whose last two corners are equal. Each has a group. Corners and positions must
// outlive the tree. NULL if memory runs out.
struct near_tree *near_create(const double *positions, const uint32_t *corners, uint32_t count,
                              const uint32_t *groups);
void near_destroy(struct near_tree *tree); // NULL is allowed

struct near_place {
    uint32_t item; // MESH_NONE: there is none
    double at[3], weights[3], square;
};
// The nearest place on the items of a group. If `normal` is given, triangles that face away from it do not count, unless all
// do. *hint is an item of the group, or MESH_NONE.
void near_find(const struct near_tree *tree, const double point[3], uint32_t group, const double *normal,
               uint32_t hint, struct near_place *place);

// The nearest place on one item.
void near_on(const struct near_tree *tree, uint32_t item, const double point[3], struct near_place *place);
uint32_t near_group(const struct near_tree *tree, uint32_t item);

// ---------------------------------------------------------------------------------------------------------
// passes.c

// Each pass improves lengths, valences or shapes. False if memory runs out, or LIMIT.
bool remesh_split_long(struct remesh *r, double longest, uint32_t vertices_max, struct fault *fault);
uint32_t remesh_collapse_short(struct remesh *r); // how many
void remesh_flip_edges(struct remesh *r);
// Moves vertices to the middle of their neighbours along the surface, and back onto what it was.
void remesh_smooth(struct remesh *r, const struct near_tree *surface, const struct near_tree *curves);

// ---------------------------------------------------------------------------------------------------------
// remade.c

// Makes the mesh of the halfedges, with uvs, normals and materials where it had them. False if memory runs out.
bool remesh_finish(const struct remesh *r, const struct near_tree *surface, struct mesh *mesh);

#endif
