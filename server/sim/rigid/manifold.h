// Where two rigid shapes touch, on plain numbers.
//
//          a                 normal: from b to a, of length 1
//     _____*_____            on_a, on_b: the point of each surface, m, in the frame in which both shapes are given
//       ^  |                 gap = normal . (on_a - on_b): below 0 where the shapes overlap
//     __|__*_____ on_b
//          b
//
// All of it is computed in doubles with + - * / and square roots, in one order, so it comes to the same bits everywhere.
#ifndef WEFT_SIM_RIGID_MANIFOLD_H
#define WEFT_SIM_RIGID_MANIFOLD_H

#include <stdbool.h>
#include <stdint.h>

enum sim_proxy_form {
    SIM_PROXY_SPHERE,
    SIM_PROXY_CAPSULE,
    SIM_PROXY_BOX,
    SIM_PROXY_PLANE,
    SIM_PROXY_FORMS,
};

// A shape at a place.
struct sim_proxy {
    enum sim_proxy_form form;
    double radius;                  // m: sphere and capsule
    double half_length;             // m, along its y: capsule, from the middle to the centre of an end
    double half_extents[3];         // m: box
    double position[3], axes[3][3]; // its middle, of a plane a point of it; its rotated x, y and z
};

enum { SIM_MANIFOLD_POINTS = 4 };

struct sim_manifold {
    uint32_t count;
    double normal[3];
    double on_a[SIM_MANIFOLD_POINTS][3], on_b[SIM_MANIFOLD_POINTS][3], gap[SIM_MANIFOLD_POINTS];
};

// Finds the points at which two shapes are nearer than the margin: four at most. The first four extremes of a face that touches
// come in a fixed order, which depends on the axes of the shapes alone. At most one of the two is a plane. False if there are none.
//
// The normal of two boxes is that of a face, or across two edges. The gap is then along it, and two boxes that are apart corner to
// corner are farther from each other than that.
bool sim_manifold_find(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                       struct sim_manifold *manifold);

// Half of what the shape takes along each axis of the frame, m. Not for planes.
void sim_proxy_extents(const struct sim_proxy *proxy, double half[3]);
// No point of the surface is farther from its middle, m. Not for planes.
double sim_proxy_reach(const struct sim_proxy *proxy);
// No point of the surface is nearer to its middle, m; of a plane infinite.
double sim_proxy_inner(const struct sim_proxy *proxy);

// box.c
bool sim_manifold_boxes(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold);
// round.c: a sphere or a capsule, with a sphere or a capsule, and with a box.
bool sim_manifold_round(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold);
bool sim_manifold_round_box(const struct sim_proxy *round, const struct sim_proxy *box, double margin,
                            struct sim_manifold *manifold);
// Adds a point between a point of b and one at the gap above it, if that is nearer than the margin and there is room.
void sim_manifold_add(struct sim_manifold *manifold, const double on_b[3], double gap, double margin);

#endif
