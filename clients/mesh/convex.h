// Pieces of a solid, as cutting it into convex hulls has them (convex.c).
//
// A piece is what the solid has in a box along the axes. Its surface is kept as two lists of triangles: those of the solid, and
// signed ones that close it at the cuts. The latter are a fan in the plane of a cut, from any point to all sides of the cut's outline:
// where it covers too much it is negative elsewhere, so sums over both lists are exact, and no outline has to be filled.
#ifndef WEFT_MESH_CONVEX_H
#define WEFT_MESH_CONVEX_H

#include "hull.h"

#include <stddef.h>

struct mesh_soup {
    double *corners; // 9 a triangle
    size_t count, capacity;
};

struct mesh_piece {
    struct mesh_soup own, caps;
    double low[3], high[3]; // its box
    double volume;
    struct mesh_hull hull;
    double depth; // m: how far the deepest point of its surface is inside its hull
};

struct mesh_cut {
    int axis;
    double at;
};

// Winding numbers, at points of the frame of the pieces.
struct mesh_inside {
    bool (*is)(const void *context, const double point[3]);
    const void *context;
};

void mesh_piece_deinit(struct mesh_piece *piece);
// Finds volume, hull and depth. near: what the hull may leave out, m. False if memory runs out.
bool mesh_piece_measure(struct mesh_piece *piece, const struct mesh_inside *inside, double near);
double mesh_piece_middle(const struct mesh_piece *piece, int axis); // of its hull along an axis
// Cuts the piece in two, which are not measured yet. tiny: what is no farther from the plane lies in it, m. False if memory runs out.
bool mesh_piece_cut(const struct mesh_piece *piece, struct mesh_cut cut, double tiny,
                    struct mesh_piece *below, struct mesh_piece *above);
// Finds the cut after which the hulls of both sides hold least that is not of the solid; *cost: that volume, and a little for unequal
// sides. cut->axis is -1 and the cost is infinite if the piece is too small for any. False if memory runs out.
bool mesh_piece_best(const struct mesh_piece *piece, const struct mesh_inside *inside, double near,
                     double tiny, struct mesh_cut *cut, double *cost);

#endif
