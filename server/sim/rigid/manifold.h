// This header finds the points at which two rigid shapes touch, on plain numbers.
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

struct sim_field;
struct sim_hull;
struct sim_rigid_compound;

enum sim_proxy_form {
    SIM_PROXY_SPHERE,
    SIM_PROXY_CAPSULE,
    SIM_PROXY_BOX,
    SIM_PROXY_HULL,
    SIM_PROXY_CYLINDER,
    SIM_PROXY_PLANE,
    SIM_PROXY_FIELD,    // only of sim_manifold_field
    SIM_PROXY_COMPOUND, // only of sim_manifold_compound
    SIM_PROXY_FORMS,
};

// A shape at a place.
struct sim_proxy {
    enum sim_proxy_form form;
    double radius;                 // m: sphere and capsule
    double half_length;            // m, along its y: capsule, from the middle to the centre of an end
    double half_extents[3];        // m: box; cylinder: its radius and half of its length along its y
    const struct sim_field *field; // height field
    const struct sim_hull *hull;   // hull, with its whole faces made
    const struct sim_rigid_compound *compound; // compound, with those of its hulls; else NULL
    double position[3], axes[3][3];            // its middle, of a plane a point of it; its rotated x, y and z
};

enum { SIM_MANIFOLD_POINTS = 4 };

struct sim_manifold {
    uint32_t count;
    double normal[3];
    double on_a[SIM_MANIFOLD_POINTS][3], on_b[SIM_MANIFOLD_POINTS][3], gap[SIM_MANIFOLD_POINTS];
    double radii
        [2]; // m, of the cores of a and b: what is added to them along the normal. Only sim_manifold_compound fills this in
};

// Finds the points at which two shapes are nearer than the margin: four at most. The first four extremes of a face that touches
// come in a fixed order, which depends on the axes of the shapes alone. At most one of the two is a plane. False if there are none.
//
// The normal of two boxes or hulls is that of a face, or across two edges. The gap is then along it, and two that are apart corner to
// corner are farther from each other than that.
bool sim_manifold_find(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                       struct sim_manifold *manifold);

// proxy.c

// Half of what the shape takes along each axis of the frame, m. Not for planes.
void sim_proxy_extents(const struct sim_proxy *proxy, double half[3]);
// No point of the surface is farther from its middle, m. Not for planes.
double sim_proxy_reach(const struct sim_proxy *proxy);
// The radius of a ball inside, m, whose middle is that of the shape unless it is a hull; of a plane infinite.
double sim_proxy_inner(const struct sim_proxy *proxy);

// box.c
bool sim_manifold_boxes(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold);
// round.c: a sphere or a capsule, with a sphere or a capsule, and with a box.
bool sim_manifold_round(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold);
bool sim_manifold_round_box(const struct sim_proxy *round, const struct sim_proxy *box, double margin,
                            struct sim_manifold *manifold);
// polyhedron.c

// Joins the triangles of a hull to whole faces (hull->whole), unless that has been done.
void sim_polyhedron_make(struct sim_hull *hull);

// hull.c: a box or a hull, with a hull or a cylinder; and a hull above a plane. A cylinder is a prism of 64 sides there, whose surface is
// within 0.06 % of the radius.
bool sim_manifold_hulls(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                        struct sim_manifold *manifold);
void sim_manifold_hull_above(const struct sim_proxy *hull, const struct sim_proxy *plane, double margin,
                             struct sim_manifold *manifold);
// hull_round.c: a sphere or a capsule, with a hull.
bool sim_manifold_round_hull(const struct sim_proxy *round, const struct sim_proxy *hull, double margin,
                             struct sim_manifold *manifold);
// cylinder.c: a sphere or a capsule, with a cylinder.
bool sim_manifold_round_cylinder(const struct sim_proxy *round, const struct sim_proxy *cylinder,
                                 double margin, struct sim_manifold *manifold);
// field.c: anything above a height field. Fills in a manifold for each direction in which the two touch, those that are deepest first, and
// returns how many there are.
enum { SIM_FIELD_MANIFOLDS = 4 };
uint32_t sim_manifold_field(const struct sim_proxy *a, const struct sim_proxy *field, double margin,
                            struct sim_manifold manifolds[SIM_FIELD_MANIFOLDS]);
// compound.c: what has parts, with anything, or anything that is no collider with a compound. A manifold for each direction in which they
// touch, those that are deepest first; returns how many there are.
enum { SIM_COMPOUND_MANIFOLDS = 8 };
uint32_t sim_manifold_compound(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                               struct sim_manifold manifolds[SIM_COMPOUND_MANIFOLDS]);
// points.c

// Leaves the deepest of so many points (x, y and a height) and the three that are farthest out in the other directions, in the order in
// which they stand. Fills in their numbers, four at most, and returns how many there are. same: heights that differ by less are as deep,
// m; alike: and ways out that differ by less, as a part.
int sim_manifold_thin(const double (*points)[3], int count, double same, double alike,
                      int kept[SIM_MANIFOLD_POINTS]);
// Finds the nearest points of two segments, as lengths along their axes from their middles, of bounded size (Ericson 2005, 5.1.9).
// between: from the middle of the second to that of the first. Axes have length 1.
void sim_segments_nearest(const double between[3], const double u[3], double half_a, const double v[3],
                          double half_b, double *s, double *t);
// Adds a point between a point of b and one at the gap above it, if that is nearer than the margin and there is room.
void sim_manifold_add(struct sim_manifold *manifold, const double on_b[3], double gap, double margin);

#endif
