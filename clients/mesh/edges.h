// The edges of a mesh's triangles, each with the triangles that have it.
#ifndef WEFT_MESH_EDGES_H
#define WEFT_MESH_EDGES_H

#include "mesh.h"

// One triangle's side: from vertex low to high or the other way, low < high. Sides of one edge stand together.
struct mesh_side {
    uint32_t low, high;
    uint32_t triangle;
    bool upward; // the triangle goes from low to high
};

struct mesh_side *mesh_sides(const struct mesh *mesh); // 3 triangle_count, sorted; NULL without memory
// Sides from `at` on that belong to one edge.
size_t mesh_sides_of_edge(const struct mesh_side *sides, size_t count, size_t at);

#endif
