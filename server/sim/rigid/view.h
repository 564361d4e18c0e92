// Boxes, cylinders and hulls by their vertices, faces and edges, as tests of polyhedra see them.
//
// A hull is seen as it is kept. What is seen of a box and of a cylinder is made in a room of the caller. A cylinder is a prism of
// SIM_VIEW_SIDES sides, whose edges are as far out of it as the middles of its sides are in: by 0.06 % of the radius.
#ifndef WEFT_SIM_RIGID_VIEW_H
#define WEFT_SIM_RIGID_VIEW_H

#include "sim/rigid/manifold.h"
#include "sim/state/motion.h"

enum { SIM_VIEW_SIDES = SIM_HULL_MAX / 2 };

// A polyhedron as it is seen from a frame.
struct sim_view {
    uint32_t vertex_count, face_count, edge_count;
    const double (*vertices)[3];
    const struct sim_polyhedron_face *faces;
    const uint8_t *corners;
    const struct sim_polyhedron_edge *edges;
    double size;             // m: the sum of its half extents
    double middle[3], inner; // m: a ball inside
};

// Room for what is placed.
struct sim_view_room {
    double vertices[SIM_HULL_MAX][3];
    struct sim_polyhedron_face faces[SIM_HULL_TRIANGLES_MAX];
    uint8_t corners[6 * SIM_VIEW_SIDES]; // of a cylinder
    struct sim_polyhedron_edge edges[3 * SIM_VIEW_SIDES];
};

// Sees a proxy in its own frame. room: not needed of a hull.
void sim_view_of(const struct sim_proxy *proxy, struct sim_view_room *room, struct sim_view *view);

#endif
