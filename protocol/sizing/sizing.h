// How well a thickness suits a mesh: the lengths of its edges, the thickness that they allow, and the pairs that contact would
// always have at hand. The server and the clients both ask it, so they say the same.
//
// Two points of one body meet below the contact distance, which is twice the thickness. If many edges are shorter than that, what
// is near an edge is near it at rest as well, and contact has these pairs in every tick.
#ifndef WEFT_PROTOCOL_SIZING_SIZING_H
#define WEFT_PROTOCOL_SIZING_SIZING_H

#include <stdbool.h>
#include <stdint.h>

// The usual thickness, over the mean length.
#define SIZING_OF_MEAN 0.15
// The most that suits, over the length that SIZING_SHORT_SHARE of the edges are shorter than.
#define SIZING_OF_SHORT 0.35
#define SIZING_SHORT_SHARE 0.05
#define SIZING_THICKNESS_MAX 1.0 // m

// The caller's arrays, only read. Indices must be below vertex_count.
struct sizing_mesh {
    const double *positions; // m, x, y, z of each vertex
    const uint32_t *elements;
    uint32_t vertex_count, element_count;
    uint32_t corners; // vertices of an element: 2 of an edge, 3 of a triangle, 4 of a tetrahedron
};

// An edge counts once for each element that has it. Of elements with more than SIZING_LENGTHS_MAX sides in all, each n-th one
// is looked at for everything but the mean.
enum { SIZING_LENGTHS_MAX = 262144 };
struct sizing {
    double *lengths; // ascending, without those of length 0; malloc'd
    uint32_t count;
    double mean;                 // with those of length 0; 0 without elements
    double least, median, small; // small: SIZING_SHORT_SHARE of the edges are shorter. 0 without edges.
};

// False if memory runs out. The caller deinits what was made.
bool sizing_init(struct sizing *sizing, const struct sizing_mesh *mesh);
void sizing_deinit(struct sizing *sizing);

// The thickness that the mesh allows, in m: the least of 0.15 of the mean edge, 0.35 of the short edges, and 1 m. `floor` is what
// a body needs to meet anything: short edges do not take it below that. 0 without edges.
double sizing_thickness(const struct sizing *sizing, double floor);
// The part of the edges, 0 ... 1, that are shorter than a length.
double sizing_share_below(const struct sizing *sizing, double length);

// Estimates how many pairs of a vertex and an element, and of two edges, are nearer at rest than `distance`. Pairs that share a
// vertex do not count, and only those that the surface joins within this distance are found. It looks at about a thousand
// vertices; *more is set if it stopped at a bound somewhere, so that there are more. Elements are edges or triangles. False if
// memory runs out.
bool sizing_pairs(const struct sizing_mesh *mesh, double distance, double *pairs, bool *more);

#endif
