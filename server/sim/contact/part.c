#include "sim/contact/part.h"

#include "sim/ground/vector.h"
#include "sim/state/motion.h"

#include <math.h>

static void turned(const double matrix[3][3], const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sim_dot(matrix[axis], v);
    }
}

bool sim_part(const struct sim_parting *parting, double impulse[3])
{
    const double *n = parting->normal;
    double gives[3], t[3];
    turned(parting->matrix, n, gives);
    const double weight = parting->surface + sim_dot(n, gives);
    if (!(weight > 0)) {
        return false;
    }
    const double lambda = parting->depth / weight;
    for (int axis = 0; axis < 3; axis++) {
        t[axis] = parting->way[axis] + lambda * (parting->surface * n[axis] + gives[axis]);
    }
    const double along = sim_dot(t, n);
    for (int axis = 0; axis < 3; axis++) {
        t[axis] -= along * n[axis];
        impulse[axis] = lambda * n[axis];
    }
    const double slide = sqrt(sim_dot(t, t));
    if (!(slide > 0) || !(parting->friction > 0)) {
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        t[axis] /= slide;
    }
    turned(parting->matrix, t, gives);
    const double across = parting->surface + sim_dot(t, gives);
    const double holds = parting->friction * lambda;
    const bool loose = slide > SIM_STICKS * holds * across + parting->quantum;
    const double most = loose ? parting->slides * lambda : holds;
    const double stops = across > 0 ? slide / across : 0;
    const double force = stops < most ? stops : most;
    for (int axis = 0; axis < 3; axis++) {
        impulse[axis] -= force * t[axis];
    }
    return true;
}
