// Convex hulls of many points, of few vertices each (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for
// Convex Hulls", 1996).
#ifndef WEFT_MESH_HULL_H
#define WEFT_MESH_HULL_H

#include <stdbool.h>
#include <stdint.h>

enum { MESH_HULL_MAX = 64, MESH_HULL_FACES = 2 * MESH_HULL_MAX };

struct mesh_hull {
    uint32_t count; // of vertices; below 4: the points have no volume, and these are some of them
    double points[MESH_HULL_MAX][3];
    uint32_t plane_count;
    double planes[MESH_HULL_FACES]
                 [4]; // outward unit normal n and offset d of each triangle: n . p <= d inside
    double volume;
    double centre[3];   // mean of the vertices
    double inner, most; // the least distance of a plane from that, and the greatest of a vertex
};

// Takes the farthest point again and again, until the hull has `most` vertices or no point is farther outside than `near`. False if
// memory runs out.
bool mesh_hull_make(const double *points, uint32_t count, uint32_t most, double near, struct mesh_hull *hull);
// The depth inside the hull of the deepest point; 0 if none is inside.
double mesh_hull_depth(const struct mesh_hull *hull, const double *points, uint32_t count);

#endif
