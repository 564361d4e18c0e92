// Points of a manifold.
#include "sim/rigid/manifold.h"

void sim_manifold_add(struct sim_manifold *manifold, const double on_b[3], double gap, double margin)
{
    if (!(gap <= margin) || manifold->count == SIM_MANIFOLD_POINTS) {
        return;
    }
    const uint32_t at = manifold->count++;
    manifold->gap[at] = gap;
    for (int axis = 0; axis < 3; axis++) {
        manifold->on_b[at][axis] = on_b[axis];
        manifold->on_a[at][axis] = on_b[axis] + gap * manifold->normal[axis];
    }
}
