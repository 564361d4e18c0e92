// The core of a collider: the part that no surface may reach into unless the collider has pierced it.
//
//   sphere, capsule, cylinder, box, hull   points that are deeper inside than half of the inner radius
//   plane, height field                    points that are farther below the surface than the body's thickness
//
// The inner radius is that of the greatest ball that fits inside: the radius of a sphere or a capsule, the least half extent
// of a box, the lesser of a cylinder's radius and half its length, what a hull's middle is away from its nearest face.
//
// Places are in the collider's own frame, in m. All is double by double, in one order.
#ifndef WEFT_SIM_CONTACT_CORE_H
#define WEFT_SIM_CONTACT_CORE_H

#include "sim/state/state.h"

struct sim_core {
    enum sim_collider_kind kind;
    double radius, half; // of a sphere, a capsule and a cylinder: the radius, half the length of its axis
    double depth;        // how far inside the surface it begins
    double low[3],
        most[3]; // what it fills along the collider's axes; a plane and a height field have no bound downwards
    const struct sim_hull *hull;
    const struct sim_field *field;
};

#define SIM_CORE_SHARE 0.5 // of the inner radius: so deep the core begins

// share: SIM_CORE_SHARE, or another one for what is nearer to the surface.
void sim_core_from(const struct sim_shape *shape, double thickness, double share, struct sim_core *core);
// The radius of the greatest ball in a collider; 0 for a plane and a height field.
double sim_inner_of(const struct sim_shape *shape);
// Whether a ball may reach into the core. Some that do not are told of as well.
bool sim_core_near(const struct sim_core *core, const double middle[3], double radius);
// Whether a triangle reaches into the core. Corners may be equal: then it is an edge or a particle.
bool sim_core_pierces(const struct sim_core *core, const double corners[3][3]);

#endif
